"""What every store promises about keeping: the chain, erasing, and snapshots; a part of ``StoreContract``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest

from upheld.errors import MalformedInput, RepeatedIdentity, StoreError, UnknownReference, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId, Epoch, TurnId
from upheld.record.ledger.chain import BEGINNING, Head, linked, salted_digest
from upheld.record.ledger.entry import Entry, Erased, Erasing, Erasure, Interpretation, Words, envelope_of
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.store import Store
from upheld.record.ledger.verifying import audit
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.testing.dropping_contract import DroppingContract
from upheld.testing.store_materials import HERE, THERE, contents_of, said, texts_of

ANN = AgentId("ann")


def snapshot_after(entry: Entry, body: bytes = b"state") -> Snapshot:
    """Give a snapshot of what the entries up to this one fold to."""
    return Snapshot(epoch=entry.epoch, chain=entry.chain, fingerprint="f", body=body)


class ChainContract:
    """What a store promises about the chain of a ledger."""

    def test_each_entry_is_linked_to_the_one_before(self, store: Store) -> None:
        """Our promise: link n is the hash of link n - 1 and envelope n, whatever append wrote it."""
        entries = (*store.append(HERE, [said(1)], key="k"), *store.append(HERE, [said(2), said(3)]))
        store.append(THERE, [said(1)])
        chain = BEGINNING.chain
        for entry in entries:
            chain = linked(chain, envelope_of(entry))
            assert entry.chain == chain
        assert store.head(HERE) == Head(epoch=3, chain=chain)
        assert store.head(ConversationId("nobody's")) == BEGINNING

    def test_two_conversations_have_different_chains(self, store: Store) -> None:
        """Our promise: an entry cannot be moved from one partition into another."""
        (here,), (there,) = store.append(HERE, [said(1)]), store.append(THERE, [said(1)])
        assert here.chain != there.chain

    def test_equal_contents_have_different_digests(self, store: Store) -> None:
        """Our promise: a digest does not confirm a guess of a short content, since every content has its own salt."""
        first, second = store.append(HERE, [said(1), said(1)])
        assert first.digest != second.digest
        assert len(first.digest) == 64
        kept = list(store.kept(HERE))
        assert len({each.salt for each in kept}) == 2
        assert [salted_digest(each.body or b"", each.salt) for each in kept] == [first.digest, second.digest]

    def test_what_is_kept_is_what_is_read(self, store: Store) -> None:
        """Our promise: a verifier sees the same envelopes and links as a reader."""
        store.append(HERE, [said(number) for number in range(250)])
        read, kept = list(store.read(HERE, after=3, upto=240)), list(store.kept(HERE, after=3, upto=240))
        assert [(envelope_of(entry), entry.chain) for entry in read] == [(each.envelope, each.chain) for each in kept]

    def test_a_ledger_that_nobody_touched_is_whole(self, store: Store) -> None:
        """Our promise: the verifier finds nothing where there is nothing."""
        store.append(HERE, [said(number) for number in range(120)])
        found = audit(store.kept(HERE), [store.head(HERE)])
        assert (found.faults, found.entries, found.head) == ((), 120, store.head(HERE))
        assert store.damage() == ()


class ErasingContract:
    """What a store promises about erasing."""

    def test_what_was_erased_is_not_read_again(self, store: Store) -> None:
        """Our promise: body and salt are gone; envelope, digest and chain stay, and the chain is whole."""
        before = store.append(HERE, [said(1, "a secret"), Interpretation(turn=TurnId("T1")), said(2)])
        act = store.erase(HERE, [1], reason="asked for", by=ANN)
        assert act is not None
        after = list(store.read(HERE))
        words = cast("Words", before[0].content)
        expected = Erased(
            turn=TurnId("T1"), reason="asked for", by=ANN, at=act.recorded_at, remains=replace(words, text="")
        )
        assert after[0] == replace(before[0], content=expected)
        assert after[1:] == [*before[1:], act]
        kept = next(store.kept(HERE))
        assert (kept.body, kept.salt) == (None, "")
        found = audit(store.kept(HERE), [store.head(HERE)])
        assert (found.faults, found.erased) == ((), 1)

    def test_an_erasure_is_an_act_on_record(self, store: Store) -> None:
        """Our promise: who erased what, when and why is an entry like any other, and the followers' news."""
        store.append(HERE, [Interpretation(turn=TurnId("T1")), said(1)])
        act = store.erase(HERE, [1, 1], reason="misheard", key="k")
        assert act is not None
        assert act.key == "k"
        assert act.content == Erasure(erased=(Erasing(epoch=Epoch(1)),), reason="misheard")
        assert (act.epoch, act.turn) == (3, None)
        assert list(store.follow(HERE, after=2, timeout=0)) == [act]

    def test_what_is_erased_already_is_erased_once(self, store: Store) -> None:
        """Our promise: asking again writes nothing, and does not change who did it and why."""
        store.append(HERE, [said(1), said(2), said(3)])
        store.erase(HERE, [1], reason="first")
        assert store.erase(HERE, [1], reason="again") is None
        assert store.erase(HERE, [], reason="of nothing") is None
        assert store.version(HERE) == 4
        second = store.erase(HERE, [1, 2], reason="second")
        assert second is not None
        assert [each.epoch for each in cast("Erasure", second.content).erased] == [2]
        reasons = [entry.content.reason for entry in store.read(HERE) if isinstance(entry.content, Erased)]
        assert reasons == ["first", "second"]

    def test_what_cannot_be_erased_is_refused_and_nothing_is(self, store: Store) -> None:
        """Our promise: all or none, as with an append."""
        store.append(HERE, [said(1), said(2)])
        store.erase(HERE, [2], reason="asked for")
        before = list(store.read(HERE))
        for epochs, error in (([1, 4], UnknownReference), ([0, 1], UnknownReference), ([1, 3], MalformedInput)):
            with pytest.raises(error):
                store.erase(HERE, epochs, reason="asked for")
        with pytest.raises(MalformedInput, match="why"):
            store.erase(HERE, [1], reason=" ")
        with pytest.raises(UnknownReference):
            store.erase(THERE, [1], reason="asked for")
        for content in (*contents_of(before[1:]),):
            with pytest.raises(MalformedInput, match="ask the store to erase"):
                store.append(HERE, [content])
        assert list(store.read(HERE)) == before
        assert store.conversations() == (HERE,)

    def test_a_retry_does_not_bring_back_what_was_erased(self, store: Store) -> None:
        """C-26, and an erasure after it: the key is known, so nothing is written; what is left is still compared."""
        store.append(HERE, [said(1), said(2)], key="k")
        store.erase(HERE, [1], reason="asked for")
        again = store.append(HERE, [said(1), said(2)], key="k")
        assert again == tuple(store.read(HERE, upto=2))
        assert isinstance(again[0].content, Erased)
        for other in ([said(1), said(3)], [said(1)]):
            with pytest.raises(RepeatedIdentity):
                store.append(HERE, other, key="k")

    def test_the_ledger_goes_on_after_an_erasure(self, store: Store) -> None:
        """Our promise: the next entry is linked to the act, and a writer that did not see the act is told."""
        (first,) = store.append(HERE, [said(1)])
        act = store.erase(HERE, [1], reason="asked for")
        assert act is not None
        (second,) = store.append(HERE, [said(2)], expected=2)
        assert act.chain == linked(first.chain, envelope_of(act))
        assert second.chain == linked(act.chain, envelope_of(second))
        assert texts_of(store.read(HERE)) == ["words 2"]


class SnapshotContract:
    """What a store promises about snapshots."""

    def test_the_newest_snapshots_are_kept(self, store: Store) -> None:
        """Our promise: two of a conversation, whatever their order of saving; the same epoch again replaces."""
        entries = store.append(HERE, [said(number) for number in range(1, 6)])
        assert store.snapshot(HERE) is None
        for place in (1, 3, 2, 0):
            store.save_snapshot(HERE, snapshot_after(entries[place]))
        newer = snapshot_after(entries[3], b"\0 newer \xff")
        store.save_snapshot(HERE, newer)
        assert store.snapshot(HERE) == store.snapshot(HERE, upto=5) == store.snapshot(HERE, upto=2**80) == newer
        assert store.snapshot(HERE, upto=3) == snapshot_after(entries[2])
        assert store.snapshot(HERE, upto=2) is None
        assert store.snapshot(THERE) is None

    def test_a_snapshot_is_no_part_of_the_ledger(self, store: Store) -> None:
        """Our promise: saving one is no entry, no version and no link."""
        (entry,) = store.append(HERE, [said(1)])
        head = store.head(HERE)
        store.save_snapshot(HERE, snapshot_after(entry))
        assert (store.head(HERE), list(store.read(HERE))) == (head, [entry])

    def test_a_snapshot_of_another_past_is_refused(self, store: Store) -> None:
        """Our promise: what does not belong to an entry of this conversation is never given back."""
        (entry,) = store.append(HERE, [said(1)])
        store.append(THERE, [said(1)])
        for name, snapshot in (
            (HERE, replace(snapshot_after(entry), chain="0" * 64)),
            (HERE, replace(snapshot_after(entry), epoch=2)),
            (HERE, replace(snapshot_after(entry), epoch=0)),
            (THERE, snapshot_after(entry)),
        ):
            with pytest.raises(MalformedInput, match="does not fit"):
                store.save_snapshot(name, snapshot)
        assert store.snapshot(HERE) is None

    def test_an_erasure_deletes_every_snapshot(self, store: Store) -> None:
        """Our promise: a snapshot may hold what was erased, and so may one of before that comes late."""
        entries = store.append(HERE, [said(1), said(2)])
        (other,) = store.append(THERE, [said(1)])
        for entry in entries:
            store.save_snapshot(HERE, snapshot_after(entry))
        store.save_snapshot(THERE, snapshot_after(other))
        act = store.erase(HERE, [2], reason="asked for")
        assert act is not None
        store.save_snapshot(HERE, snapshot_after(entries[0]))
        assert store.snapshot(HERE) is None
        assert store.snapshot(THERE) == snapshot_after(other)
        store.save_snapshot(HERE, snapshot_after(act))
        assert store.snapshot(HERE) == snapshot_after(act)


class AdoptingContract:
    """What a store promises about records of other stores."""

    def test_a_record_is_taken_over_as_it_was_kept(self, store: Store) -> None:
        """Our promise: a copy is the record itself, proved by the same head; going on and erasing work in it."""
        other = EphemeralStore()
        other.append(HERE, [said(1), said(2)], key="k")
        other.append(HERE, [said(3)])
        other.erase(HERE, [3], reason="asked for", by=ANN)
        store.adopt(HERE, other.kept(HERE))
        assert list(store.kept(HERE)) == list(other.kept(HERE))
        assert list(store.read(HERE)) == list(other.read(HERE))
        assert (store.head(HERE), store.conversations()) == (other.head(HERE), (HERE,))
        assert audit(store.kept(HERE), [other.head(HERE)]).faults == ()
        again = store.append(HERE, [said(1), said(2)], key="k")
        assert [entry.epoch for entry in again] == [1, 2], "a retry is one still"
        (entry,) = store.append(HERE, [said(4)], expected=4)
        assert entry.chain == linked(other.head(HERE).chain, envelope_of(entry))
        assert store.erase(HERE, [3], reason="asked for") is None

    def test_a_conversation_that_is_there_is_not_taken_over(self, store: Store) -> None:
        """Our promise: a ledger is never overwritten, not even by its own copy."""
        store.append(HERE, [said(1)])
        kept = list(store.kept(HERE))
        with pytest.raises(VersionConflict):
            store.adopt(HERE, kept)
        assert list(store.kept(HERE)) == kept

    def test_a_record_that_is_not_whole_is_not_taken_over(self, store: Store) -> None:
        """Our promise: what would be found at the next verification is refused at once, and nothing is written."""
        other = EphemeralStore()
        other.append(HERE, [said(1), said(2), said(3)])
        kept = list(other.kept(HERE))
        edited = replace(kept[1], body=(kept[1].body or b"").replace(b"words 2", b"words 5"))
        for wrong in ([], kept[1:], [kept[0], kept[2]], [kept[0], edited, kept[2]], [replace(kept[0], body=None)]):
            with pytest.raises(MalformedInput):
                store.adopt(HERE, wrong)
        with pytest.raises(MalformedInput):
            store.adopt(THERE, kept)
        assert store.conversations() == ()


class KeepingContract(ChainContract, ErasingContract, SnapshotContract, AdoptingContract, DroppingContract):
    """All of it, and what is common."""

    def test_keeping_needs_a_name_and_an_open_store(self, store: Store) -> None:
        """C-32: without an id everything is refused; and so is any use after closing."""
        (entry,) = store.append(HERE, [said(1)])
        kept = list(store.kept(HERE))

        def calls(name: ConversationId) -> list[Callable[[], object]]:
            return [
                lambda: store.erase(name, [1], reason="asked for"),
                lambda: store.drop(name, reason="asked for"),
                lambda: store.kept(name),
                lambda: store.adopt(name, kept),
                lambda: store.head(name),
                lambda: store.snapshot(name),
                lambda: store.save_snapshot(name, snapshot_after(entry)),
            ]

        for call in calls(ConversationId(" ")):
            with pytest.raises(MalformedInput):
                call()
        store.close()
        for call in (*calls(HERE), store.damage):
            with pytest.raises(StoreError):
                call()
