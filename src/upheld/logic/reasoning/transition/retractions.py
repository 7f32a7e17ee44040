"""Taking something back outside any turn: the verbs of the keeper of the record, and of a what-if (semantics, 2)."""

from __future__ import annotations

from collections.abc import Mapping

from upheld.errors import UnknownReference
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.reasoning.nodes import Act, ActKind, Attack, AttackKind, Origin, falsified_key
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.claims import replace_value
from upheld.logic.reasoning.transition.draft import Draft


def taken_back(state: State, retraction: Retraction) -> State:
    """Give the state after a retraction. Cost: what it reaches; for a withdrawal, what the source had touched.

    Raises:
        UnknownReference: nobody introduced the target, or nothing came from the source.
    """
    return _drafted(state, retraction).finished()


def consequences(state: State, retraction: Retraction) -> tuple[State, Mapping[str, tuple[Label, Label]]]:
    """Give the labels after a retraction (beliefs left as they were), and each label that changed, as before and after.

    Raises as :func:`taken_back`, and costs less where nobody asks for beliefs.
    """
    draft = _drafted(state, retraction)
    after = draft.labelled()
    return after, draft.changed


def _drafted(state: State, retraction: Retraction) -> Draft:
    draft = Draft(state, Origin(moment=state.moment, turn=TurnId(""), speaker=None))
    match retraction:
        case Retract(target=target):
            draft.act(target, Act(kind=ActKind.RETRACTED, origin=draft.origin, by=target))
        case Falsify(target=target):
            attacker = falsified_key(target)
            falsification = Attack(attacker=attacker, kind=AttackKind.FALSIFIES, origin=draft.origin, falsifies=True)
            draft.attack(target, falsification)
        case Supersede(older=older, newer=newer):
            draft.require((newer,), of=older)
            replace_value(draft, older, newer)
            draft.act(older, Act(kind=ActKind.REPLACED, origin=draft.origin, by=newer, replacement=newer))
        case Withdraw(source=source):
            _withdraw(draft, source)
    return draft


def _withdraw(draft: Draft, source: str) -> None:
    touched = draft.state.touched_by.get(source)
    if touched is None:
        raise UnknownReference(source, where="withdraw: a turn id, or the uri of a source")
    draft.withdrawn = draft.withdrawn.insert(source)
    for id in touched:
        draft.put(draft.node(PropositionId(id)))
