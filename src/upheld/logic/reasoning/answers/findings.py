"""Findings put together: who ended a claim, when, because of what, and what would restore it."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import Label
from upheld.logic.language.verdicts import Finding, Outcome, Reason
from upheld.logic.reasoning.answers.grounds import complete_justification, grounds_of_claim
from upheld.logic.reasoning.lifecycle import deciding_act, ending_act
from upheld.logic.reasoning.nodes import Attack, AttackKind, Node
from upheld.logic.reasoning.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """Who and what ended a claim's standing."""

    by: AgentId | None = None
    turn: TurnId | None = None
    because: tuple[PropositionId, ...] = ()
    current: PropositionId | None = None

    @classmethod
    def from_attack(cls, state: State, attack: Attack) -> Ended:
        """Read it off an attack: the attacker if it is a claim, else what the attacking act rests on."""
        return cls(
            by=attack.origin.speaker,
            turn=attack.origin.turn or None,
            because=reasons_of(state, attack),
            current=_current(state, attack),
        )

    @classmethod
    def from_open_attack(cls, state: State, node: Node) -> Ended | None:
        """Read it off the first attack that is not out."""
        open_attacks = (
            each for each in state.live_attacks(node) if state.network.label(each.attacker) is not Label.OUT
        )
        attack = next(open_attacks, None)
        return None if attack is None else cls.from_attack(state, attack)


NOBODY = Ended()


def ended_by(state: State, node: Node) -> Ended:
    """Give who gave a claim up, and for which recorded reasons."""
    act = ending_act(state, node) or deciding_act(state, node)
    if act is None:
        return NOBODY
    revision = state.nodes.get(act.by)
    because: tuple[PropositionId, ...] = ()
    if revision is not None and revision.id != node.id:
        premises = (item for each in revision.introductions for item in each.premises)
        because = tuple(item.proposition for item in premises if item.proposition != act.replacement)
    return Ended(
        by=act.origin.speaker,
        turn=act.origin.turn or None,
        because=because,
        current=current_value(state, node.id),
    )


def current_value(state: State, id: PropositionId) -> PropositionId | None:
    """Give the value that replaced a proposition, or what has replaced that since; ``None`` if nothing did.

    The newest that stands wins; when none does, the newest. Cost: the length of the lineage.
    """
    seen: set[PropositionId] = {id}
    latest: PropositionId | None = None
    pending = [id]
    while pending:
        node = state.nodes.get(pending.pop())
        for item in node.replacements if node is not None else ():
            if item.newer not in seen and not state.is_withdrawn(item.origin):
                seen.add(item.newer)
                pending.append(item.newer)
                if latest is None or state.label(item.newer) is Label.IN or state.label(latest) is not Label.IN:
                    latest = item.newer
    return latest


def reasons_of(state: State, attack: Attack) -> tuple[PropositionId, ...]:
    """Give the claims that show an attack."""
    if attack.kind is AttackKind.REPLACES:
        newest = _current(state, attack)
        return () if newest is None else (newest,)
    attacker = PropositionId(attack.attacker.removesuffix(" settles"))
    node = state.nodes.get(attacker)
    if node is None:
        return ()
    if not node.is_act:
        return (attacker,)
    premises = complete_justification(state, attacker) or ()
    return tuple(item.proposition for item in premises)


def grounded(state: State, item: Literal) -> Finding:
    """Give the finding that a literal is grounded, with its whole provenance and the risks that were accepted."""
    node = state.node(item.proposition)
    risks = tuple(
        PropositionId(attack.attacker)
        for attack in state.live_attacks(node)
        if attack.accepted_by and state.network.label(attack.attacker) is Label.IN
    )
    origin = node.first.origin
    return Finding(
        literal=item,
        outcome=Outcome.GROUNDED,
        by=origin.speaker,
        turn=origin.turn or None,
        grounds=grounds_of_claim(state, item),
        risks=risks,
    )


def failing(
    state: State,
    item: Literal,
    reason: Reason,
    ended: Ended | None = None,
    *,
    path: tuple[PropositionId, ...] = (),
    policy: str = "",
) -> Finding:
    """Give the finding that a literal is not grounded, and what would restore it."""
    known = ended or NOBODY
    return Finding(
        literal=item,
        outcome=Outcome.UNGROUNDED,
        reason=reason,
        by=known.by,
        turn=known.turn,
        because=known.because,
        path=path,
        current=known.current,
        restored_if=_remedy(reason, item, known, path),
        policy=policy,
    )


def _current(state: State, attack: Attack) -> PropositionId | None:
    if attack.kind is not AttackKind.REPLACES:
        return None
    return current_value(state, PropositionId(attack.attacker.removesuffix(" replaced")))


def _remedy(reason: Reason, item: Literal, ended: Ended, path: tuple[PropositionId, ...]) -> str:
    because = ", ".join(ended.because)
    fallen = path[-1] if path else because
    remedies = {
        Reason.UNKNOWN: "somebody says it",
        Reason.OUT_OF_VIEW: "the speaker is told",
        Reason.ABANDONED: f"somebody takes {item.proposition} up again with new evidence",
        Reason.RETRACTED: f"somebody states {item.proposition} again",
        Reason.SUPERSEDED: f"the current value {ended.current} is used" if ended.current else "the old value returns",
        Reason.CONTRADICTED: f"{because} is taken back" if because else "what stands against it is taken back",
        Reason.PREMISE_LOST: f"{fallen} stands again, or {item.proposition} gets another ground",
        Reason.UNDERMINED: f"the attack by {because} is answered" if because else "the attack on it is answered",
        Reason.REOPENED: f"somebody takes {item.proposition} up again",
        Reason.UNDECIDED: "the circle is broken by something outside it",
        Reason.OVERCLAIMED: "it is put as a hypothesis, or somebody settles it",
        Reason.TOO_WEAK: f"{item.proposition} or what it rests on is confirmed",
    }
    return remedies[reason]
