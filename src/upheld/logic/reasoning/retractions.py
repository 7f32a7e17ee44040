"""Taking something back that is no utterance: the verbs of whoever keeps the record, and of a what-if (semantics, section 2)."""

from __future__ import annotations

from dataclasses import replace

from upheld.errors import UnknownReference
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.reasoning.draft import Draft
from upheld.logic.reasoning.effects import replace_value
from upheld.logic.reasoning.nodes import Act, ActKind, Attack, AttackKind, Origin, falsified_key
from upheld.logic.reasoning.state import State


def taken_back(state: State, retraction: Retraction) -> State:
    """Give the state after a retraction. Cost: what it reaches; for a withdrawal, what the source had touched.

    Raises:
        UnknownReference: nobody introduced the target, or nothing came from the source.
    """
    return consequences(state, retraction)[0]


def consequences(state: State, retraction: Retraction) -> tuple[State, frozenset[str]]:
    """Give the state after a retraction with the vertices whose label changed; raises as :func:`taken_back`."""
    draft = Draft(state, Origin(moment=state.moment, turn=TurnId(""), speaker=None))
    match retraction:
        case Retract(target=target):
            draft.act(target, Act(kind=ActKind.RETRACTED, origin=draft.origin, by=target))
        case Falsify(target=target):
            attacker = falsified_key(target)
            falsification = Attack(
                attacker=attacker, kind=AttackKind.FALSIFIES, origin=draft.origin, falsifies=True
            )
            draft.attack(target, falsification)
        case Supersede(older=older, newer=newer):
            draft.require((newer,), of=older)
            replace_value(draft, older, newer)
            draft.act(older, Act(kind=ActKind.REPLACED, origin=draft.origin, by=newer, replacement=newer))
        case Withdraw(source=source):
            _withdraw(draft, source)
    after = draft.finished()
    return after, draft.changed


def _withdraw(draft: Draft, source: str) -> None:
    touched = draft.state.touched_by.get(source)
    if touched is None:
        raise UnknownReference(source, where="withdraw: a turn id, or the uri of a source")
    draft.state = replace(draft.state, withdrawn=draft.state.withdrawn.insert(source))
    for id in touched:
        draft.put(draft.node(PropositionId(id)))
