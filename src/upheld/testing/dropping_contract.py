"""What every store promises about dropping a conversation whole, and about bookmarks; a part of ``KeepingContract``."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from upheld.errors import DroppedConversation, MalformedInput, UnknownConversation, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId, FlagId, PropositionId, TurnId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.record.ledger.chain import BEGINNING
from upheld.record.ledger.erasing import Receipt
from upheld.record.ledger.review.contents import Commented
from upheld.record.ledger.review.queue import ReviewableStore
from upheld.record.ledger.search import Filing, Query, SearchableStore
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.store import Bookmark, BookmarkingStore, Store
from upheld.record.ledger.verifying import audit
from upheld.testing.store_materials import HERE, PATIENCE, THERE, said, texts_of

ANN = AgentId("ann")
RAIN = Filing(
    id=PropositionId("o1"),
    text="It rains.",
    kind=Kind.OBSERVATION,
    label=Label.IN,
    lifecycle=Lifecycle.ACTIVE,
)


def place(number: int, conversation: ConversationId = HERE) -> Bookmark:
    """Give the place after a turn."""
    return Bookmark(conversation=conversation, turn=TurnId(f"M{number}"))


class BookmarkContract:
    """What a store promises about bookmarks, if it keeps any."""

    @pytest.fixture
    def marking(self, store: Store) -> BookmarkingStore:
        """Give the store, if it keeps bookmarks."""
        if not isinstance(store, BookmarkingStore):
            pytest.skip("this store keeps no bookmarks")
        return store

    def test_a_place_is_found_by_its_name_whichever_conversation_it_is_in(
        self, store: Store, marking: BookmarkingStore
    ) -> None:
        """Our promise: the name alone finds it; a place may have several, and of two under one the later counts."""
        store.append(HERE, [said(1), said(2)])
        store.append(THERE, [said(1)])
        for name, kept in (("one", place(1)), ("two", place(2, THERE)), ("öne 世界", place(1)), ("two", place(2))):
            marking.bookmark(name, kept)
        assert [marking.bookmarked(name) for name in ("one", "öne 世界", "two", "three")] == [
            place(1),
            place(1),
            place(2),
            None,
        ]
        assert (store.version(HERE), store.damage()) == (2, ()), "it is no part of the record"

    def test_a_bookmark_goes_with_its_conversation_and_there_is_none_without(
        self, store: Store, marking: BookmarkingStore
    ) -> None:
        """Our promise: nothing leads to a conversation that was dropped, or to a later one of its name."""
        marking.bookmark("early", place(1))
        for name in (HERE, THERE):
            store.append(name, [said(1)])
        marking.bookmark("here", place(1))
        marking.bookmark("there", place(1, THERE))
        store.drop(HERE, reason="asked for")
        store.append(HERE, [said(1)])
        assert [marking.bookmarked(name) for name in ("early", "here", "there")] == [None, None, place(1, THERE)]

    def test_a_bookmark_outlives_what_was_erased(self, store: Store, marking: BookmarkingStore) -> None:
        """Our promise: who spoke to whom stays, and so does where; the name is not what was said."""
        store.append(HERE, [said(1)])
        marking.bookmark("one", place(1))
        store.erase(HERE, [1], reason="asked for")
        assert marking.bookmarked("one") == place(1)

    def test_what_names_no_place_is_refused(self, store: Store, marking: BookmarkingStore) -> None:
        """Our promise: a name that some database could not carry is refused by all."""
        store.append(HERE, [said(1)])
        for name in ("", " ", "null \0", "half \ud800"):
            with pytest.raises(MalformedInput):
                marking.bookmark(name, place(1))
            with pytest.raises(MalformedInput):
                marking.bookmarked(name)

    def test_several_may_keep_places_at_once(self, store: Store, marking: BookmarkingStore) -> None:
        """Our promise: safe to share between threads, also beside appends and under one name."""
        store.append(HERE, [said(1)])
        store.append(THERE, [said(1)])
        wanted = [(f"name {number % 5}", place(1, (HERE, THERE)[number % 2])) for number in range(20)]
        with ThreadPoolExecutor(max_workers=8) as threads:
            kept = [threads.submit(marking.bookmark, *each) for each in wanted]
            added = [threads.submit(store.append, HERE, [said(number)]) for number in range(5)]
            for each in (*kept, *added):
                each.result(PATIENCE)
        assert {marking.bookmarked(f"name {number}") for number in range(5)} <= {place(1), place(1, THERE)}


class DroppingContract(BookmarkContract):
    """What a store promises about dropping."""

    def test_what_was_dropped_is_gone_with_a_receipt_and_its_name_is_free(self, store: Store) -> None:
        """Our promise: entries, keys and snapshots go; a later conversation of that name has none of them."""
        entries = store.append(HERE, [said(1, "a secret"), said(2)], key="k")
        store.append(THERE, [said(1)], key="k")
        store.erase(HERE, [1], reason="asked for")
        last = store.append(HERE, [said(3)])[-1]
        store.save_snapshot(HERE, Snapshot(epoch=4, chain=last.chain, fingerprint="f", body=b"state"))
        receipt = store.drop(HERE, reason="the house rule", by=ANN)
        assert receipt == Receipt(
            conversation=HERE,
            entries=4,
            chain=last.chain,
            by=ANN,
            reason="the house rule",
            dropped_at=receipt.dropped_at,
        )
        assert receipt.dropped_at >= last.recorded_at
        assert (store.conversations(), store.version(HERE), store.head(HERE)) == ((THERE,), 0, BEGINNING)
        assert (list(store.read(HERE)), list(store.kept(HERE)), store.snapshot(HERE)) == ([], [], None)
        again = store.append(HERE, [said(1, "something else"), said(2)], expected=0, key="k")
        assert texts_of(again) == ["something else", "words 2"]
        assert again[-1].chain != entries[-1].chain
        assert audit(store.kept(HERE), [store.head(HERE)]).faults == ()
        assert (texts_of(store.read(THERE)), store.damage()) == (["words 1"], ())

    def test_what_is_not_there_or_moved_on_is_not_dropped(self, store: Store) -> None:
        """Our promise: it is dropped as it was looked at, for a reason, once."""
        store.append(HERE, [said(1)])
        looked_at = store.head(HERE)
        store.append(HERE, [said(2)])
        for expected in (1, 3, looked_at):
            with pytest.raises(VersionConflict):
                store.drop(HERE, reason="asked for", expected=expected)
        with pytest.raises(MalformedInput, match="why"):
            store.drop(HERE, reason=" ")
        with pytest.raises(UnknownConversation):
            store.drop(THERE, reason="asked for")
        assert texts_of(store.read(HERE)) == ["words 1", "words 2"]
        newest = store.head(HERE)
        assert store.drop(HERE, reason="asked for", expected=newest).chain == newest.chain
        with pytest.raises(UnknownConversation):
            store.drop(HERE, reason="asked for")
        store.append(HERE, [said(1), said(2)])
        with pytest.raises(DroppedConversation):
            store.drop(HERE, reason="asked for", expected=newest)
        assert store.version(HERE) == 2

    def test_a_writer_who_saw_the_dropped_record_begins_none(self, store: Store) -> None:
        """Our promise: who gives the head that they saw never writes into another record, however long it is."""
        store.append(HERE, [said(1)])
        seen = store.head(HERE)
        store.append(HERE, [said(2)], expected=seen)
        newest = store.head(HERE)
        with pytest.raises(VersionConflict):
            store.append(HERE, [said(3)], expected=seen)
        store.drop(HERE, reason="asked for")
        with pytest.raises(DroppedConversation, match="'here'"):
            store.append(HERE, [said(3)], expected=newest)
        assert store.conversations() == ()
        store.append(HERE, [said(1), said(2)])
        with pytest.raises(DroppedConversation):
            store.append(HERE, [said(3)], expected=newest)
        assert store.version(HERE) == 2

    def test_a_follower_of_a_dropped_conversation_is_told(self, store: Store) -> None:
        """Our promise: one that waits is woken, and none goes on with the entries of a later one."""
        store.append(HERE, [said(1), said(2)])
        waiting, later = store.follow(HERE, timeout=PATIENCE), store.follow(HERE, timeout=0)
        skipping, unaware = store.follow(HERE, after=2, timeout=0), store.follow(HERE, after=3, timeout=0)
        for each in (waiting, later):
            assert texts_of([next(each), next(each)]) == ["words 1", "words 2"]
        with ThreadPoolExecutor(max_workers=1) as thread:
            woken = thread.submit(next, waiting)
            store.drop(HERE, reason="asked for")
            with pytest.raises(DroppedConversation):
                woken.result(PATIENCE)
        store.append(HERE, [said(number) for number in range(4, 8)])
        for each in (later, skipping):
            with pytest.raises(DroppedConversation):
                next(each)
        assert texts_of(unaware) == ["words 7"]

    def test_whoever_waits_for_any_conversation_is_woken_by_a_dropping(self, store: Store) -> None:
        """Our promise: a page that lists the conversations learns that one is gone."""
        store.append(HERE, [said(1)])
        mark = store.stirred(timeout=PATIENCE)
        while (same := store.stirred(mark, timeout=0.01)) != mark:
            mark = same
        store.drop(HERE, reason="asked for")
        assert store.stirred(mark, timeout=PATIENCE) != mark

    def test_nothing_of_it_is_found(self, store: Store) -> None:
        """Our promise: no search and no queue of reviews has anything of it; what comes late is not filed."""
        if not (isinstance(store, SearchableStore) and isinstance(store, ReviewableStore)):
            pytest.skip("this store finds nothing")
        comment = Commented(flag=FlagId("f1"), by=ANN, text="look")
        for name in (HERE, THERE):
            store.append(name, [said(1), comment], filings=[RAIN])
        head = store.head(HERE)
        store.drop(HERE, reason="asked for")
        assert [each.conversation for each in store.find(Query(words="rains"))] == [THERE]
        assert (store.filed(HERE), store.steps(HERE), store.unfiled()) == (0, (), ())
        assert len(store.steps(THERE)) == 1
        for expected, error in ((head, DroppedConversation), (2, VersionConflict)):
            with pytest.raises(error):
                store.refile(HERE, [], expected=expected)
