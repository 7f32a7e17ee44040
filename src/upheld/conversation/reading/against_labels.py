"""A turn of an annotated conversation read alone, against the state that its labels give before it.

So an interpreter is measured without the errors that its own earlier readings would bring (the paper's Appendix F,
error composition), and the requests of all turns are known beforehand.
"""

from __future__ import annotations

from dataclasses import replace

from upheld.conversation.reading.reader import Reader
from upheld.conversation.reading.turns import Reading
from upheld.conversation.speaking import newcomers
from upheld.conversation.timeline import Timeline
from upheld.logic.language.identities import TurnId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.transition.step import joined


def reading_against_labels(timeline: Timeline, turn: TurnId, reader: Reader) -> Reading:
    """Give one turn as the reader reads it. Cost: a short replay and a reading.

    Raises:
        UnknownReference: there is no such turn.
    """
    labelled, before = timeline.told(turn), timeline.before(turn)

    def earlier(count: int) -> tuple[Turn, ...]:
        return timeline.last(count, before=turn)

    present = joined(before, newcomers(before, labelled))
    return reader.read(present, reader.clean(replace(labelled, operations=())), earlier=earlier)
