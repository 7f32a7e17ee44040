"""What every store promises about dropping a conversation whole; a part of ``KeepingContract``."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from upheld.errors import DroppedConversation, MalformedInput, UnknownConversation, VersionConflict
from upheld.logic.language.identities import AgentId, FlagId, PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.record.ledger.chain import BEGINNING
from upheld.record.ledger.erasing import Receipt
from upheld.record.ledger.review.contents import Commented
from upheld.record.ledger.review.queue import ReviewableStore
from upheld.record.ledger.search import Filing, Query, SearchableStore
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.store import Store
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


class DroppingContract:
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
