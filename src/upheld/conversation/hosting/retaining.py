"""Retention: what was said long ago is erased for good, with an act on record, or dropped whole, with a receipt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from upheld.conversation.erasing import erased
from upheld.errors import UnknownConversation, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Entry, Erased, Erasure, Opening
from upheld.record.ledger.erasing import Receipt
from upheld.record.ledger.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Retained:
    """What became of one conversation.

    ``newest`` is when somebody last said something (``""``: that cannot be read, and it is left alone). ``erased``
    counts the entries whose contents went, or would go; ``act`` is the entry that says so, 0 where there is none. There
    is a ``receipt`` instead of one that was dropped whole.
    """

    conversation: ConversationId
    newest: str
    is_kept: bool
    erased: int = 0
    act: int = 0
    receipt: Receipt | None = None


def retained(
    store: Store,
    *,
    before: datetime,
    keep_last: int = 0,
    reason: str = "retention",
    by: AgentId | None = None,
    is_dropped: bool = False,
    is_dry: bool = False,
) -> Iterator[Retained]:
    """Erase what was said and meant in the conversations that nobody spoke in since a moment, one after the other.

    Left are the envelopes, the chain over them, who took part and who spoke; each conversation can still be opened and
    verified, and has nothing in it. The ``keep_last`` conversations that were spoken in last are kept whatever their
    age. With ``is_dropped`` each goes whole, and all its entries count; where somebody speaks in it in that moment, it
    is kept. ``is_dry`` tells what would be done, and does nothing. Acts of erasing do not make a conversation younger.

    Raises:
        StoreError: one could not be erased; those before it were.

    Cost: reading the end of each record, and all of what is erased.
    """
    # Before their ages: what is dropped is what was looked at.
    heads = {name: store.head(name) for name in store.conversations()}
    ages = [(_newest(store, name), name) for name in heads]
    youngest = sorted((newest for newest, _ in ages if newest is not None), reverse=True)
    spared = youngest[keep_last - 1] if 0 < keep_last <= len(youngest) else None
    for newest, name in ages:
        told = "" if newest is None else newest.isoformat()
        is_spared = keep_last > len(youngest) or (spared is not None and newest is not None and newest >= spared)
        if newest is None or newest >= before or is_spared:
            yield Retained(conversation=name, newest=told, is_kept=True)
            continue
        if is_dropped:
            yield _dropped(store, heads[name], name=name, told=told, reason=reason, by=by, is_dry=is_dry)
            continue
        epochs = [entry.epoch for entry in store.read(name) if _is_said(entry)]
        act = None
        if epochs and not is_dry:
            act = erased(store, name, reason=reason, by=by, epochs=epochs)
        yield Retained(
            conversation=name, newest=told, is_kept=False, erased=len(epochs), act=0 if act is None else act.epoch
        )


def _dropped(
    store: Store, head: Head, *, name: ConversationId, told: str, reason: str, by: AgentId | None, is_dry: bool
) -> Retained:
    receipt = None
    if not is_dry:
        try:
            receipt = store.drop(name, reason=reason, by=by, expected=head)
        except (UnknownConversation, VersionConflict):
            # Somebody spoke in it, or dropped it, since it was looked at.
            return Retained(conversation=name, newest=told, is_kept=True)
    return Retained(conversation=name, newest=told, is_kept=False, erased=head.epoch, receipt=receipt)


def _is_said(entry: Entry) -> bool:
    return not isinstance(entry.content, Opening | Erased | Erasure)


def _newest(store: Store, name: ConversationId) -> datetime | None:
    """Give when somebody last spoke: from the end backwards, past the acts of erasing."""
    epoch = store.version(name)
    while epoch > 0:
        for entry in store.read(name, after=epoch - 1, upto=epoch):
            if not isinstance(entry.content, Erasure):
                with suppress(ValueError):
                    found = datetime.fromisoformat(entry.recorded_at)
                    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
                return None
        epoch -= 1
    return None
