"""A whole session read from one reply: order and audiences kept, and what could not be read said turn by turn.

Source: the paper's section 4.2 (envelope) and Appendix H: one long-context call for a session is the step left untried
there. Only the turns' first readings are made so; nothing is asked a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from upheld.errors import UnusableReply
from upheld.logic.language.agents import Audience, hears
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.llm.naming import Naming, introduced_by
from upheld.speech.interpretation.llm.reading import Roster, field_of, operations_in
from upheld.speech.view import Situation, View

LOOKED_BACK = 500
"""Earlier turns that are looked through for what was said in private."""

Heard = tuple[AgentId, Audience]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRead:
    """What was read of one turn of a session; ``fault`` says why it could not be read."""

    turn: Turn
    operations: tuple[Operation, ...] = ()
    fault: str = ""


def read_session(
    content: object, turns: Sequence[Turn], view: View, roster: Roster, *, is_partial: bool = False
) -> list[TurnRead]:
    """Read the reply for a session.

    With ``is_partial`` a turn that cannot be read has a ``fault`` and the others stand, unless they refer to it.

    Raises:
        UnusableReply: a turn is missing, was not asked for, or is out of order; or, unless ``is_partial``, any turn
            cannot be read: all faults are named.
    """
    listed = _listed(content, [turn.id for turn in turns])
    private = _private(view)
    naming = Naming(view=view)
    read: list[TurnRead] = []
    for turn, operations in zip(turns, listed, strict=True):
        naming = replace(naming, unheard=_unheard(turn.speaker, private))
        one, naming = _read_turn(operations, turn, naming, roster)
        read.append(one)
        if turn.audience is not None:
            new = (id for id in map(introduced_by, one.operations) if id is not None and view.get(id) is None)
            private.update(dict.fromkeys(new, (turn.speaker, turn.audience)))
    faults = [f"{one.turn.id}: {one.fault}" for one in read if one.fault]
    if faults and not is_partial:
        raise UnusableReply("; ".join(faults))
    return read


def _listed(content: object, wanted: list[TurnId]) -> list[object]:
    """Give the operations of each turn, when the reply has just the turns that were asked for, in order."""
    items = field_of(content, "turns")
    if not isinstance(items, list):
        raise UnusableReply("turns: a list was asked for")
    entries = cast("list[object]", items)
    found = [str(field_of(entry, "turn")) for entry in entries]
    missing = [turn for turn in wanted if turn not in found]
    extra = [turn for turn in found if turn not in wanted]
    repeated = sorted({turn for turn in found if found.count(turn) > 1}) if len(found) > len(wanted) else []
    complaints = (("missing", missing), ("not asked for", extra), ("given twice", repeated))
    said = [f"{what}: {', '.join(names)}" for what, names in complaints if names]
    if said:
        raise UnusableReply(f"turns: {'; '.join(said)}")
    if found != wanted:
        raise UnusableReply(f"turns: out of order; asked for {', '.join(wanted)}")
    return [cast("Mapping[str, object]", entry).get("operations") for entry in entries]


def _read_turn(content: object, turn: Turn, naming: Naming, roster: Roster) -> tuple[TurnRead, Naming]:
    try:
        operations, after = operations_in(content, turn, naming, roster)
    except UnusableReply as fault:
        lost = {name: turn.id for name in _names_given(content) if naming.meant(name) is None}
        return TurnRead(turn=turn, fault=str(fault)), replace(naming, lost={**naming.lost, **lost})
    return TurnRead(turn=turn, operations=operations), after


def _names_given(content: object) -> list[str]:
    """Give the names that operations would have introduced, as far as they can be made out."""
    items = cast("list[object]", content) if isinstance(content, list) else []
    trees = [cast("Mapping[str, object]", item) for item in items if isinstance(item, Mapping)]
    return [name for tree in trees if isinstance(name := tree.get("id"), str)]


def _private(view: View) -> dict[PropositionId, Heard]:
    """Give what was put forward in private before the session, with who was there."""
    if not isinstance(view, Situation):
        return {}
    earlier = [turn for turn in view.earlier(LOOKED_BACK) if turn.audience is not None]
    audiences = {turn.id: (turn.speaker, turn.audience) for turn in earlier if turn.audience is not None}
    if not audiences:
        return {}
    known = ((known.proposition.id, audiences.get(known.turn)) for known in view.known() if known.turn is not None)
    return {id: heard for id, heard in known if heard is not None}


def _unheard(agent: AgentId, private: Mapping[PropositionId, Heard]) -> frozenset[PropositionId]:
    return frozenset(
        id for id, (speaker, audience) in private.items() if not hears(agent, speaker=speaker, audience=audience)
    )
