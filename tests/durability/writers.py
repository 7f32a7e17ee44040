"""Programs that write to a ledger until they are killed. Run as a script, it starts one for each line that it reads.

They are forked from a process that has everything loaded, so that a kill meets them at work and not at importing.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from upheld.errors import VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Content, Interpretation, Words
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.store import Store
from upheld.record.stores.sqlite.store import SqliteStore

TALK = ConversationId("talk")
if find_spec("psycopg_pool") is not None:
    import_module("upheld.record.stores.postgres.store")


def opened(place: str) -> Store:
    """Open the file of this path, or the ledger of a tenant: ``postgresql://…#tenant``."""
    if not place.startswith("postgresql://"):
        return SqliteStore(place)
    address, _, tenant = place.partition("#")
    return cast("Store", sys.modules["upheld.record.stores.postgres.store"].PostgresStore(address, tenant=tenant))


def say(*words: object) -> None:
    """Write a line at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def append_turns(place: str, name: str, seed: int) -> None:
    """Append turns of two entries, small and large, and say epoch and chain of each that was acknowledged."""
    chance = random.Random(seed)
    with opened(place) as store:
        version, number = store.version(TALK), 0
        while True:
            turn = TurnId(f"T{name}.{seed}.{number}")
            text = "word " * chance.choice((1, 10, 5000))
            contents: list[Content] = [Words(turn=turn, speaker=AgentId(name), text=text), Interpretation(turn=turn)]
            try:
                entries = store.append(TALK, contents, expected=version)
            except VersionConflict as error:
                version = error.found
                continue
            version, number = entries[-1].epoch, number + 1
            say(version, entries[-1].chain)


def erase_words(place: str, _: str, seed: int) -> None:
    """Append words, keep a snapshot that has them too, erase them, and say epoch and text of each that is gone."""
    with opened(place) as store:
        number = 0
        while True:
            number += 1
            secret = f"secret-{seed}-{number}."
            (entry,) = store.append(TALK, [Words(turn=TurnId("T1"), speaker=AgentId("ann"), text=secret * 300)])
            body = secret.encode() * 300
            store.save_snapshot(TALK, Snapshot(epoch=entry.epoch, chain=entry.chain, fingerprint="f", body=body))
            store.erase(TALK, [entry.epoch], reason="asked for")
            say(entry.epoch, secret)


def bring_up_to_date(path: str, _: str, __: int) -> None:
    """Open a file of an older schema."""
    with SqliteStore(path):
        say("up to date")


PROGRAMS = {each.__name__: each for each in (append_turns, erase_words, bring_up_to_date)}


def main() -> None:
    """Start a program for each line: where it says its lines (a named pipe), which one, and its arguments."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        pipe, program, path, name, seed = line.rstrip("\n").split("\t")
        if os.fork() == 0:
            sys.stdout = Path(pipe).open("w", encoding="utf-8")  # noqa: SIM115 - open for as long as it lives
            say(os.getpid())
            PROGRAMS[program](path, name, int(seed))
            return


if __name__ == "__main__":
    main()
