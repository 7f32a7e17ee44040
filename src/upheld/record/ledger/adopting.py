"""A whole record taken over from another store, as it was kept there: digests, salts, times, keys and chain.

So a backup, a restored copy and a move to another kind of store are one thing, and a head that was kept elsewhere
proves the copy as well as the original.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from upheld.errors import MalformedInput
from upheld.logic.language.identities import ConversationId, Epoch
from upheld.record.ledger.appending import named
from upheld.record.ledger.chain import KeptEntry
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Entry, Erasure
from upheld.record.ledger.erasing import in_place
from upheld.record.ledger.verifying import audit


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """A record that was found whole. ``acts`` gives, for each entry that was erased, the one that says so."""

    conversation: ConversationId
    kept: tuple[KeptEntry, ...]
    entries: tuple[Entry, ...]
    acts: dict[Epoch, Epoch]


def adopted(conversation: ConversationId, kept: Iterable[KeptEntry], codec: Codec) -> Adopted:
    """Give a record that can be taken over. Cost: two hashes an entry, and reading every content.

    Raises:
        MalformedInput: it has no entry, is not whole, or is another conversation's.
        UnreadableEntry: a content is of a newer schema.
    """
    name, whole = named(conversation), tuple(kept)
    if not whole:
        raise MalformedInput(f"there is no entry of {name!r} to take over", key="kept")
    if any(each.envelope.conversation != name for each in whole):
        raise MalformedInput(f"these entries are not all of {name!r}", key="kept")
    first, *others = audit(whole).faults or (None,)
    if first is not None:
        more = f", and {len(others)} more faults" if others else ""
        raise MalformedInput(f"the record of {name!r} is not whole: {first.message}{more}", key="kept")
    read: dict[Epoch, Entry] = {}
    acts: dict[Epoch, Epoch] = {}
    for each in whole:
        if each.body is not None:
            epoch = each.envelope.epoch
            content = codec.decode(each.body.decode(), conversation=name, epoch=epoch)
            read[epoch] = each.holding(content)
            if isinstance(content, Erasure):
                acts.update({gone.epoch: epoch for gone in content.erased})
    for each in whole:
        if each.body is None:
            epoch = each.envelope.epoch
            erased = in_place(epoch, each.envelope.turn, read[acts[epoch]])
            if erased is not None:
                read[epoch] = each.holding(erased)
    entries = tuple(read[each.envelope.epoch] for each in whole)
    return Adopted(conversation=name, kept=whole, entries=entries, acts=acts)
