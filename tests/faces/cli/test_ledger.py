"""``upheld ledger``: verify, head and erase, on good files and bad ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

Program = Callable[..., Any]
RunSql = Callable[[str], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the path of a ledger that is not there yet."""
    return tmp_path / "x.db"


@pytest.fixture
def sql(path: Path) -> RunSql:
    """Run a statement on the ledger, behind the program's back."""

    def run(statement: str) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)

    return run


@pytest.fixture
def ledger(upheld: Program, outage: Path) -> str:
    """Write the annotated example into a store, as conversation ``night``."""
    assert upheld("convert", outage, "--to", "sqlite:///x.db#night").status == 0
    return "x.db"


def test_a_whole_ledger_is_verified(upheld: Program, ledger: str) -> None:
    """Our promise: status 0 and a line a conversation, by path or address, in text and JSON."""
    for name in (ledger, "sqlite:///x.db", "sqlite:///x.db#night"):
        ended = upheld("ledger", "verify", name)
        assert (ended.status, ended.err) == (0, "")
        assert ended.out.startswith("night: whole (33 entries); head 33:")
    tree = upheld("ledger", "verify", ledger, "--json").tree
    assert tree["whole"] is True
    assert tree["faults"] == []
    assert list(tree["conversations"]) == ["night"]
    assert tree["conversations"]["night"].items() >= {"entries": 33, "erased": 0, "unsalted": 0, "faults": []}.items()


def test_the_head_that_was_kept_is_met(upheld: Program, ledger: str, outage: Path) -> None:
    """Our promise: what ``head`` prints is what ``verify --head`` takes, also after more was appended."""
    head = upheld("ledger", "head", "sqlite:///x.db#night").out.strip()
    assert upheld("ledger", "head", ledger).out == f"{head}  night\n"
    assert upheld("ledger", "head", ledger, "--json").tree == {"night": head}
    assert upheld("amend", "sqlite:///x.db#night", "T16", "--operations", "[]").status == 0
    for kept in (head, head.partition(":")[2]):
        assert upheld("ledger", "verify", ledger, "--head", kept).status == 0
    upheld("convert", outage, "--to", "sqlite:///x.db#day")
    assert [line.split()[1] for line in upheld("ledger", "head", ledger).out.splitlines()] == ["day", "night"]
    assert upheld("ledger", "verify", ledger, "--conversation", "night", "--head", head).status == 0
    assert upheld("ledger", "verify", ledger, "--conversation", "day", "--head", head).status == 1


def test_each_fault_is_named(upheld: Program, ledger: str, sql: RunSql) -> None:
    """Our promise: status 1, and kind, place and meaning of each."""
    head = upheld("ledger", "head", "sqlite:///x.db#night").out.strip()
    sql("UPDATE contents SET body = replace(body, 'T1', 'T9') WHERE epoch = 2")
    sql("UPDATE entries SET recorded_at = 'yesterday' WHERE epoch = 5")
    sql("DELETE FROM entries WHERE epoch > 30")
    ended = upheld("ledger", "verify", ledger)
    assert ended.status == 1
    lines = ended.out.splitlines()
    assert lines[0].startswith("night: 3 faults (30 entries); head 30:")
    assert lines[1:] == [
        "  entry 2 edited: its content does not fit its digest",
        "  entry 5 forged: what it says of itself is not what was chained",
        "  entry 31 truncated: entries 31 to 33 are gone from the end",
    ]
    tree = upheld("ledger", "verify", ledger, "--json", "--head", head).tree
    assert tree["whole"] is False
    kinds = [(fault["kind"], fault["epoch"]) for fault in tree["conversations"]["night"]["faults"]]
    assert kinds == [("edited", 2), ("forged", 5), ("truncated", 31)]


def test_many_faults_are_cut_short_in_text_alone(upheld: Program, sql: RunSql, tmp_path: Path) -> None:
    """Our promise: a terminal is not flooded, and JSON has them all."""
    turns = "\n".join(f"ann: this is remark number {number}" for number in range(60))
    (tmp_path / "talk.txt").write_text(turns)
    assert upheld("convert", "talk.txt", "--to", "sqlite:///x.db#talk").status == 0
    sql("UPDATE entries SET key = 'k'")
    count = len(upheld("ledger", "verify", "x.db", "--json").tree["conversations"]["talk"]["faults"])
    assert count > 60
    lines = upheld("ledger", "verify", "x.db").out.splitlines()
    assert len(lines) == 52
    assert lines[-1] == f"  and {count - 50} more: --json lists them all"


def test_a_conversation_that_is_gone_is_missed_by_its_head(upheld: Program, ledger: str, sql: RunSql) -> None:
    """Our promise: whoever kept a head finds out, also when nothing is left; without one there is nothing to verify."""
    head = upheld("ledger", "head", "sqlite:///x.db#night").out.strip()
    for table in ("entries", "contents", "heads"):
        sql(f"DELETE FROM {table}")
    ended = upheld("ledger", "verify", "sqlite:///x.db#night", "--head", head)
    assert ended.status == 1
    assert "truncated: entries 1 to 33 are gone from the end" in ended.out
    ended = upheld("ledger", "verify", "sqlite:///x.db#night")
    assert ended.status == 2
    assert "has no conversation 'night'; it has none at all" in ended.err
    assert upheld("ledger", "verify", ledger, "--head", head).status == 2


def test_a_damaged_file_is_a_fault_and_no_traceback(upheld: Program, ledger: str, path: Path) -> None:
    """Our promise: a page of rubbish and a file that was cut are named."""
    whole = path.read_bytes()
    for content in (whole[: len(whole) // 2], whole[:8192] + b"\xa5" * 8192 + whole[16384:], whole[:100]):
        path.write_bytes(content)
        ended = upheld("ledger", "verify", ledger)
        assert ended.status == 1
        assert "damaged: " in ended.out
        assert "Traceback" not in ended.out + ended.err


def test_what_is_no_ledger_is_bad_input(upheld: Program, path: Path) -> None:
    """Our promise: status 2, nothing is made, and the message says what is wrong."""
    ended = upheld("ledger", "verify", "x.db")
    assert (ended.status, path.exists()) == (2, False)
    assert "does not exist" in ended.err
    path.touch()
    assert "holds no ledger" in upheld("ledger", "head", "x.db").err
    for head in ("abc", "x:" + "0" * 64, "0" * 63):
        ended = upheld("ledger", "verify", "x.db", "--head", head)
        assert ended.status == 2
        assert "--head: no head" in ended.err


def test_verifying_changes_nothing(upheld: Program, ledger: str, path: Path) -> None:
    """Our promise: what may be evidence is only read."""
    before = path.read_bytes()
    for command in ("verify", "head"):
        assert upheld("ledger", command, ledger).status == 0
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.glob("x.db*")] == ["x.db"]


def test_words_are_erased_and_the_conversation_goes_on(upheld: Program, ledger: str, path: Path) -> None:
    """Our promise: the words are gone, the act is on record, and what follows from the turn still does."""
    with closing(sqlite3.connect(path)) as connection:
        words = connection.execute("SELECT body FROM contents WHERE epoch IN (2, 4) ORDER BY epoch").fetchall()[0]
    assert words[0].encode() in path.read_bytes()
    head = upheld("ledger", "head", "sqlite:///x.db#night").out.strip()
    before = upheld("status", "sqlite:///x.db#night").out
    ended = upheld("ledger", "erase", ledger, "--turn", "T1", "--turn", "T2", "--reason", "asked for", "--by", "ana")
    assert (ended.status, ended.out) == (0, "")
    assert ended.err == "note: night: erased; entry 34 says so\n"
    ended = upheld("ledger", "verify", ledger, "--head", head)
    assert ended.status == 0
    assert ended.out.startswith("night: whole (34 entries, 2 erased); head 34:")
    assert upheld("status", "sqlite:///x.db#night").out == before
    again = upheld("ledger", "erase", ledger, "--turn", "T1", "--reason", "asked for")
    assert (again.status, again.err) == (0, "note: night: nothing left to erase there\n")
    assert upheld("convert", "sqlite:///x.db#night", "--to", "sqlite:///y.db#night").status == 0
    assert upheld("status", "sqlite:///y.db#night").out == before
    left = b"".join(file.read_bytes() for file in path.parent.glob("x.db*"))
    assert words[0].encode() not in left


def test_what_later_turns_build_on_is_not_erased_under_them(upheld: Program, ledger: str) -> None:
    """Our promise: a conversation can be opened after an erasure; what would leave none is refused."""
    refused = upheld("ledger", "erase", ledger, "--turn", "T1", "--meaning", "--reason", "asked for")
    assert refused.status == 2
    assert "not erased, for a later turn builds on it: nobody introduced" in refused.err
    assert upheld("ledger", "verify", ledger).out.startswith("night: whole (33 entries); ")
    assert upheld("ledger", "erase", ledger, "--turn", "T16", "--meaning", "--reason", "asked for").status == 0
    assert upheld("ledger", "verify", ledger).out.startswith("night: whole (34 entries, 2 erased); ")
    assert upheld("status", "sqlite:///x.db#night").status == 0


def test_an_erasure_of_nothing_that_is_there_is_bad_input(upheld: Program, ledger: str, outage: Path) -> None:
    """Our promise: what is to go is named exactly, or nothing goes."""
    for arguments, why in (
        ((), "say what is to be erased"),
        (("--turn", "T99"), "nobody introduced 'T99'"),
        (("--epoch", "99"), "nobody introduced '99'"),
        (("--epoch", "0"), "nobody introduced '0'"),
    ):
        ended = upheld("ledger", "erase", ledger, "--reason", "r", *arguments)
        assert ended.status == 2
        assert why in ended.err
    assert upheld("ledger", "erase", ledger, "--turn", "T1").status == 2
    upheld("convert", outage, "--to", "sqlite:///x.db#day")
    ended = upheld("ledger", "erase", ledger, "--epoch", "2", "--reason", "r")
    assert "name one with --conversation; it has day, night" in ended.err
    assert upheld("ledger", "erase", ledger, "--epoch", "2", "--reason", "r", "--conversation", "day").status == 0


@pytest.fixture
def database(postgres: str, tenant: str, tenant_sql: Callable[..., list[Any]]) -> Iterator[str]:
    """Give the address, with a password, of a database that is empty."""
    tenant_sql(f'CREATE DATABASE "{tenant}"')
    server = urlsplit(postgres)
    place = server.netloc.rpartition("@")[2]
    yield server._replace(netloc=f"{server.username}:open-sesame@{place}", path=f"/{tenant}").geturl()
    tenant_sql(f'DROP DATABASE "{tenant}"')


def test_a_ledger_in_a_database_is_written_verified_and_erased_from(
    upheld: Program, outage: Path, database: str
) -> None:
    """Our promise: an address of a server stands wherever that of a file does; no line shows its password."""
    address = database
    refused = upheld("ledger", "verify", address)
    assert refused.status == 2
    assert "so it has no conversation" in refused.err
    assert upheld("convert", outage, "--to", f"{address}#night").status == 0
    again = upheld("convert", outage, "--to", f"{address}#night")
    assert "never overwritten" in again.err
    for name in (address, f"{address}#night"):
        ended = upheld("ledger", "verify", name)
        assert (ended.status, ended.err) == (0, "")
        assert ended.out.startswith("night: whole (33 entries); head 33:")
    head = upheld("ledger", "head", f"{address}#night").out.strip()
    before = upheld("status", f"{address}#night").out
    assert upheld("ledger", "erase", address, "--turn", "T1", "--reason", "asked for").status == 0
    assert upheld("ledger", "verify", address, "--head", head).out.startswith("night: whole (34 entries, 1 erased)")
    assert upheld("status", f"{address}#night").out == before
    absent = upheld("ledger", "verify", f"{address}#day")
    assert "has no conversation 'day'; it has night" in absent.err
    assert "open-sesame" not in refused.err + again.err + absent.err


def test_a_copy_is_proved_by_the_head_of_the_original(upheld: Program, ledger: str, tmp_path: Path) -> None:
    """Our promise: a backup is the record itself, erasures included, and copying again changes nothing."""
    assert upheld("ledger", "erase", ledger, "--turn", "T2", "--reason", "asked for").status == 0
    head = upheld("ledger", "head", "sqlite:///x.db#night").out.strip()
    for _ in range(2):
        ended = upheld("ledger", "copy", ledger, "backup.db")
        assert (ended.status, ended.err) == (0, "note: 1 record in sqlite:///backup.db\n")
    assert upheld("ledger", "verify", "sqlite:///backup.db#night", "--head", head).status == 0
    assert upheld("status", "sqlite:///backup.db#night").out == upheld("status", "sqlite:///x.db#night").out
    assert "1 erased" in upheld("ledger", "verify", "backup.db").out


def test_a_record_that_went_another_way_is_not_overwritten(upheld: Program, ledger: str) -> None:
    """Our promise: status 2, and the older copy stays as it was."""
    assert upheld("ledger", "copy", ledger, "backup.db").status == 0
    assert upheld("amend", "sqlite:///x.db#night", "T16", "--operations", "[]").status == 0
    head = upheld("ledger", "head", "backup.db").out
    ended = upheld("ledger", "copy", ledger, "backup.db")
    assert ended.status == 2
    assert "another record" in ended.err
    assert upheld("ledger", "head", "backup.db").out == head
