"""What is asked of a conversation's record as such, and what may be erased of it.

All of it raises :class:`~upheld.errors.DroppedConversation` where the record that was opened is gone.
Never so much is erased that the rest means nothing any more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from upheld.conversation.events import Beginning, beginning_of, events_of
from upheld.conversation.folding import applied
from upheld.conversation.reading.reader import Reader
from upheld.conversation.searching.filing import refiled
from upheld.conversation.wiring import opened_store
from upheld.errors import RepeatedIdentity, StillNeeded, UnknownReference, UpheldError, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId, PropositionId, TurnId
from upheld.logic.language.turns import Falsify, Retraction, Supersede, Withdraw
from upheld.logic.language.verdicts import Delta
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.transition.step import opened
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import (
    Content,
    Entry,
    Erased,
    Erasure,
    Interpretation,
    Words,
    remaining,
    step_of,
    turn_of,
)
from upheld.record.ledger.erasing import left_of
from upheld.record.ledger.search import SearchableStore
from upheld.record.ledger.store import Store
from upheld.record.ledger.verifying import Audit, verified
from upheld.record.stores.tenants import DEFAULT


class Recorded(ABC):
    """The questions and acts that are about the record, and not about what was said."""

    _store: Store
    _id: ConversationId
    _reader: Reader
    _head: Head

    @property
    def seen(self) -> Head:
        """Where the record ends as far as it is known here: of a longer one ``refresh`` reads the rest."""
        return self._head

    @abstractmethod
    def _let_go_of(self, turn: TurnId, act: Entry, *, is_meant: bool) -> None: ...

    @abstractmethod
    def _is_used(self, key: str) -> bool: ...

    @abstractmethod
    def _refuse_dropped(self) -> Head:
        """Refuse when the record that was opened is gone, for another may have its name; give where it ends now."""

    @abstractmethod
    def _policy(self) -> SourcePolicy: ...

    def beginning(self) -> Beginning:
        """Give who took part from the start, what was on the table, and the title. Cost: reading one entry."""
        self._refuse_dropped()
        return beginning_of(list(self._store.read(self._id, upto=1)))

    @abstractmethod
    def retract(self, change: str | Retraction, *, by: str | None = None, reason: str = "", key: str = "") -> Delta:
        """Take a claim back for good."""

    def falsify(self, id: str, *, by: str | None = None, reason: str = "") -> Delta:
        """Put on record that a claim is false."""
        return self.retract(Falsify(target=PropositionId(id)), by=by, reason=reason)

    def withdraw(self, source: str, *, by: str | None = None, reason: str = "") -> Delta:
        """Remove all that came from a turn, or from a document by its uri."""
        return self.retract(Withdraw(source=source), by=by, reason=reason)

    def supersede(self, older: str, newer: str, *, by: str | None = None, reason: str = "") -> Delta:
        """Put on record that one known value replaces another."""
        change = Supersede(older=PropositionId(older), newer=PropositionId(newer))
        return self.retract(change, by=by, reason=reason)

    def was_done(self, key: str) -> bool:
        """Tell whether anything was put on record under an idempotency key: it would not be done again."""
        return self._is_used(key)

    def erase(
        self, turn: str, *, reason: str, by: str | None = None, meaning: bool = False, key: str = ""
    ) -> Entry | None:
        """Erase what was said in a turn for good, and put that on record; give the entry that says so.

        Gives ``None`` when it was erased before. Who spoke to whom stays, and so does what the turn means, unless
        ``meaning`` is to go too, with every amendment. A meaning has claims in words of its own, often the very words
        that were said: who erases for the sake of privacy wants both gone. Snapshots go, and copies are not reached.
        With the idempotency ``key`` of an earlier erasure its entry is given again. Cost: reading the record; with
        ``meaning`` replaying it.

        Raises:
            UnknownReference: there is no such turn.
            RepeatedIdentity: the key was used for something else.
            StillNeeded: a later turn builds on the meaning that is to go; nothing was changed.
            MalformedInput: no reason.
        """
        self._refuse_dropped()
        who = AgentId(by) if by else None
        reason = self._reader.clean_text(reason)
        wanted = _Wanted(turns=[turn], with_meaning=meaning, reason=reason, by=who, key=key)
        first = self._under(key)
        if first is not None:
            if not self._erased_so(first, wanted):
                raise _taken(key)
            return first
        act = _erased(self._store, self._id, wanted, self._policy())
        if act is not None:
            self._let_go_of(TurnId(turn), act, is_meant=meaning)
        return act

    def save(self, url: str, *, tenant: str = DEFAULT) -> None:
        """Copy the whole record into a store, under the conversation's id, with its idempotency keys.

        A key is left behind where something was erased of what it was used for: it could not be compared there.

        Raises:
            VersionConflict: the store has a conversation of that name already.
        """
        with opened_store(url, tenant=tenant) as store:
            self.copy_to(store)

    def copy_to(self, store: Store, *, key: str = "") -> None:
        """Copy the whole record into a store that is open; as :meth:`save` does. ``key`` is that of the copy itself."""
        self._refuse_dropped()
        entries = list(self._store.read(self._id))
        lost = {entry.key for entry in entries if isinstance(entry.content, Erased)}
        left = [(content, entry.key) for entry in entries if (content := left_of(entry.content)) is not None]
        keys = [each if each not in lost else "" for _, each in left]
        keys[0] = key or keys[0]
        store.append(self._id, [content for content, _ in left], expected=0, key=keys)
        if isinstance(store, SearchableStore):
            # Where somebody speaks in it already, a search names it until it is filed anew.
            with suppress(VersionConflict):
                refiled(store, self._id, self._policy())

    def head(self) -> Head:
        """Give where the record ends, to be kept elsewhere: who has it can tell later that nothing was changed."""
        self._refuse_dropped()
        return self._store.head(self._id)

    def audit(self, head: Head | None = None) -> Audit:
        """Compute every digest and link of the record again, and name what is wrong; ``head`` is one kept elsewhere.

        Cost: two hashes an entry.
        """
        self._refuse_dropped()
        return verified(self._store, self._id, expected=head)

    def _under(self, key: str) -> Entry | None:
        """Give the first entry of what was done under a key. Cost: none, or reading the record where it was used."""
        if not self._is_used(key):
            return None
        return next((entry for entry in self._store.read(self._id) if entry.key == key), None)

    def _done_under(self, key: str, act: Content) -> Entry | None:
        """Give the entry of an act that was done under this key before; what was erased of it is taken for the same.

        Raises:
            RepeatedIdentity: the key was used for something else.
        """
        first = self._under(key)
        if first is None or first.content == act:
            return first
        if isinstance(first.content, Erased) and first.content.remains is None and first.turn == turn_of(act):
            return first
        raise _taken(key)

    def _erased_so(self, first: Entry, wanted: _Wanted) -> bool:
        content = first.content
        if not isinstance(content, Erasure) or (content.by, content.reason) != (wanted.by, wanted.reason):
            return False
        epochs = {each.epoch for each in content.erased}
        turns = {entry.turn for entry in self._store.read(self._id, upto=first.epoch) if entry.epoch in epochs}
        has_words_only = all(each.remains is not None for each in content.erased)
        return turns == {*wanted.turns} and (wanted.with_meaning or has_words_only)


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
    wanted = _Wanted(epochs=tuple(epochs), turns=turns, with_meaning=with_meaning, reason=reason, by=by)
    return _erased(store, conversation, wanted, policy)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is to be erased, and the words of the act."""

    reason: str
    by: AgentId | None
    epochs: tuple[int, ...] = ()
    turns: Sequence[str] = ()
    with_meaning: bool = False
    key: str = ""


def _erased(store: Store, conversation: ConversationId, wanted: _Wanted, policy: SourcePolicy) -> Entry | None:
    entries = list(store.read(conversation))
    epochs = {*wanted.epochs, *epochs_of(entries, wanted.turns, with_meaning=wanted.with_meaning)}
    _refuse_what_leaves_no_conversation(entries, epochs, policy)
    is_filed = isinstance(store, SearchableStore) and store.filed(conversation) == len(entries)
    act = store.erase(conversation, epochs, reason=wanted.reason, by=wanted.by, key=wanted.key)
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


def _taken(key: str) -> RepeatedIdentity:
    return RepeatedIdentity(f"the key {key!r} was used before, for something else")


def _without_content(entry: Entry) -> Entry:
    content = entry.content
    if isinstance(content, Erasure | Erased):
        return entry
    return replace(entry, content=Erased(turn=entry.turn, reason="", by=None, at="", remains=remaining(content)))


def _changes_nothing(entry: Entry) -> bool:
    return isinstance(entry.content, Words) or step_of(entry.content) is not None
