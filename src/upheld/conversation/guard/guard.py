"""A guard around any chat: what is said goes in, and each reply is held against the record before it leaves."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterable, Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self, TypeVar, Unpack

from upheld.conversation.checking.readers import matcher as embedded_matcher
from upheld.conversation.conversation import Conversation
from upheld.conversation.details import Setting
from upheld.conversation.guard.deadlines import Bench, Slot
from upheld.conversation.guard.instructions import InstructionWatch
from upheld.conversation.guard.judging import Judge, unchecked
from upheld.conversation.guard.policy import DEFAULT_POLICY, Action, GuardPolicy, Note, strictest
from upheld.conversation.guard.queueing import PERSON, Decision, Pending, ReplyQueue
from upheld.conversation.guard.sharing import SharedConversation
from upheld.conversation.guard.streaming.streams import HeldBack, HeldStream
from upheld.conversation.guard.verdict import GuardVerdict
from upheld.conversation.reading.reader import Reader
from upheld.conversation.speaking import Told
from upheld.conversation.wiring import opened_store
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId
from upheld.record.stores.tenants import DEFAULT
from upheld.speech.instructions import Instruction, instructions_in
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.matching.llm.redacting import RedactingMatcher
from upheld.speech.matching.matcher import Matcher

T = TypeVar("T")

USER_AND_ASSISTANT = (
    Agent(id=AgentId("user"), name="user"),
    Agent(id=AgentId("assistant"), name="assistant", kind=AgentKind.ASSISTANT),
)
"""Who takes part in a new conversation, unless others are named; whoever else speaks joins as a person."""

Clock = Callable[[], float]
"""Gives seconds that only grow."""

_LOG = logging.getLogger("upheld.guard")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A turn that was recorded, with the passages in it that read like instructions: flagged, and kept as data."""

    told: Told
    instructions: tuple[Instruction, ...] = ()


class Guard:
    """Checks the replies of one speaker in one conversation; several threads and event loops may use it.

    Only the reply that is checked counts: one that left although it did not stand is the assistant's own commitment,
    out of standing (:class:`~upheld.logic.reasoning.policy.SourcePolicy`), and later replies are judged on their own.
    A check never raises for a bad text, and changes nothing but the count of retries and the queue.
    """

    def __init__(
        self,
        conversation: Conversation,
        *,
        speaker: str = "assistant",
        matcher: Matcher | None = None,
        policy: GuardPolicy | str = DEFAULT_POLICY,
        clock: Clock = time.perf_counter,
    ) -> None:
        """Guard a conversation, which must not be used from elsewhere meanwhile; the embedded matcher by default.

        What the conversation's reader redacts is taken out of replies, too, before the matcher sees them.
        ``speaker`` is whose replies are checked. A ``policy`` may be given in words
        (:meth:`~upheld.conversation.guard.policy.GuardPolicy.from_text`).
        """
        self._shared = SharedConversation(conversation)
        self._policy = GuardPolicy.from_text(policy) if isinstance(policy, str) else policy
        self._speaker = AgentId(speaker)
        reads = matcher if matcher is not None else embedded_matcher()
        redactor = conversation.reader.redactor
        self._judge = Judge(
            matcher=reads if redactor is None else RedactingMatcher(reads, redactor),
            policy=self._policy,
            speaker=self._speaker,
            watch=InstructionWatch(),
        )
        self._clock = clock
        # A check that hangs must not keep what is to be looked at from the record.
        self._bench, self._desk = Bench(), Bench()
        self._count_lock = threading.Lock()
        self._retries = 0
        self._queue = ReplyQueue(self._shared, self._judge)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        conversation: str = "conversation",
        tenant: str = DEFAULT,
        speaker: str = "assistant",
        agents: Iterable[Agent] = USER_AND_ASSISTANT,
        interpreter: Interpreter | Reader | None = None,
        matcher: Matcher | None = None,
        policy: GuardPolicy | str = DEFAULT_POLICY,
    ) -> Guard:
        """Guard a conversation in a store, which is begun if it is not there: ``Guard.open("sqlite:///upheld.db")``.

        ``tenant`` is whose ledger of the store it is in; none sees another's. ``agents`` take part in a new one; one
        that is on record keeps its own. Without an ``interpreter`` and a
        ``matcher`` the embedded ones are used, which need no key and no language model; a
        :class:`~upheld.conversation.reading.reader.Reader` as interpreter says on which terms it is asked, and what is
        redacted.

        Raises:
            StoreError: the store cannot be opened or read.
            MalformedInput: the policy's words mean nothing.
        """
        meant = GuardPolicy.from_text(policy) if isinstance(policy, str) else policy
        with ExitStack() as stack:
            store = stack.enter_context(opened_store(url, tenant=tenant))
            talk = Conversation(agents, id=conversation, store=store, interpreter=interpreter or CueInterpreter())
            guard = cls(talk, speaker=speaker, matcher=matcher, policy=meant)
            stack.pop_all()
            return guard

    @property
    def conversation(self) -> Conversation:
        """What is guarded; for questions, while nobody speaks."""
        return self._shared.conversation

    @property
    def policy(self) -> GuardPolicy:
        """What is done with replies that do not stand."""
        return self._policy

    @property
    def speaker(self) -> AgentId:
        """Whose replies are checked."""
        return self._speaker

    def __enter__(self) -> Self:
        """Use it in a ``with`` statement; the store is closed at its end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    def close(self) -> None:
        """Close the store; a later check could not check."""
        self._shared.close()

    # --- what is said --------------------------------------------------------------------------------------------

    def said(self, speaker: str, text: str, **setting: Unpack[Setting]) -> Heard:
        """Record what somebody said, and read it. Each turn counts, whoever spoke before.

        One that cannot be read is recorded all the same; verdicts name it until it is amended.

        With a language model as interpreter it blocks until that has answered: code that awaits runs it on a thread
        (``asyncio.to_thread``).

        Raises:
            StoreError: it could not be recorded; nothing was changed.
        """
        told = self._shared.said(speaker, text, setting)
        with self._count_lock:
            self._retries = 0
        return Heard(told=told, instructions=instructions_in(text))

    def sent(self, reply: str, **setting: Unpack[Setting]) -> Heard:
        """Record the reply that really left, whatever the verdict on it was; raises like :meth:`said`."""
        return self.said(self._speaker, reply, **setting)

    # --- what may be said ----------------------------------------------------------------------------------------

    async def check(self, reply: str, *, retries: int | None = None) -> GuardVerdict:
        """Hold a reply against the record, without holding up the event loop.

        ``retries`` is how many were asked for already; by default it is counted since something was said or sent last.
        """
        began, patience = self._clock(), self._policy.deadline
        found = self._refused(reply) or await self._bench.begin(self._work(reply), patience).awaited(patience)
        settled = self._settled(found or self._late(reply), began, retries)
        if settled.action is not Action.QUEUE:
            return settled
        return self._queue.noted(settled, await self._desk.begin(self._filing(settled), patience).awaited(patience))

    def check_now(self, reply: str, *, retries: int | None = None) -> GuardVerdict:
        """Hold a reply against the record; the same for code that does not await."""
        began = self._clock()
        found = self._refused(reply) or self._done(self._bench, self._work(reply)) or self._late(reply)
        settled = self._settled(found, began, retries)
        if settled.action is not Action.QUEUE:
            return settled
        return self._queue.noted(settled, self._done(self._desk, self._filing(settled)))

    def stream(self, source: AsyncIterable[T]) -> HeldStream[T]:
        """Let the pieces of a reply through sentence by sentence, each when it was checked.

        What is no text (a call of a tool, an event) comes through in its place, after the text before it was checked.
        """
        return HeldStream(source, check=self.check, policy=self._policy)

    def hold_back(self, source: Iterable[T]) -> HeldBack[T]:
        """Do as :meth:`stream` for code that does not await."""
        return HeldBack(source, check=self.check_now, policy=self._policy)

    # --- what a person decides -----------------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The replies that wait for a person, the oldest first: the open flags of guards, and what is in memory alone.

        Raises:
            StoreError: the record cannot be read.
        """
        return self._queue.waiting

    def queued(self, id: str) -> Pending:
        """Give a reply that was put before a person, with what they decided, here or wherever the store is reviewed.

        Raises:
            UnknownReference: there is none of that name.
        """
        return self._queue.get(id)

    async def decided(self, id: str, *, every: float = 1.0) -> Pending:
        """Wait until somebody decided; the record is looked at every so many seconds. Raises like :meth:`queued`."""
        while (found := await asyncio.to_thread(self._queue.get, id)).decision is None:
            await asyncio.sleep(every)
        return found

    def approve(self, id: str, *, by: str = PERSON, reason: str = "") -> Pending:
        """Decide that a reply may be sent; whoever sends it says so with :meth:`sent`.

        Raises:
            UnknownReference: no such reply waits, or somebody decided first.
        """
        return self._queue.decide(id, Decision.APPROVED, by=by, reason=reason)

    def reject(self, id: str, reason: str = "", *, by: str = PERSON) -> Pending:
        """Decide that a reply does not leave; raises like :meth:`approve`."""
        return self._queue.decide(id, Decision.REJECTED, by=by, reason=reason)

    # --- within --------------------------------------------------------------------------------------------------

    def _with_unread(self, verdict: GuardVerdict) -> GuardVerdict:
        unread = self._shared.unread()
        if not unread:
            return verdict
        action = strictest((verdict.action, self._policy.action_for(Note.UNREAD)))
        return replace(verdict, unread=unread, action=action)

    def _refused(self, reply: str) -> GuardVerdict | None:
        if not isinstance(reply, str):  # pyright: ignore[reportUnnecessaryIsInstance] - a framework may give anything
            return unchecked("", f"the reply is no text but {type(reply).__name__}", self._policy)
        if len(reply) > self._policy.max_text:
            return unchecked(reply, f"over the size limit of {self._policy.max_text} characters", self._policy)
        return None

    def _work(self, reply: str) -> Callable[[Slot[GuardVerdict]], None]:
        def judge(slot: Slot[GuardVerdict]) -> None:
            # The edge of one turn: whatever a matcher or a store raises, the reply was not checked, and that is said.
            try:
                state = self._shared.state()
                earlier = self._shared.earlier(state, self._speaker)
                verdict = self._judge.verdict(reply, state, earlier)
                slot.put(self._with_unread(verdict))
                slot.put(self._with_unread(self._judge.mended(verdict, state, earlier)))
            except Exception as error:  # noqa: BLE001
                slot.put(unchecked(reply, f"{type(error).__name__}: {error}", self._policy))

        return judge

    def _filing(self, verdict: GuardVerdict) -> Callable[[Slot[str]], None]:
        def file(slot: Slot[str]) -> None:
            # Whatever a store raises, the reply waits all the same: in memory.
            try:
                slot.put(self._queue.file(verdict, is_late=lambda: slot.is_taken))
            except Exception as error:  # noqa: BLE001
                _LOG.warning("a reply could not be put on record, and waits in memory: %s", type(error).__name__)

        return file

    def _done(self, bench: Bench, work: Callable[[Slot[T]], None]) -> T | None:
        patience = self._policy.deadline
        if patience is not None:
            return bench.begin(work, patience).waited(patience)
        slot: Slot[T] = Slot()
        bench.perform(lambda: work(slot), slot, None)
        return slot.taken()

    def _late(self, reply: str) -> GuardVerdict:
        return unchecked(reply, f"too late: no verdict within {self._policy.deadline} seconds", self._policy)

    def _settled(self, verdict: GuardVerdict, began: float, retries: int | None) -> GuardVerdict:
        with self._count_lock:
            before = self._retries if retries is None else retries
            action = self._policy.after(verdict.action, before)
            if action is Action.RETRY and retries is None:
                self._retries += 1
        return replace(verdict, action=action, retries=before, elapsed=self._clock() - began)
