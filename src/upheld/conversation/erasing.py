"""What is asked of a conversation's record as such, and what may be erased of it.

Never so much is erased that the rest means nothing any more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from upheld.conversation.events import Beginning, beginning_of, events_of
from upheld.conversation.folding import applied
from upheld.conversation.searching.filing import refiled
from upheld.conversation.wiring import opened_store
from upheld.errors import StillNeeded, UnknownReference, UpheldError, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.transition.step import opened
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Entry, Erased, Erasure, Interpretation, Words, remaining, step_of
from upheld.record.ledger.erasing import left_of
from upheld.record.ledger.search import SearchableStore
from upheld.record.ledger.store import Store
from upheld.record.ledger.verifying import Audit, verified


class Recorded(ABC):
    """The questions and acts that are about the record, and not about what was said."""

    _store: Store
    _id: ConversationId

    @abstractmethod
    def _let_go_of(self, turn: TurnId, act: Entry, *, is_meant: bool) -> None: ...

    @abstractmethod
    def _policy(self) -> SourcePolicy: ...

    def beginning(self) -> Beginning:
        """Give who took part from the start, what was on the table, and the title. Cost: reading one entry."""
        return beginning_of(list(self._store.read(self._id, upto=1)))

    def erase(self, turn: str, *, reason: str, by: str | None = None, meaning: bool = False) -> Entry | None:
        """Erase what was said in a turn for good, and put that on record; give the entry that says so.

        Gives ``None`` when it was erased before. Who spoke to whom stays, and so does what the turn means, unless
        ``meaning`` is to go too, with every amendment. A meaning has claims in words of its own, often the very words
        that were said: who erases for the sake of privacy wants both gone. Snapshots go, and copies are not reached.
        Cost: reading the record; with ``meaning`` replaying it.

        Raises:
            UnknownReference: there is no such turn.
            StillNeeded: a later turn builds on the meaning that is to go; nothing was changed.
            MalformedInput: no reason.
        """
        who = AgentId(by) if by else None
        act = erased(
            self._store, self._id, reason=reason, by=who, turns=[turn], with_meaning=meaning, policy=self._policy()
        )
        if act is not None:
            self._let_go_of(TurnId(turn), act, is_meant=meaning)
        return act

    def save(self, url: str) -> None:
        """Copy the whole record into a store, under the conversation's id, with its idempotency keys.

        A key is left behind where something was erased of what it was used for: it could not be compared there.

        Raises:
            VersionConflict: the store has a conversation of that name already.
        """
        with opened_store(url) as store:
            self.copy_to(store)

    def copy_to(self, store: Store) -> None:
        """Copy the whole record into a store that is open; as :meth:`save` does."""
        entries = list(self._store.read(self._id))
        lost = {entry.key for entry in entries if isinstance(entry.content, Erased)}
        left = [(content, entry.key) for entry in entries if (content := left_of(entry.content)) is not None]
        keys = [key if key not in lost else "" for _, key in left]
        store.append(self._id, [content for content, _ in left], expected=0, key=keys)
        if isinstance(store, SearchableStore):
            # Where somebody speaks in it already, a search names it until it is filed anew.
            with suppress(VersionConflict):
                refiled(store, self._id, self._policy())

    def head(self) -> Head:
        """Give where the record ends, to be kept elsewhere: who has it can tell later that nothing was changed."""
        return self._store.head(self._id)

    def audit(self, head: Head | None = None) -> Audit:
        """Compute every digest and link of the record again, and name what is wrong; ``head`` is one kept elsewhere.

        Cost: two hashes an entry.
        """
        return verified(self._store, self._id, expected=head)


def erased(
    store: Store,
    conversation: ConversationId,
    *,
    reason: str,
    by: AgentId | None = None,
    epochs: Iterable[int] = (),
    turns: Sequence[str] = (),
    with_meaning: bool = False,
    policy: SourcePolicy = PEOPLE_AND_TOOLS,
) -> Entry | None:
    """Erase entries, and the words of turns, for good; give the entry that says so, ``None`` when all was gone before.

    ``with_meaning`` erases also what the turns were taken to mean, amendments included. Cost: reading the record; a
    replay of it where more than words is erased.

    Raises:
        UnknownReference: a turn or an epoch that the record does not have.
        StillNeeded: what would be left means nothing any more, for a later turn builds on what is to be erased.
        MalformedInput: no reason, or an entry that is an erasure itself.
    """
    entries = list(store.read(conversation))
    wanted = {*epochs, *epochs_of(entries, turns, with_meaning=with_meaning)}
    _refuse_what_leaves_no_conversation(entries, wanted, policy)
    is_filed = isinstance(store, SearchableStore) and store.filed(conversation) == len(entries)
    act = store.erase(conversation, wanted, reason=reason, by=by)
    if act is not None and is_filed and isinstance(store, SearchableStore):
        # What was filed went with the erasure: what is left is found again.
        with suppress(VersionConflict):
            refiled(store, conversation, policy)
    return act


def epochs_of(entries: Iterable[Entry], turns: Sequence[str], *, with_meaning: bool) -> set[int]:
    """Give the entries that hold the words of turns, and what they were taken to mean, as far as they are there.

    Raises:
        UnknownReference: a turn that the record does not have.
    """
    kinds = (Words, Interpretation) if with_meaning else (Words,)
    wanted, seen = set(turns), set[str]()
    epochs: set[int] = set()
    for entry in entries:
        if entry.turn in wanted:
            seen.add(entry.turn)
            if isinstance(entry.content, kinds):
                epochs.add(entry.epoch)
    for turn in turns:
        if turn not in seen:
            raise UnknownReference(turn, where="turns of this conversation")
    return epochs


def _refuse_what_leaves_no_conversation(entries: Sequence[Entry], epochs: set[int], policy: SourcePolicy) -> None:
    """Fold what would be left: it must still mean something, or nobody could open the conversation again."""
    if all(_changes_nothing(entry) for entry in entries if entry.epoch in epochs):
        return
    left = [_without_content(entry) if entry.epoch in epochs else entry for entry in entries]
    beginning = beginning_of(left)
    state = opened(beginning.agents, initial=beginning.initial, policy=policy)
    try:
        for event in events_of(left):
            state, _ = applied(state, event, is_lenient=True)
    except UpheldError as error:
        raise StillNeeded(f"not erased, for a later turn builds on it: {error}") from error


def _without_content(entry: Entry) -> Entry:
    content = entry.content
    if isinstance(content, Erasure | Erased):
        return entry
    return replace(entry, content=Erased(turn=entry.turn, reason="", by=None, at="", remains=remaining(content)))


def _changes_nothing(entry: Entry) -> bool:
    return isinstance(entry.content, Words) or step_of(entry.content) is not None
