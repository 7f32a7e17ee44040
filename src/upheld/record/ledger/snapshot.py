"""A folded state kept beside the ledger, so that opening a conversation need not replay it."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.errors import MalformedInput

KEPT_SNAPSHOTS = 2
"""How many a store keeps of one conversation: the newest, and one to fall back on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What the entries up to ``epoch`` fold to, in a form that only its writer understands.

    A cache: it is no part of the chain, and losing it loses nothing. ``chain`` is that of the entry at ``epoch``, so
    that a snapshot of another past is told apart. ``fingerprint`` says in which form ``body`` is written; a reader
    leaves alone what is not of its own.
    """

    epoch: int
    chain: str
    fingerprint: str
    body: bytes


def refuse_misfit(snapshot: Snapshot, chain: str | None) -> None:
    """Refuse a snapshot of another past; ``chain`` is that of the entry at its epoch, ``None`` when there is none.

    Raises:
        MalformedInput: the two chains differ.
    """
    if chain != snapshot.chain:
        why = "there is no such entry" if chain is None else "the chain there is another"
        raise MalformedInput(f"a snapshot of epoch {snapshot.epoch} does not fit: {why}", key="snapshot")
