"""Words taken in: said now, a session at a time, or read again when they could not be read before."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack

from upheld.conversation import details
from upheld.conversation.reading.reader import Reader
from upheld.conversation.reading.sessions import read_session
from upheld.conversation.reading.turns import Reading, check_writable
from upheld.conversation.speaking import Keyed, Told, key_of, newcomers, turn_of
from upheld.conversation.timeline import Timeline
from upheld.logic.language.identities import ConversationId, TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.transition.step import joined
from upheld.record.ledger.entry import Interpretation, Words
from upheld.record.ledger.store import Store

BY_HAND = "by hand"
"""Named as interpreter of operations that a caller gave."""


class Hearing(ABC):
    """The acts that begin with words."""

    _reader: Reader
    _timeline: Timeline
    _store: Store
    _id: ConversationId

    @abstractmethod
    def _tell(self, turn: Turn, interpreter: str, key: str, *, as_read: Told | None = None) -> Told: ...

    @abstractmethod
    def _turn_id(self, key: str) -> TurnId: ...

    @abstractmethod
    def _told_under(self, key: str) -> Keyed | None: ...

    @abstractmethod
    def _mean(self, meaning: Interpretation, key: str = "") -> None: ...

    def say(
        self,
        speaker: str,
        said: str,
        operations: Sequence[Operation] | None = None,
        **setting: Unpack[details.Setting],
    ) -> Told:
        """Tell a turn in words; its operations are given, or read by the conversation's interpreter.

        Without either, the words are kept and mean nothing yet: :meth:`amend` gives them a meaning later.

        Raises:
            RefusedTurn: a precondition fails; nothing was changed.
        """
        key = key_of(setting)
        turn = turn_of(self._turn_id(key), speaker, operations or (), {**setting, "said": said})
        return self.hear(turn, key=key) if operations is None else self._tell(turn, BY_HAND, key)

    def tell(self, turn: Turn, *, interpreter: str = BY_HAND, key: str = "") -> Told:
        """Tell a turn that is put together already, under its own id; raises like :meth:`say`."""
        return self._tell(turn, interpreter, key)

    def hear(self, turn: Turn, *, key: str = "") -> Told:
        """Tell the words of a turn under its own id, read by the conversation's interpreter.

        Operations that the turn carries are not looked at. Words that could not be read are kept without a meaning:
        ``abstained`` says why, and :meth:`read_again` reads them later.

        Raises:
            MalformedInput: they are no text; nobody was asked.
        """
        turn = self._heard(turn)
        first = self._told_under(key)
        if first is not None:
            return first.again(replace(turn, operations=first.told.operations))
        state = self._timeline.now
        present = joined(state, newcomers(state, turn))
        return self._take_in(self._reader.read(present, turn, earlier=self._timeline.last), key)

    def hear_session(self, turns: Sequence[Turn]) -> tuple[Told, ...]:
        """Tell the words of several turns, read together where the interpreter can read a session with one call.

        A turn that cannot be read fails alone; where the call fails, none of them is read. The usage of the call
        stands with the first.
        """
        cleaned = [self._heard(turn) for turn in turns]
        readings = read_session(self._timeline.now, cleaned, self._reader, earlier=self._timeline.last)
        return tuple(self._take_in(reading) for reading in readings)

    def was_told(self, key: str) -> bool:
        """Tell whether a turn was told under this idempotency key: it would not be told again."""
        return self._told_under(key) is not None

    def told_under(self, key: str) -> Told | None:
        """Give what was told under this idempotency key, as it was the first time; ``None`` where no turn was."""
        keyed = self._told_under(key)
        return None if keyed is None else keyed.told

    def unread(self) -> tuple[TurnId, ...]:
        """Give the turns whose words have no meaning yet, because nobody read them or whoever did failed.

        Cost: reading the record.
        """
        waiting: dict[TurnId, None] = {}
        for entry in self._store.read(self._id):
            if isinstance(entry.content, Words):
                waiting[entry.content.turn] = None
            elif isinstance(entry.content, Interpretation):
                waiting.pop(entry.content.turn, None)
        return tuple(waiting)

    def readers(self) -> tuple[str, ...]:
        """Give who gave the turns their meaning of now (``name@version``), each once. Cost: reading the record."""
        newest: dict[TurnId, str] = {}
        for entry in self._store.read(self._id):
            if isinstance(entry.content, Interpretation):
                newest[entry.content.turn] = entry.content.interpreter
        return tuple(dict.fromkeys(newest.values()))

    def read_again(self) -> tuple[Told, ...]:
        """Read the turns that are :meth:`unread`, each against what was known before it; nothing else is touched.

        What fails again stays unread. Cost: a call of the interpreter for each, and a replay from each on.
        """
        found: list[Told] = []
        for id in self.unread():
            turn = replace(self._timeline.told(id), operations=())
            before = self._timeline.before(id)
            earlier = partial(self._timeline.last, before=id)
            reading = self._reader.read(joined(before, newcomers(before, turn)), turn, earlier=earlier)
            if reading.interpreter:
                meaning = Interpretation(turn=id, operations=reading.turn.operations, interpreter=reading.interpreter)
                self._mean(meaning)
            found.append(told_as(reading))
        return tuple(found)

    def _heard(self, turn: Turn) -> Turn:
        """Give the words of a turn as they are kept."""
        check_writable(turn.text)
        return self._reader.clean(replace(turn, operations=()))

    def _take_in(self, reading: Reading, key: str = "") -> Told:
        return self._tell(reading.turn, reading.interpreter, key, as_read=told_as(reading))


def told_as(reading: Reading) -> Told:
    """Give what a reading came to, as it is answered to whoever told the turn."""
    return Told(
        turn=reading.turn.id,
        operations=reading.turn.operations,
        findings=reading.dropped,
        abstained=reading.abstained,
        objections=reading.objections,
        usage=reading.usage,
    )
