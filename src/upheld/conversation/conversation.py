"""A conversation: what is said goes in, and at any moment it can be asked what still stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from upheld.conversation.asking.questions import Questions, Snapshot, retraction_of
from upheld.conversation.asking.what_if import WhatIf
from upheld.conversation.erasing import Recorded
from upheld.conversation.events import Beginning, Event, Joined, Took, contents_of, events_of, opening_of
from upheld.conversation.folding import applied
from upheld.conversation.keeping import SNAPSHOT_EVERY, Keeper
from upheld.conversation.reading.hearing import BY_HAND, Hearing
from upheld.conversation.reading.reader import Reader
from upheld.conversation.reviewing.flagging import Flagging
from upheld.conversation.searching.filing import Filer, filings_of
from upheld.conversation.speaking import (
    Keyed,
    KeyedTurns,
    Speaking,
    Told,
    begun,
    circumstances_of,
    key_of,
    newcomers,
    operation_of,
    operations_of,
    turn_of,
)
from upheld.conversation.timeline import Timeline
from upheld.conversation.wiring import opened_store, without_password
from upheld.errors import RepeatedIdentity, UnknownConversation, UnknownReference, VersionConflict
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.turns import Retraction, Turn
from upheld.logic.language.verdicts import Delta
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import Finding, opened
from upheld.record.ledger.appending import refuse_outdated
from upheld.record.ledger.chain import BEGINNING, Head
from upheld.record.ledger.entry import Content, Entry, Interpretation, Opening, Retracted
from upheld.record.ledger.search import Filing
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.tenants import DEFAULT
from upheld.speech.interpretation.interpreter import Interpreter


class Conversation(Questions, Hearing, Speaking, Flagging, Recorded):
    """One conversation on its record; every question of :class:`Questions` is asked of it as it is now.

    A refused turn changes neither the record nor the state. Not for sharing between threads without a lock of your
    own; several processes may write to one store, and the loser of a race gets a
    :class:`~upheld.errors.VersionConflict` and calls :meth:`refresh`.
    """

    def __init__(
        self,
        agents: Mapping[str, str | Agent] | Iterable[Agent] | Beginning = (),
        *,
        id: str = "conversation",
        store: Store | None = None,
        initial: Iterable[Proposition] = (),
        policy: SourcePolicy = PEOPLE_AND_TOOLS,
        interpreter: Interpreter | Reader | None = None,
        is_lenient: bool = False,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        """Begin a conversation, or continue it where the store has it already.

        ``agents`` maps ids to roles, or lists :class:`~upheld.logic.language.agents.Agent`, or is a
        :class:`~upheld.conversation.events.Beginning`, which has a title as well; whoever speaks unannounced joins as
        a person. ``interpreter`` reads the words given to :meth:`say`; a
        :class:`~upheld.conversation.reading.reader.Reader` says on which terms, and what is redacted.
        ``snapshot_every``: see :meth:`keep_snapshot`; 0 keeps none unasked.
        """
        self._store = store if store is not None else EphemeralStore()
        self._id = ConversationId(id)
        # What dies with the conversation need not be kept for the next one.
        every = snapshot_every if store is not None else 0
        self._keeper = Keeper(self._store, self._id, policy, every=every)
        self._filer = Filer(self._store, self._id, policy)
        self._reader = Reader.of(interpreter)
        self._is_lenient = is_lenient
        self._timeline: Timeline = Timeline(opened(policy=policy))
        self._head = BEGINNING
        self._keyed = KeyedTurns()
        self.refresh()
        if self.version == 0:
            beginning = self._reader.clean_beginning(begun(agents, initial))
            self._timeline = Timeline(opened(beginning.agents, initial=beginning.initial, policy=policy))
            self._filer.follow(0)
            self._append([opening_of(beginning)], filings=filings_of(self.state, self.state.propositions))

    @classmethod
    def open(
        cls,
        url: str,
        *,
        id: str = "conversation",
        tenant: str = DEFAULT,
        policy: SourcePolicy = PEOPLE_AND_TOOLS,
    ) -> Conversation:
        """Open a conversation that a store has: ``Conversation.open("sqlite:///incident.db")``.

        ``tenant`` is whose ledger of the store it is in; none sees another's.

        Raises:
            UnknownConversation: the store has none of that name; those it has are listed.
            StoreError: the store cannot be read.
        """
        with ExitStack() as stack:
            store = stack.enter_context(opened_store(url, tenant=tenant, must_exist=True))
            if ConversationId(id) not in store.conversations():
                there = ", ".join(store.conversations()) or "none at all"
                raise UnknownConversation(f"{without_password(url)} has no conversation {id!r}; it has {there}")
            conversation = cls(id=id, store=store, policy=policy)
            stack.pop_all()
            return conversation

    # --- reading -------------------------------------------------------------------------------------------------

    @property
    def id(self) -> ConversationId:
        """Name of the conversation in its store."""
        return self._id

    @property
    def version(self) -> int:
        """Number of entries of the record that the state rests on."""
        return self._head.epoch

    @property
    def state(self) -> State:
        """The state now: a value, safe to keep."""
        return self._timeline.now

    @property
    def timeline(self) -> Timeline:
        """The events so far and the way back to earlier states."""
        return self._timeline

    @property
    def reader(self) -> Reader:
        """Who reads the words, on which terms, and what is taken out of them first."""
        return self._reader

    def at(self, turn: str) -> Snapshot:
        """Give the conversation as it was right after a turn; raises :class:`~upheld.errors.UnknownReference`."""
        when, timeline = TurnId(turn), self._timeline
        return Snapshot(timeline.at(when), at=when, seen_by=lambda agent: timeline.seen_by(agent, upto=when))

    def seen_by(self, agent: AgentId) -> State:
        """Give the state as an agent was told it; a fold of its own only where something was said in private."""
        return self._timeline.seen_by(agent)

    def for_agent(self, agent: str) -> Snapshot:
        """Give the conversation as one agent was told it; what others know in it is what both were told.

        Raises:
            UnknownReference: nobody of that name takes part.

        Cost: a fold of all that they heard.
        """
        viewer = AgentId(agent)
        if viewer not in self.state.agents:
            raise UnknownReference(agent, where="those who take part")
        timeline = self._timeline
        return Snapshot(timeline.seen_by(viewer), agent=viewer, seen_by=lambda other: timeline.seen_by(viewer, other))

    def what_if(self) -> WhatIf:
        """Branch off to try changes; the conversation stays as it is."""
        return WhatIf(self.state, self.seen_by)

    # --- taking back, mending ------------------------------------------------------------------------------------

    def retract(self, change: str | Retraction, *, by: str | None = None, reason: str = "", key: str = "") -> Delta:
        """Take a claim back for good (an id, or any retraction), and give what that changed.

        With the idempotency ``key`` of an earlier retraction nothing is recorded, and its answer is given again.

        Raises:
            RepeatedIdentity: the key was used for something else.
        """
        retraction, reason = retraction_of(change), self._reader.clean_text(reason)
        act = Retracted(retraction=retraction, by=AgentId(by) if by else None, reason=reason)
        first = self._done_under(key, act)
        if first is not None:
            return affected(self._before(first), retraction)
        delta = affected(self.state, retraction)
        self._record([Took(retraction=retraction, by=act.by, reason=reason)], [act], key)
        self._keyed.note(key)
        return delta

    def amend(
        self, turn: str, operations: Sequence[Operation], *, by: str | None = None, reason: str = "", key: str = ""
    ) -> None:
        """Give a turn another meaning; what it meant before stays readable in the record.

        With the idempotency ``key`` of an earlier amendment nothing is recorded.

        Raises:
            UpheldError: a later turn refers to what this one would no longer introduce; nothing was changed.
            RepeatedIdentity: the key was used for something else.
        """
        meaning = Interpretation(
            turn=TurnId(turn),
            operations=self._reader.clean_operations(operations_of(operations)),
            interpreter=BY_HAND,
            by=AgentId(by) if by else None,
            reason=self._reader.clean_text(reason),
        )
        if self._done_under(key, meaning) is None:
            self._mean(meaning, key)

    # --- the record ----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read what others appended since. Cost: what is new; where something was amended or erased, a whole replay.

        Raises:
            DroppedConversation: somebody dropped it; what is known of it stays as it is.
        """
        if self.version and self._store.head(self._id) == self._head:
            return
        found = self._keeper.caught_up(self._timeline, self._head) if self.version else None
        if found is None:
            found = self._keeper.folded()
            self._keyed = KeyedTurns(found.earlier)
        self._timeline, self._head = found.timeline, found.head
        self._filer.follow(self.version)
        self._keyed.take(found.keyed, self._timeline.findings)
        self._keyed.note(*found.acts)

    def keep_snapshot(self) -> None:
        """Write down beside the record what everything so far amounts to, so that opening need not replay it.

        It is done unasked when the conversation is closed, and while it grows: first after ``snapshot_every`` entries,
        then whenever the record has doubled; a large one aside. Cost: about a third of replaying it all; where it was
        opened from a snapshot, of replaying what is new.

        Raises:
            StoreError: it cannot be written; nothing was changed.
            MalformedInput: the store has another record by now; :meth:`refresh` first.
        """
        self._keeper.keep(self._timeline, self.version, self._keyed.names())

    def close(self) -> None:
        """Close the store. What lies before a snapshot and was not asked for yet cannot be looked back to any more."""
        self._keeper.keep_if_due(self._timeline, self.version, self._keyed.names, is_last=True)
        self._store.close()

    # --- within --------------------------------------------------------------------------------------------------

    def _perform(self, speaker: str, name: str, fields: Mapping[str, Any]) -> Told:
        key = key_of(fields)
        turn = turn_of(self._turn_id(key), speaker, [operation_of(name, fields)], circumstances_of(fields))
        return self._tell(turn, BY_HAND, key)

    def _mean(self, meaning: Interpretation, key: str = "") -> None:
        told = self._timeline.told(meaning.turn)
        fresh = self._timeline.amended(replace(told, operations=meaning.operations))
        self._append([meaning], key, filings=self._filer.amended(self.state, fresh.now))
        self._keyed.note(key)
        self._timeline = fresh
        self._keeper.outdate()

    def _tell(self, turn: Turn, interpreter: str, key: str, *, as_read: Told | None = None) -> Told:
        turn = self._reader.clean(turn)
        first = self._told_under(key)
        if first is not None:
            return first.again(turn)
        unannounced = newcomers(self.state, turn)
        events: list[Event] = [Joined(agents=unannounced), turn] if unannounced else [turn]
        words, meaning = contents_of(turn, interpreter=interpreter)
        contents: list[Content] = [Opening(agents=unannounced), words] if unannounced else [words]
        if interpreter:
            contents.append(meaning)
        told = as_read or Told(turn=turn.id, operations=turn.operations)
        told = replace(told, findings=(*told.findings, *self._record(events, contents, key)))
        self._keyed.put(key, turn, told)
        return told

    def _told_under(self, key: str) -> Keyed | None:
        return self._keyed.get(key, self._timeline.findings)

    def _let_go_of(self, turn: TurnId, act: Entry, *, is_meant: bool) -> None:
        self._keeper.forget()
        self._keyed.note(act.key)
        if is_meant or act.epoch != self.version + 1:
            self.refresh()
        else:
            self._head = Head(epoch=act.epoch, chain=act.chain)
            self._timeline.forget_words(turn)
            self._keyed.forget_words(turn)
        self._filer.follow(self.version)

    def _is_used(self, key: str) -> bool:
        return self._keyed.is_used(key)

    def _before(self, act: Entry) -> State:
        place = len(events_of(list(self._store.read(self._id, upto=act.epoch - 1))))
        return self._timeline.around(place)[1] if place < self._timeline.count else self.state

    def _policy(self) -> SourcePolicy:
        return self.state.policy

    def _record(self, events: Sequence[Event], contents: Sequence[Content], key: str = "") -> tuple[Finding, ...]:
        """Try the events on the state, append to the record, and only then take the new state on."""
        steps: list[tuple[Event, State, tuple[Finding, ...]]] = []
        state = self.state
        for event in events:
            state, findings = applied(state, event, is_lenient=self._is_lenient)
            steps.append((event, state, findings))
        filings = self._filer.filings(self.state, ((event, after) for event, after, _ in steps))
        self._append(contents, key, filings=filings)
        for event, after, findings in steps:
            self._timeline.accept(event, after, findings)
        self._keeper.keep_if_due(self._timeline, self.version, self._keyed.names)
        return tuple(finding for _, _, findings in steps for finding in findings)

    def _append(self, contents: Sequence[Content], key: str = "", *, filings: Sequence[Filing] | None = None) -> None:
        try:
            entries = self._filer.append(contents, expected=self._head, key=key, filings=filings)
        except (RepeatedIdentity, VersionConflict):
            self._refuse_outdated()
            raise
        if entries[0].epoch != self.version + 1:
            self._refuse_outdated()
        self._head = Head(epoch=entries[-1].epoch, chain=entries[-1].chain)

    def _refuse_outdated(self) -> None:
        """Somebody else used the key first, and the record has moved on: that is a race like any other."""
        refuse_outdated(self._id, self._head, self._refuse_dropped())

    def _refuse_dropped(self) -> Head:
        head = self._store.head(self._id)
        if head != self._head:
            self._keeper.refuse_another(self._head)
        return head

    def _turn_id(self, key: str) -> TurnId:
        if (first := self._told_under(key)) is not None:
            return first.told.turn
        count = self._timeline.length + 1
        while TurnId(f"T{count}") in self.state.turns:
            count += 1
        return TurnId(f"T{count}")
