"""The ledger on disk: appending, reading, verifying, opening, and what the file comes to.

    python benchmarks/ledger.py [--quick] [--huge] [--json] [--plot build/bench/ledger.svg]

1. **Durable appends**: each is on the disk before it is acknowledged, so one fsync each. All take turns, twenty
   appends at a time, so that a disk which slows down slows all: the store; *the same rows* (its three tables, without
   digest, salt and chain, and from texts that are ready, so nothing is computed); *one insert* of the text into one
   table; and the store in Postgres, on a server of its own on this machine. One entry an append, and a hundred. *Of it
   work* is the process's own time, without the wait for the disk, which hides the rest on most, and for the server; the
   ratios are of both.
2. **Per entry, without a disk**: writing the canonical text, reading it back (nothing is appended that could not be
   read), the salted digest, and the link.
3. **Reading back**: contents with their digests checked, entries as they are kept, and the whole verification (two
   hashes an entry), beside selecting the same texts from one table.
4. **Opening a conversation**: from its snapshot, beside replaying the record; and opening it and then looking at every
   claim, since a snapshot may be read only where it is looked at. Both must know the same claims, label by label, and
   the one from the snapshot must take a next turn. ``--huge`` adds a million entries, which takes minutes.
5. **Churn**: claims are said, taken back and said again, every turn durable; then all that was said is erased. The
   chain must be whole and the file sound at the end.

The files lie where Python puts temporary ones (``TMPDIR``); in a file system in memory an fsync costs nothing, and the
figures of 1 and 5 mean nothing.

What this cannot show: several processes that write at once, and other disks: a ratio of durable appends is mostly the
disk's. The claims are short and rest on few others.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from measuring import arguments, as_json, readable, table, timed
from stores import CONTESTANTS, TALK, WHEN, InPostgres, OneInsert, Ours, contents, size_of

from upheld import Conversation
from upheld.logic.language.identities import Epoch, PropositionId
from upheld.record.ledger.chain import BEGINNING, digest_of, linked, random_salt
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Envelope, turn_of
from upheld.record.ledger.verifying import verified
from upheld.record.stores.sqlite.store import SqliteStore

CODEC = Codec()
BLOCK = 20
"""Appends of one contestant before it is the next one's turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appending:
    """Microseconds an append of ``batch`` entries, and a mean without waiting (``work_us``); ratios are ours to it."""

    contestant: str
    batch: int
    appends: int
    append_us: float
    work_us: float
    entries_per_s: float
    bytes_per_entry: float
    text_bytes: float
    ratio: float
    work_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Computing:
    """Microseconds an entry for each thing that is computed before it is written."""

    entries: int
    text_us: float
    read_back_us: float
    digest_us: float
    link_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Entries a second; ``ratio`` is how many times longer verifying takes than selecting the texts."""

    entries: int
    read_per_s: float
    kept_per_s: float
    verified_per_s: float
    selected_per_s: float
    ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Microseconds to open one conversation in both ways, and to look at every claim as well; ratios are to replay."""

    entries: int
    replay_us: float
    keep_us: float
    snapshot_us: float
    ratio: float
    looked_at_us: float
    looked_at_ratio: float
    ledger_bytes_per_entry: float
    snapshot_bytes_per_entry: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Churn:
    """Microseconds a round, and bytes of the file a round, before and after all that was said was erased."""

    rounds: int
    entries: int
    round_us: float
    bytes_per_round: float
    erase_us: float
    bytes_after: float
    faults: int


# --- appending ---------------------------------------------------------------------------------------------------


def appending(batch: int, appends: int) -> list[Appending]:
    """Measure all contestants, turn by turn, on the same contents."""
    with tempfile.TemporaryDirectory() as whole:
        folders = [Path(whole, str(number)) for number in range(len(CONTESTANTS))]
        for folder in folders:
            folder.mkdir()
        contestants = [make(folder) for make, folder in zip(CONTESTANTS, folders, strict=True)]
        times: list[list[float]] = [[] for _ in contestants]
        work = [0.0 for _ in contestants]
        said, text_bytes = contents(), 0
        for _ in range(max(1, appends // BLOCK)):
            block = [tuple(islice(said, batch)) for _ in range(BLOCK)]
            texts = [tuple(map(CODEC.encode, each)) for each in block]
            text_bytes += sum(len(text.encode()) for each in texts for text in each)
            for place, contestant in enumerate(contestants):
                start = time.process_time()
                for each, ready in zip(block, texts, strict=True):
                    times[place].append(timed(partial(contestant.append, each, ready))[1])
                work[place] += (time.process_time() - start) * 1e6
        found = [
            [entry.content for entry in each.store.read(TALK)]
            for each in contestants
            if isinstance(each, Ours | InPostgres)
        ]
        sizes = [contestant.close() for contestant in contestants]
    wanted = list(islice(contents(), batch * len(times[0])))
    if any(each != wanted for each in found):
        raise SystemExit("what was read back is not what was appended: no figures")
    entries = batch * len(times[0])
    ours = statistics.median(times[0])
    return [
        Appending(
            contestant=contestant.name,
            batch=batch,
            appends=len(spent),
            append_us=statistics.median(spent),
            work_us=busy / len(spent),
            entries_per_s=entries / (sum(spent) / 1e6),
            bytes_per_entry=size / entries,
            text_bytes=text_bytes / entries,
            ratio=ours / statistics.median(spent),
            work_ratio=work[0] / busy,
        )
        for contestant, spent, busy, size in zip(contestants, times, work, sizes, strict=True)
    ]


def computing(count: int) -> Computing:
    """Measure what is computed for an entry, over all of them at once."""
    said = list(islice(contents(), count))
    texts, text_us = timed(lambda: list(map(CODEC.encode, said)))
    back, back_us = timed(lambda: [CODEC.decode(text, conversation=TALK, epoch=1) for text in texts])
    if back != said:
        raise SystemExit("a text is read back as something else: no figures")
    salts = [random_salt() for _ in texts]
    digests, digest_us = timed(lambda: list(map(digest_of, texts, salts)))
    envelopes = [
        Envelope(conversation=TALK, epoch=Epoch(epoch), turn=turn_of(content), key="", recorded_at=WHEN, digest=digest)
        for epoch, (content, digest) in enumerate(zip(said, digests, strict=True), start=1)
    ]

    def chained() -> str:
        chain = BEGINNING.chain
        for envelope in envelopes:
            chain = linked(chain, envelope)
        return chain

    _, link_us = timed(chained)
    return Computing(
        entries=count,
        text_us=text_us / count,
        read_back_us=back_us / count,
        digest_us=digest_us / count,
        link_us=link_us / count,
    )


# --- reading and opening -----------------------------------------------------------------------------------------


def written(path: Path, count: int) -> None:
    """Write a ledger of ``count`` entries, a thousand an append."""
    said = contents()
    with SqliteStore(path) as store:
        for first in range(0, count, 1_000):
            store.append(TALK, tuple(islice(said, min(1_000, count - first))))


def reading(count: int) -> Reading:
    """Measure reading one ledger in each way."""
    with tempfile.TemporaryDirectory() as place:
        ours, bare = Path(place, "ours"), Path(place, "bare")
        ours.mkdir()
        bare.mkdir()
        written(ours / "talk.db", count)
        texts = OneInsert(bare)
        texts.append((), tuple(map(CODEC.encode, islice(contents(), count))))
        with SqliteStore(ours / "talk.db", is_read_only=True) as store:
            entries, read_us = timed(lambda: sum(1 for _ in store.read(TALK)))
            kept, kept_us = timed(lambda: sum(1 for _ in store.kept(TALK)))
            audit, verified_us = timed(lambda: verified(store, TALK))
        selected, selected_us = timed(
            lambda: sum(1 for _ in texts.connection.execute("SELECT epoch, body FROM texts ORDER BY epoch"))
        )
        texts.close()
    if {entries, kept, audit.entries, selected} != {count} or audit.faults:
        raise SystemExit(f"{count} entries were written, and not so many read, or not whole: no figures")
    return Reading(
        entries=count,
        read_per_s=count / read_us * 1e6,
        kept_per_s=count / kept_us * 1e6,
        verified_per_s=count / verified_us * 1e6,
        selected_per_s=count / selected_us * 1e6,
        ratio=verified_us / selected_us,
    )


def labels_of(talk: Conversation) -> dict[PropositionId, Any]:
    """Give the label of every claim."""
    return {id: talk.state.label(id) for id in talk.state.nodes}


def opening(count: int) -> Opened:
    """Measure opening one conversation by replay, keeping a snapshot of it, and opening it from there."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "talk.db")
        written(path, count)
        ledger_bytes = size_of(path.parent)
        store = SqliteStore(path)
        talk, replay_us = timed(lambda: Conversation(id=TALK, store=store, snapshot_every=0))
        expected, replay_look_us = timed(partial(labels_of, talk))
        _, keep_us = timed(talk.keep_snapshot)
        kept = store.snapshot(TALK)
        talk.close()
        del talk
        store = SqliteStore(path)
        talk, snapshot_us = timed(lambda: Conversation(id=TALK, store=store, snapshot_every=0))
        found, look_us = timed(partial(labels_of, talk))
        if kept is None or kept.epoch != count or found != expected or talk.version != count:
            raise SystemExit(f"{count} entries: the snapshot leads to another state: no figures")
        talk.observe("a", "next", "The next thing.", depends_on=["p1"])
        talk.close()
    return Opened(
        entries=count,
        replay_us=replay_us,
        keep_us=keep_us,
        snapshot_us=snapshot_us,
        ratio=replay_us / snapshot_us,
        looked_at_us=snapshot_us + look_us,
        looked_at_ratio=(replay_us + replay_look_us) / (snapshot_us + look_us),
        ledger_bytes_per_entry=ledger_bytes / count,
        snapshot_bytes_per_entry=len(kept.body) / count,
    )


def churn(rounds: int) -> Churn:
    """Measure rounds of saying, taking back and saying again, then erase what was said."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "talk.db")
        talk = Conversation({"a": "clerk"}, id=TALK, store=SqliteStore(path), snapshot_every=0)

        def all_rounds() -> None:
            for number in range(rounds):
                for is_last in (False, True):
                    talk.observe("a", f"c{number}", f"Claim {number}.")
                    if not is_last:
                        talk.retract(f"c{number}")

        _, spent = timed(all_rounds)
        entries = talk.version
        talk.close()
        before = size_of(path.parent)
        with SqliteStore(path) as store:
            _, erase_us = timed(lambda: store.erase(TALK, range(2, entries + 1), reason="a benchmark"))
            found = [*verified(store, TALK).faults, *store.damage()]
        return Churn(
            rounds=rounds,
            entries=entries,
            round_us=spent / rounds,
            bytes_per_round=before / rounds,
            erase_us=erase_us,
            bytes_after=size_of(path.parent) / rounds,
            faults=len(found),
        )


# --- figures -----------------------------------------------------------------------------------------------------


def plotted(rows: list[Opened], path: str) -> None:
    """Draw both ways to open a conversation against its length."""
    mpl.rcParams["svg.hashsalt"] = "upheld"
    pyplot: Any = plt
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    sizes = [row.entries for row in rows]
    axes.plot(sizes, [row.replay_us / 1e6 for row in rows], "o--", label="replay")
    axes.plot(sizes, [row.snapshot_us / 1e6 for row in rows], "o-", label="from the snapshot")
    axes.set(xscale="log", yscale="log", xlabel="entries", ylabel="seconds", title="opening a conversation")
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def tables(parts: dict[str, list[Any]]) -> None:
    """Print all figures."""
    heads = (
        "contestant",
        "entries",
        "an append",
        "ours to it",
        "of it work",
        "ours to it",
        "entries/s",
        "bytes",
        "text",
    )
    lines: list[Sequence[object]] = [
        (
            row.contestant,
            row.batch,
            readable(row.append_us),
            f"{row.ratio:.2f}",
            readable(row.work_us),
            f"{row.work_ratio:.2f}",
            f"{row.entries_per_s:,.0f}",
            f"{row.bytes_per_entry:.0f}",
            f"{row.text_bytes:.0f}",
        )
        for row in parts["appending"]
    ]
    table("Durable appends: entries an append, medians, and bytes an entry of the file and of its text", heads, lines)
    heads = ("entries", "text", "read back", "digest", "link")
    lines = [
        (f"{row.entries:,}", *map(readable, (row.text_us, row.read_back_us, row.digest_us, row.link_us)))
        for row in parts["computing"]
    ]
    table("What is computed for an entry", heads, lines)
    heads = ("entries", "read/s", "as kept/s", "verified/s", "bare texts/s", "verifying to bare")
    lines = [
        (
            f"{row.entries:,}",
            *(f"{each:,.0f}" for each in (row.read_per_s, row.kept_per_s, row.verified_per_s, row.selected_per_s)),
            f"{row.ratio:.1f}",
        )
        for row in parts["reading"]
    ]
    table("Reading back", heads, lines)
    heads = (
        "entries",
        "replay",
        "from snapshot",
        "ratio",
        "all looked at",
        "ratio",
        "keeping it",
        "bytes",
        "snapshot's",
    )
    lines = [
        (
            f"{row.entries:,}",
            readable(row.replay_us),
            readable(row.snapshot_us),
            f"{row.ratio:.1f}",
            readable(row.looked_at_us),
            f"{row.looked_at_ratio:.1f}",
            readable(row.keep_us),
            f"{row.ledger_bytes_per_entry:.0f}",
            f"{row.snapshot_bytes_per_entry:.0f}",
        )
        for row in parts["opening"]
    ]
    table("Opening a conversation, and bytes an entry of ledger and snapshot", heads, lines)
    heads = ("rounds", "entries", "a round", "bytes a round", "erasing it", "bytes a round after", "faults")
    lines = [
        (
            f"{row.rounds:,}",
            f"{row.entries:,}",
            readable(row.round_us),
            f"{row.bytes_per_round:.0f}",
            readable(row.erase_us),
            f"{row.bytes_after:.0f}",
            row.faults,
        )
        for row in parts["churn"]
    ]
    table("Churn: said, taken back, said again", heads, lines)


def main() -> None:
    """Measure, check, and print."""
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--huge", action="store_true")
    chosen, sys.argv[1:] = own.parse_known_args()
    options = arguments(__doc__)
    is_quick = options.quick
    sizes = (1_000, 5_000) if is_quick else (1_000, 10_000, 100_000)
    parts: dict[str, list[Any]] = {
        "appending": [*appending(1, 200 if is_quick else 2_000), *appending(100, 40 if is_quick else 200)],
        "computing": [computing(2_000 if is_quick else 20_000)],
        "reading": [reading(count) for count in sizes],
        "opening": [opening(count) for count in (*sizes, *((1_000_000,) if chosen.huge else ()))],
        "churn": [churn(rounds) for rounds in ((50, 100) if is_quick else (200, 2_000))],
    }
    if any(row.faults for row in parts["churn"]):
        raise SystemExit("the churn leaves faults behind: no figures")
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        plotted(parts["opening"], str(options.plot))
    if options.json:
        print(as_json(parts))
        return
    tables(parts)


if __name__ == "__main__":
    main()
