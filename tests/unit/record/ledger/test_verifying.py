"""Ledgers that somebody tampered with, and what the verifier says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from upheld.errors import DamagedStore
from upheld.logic.language.identities import AgentId, ConversationId, Epoch, TurnId
from upheld.record.ledger.chain import BEGINNING, Head, KeptEntry, linked, salted_digest
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Erasing, Erasure, Words
from upheld.record.ledger.verifying import Fault, audit, faults, verified
from upheld.record.stores.ephemeral import EphemeralStore

TALK = ConversationId("talk")


def said(number: int) -> Words:
    """Give the words of turn ``number``."""
    return Words(turn=TurnId(f"T{number}"), speaker=AgentId("alice"), text=f"words {number}")


def written(length: int, *erased: int) -> tuple[list[KeptEntry], Head]:
    """Give a ledger of so many turns, some of them erased afterwards, and its head."""
    salts = count()
    store = EphemeralStore(clock=lambda: "2026-01-01T00:00:00", salts=lambda: f"{next(salts):032x}")
    store.append(TALK, [said(number) for number in range(1, length + 1)])
    if erased:
        store.erase(TALK, erased, reason="asked for")
    return list(store.kept(TALK)), store.head(TALK)


def with_envelope(entry: KeptEntry, **changed: Any) -> KeptEntry:
    """Give an entry whose envelope says something else."""
    return replace(entry, envelope=replace(entry.envelope, **changed))


def with_body(entry: KeptEntry, body: bytes) -> KeptEntry:
    """Give an entry whose content was edited, and its digest with it."""
    return with_envelope(replace(entry, body=body), digest=salted_digest(body, entry.salt))


def rechained(kept: Sequence[KeptEntry]) -> list[KeptEntry]:
    """Give the entries with a chain that was computed anew, as an intruder who has read this code would."""
    chain, anew = BEGINNING.chain, list[KeptEntry]()
    for entry in kept:
        chain = linked(chain, entry.envelope)
        anew.append(replace(entry, chain=chain))
    return anew


def named(found: Sequence[Fault]) -> list[tuple[str, int]]:
    """Give kind and epoch of each fault."""
    return [(fault.kind.value, fault.epoch) for fault in found]


def test_a_whole_ledger_has_no_faults() -> None:
    """Our promise: also an empty one, also one of a single entry, and an older head is met on the way."""
    for length in (0, 1, 2, 50):
        kept, head = written(length)
        assert faults(kept, head) == faults(kept) == ()
    kept, head = written(50)
    older = Head(epoch=20, chain=kept[19].chain)
    bare = Head(epoch=0, chain=kept[30].chain)
    found = audit(kept, [head, older, bare, BEGINNING])
    assert (found.faults, found.entries, found.erased, found.unsalted, found.head) == ((), 50, 0, 0, head)


def test_a_body_that_was_edited_is_named() -> None:
    """Our promise: content and digest part."""
    kept, head = written(5)
    kept[2] = replace(kept[2], body=(kept[2].body or b"").replace(b"words 3", b"words 9"))
    assert named(faults(kept, head)) == [("edited", 3)]
    kept[2] = replace(kept[2], salt="0" * 32)
    assert named(faults(kept, head)) == [("edited", 3)]


def test_a_body_that_was_edited_with_its_digest_is_forged() -> None:
    """Our promise: the digest stands in the chain; the entries after it are not blamed."""
    kept, head = written(5)
    kept[2] = with_body(kept[2], b'{"kind":"words"}')
    assert named(faults(kept, head)) == [("forged", 3)]


@pytest.mark.parametrize(
    "changed",
    [{"turn": "T9"}, {"turn": None}, {"key": "k"}, {"recorded_at": "2020-01-01"}, {"conversation": "other"}],
    ids=str,
)
@pytest.mark.parametrize("place", [0, 2, 4])
def test_an_envelope_that_was_edited_is_forged(changed: dict[str, Any], place: int) -> None:
    """Our promise: every field of it, in the first entry, the last, and between."""
    kept, head = written(5)
    kept[place] = with_envelope(kept[place], **changed)
    assert named(faults(kept, head)) == [("forged", place + 1)]


def test_a_link_that_was_edited_is_forged_alone() -> None:
    """Our promise: the next entry continues what the link should have been, so it is not blamed."""
    kept, head = written(5)
    kept[2] = replace(kept[2], chain="f" * 64)
    assert named(faults(kept, head)) == [("forged", 3)]
    kept, head = written(5)
    kept[4] = replace(kept[4], chain="f" * 64)
    assert named(faults(kept, head)) == [("forged", 5), ("rewritten", 5)]


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 3), (2, 5), (1, 6), (5, 6)])
def test_entries_that_changed_places_are_named(one: int, other: int) -> None:
    """Our promise: two rows with their numbers exchanged are told from two that were forged."""
    kept, head = written(6)
    first, second = kept[one - 1], kept[other - 1]
    kept[one - 1] = with_envelope(second, epoch=Epoch(one))
    kept[other - 1] = with_envelope(first, epoch=Epoch(other))
    found = [fault for fault in faults(kept, head) if fault.kind != "rewritten"]
    assert named(found) == [("reordered", one), ("reordered", other)]
    assert f"written as entry {other}" in found[0].message


def test_entries_in_another_order_are_named() -> None:
    """Our promise: for a store that keeps an order of its own."""
    kept, head = written(6)
    kept[2], kept[3] = kept[3], kept[2]
    assert named(faults(kept, head)) == [("reordered", 3)]


def test_an_entry_that_is_gone_is_named() -> None:
    """Our promise: one, and a stretch; the entry after it cannot be checked, those after that are."""
    kept, head = written(9)
    assert named(faults([*kept[:2], *kept[3:]], head)) == [("missing", 3)]
    stretch = [*kept[:2], *kept[6:]]
    assert named(faults(stretch, head)) == [("missing", 3)]
    assert faults(stretch, head)[0].message == "entries 3 to 6 are gone"
    assert named(faults(kept[1:], head)) == [("missing", 1)]
    stretch[4] = with_envelope(stretch[4], key="k")
    assert named(faults(stretch, head)) == [("missing", 3), ("forged", 9)]


def test_an_entry_that_is_gone_is_seen_when_the_others_close_up() -> None:
    """Our promise: numbers belong to the chain, so entries that were moved up are named."""
    kept, head = written(6)
    closed = [*kept[:2], *(with_envelope(e, epoch=Epoch(e.envelope.epoch - 1)) for e in kept[3:])]
    kinds = named(faults(closed, head))
    assert kinds[0] == ("forged", 3)
    assert kinds[1:] == [("reordered", 4), ("reordered", 5), ("truncated", 6)]


def test_an_epoch_that_stands_there_twice_is_named() -> None:
    """Our promise: whichever of the two is the true one."""
    kept, head = written(5)
    assert named(faults([*kept[:3], kept[2], *kept[3:]], head)) == [("duplicated", 3)]
    other = with_body(kept[2], b'{"kind":"words"}')
    assert named(faults([*kept[:3], other, *kept[3:]], head)) == [("duplicated", 3)]


def test_an_end_that_was_cut_off_is_named_by_the_head() -> None:
    """Our promise: with the head alone, since what is left is whole in itself."""
    kept, head = written(5)
    assert faults(kept[:3]) == ()
    assert named(faults(kept[:3], head)) == [("truncated", 4)]
    assert faults(kept[:3], head)[0].message == "entries 4 to 5 are gone from the end"
    assert named(faults(kept[:4], head)) == [("truncated", 5)]
    assert named(faults([], head)) == [("truncated", 1)]
    bare = Head(epoch=0, chain=head.chain)
    assert named(faults(kept[:3], bare)) == [("rewritten", 0)]


def test_a_chain_that_was_computed_anew_is_named_by_the_head() -> None:
    """Our promise, and its limit: without a head that was kept elsewhere such a ledger is whole."""
    kept, head = written(6)
    older = Head(epoch=2, chain=kept[1].chain)
    kept[2] = with_body(kept[2], b'{"kind":"words"}')
    anew = rechained(kept)
    assert faults(anew) == ()
    assert named(faults(anew, head)) == [("rewritten", 6)]
    assert faults(anew, older) == (), "a head from before the change says nothing about it"


def test_what_was_erased_on_record_is_counted_and_no_fault() -> None:
    """Our promise: and the rest of the ledger is verified as before."""
    kept, head = written(6, 2, 3)
    found = audit(kept, [head])
    assert (found.faults, found.erased) == ((), 2)
    kept[3] = replace(kept[3], body=b"{}")
    assert named(faults(kept, head)) == [("edited", 4)]


def test_what_is_gone_without_an_act_is_emptied() -> None:
    """Our promise: an act before the entry, a damaged one, or one about another entry is no excuse."""
    kept, head = written(6, 2)
    kept[3] = replace(kept[3], body=None, salt="")
    assert named(faults(kept, head)) == [("emptied", 4)]
    kept, head = written(6, 2)
    kept[6] = replace(kept[6], body=b"{}")
    assert named(faults(kept, head)) == [("emptied", 2), ("edited", 7)]
    early = Codec().encode(Erasure(erased=(Erasing(epoch=Epoch(4)),), reason="r")).encode()
    kept, head = written(4)
    kept[1] = with_body(kept[1], early)
    kept[3] = replace(kept[3], body=None)
    kept = rechained(kept)
    assert named(faults(kept)) == [("emptied", 4)]


def test_what_was_erased_and_is_there_again_is_named() -> None:
    """Our promise: somebody who kept a copy cannot slip the content back in."""
    before, _ = written(6)
    kept, head = written(6, 2)
    kept[1] = before[1]
    assert named(faults(kept, head)) == [("restored", 2)]


def test_an_erasure_that_cannot_be_read_lets_nothing_go() -> None:
    """Our promise: a sound digest over something that is no act."""
    kept, _ = written(3)
    for body in (b'{"kind":"erasure","schema":99}', b'\xff"kind":"erasure"', b'["kind","x"]"kind":"erasure"'):
        odd = rechained([*kept[:2], with_body(kept[2], body)])
        odd[0] = replace(odd[0], body=None)
        assert named(faults(odd)) == [("emptied", 1)]


def test_contents_from_before_salts_are_counted() -> None:
    """Our promise: a verifier says how much of what it has seen could be confirmed by guessing."""
    store = EphemeralStore(salts=lambda: "")
    store.append(TALK, [said(1), said(2)])
    found = audit(store.kept(TALK), [store.head(TALK)])
    assert (found.faults, found.unsalted) == ((), 2)


def test_many_faults_are_all_named() -> None:
    """Our promise: also where there are too many to look for entries that changed places."""
    kept, head = written(100)
    for place in range(0, 100, 2):
        kept[place] = with_envelope(kept[place], key="k")
    assert named(faults(kept, head)) == [("forged", place + 1) for place in range(0, 100, 2)]


class Torn(EphemeralStore):
    """A store whose medium gives way after some entries."""

    def kept(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Any:
        """Give three entries, then fail."""
        yield from list(super().kept(conversation))[:3]
        raise DamagedStore("the file is damaged")


def test_a_medium_that_gives_way_is_a_fault_and_no_crash() -> None:
    """Our promise: what was read until then is in the audit."""
    store = Torn()
    store.append(TALK, [said(number) for number in range(5)])
    found = verified(store, TALK)
    assert (found.entries, named(found.faults)) == (3, [("damaged", 0)])


def test_progress_is_told_and_a_head_that_the_store_noted_is_compared() -> None:
    """Our promise: long work says how far it is; the store's own head has to be the end, not a place on the way."""

    class Behind(EphemeralStore):
        def head(self, conversation: ConversationId) -> Head:
            return Head(epoch=1000, chain=next(iter(self.kept(conversation, after=999))).chain)

    store = Behind()
    store.append(TALK, [said(number) for number in range(2500)])
    told: list[tuple[int, int]] = []
    found = verified(store, TALK, progress=lambda seen, total: told.append((seen, total)))
    assert told == [(1000, 1000), (2000, 1000)]
    assert named(found.faults) == [("rewritten", 1000)]
