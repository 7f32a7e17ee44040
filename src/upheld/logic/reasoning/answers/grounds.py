"""On what a claim rests: the provenance down to the turns, and where it breaks off."""

from __future__ import annotations

from upheld.logic.dependency.justifications import Justification
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import Label
from upheld.logic.language.verdicts import Ground
from upheld.logic.reasoning.state import State


def complete_justification(state: State, id: PropositionId) -> Justification | None:
    """Give the first justification all of whose premises are in, or ``None``."""
    groups = state.dependencies.justifications_of(id)
    return next((group for group in groups if all(state.stands(item) for item in group)), None)


def grounds_of_claim(state: State, claim: Literal) -> tuple[Ground, ...]:
    """Give a claim and all that it rests on, each once, depth first; one standing justification a claim.

    Cost: what it rests on. Iterative, so that a chain of any length is followed to its end.
    """
    found: dict[Literal, Ground] = {}
    pending: list[tuple[Literal, int]] = [(claim, 0)]
    while pending:
        item, depth = pending.pop()
        if item in found:
            continue
        found[item] = _ground(state, item, depth)
        premises = _premises(state, item)
        pending.extend((premise, depth + 1) for premise in reversed(premises))
    return tuple(found.values())


def broken_path(state: State, id: PropositionId) -> tuple[PropositionId, ...]:
    """Give the way from a claim to the first fallen premise behind it that did not itself fall for want of a premise.

    The claim comes first. Cost: the premises along the way.
    """
    path = [id]
    seen = {id}
    while True:
        fallen = _fallen_premise(state, path[-1])
        if fallen is None or fallen in seen:
            return tuple(path)
        path.append(fallen)
        seen.add(fallen)


def is_by_circle(state: State, id: PropositionId) -> bool:
    """Tell whether a claim is undecided because of a cycle that nothing outside breaks."""
    seen: set[str] = set()
    pending: list[str] = [id]
    while pending:
        key = pending.pop()
        if key in seen or state.network.label(key) is not Label.UNDECIDED:
            continue
        if state.network.in_ring(key):
            return True
        seen.add(key)
        node = state.nodes.get(PropositionId(key))
        if node is None:
            continue
        pending.extend(attack.attacker for attack in node.attacks)
        pending.extend(str(item) for group in state.dependencies.justifications_of(node.id) for item in group)
    return False


def _ground(state: State, item: Literal, depth: int) -> Ground:
    node = state.nodes.get(item.proposition)
    proposition = state.propositions.get(item.proposition)
    origin = node.first.origin if node is not None and node.introductions else None
    return Ground(
        literal=item,
        text=proposition.text if proposition is not None else "",
        speaker=origin.speaker if origin is not None else None,
        turn=origin.turn if origin is not None else None,
        depth=depth,
    )


def _premises(state: State, item: Literal) -> tuple[Literal, ...]:
    """What a literal rests on: a standing justification, or for a denial whatever establishes it."""
    if not item.negated:
        return complete_justification(state, item.proposition) or ()
    node = state.nodes.get(item.proposition)
    if node is None:
        return ()
    reasons: dict[Literal, None] = {}
    for attack in state.live_attacks(node):
        if state.network.label(attack.attacker) is Label.IN:
            attacker = PropositionId(attack.attacker)
            if attacker in state.propositions:
                reasons[Literal(attacker)] = None
            else:
                reasons.update(dict.fromkeys(complete_justification(state, attacker) or ()))
    return tuple(reasons)


def _fallen_premise(state: State, id: PropositionId) -> PropositionId | None:
    """Give a premise without which the claim has no complete justification; one that is out before an undecided one."""
    candidates = [
        item for group in state.dependencies.justifications_of(id) for item in group if not state.stands(item)
    ]
    if complete_justification(state, id) is not None or not candidates:
        return None
    out = [item for item in candidates if state.label(item) is Label.OUT]
    return (out or candidates)[0].proposition
