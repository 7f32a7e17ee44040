"""The interpreter that asks a language model: requests out, replies in, and nothing half-read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from upheld.errors import ModelFailure, NoRecording, RepeatedIdentity, UnusableReply
from upheld.logic.language.identities import TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.interpreter import Interpreted, Objection
from upheld.speech.interpretation.llm.naming import Naming
from upheld.speech.interpretation.llm.paradigm import Paradigm
from upheld.speech.interpretation.llm.reading import field_of, operations_in
from upheld.speech.interpretation.llm.requesting import Asking, Condition, Dependencies
from upheld.speech.interpretation.llm.retrospective import is_retrospect_due, read_retrospective, retrospective_request
from upheld.speech.interpretation.llm.second_look import (
    SECOND_LOOK,
    claims_in_doubt,
    read_second_look,
    second_look_request,
)
from upheld.speech.interpretation.llm.session import TurnRead, read_session
from upheld.speech.interpretation.llm.voting import voted
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.metering import CountingModel
from upheld.speech.models.reply import Usage
from upheld.speech.models.request import Request
from upheld.speech.models.structured import ask_for, object_in
from upheld.speech.view import View

T = TypeVar("T")
Operations = tuple[Operation, ...]

VERSION = "1"


class LlmInterpreter:
    """Reads turns with a language model; the same turn and view make the same requests.

    A turn takes one call, or as many as are voted on; one more when a live claim may have been given up unnoticed, and
    one more when the reading settles something (what does that add to earlier claims?). No state is kept between turns.
    Where the language model gives nothing to go by, its :class:`~upheld.errors.ModelFailure` is raised and says what
    was spent; nothing of the turn is read then. Turns over the size limits are abstained on.
    """

    def __init__(
        self,
        llm: LanguageModel,
        *,
        condition: Condition | None = None,
        dependencies: Dependencies | None = None,
        paradigm: Paradigm | None = None,
        asking: Asking | None = None,
    ) -> None:
        """Read with ``llm``, in the way of ``asking``; the other settings take the place of those in it."""
        asking = asking or Asking()
        self._llm = llm
        self._asking = replace(
            asking,
            condition=condition or asking.condition,
            dependencies=dependencies or asking.dependencies,
            paradigm=paradigm or asking.paradigm,
        )

    @property
    def name(self) -> str:
        """The method, with the language model that is asked."""
        return f"llm({self._llm.name})"

    @property
    def version(self) -> str:
        """Version of the method, and of the instructions."""
        return f"{VERSION}+{self._asking.label}"

    def with_paradigm(self, paradigm: Paradigm | None) -> LlmInterpreter:
        """Give the interpreter for another kind of conversation; this one is untouched."""
        return LlmInterpreter(self._llm, asking=replace(self._asking, paradigm=paradigm))

    def requests_for(self, turn: Turn, view: View) -> tuple[Request, ...]:
        """Give the requests that the first reading of a turn sends; none for a turn that is not sent at all."""
        return () if self._unsent(turn) is not None else self._asking.requests_for(turn, view)

    def session_request(self, turns: Sequence[Turn], view: View) -> Request | None:
        """Give the request that the reading of a session sends, or ``None`` when none of it is sent."""
        sent, _ = self._sent(turns)
        return self._asking.session_request(sent, view) if sent else None

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read a turn.

        Raises:
            ModelFailure: the language model gave nothing to go by.
        """
        unsent = self._unsent(turn)
        if unsent is not None:
            return unsent
        counted = CountingModel(self._llm)
        read = counted.telling_costs(lambda: self._interpreted(counted, turn, view))
        return replace(read, usage=counted.usage)

    def reinterpret(self, turn: Turn, view: View, first: Interpreted, objection: Objection) -> Interpreted:
        """Read a turn once more, told what was wrong with the first reading.

        Raises:
            ModelFailure: the language model gave nothing to go by.
        """
        unsent = self._unsent(turn)
        if unsent is not None:
            return unsent
        request = self._asking.objection_request(turn, view, first.operations, objection)
        answered = ask_for(self._llm, request, self._reader(turn, view))
        return self._read(answered.value, usage=answered.usage)

    def interpret_session(self, turns: Sequence[Turn], view: View) -> tuple[Interpreted, ...]:
        """Read a session with one call; its usage stands with the first reading.

        A turn that cannot be read after the one repair is abstained on with the reason; the others stand.

        Raises:
            ModelFailure: no reply, or one that does not have just the turns that were asked for.
        """
        request = self.session_request(turns, view)
        if request is None:
            return self._session(turns, (), Usage())
        sent, _ = self._sent(turns)
        roster = self._asking.roster(view)
        counted = CountingModel(self._llm)
        last: list[object] = []

        def read(content: object) -> list[TurnRead]:
            last[:] = [content]
            return read_session(content, sent, view, roster)

        def asked() -> list[TurnRead]:
            try:
                return ask_for(counted, request, read).value
            except UnusableReply:
                if not last:
                    raise
            return read_session(last[0], sent, view, roster, is_partial=True)

        read_turns = counted.telling_costs(asked)
        return self._session(turns, read_turns, counted.usage)

    def follow_up(self, turn: Turn, view: View, first: Interpreted) -> Interpreted:
        """Ask what a first reading calls for: a second look, and a retrospect. Both only add; often nothing is asked.

        Raises:
            ModelFailure: the language model gave nothing to go by.
        """
        counted = CountingModel(self._llm)
        operations = counted.telling_costs(lambda: self._followed_up(counted, turn, view, first.operations))
        return replace(first, operations=operations, usage=counted.usage)

    def read_reply(self, request: Request, text: str, turn: Turn, view: View) -> Interpreted:
        """Give the reading that a reply to one of :meth:`requests_for` holds; no language model is asked.

        Raises:
            UnusableReply: it holds none.
        """
        return self._read(self._reader(turn, view)(object_in(text, request.shape)))

    def read_replies(self, requests: Sequence[Request], texts: Sequence[str], turn: Turn, view: View) -> Interpreted:
        """Give the reading that the replies to all of :meth:`requests_for` hold together, by vote if there are several.

        Raises:
            UnusableReply: there are none, or too many of them hold no reading.
        """
        if len(requests) == 1 and len(texts) == 1:
            return self.read_reply(requests[0], texts[0], turn, view)
        read = self._reader(turn, view)
        pairs = zip(requests, texts, strict=True)
        asks = [partial(_given, request, text, read) for request, text in pairs]
        return self._by_vote(asks, turn, view)

    def follow_ups(self, turn: Turn, view: View, first: Interpreted) -> tuple[Request, ...]:
        """Give the further requests that a first reading calls for: a second look, and a retrospect."""
        asked = (self._second_look(turn, view, first.operations), self._retrospect(turn, view, first.operations))
        return tuple(request for request in asked if request is not None)

    def read_follow_up(self, request: Request, text: str, turn: Turn, view: View, first: Interpreted) -> Interpreted:
        """Give a first reading with what a reply to one of :meth:`follow_ups` adds.

        Raises:
            UnusableReply: it adds nothing that can be read.
        """
        content = object_in(text, request.shape)
        return replace(first, operations=_additions(request, turn, view, first.operations, content))

    def read_session_reply(
        self, request: Request, text: str, turns: Sequence[Turn], view: View
    ) -> tuple[Interpreted, ...]:
        """Give the readings that a reply to :meth:`session_request` holds; what cannot be read is abstained on.

        Raises:
            UnusableReply: it does not have just the turns that were asked for.
        """
        sent, _ = self._sent(turns)
        content = object_in(text, request.shape)
        read = read_session(content, sent, view, self._asking.roster(view), is_partial=True)
        return self._session(turns, read, Usage())

    def _interpreted(self, llm: LanguageModel, turn: Turn, view: View) -> Interpreted:
        requests = self._asking.requests_for(turn, view)
        read = self._reader(turn, view)
        if len(requests) == 1:
            first = self._read(ask_for(llm, requests[0], read).value)
        else:
            first = self._by_vote([partial(_asked, llm, request, read) for request in requests], turn, view)
        return replace(first, operations=self._followed_up(llm, turn, view, first.operations))

    def _followed_up(self, llm: LanguageModel, turn: Turn, view: View, operations: Operations) -> Operations:
        for follow_up in (self._second_look, self._retrospect):
            request = follow_up(turn, view, operations)
            if request is not None:
                operations = ask_for(llm, request, partial(_additions, request, turn, view, operations)).value
        return operations

    def _second_look(self, turn: Turn, view: View, operations: Operations) -> Request | None:
        if not self._asking.has_second_look or self._asking.roster(view).is_bound_to_observe(turn.speaker):
            return None
        doubtful = claims_in_doubt(turn, view, operations)
        return second_look_request(turn, operations, doubtful, view) if doubtful else None

    def _retrospect(self, turn: Turn, view: View, operations: Operations) -> Request | None:
        if not self._asking.has_retrospect or not is_retrospect_due(operations, view):
            return None
        return retrospective_request(turn, operations, view, budget=self._asking.sizes.records)

    def _by_vote(self, asks: Sequence[Callable[[], Operations]], turn: Turn, view: View) -> Interpreted:
        samples: list[Operations] = []
        complaint: ModelFailure = UnusableReply("no reply was given")
        missing: NoRecording | None = None
        for ask in asks:
            try:
                samples.append(ask())
            except UnusableReply as failure:
                complaint = failure
            except NoRecording as failure:
                # The others are asked all the same: whoever collects requests then has all that are voted on.
                missing = missing or failure
        if missing is not None or 2 * len(samples) <= len(asks):
            raise missing or complaint
        vote = voted(samples, view, of=len(asks))
        operations, _ = operations_in(vote.operations, turn, Naming(view=view), self._asking.roster(view))
        return self._read(operations, certainty=vote.certainty)

    def _reader(self, turn: Turn, view: View) -> Callable[[object], Operations]:
        def read(content: object) -> Operations:
            return operations_in(field_of(content, "operations"), turn, Naming(view=view), self._asking.roster(view))[0]

        return read

    def _session(self, turns: Sequence[Turn], read: Iterable[TurnRead], usage: Usage) -> tuple[Interpreted, ...]:
        """Give one reading for each turn, those that were not sent included."""
        _, unsent = self._sent(turns)
        by_turn = {one.turn.id: self._read(one.operations, abstained=one.fault) for one in read}
        readings = [unsent[turn.id] if turn.id in unsent else by_turn[turn.id] for turn in turns]
        return tuple(replace(one, usage=usage) if place == 0 else one for place, one in enumerate(readings))

    def _sent(self, turns: Sequence[Turn]) -> tuple[list[Turn], dict[TurnId, Interpreted]]:
        """Give the turns of a session that are sent, and the readings of those that are not."""
        if len({turn.id for turn in turns}) < len(turns):
            raise RepeatedIdentity("the turns of a session have ids that differ")
        unsent = {turn.id: reading for turn in turns if (reading := self._unsent(turn)) is not None}
        sent = [turn for turn in turns if turn.id not in unsent]
        most = self._asking.sizes.session
        if sum(len(turn.text) for turn in sent) > most:
            reason = f"the session is over the size limit of {most} characters"
            return [], {**unsent, **{turn.id: self._read((), abstained=reason) for turn in sent}}
        return sent, unsent

    def _unsent(self, turn: Turn) -> Interpreted | None:
        """Give the reading of a turn that no language model is asked about: without words, or too long."""
        most = self._asking.sizes.turn
        if len(turn.text) > most:
            return self._read((), abstained=f"over the size limit of {most} characters")
        return self._read(()) if not turn.text.strip() else None

    def _read(
        self,
        operations: Operations,
        *,
        abstained: str = "",
        certainty: float = 1.0,
        usage: Usage | None = None,
    ) -> Interpreted:
        return Interpreted(
            operations=operations,
            interpreter=f"{self.name}@{self.version}",
            abstained=abstained,
            certainty=certainty if not abstained else 0.0,
            usage=usage or Usage(),
        )


def _asked(llm: LanguageModel, request: Request, read: Callable[[object], Operations]) -> Operations:
    return ask_for(llm, request, read).value


def _given(request: Request, text: str, read: Callable[[object], Operations]) -> Operations:
    return read(object_in(text, request.shape))


def _additions(request: Request, turn: Turn, view: View, operations: Operations, content: object) -> Operations:
    """Read what a further request adds; which one it was, its shape says."""
    if request.shape is not None and request.shape.name == SECOND_LOOK:
        return read_second_look(content, operations, claims_in_doubt(turn, view, operations), view)
    return read_retrospective(content, operations, view)
