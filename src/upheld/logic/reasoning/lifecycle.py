"""What the speakers did with a claim: the last act decides (semantics, section 5)."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.logic.reasoning.compilation import held_introductions
from upheld.logic.reasoning.nodes import Act, ActKind, Attack, AttackKind, Node
from upheld.logic.reasoning.state import State

_CONSIDERED = {
    ActKind.INTRODUCED: Lifecycle.ACTIVE,
    ActKind.WEAKENED: Lifecycle.WEAKENED,
    ActKind.RESTORED: Lifecycle.ACTIVE,
    ActKind.GIVEN_UP: Lifecycle.ABANDONED,
    ActKind.REPLACED: Lifecycle.ABANDONED,
    ActKind.RESOLVED: Lifecycle.RESOLVED,
    ActKind.DENIED: Lifecycle.ABANDONED,
    ActKind.RETRACTED: Lifecycle.ABANDONED,
}
_REPORTED = {
    ActKind.INTRODUCED: Lifecycle.STANDING,
    ActKind.RESTORED: Lifecycle.STANDING,
    ActKind.GIVEN_UP: Lifecycle.RETRACTED,
    ActKind.REPLACED: Lifecycle.SUPERSEDED,
    ActKind.DENIED: Lifecycle.RETRACTED,
    ActKind.RETRACTED: Lifecycle.RETRACTED,
}
_DECISION = {
    ActKind.INTRODUCED: Lifecycle.RESOLVED,
    ActKind.RESTORED: Lifecycle.RESOLVED,
    ActKind.GIVEN_UP: Lifecycle.ABANDONED,
    ActKind.REPLACED: Lifecycle.ABANDONED,
    ActKind.DENIED: Lifecycle.ABANDONED,
    ActKind.RETRACTED: Lifecycle.ABANDONED,
}
_RESTORABLE = frozenset({Lifecycle.WEAKENED, Lifecycle.ABANDONED, Lifecycle.RETRACTED})
"""Lifecycles from which a specific support brings a claim back."""

_BY_DECISION = frozenset({ActKind.RESOLVED, ActKind.DENIED})
"""Acts that count only while the decision that performed them does."""


def lifecycle_of(state: State, id: PropositionId) -> Lifecycle:
    """Give the lifecycle of a claim. Cost: the acts on it.

    Raises:
        UnknownReference: nobody introduced it.
    """
    node = state.node(id)
    last = deciding_act(state, node)
    if last is None and held_introductions(state, node):
        # Its first source was withdrawn, and somebody else had said it again: that is when it was introduced.
        return _table(node)[ActKind.INTRODUCED]
    if last is None:
        return Lifecycle.ABANDONED if node.is_considered else Lifecycle.RETRACTED
    return _table(node)[last.kind]


def deciding_act(state: State, node: Node) -> Act | None:
    """Give the last act that counts; ``None`` when every source of the claim was withdrawn."""
    return next(_counting(state, node, _Holding(state)), None)


def ending_act(state: State, node: Node) -> Act | None:
    """Give the act with which a claim was given up for good: the first of those that nobody took back since."""
    table = _table(node)
    ending: Act | None = None
    for act in _counting(state, node, _Holding(state)):
        if table[act.kind] not in GIVEN_UP:
            break
        ending = act
    return ending


def is_reopened(state: State, node: Node) -> bool:
    """Tell whether a claim was given up for reasons that have all fallen, and nobody took it up again."""
    revisions = [attack for attack in state.live_attacks(node) if attack.kind is AttackKind.REVISES]
    revisions = [attack for attack in revisions if not is_answered(state, attack)]
    if not revisions or state.label(node.id) is not Label.UNDECIDED:
        return False
    return all(state.label(attack.attacker) is Label.OUT for attack in revisions)


def is_answered(state: State, attack: Attack) -> bool:
    """Tell whether an attack is switched off."""
    return any(state.network.label(answer) is Label.IN for answer in attack.answers)


class _Holding:
    """Which decisions hold: one that was revised takes back what it resolved.

    A decision may itself have been settled against by a later one, and so on; hence a stack and no recursion.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._known: dict[PropositionId, bool] = {}

    def holds(self, decision: PropositionId) -> bool:
        pending = [decision]
        while pending:
            later = self._settle(pending[-1])
            if later is None:
                pending.pop()
            else:
                pending.append(later)
        return self._known[decision]

    def _settle(self, decision: PropositionId) -> PropositionId | None:
        """Find out about one, or give the later one that must be known first."""
        node = self._state.nodes.get(decision)
        if node is None or node.is_act:
            self._known[decision] = True
            return None
        table = _table(node)
        for act in reversed(node.acts):
            if act.kind not in table or self._state.is_withdrawn(act.origin):
                continue
            if act.kind in _BY_DECISION:
                if act.by not in self._known:
                    return act.by
                if not self._known[act.by]:
                    continue
            self._known[decision] = table[act.kind] is not Lifecycle.ABANDONED
            return None
        self._known[decision] = False
        return None


def _counting(state: State, node: Node, decisions: _Holding) -> Iterator[Act]:
    """Give the acts that count, newest first.

    A specific support restores only what was weakened or given up; of what is resolved, or replaced by another value,
    it is no act.
    """
    table = _table(node)
    restored: Act | None = None
    for act in reversed(node.acts):
        if act.kind not in table or state.is_withdrawn(act.origin):
            continue
        if act.kind is ActKind.RESTORED:
            restored = restored or act
            continue
        if act.kind in _BY_DECISION and not decisions.holds(act.by):
            continue
        if restored is not None and table[act.kind] in _RESTORABLE:
            yield restored
        restored = None
        yield act


def _table(node: Node) -> dict[ActKind, Lifecycle]:
    if node.kind is Kind.DECISION:
        return _DECISION
    return _CONSIDERED if node.is_considered else _REPORTED
