"""Who writes at once shares a transaction, and nobody pays for what another one asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from upheld.errors import StoreError, VersionConflict
from upheld.record.stores.sqlite.committing import Committer, Work

PATIENCE = 30
OTHERS = 6


@dataclass
class Table:
    """A table of numbers in a file, and how many transactions were committed to it."""

    connection: sqlite3.Connection
    commits: int = 0
    refusals: list[sqlite3.Error] = field(default_factory=list[sqlite3.Error])
    """Raised by the next transactions instead of beginning."""

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Begin one, as a store does."""
        if self.refusals:
            raise StoreError("busy") from self.refusals.pop()
        with self.connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
        self.commits += 1

    def numbers(self) -> list[int]:
        """Give what is in it."""
        return [number for (number,) in self.connection.execute("SELECT number FROM numbers ORDER BY number")]


@pytest.fixture
def table(tmp_path: Path) -> Generator[Table]:
    """Give an empty table."""
    path = tmp_path / "numbers.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as connection:
        connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
        yield Table(connection)


def put(number: int, connection: sqlite3.Connection) -> int:
    """Write a number."""
    connection.execute("INSERT INTO numbers VALUES (?)", (number,))
    return number


def refuse(connection: sqlite3.Connection) -> int:
    """Refuse before anything is written."""
    raise VersionConflict("here", expected=1, found=2)


def put_and_fail(number: int, connection: sqlite3.Connection) -> int:
    """Fail when something is written already."""
    put(number, connection)
    raise ValueError("on the way")


def at_once(table: Table, works: list[Work[int]], *, before_the_rest: Work[int]) -> list[Future[int]]:
    """Let the first one hold the transaction until all others wait, so that they are done together."""
    committer, is_in, may_go = Committer(table.transaction), Event(), Event()

    def held(connection: sqlite3.Connection) -> int:
        is_in.set()
        assert may_go.wait(PATIENCE)
        return before_the_rest(connection)

    with ThreadPoolExecutor(len(works) + 1) as threads:
        first = threads.submit(committer.done, held)
        assert is_in.wait(PATIENCE)
        rest = [threads.submit(committer.done, work) for work in works]
        while committer.waiting < len(works):
            pass
        may_go.set()
        return [first, *rest]


def test_who_waits_together_is_written_together(table: Table) -> None:
    """Our promise: one transaction for those who came while the one before was under way; each gets its own answer."""
    done = at_once(table, [partial(put, number) for number in range(1, OTHERS)], before_the_rest=partial(put, 0))
    assert [each.result(PATIENCE) for each in done] == table.numbers() == list(range(OTHERS))
    assert table.commits == 2


def test_who_is_refused_leaves_the_others_in_their_transaction(table: Table) -> None:
    """Our promise: a race that one lost is nobody else's."""
    done = at_once(table, [partial(put, 1), refuse, partial(put, 2)], before_the_rest=partial(put, 0))
    assert isinstance(done[2].exception(PATIENCE), VersionConflict)
    assert [done[place].result(PATIENCE) for place in (0, 1, 3)] == table.numbers() == [0, 1, 2]
    assert table.commits == 2


@pytest.mark.parametrize("spoiler", [partial(put_and_fail, 7), partial(put, 0)])
def test_who_fails_half_way_leaves_nothing_and_the_others_are_whole(table: Table, spoiler: Work[int]) -> None:
    """Our promise: each is written whole or not at all, whatever happened to another one."""
    done = at_once(table, [partial(put, 1), spoiler, partial(put, 2)], before_the_rest=partial(put, 0))
    assert isinstance(done[2].exception(PATIENCE), ValueError | sqlite3.IntegrityError)
    assert [done[place].result(PATIENCE) for place in (0, 1, 3)] == table.numbers() == [0, 1, 2]


def test_where_nobody_can_begin_all_are_told_and_the_next_is_written(table: Table) -> None:
    """Our promise: while another process holds the file, those who wait are not made to wait one after the other."""

    def close_behind(connection: sqlite3.Connection) -> int:
        table.refusals.append(sqlite3.OperationalError("locked"))
        return put(0, connection)

    done = at_once(table, [partial(put, 1), partial(put, 2)], before_the_rest=close_behind)
    assert [type(each.exception(PATIENCE)) for each in done] == [type(None), StoreError, StoreError]
    assert Committer(table.transaction).done(partial(put, 3)) == 3
    assert table.numbers() == [0, 3]


class Startled(Committer):
    """One whose first leader is interrupted before it has taken anybody's work."""

    is_startled = True

    def _lead(self) -> None:
        if self.is_startled:
            self.is_startled = False
            raise KeyboardInterrupt
        super()._lead()


def test_who_is_interrupted_before_it_leads_leaves_the_queue_to_the_next(table: Table) -> None:
    """Our promise: nobody waits for one who went, and what was not begun is not written."""
    committer = Startled(table.transaction)
    with pytest.raises(KeyboardInterrupt):
        committer.done(partial(put, 1))
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(committer.done, partial(put, 2)).result(PATIENCE) == 2
    assert (table.numbers(), committer.waiting) == ([2], 0)


def test_an_interruption_is_raised_and_the_next_one_can_write(table: Table) -> None:
    """Our promise: whoever is interrupted while writing does not leave the door shut."""

    def interrupted(connection: sqlite3.Connection) -> int:
        put(1, connection)
        raise KeyboardInterrupt

    committer = Committer(table.transaction)
    with pytest.raises(KeyboardInterrupt):
        committer.done(interrupted)
    assert committer.done(partial(put, 2)) == 2
    assert table.numbers() == [2]
