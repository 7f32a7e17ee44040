"""``upheld queue``: what waits for a person in a store, and what they do about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from upheld import Conversation
from upheld.record.stores.sqlite.store import SqliteStore

Program = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Write two conversations; in each a reading was taken back."""
    path = tmp_path / "x.db"
    with SqliteStore(path) as store:
        for name in ("north", "south"):
            talk = Conversation({"ann": "engineer", "bot": "assistant"}, id=name, store=store)
            talk.observe("ann", "o1", f"The pump in the {name} hall leaks.")
            talk.observe("ann", "o2", "The gauge was misread.")
            talk.revise("ann", "o1", because=["o2"], withdrawn=True)
    return path


def add(upheld: Program, store: Path, name: str = "north", *more: str) -> Any:
    """Flag what was taken back."""
    ended = upheld("queue", "add", store, name, f"The pump in the {name} hall leaks.", "--speaker", "bot", *more)
    assert ended.status == 0, ended.err
    return ended


def test_a_reply_goes_through_the_queue(upheld: Program, store: Path) -> None:
    """Issue 6, section 2: listed, shown, given to somebody, spoken about, decided, exported."""
    shown = add(upheld, store, "north", "--by", "ann", "--note", "A guest asked.").out
    for told in ("north/F1", "o1: then ungrounded (retracted); now ungrounded (retracted)", "rests on T1, ann",
                 "ended by T3, ann", "ann flagged it: A guest asked."):  # fmt: skip
        assert told in shown
    add(upheld, store, "south")
    assert [line.split("  ")[0] for line in upheld("queue", "list", store).out.splitlines()] == ["south/F1", "north/F1"]
    assert "assigned, carla" in upheld("queue", "assign", store, "north/F1", "--to", "carla").out
    (hers,) = upheld("queue", "list", store, "--assignee", "carla", "--json").tree["flags"]
    assert (hers["conversation"], hers["status"], hers["reasons"]) == ("north", "assigned", ["retracted"])
    assert upheld("queue", "comment", store, "north/F1", "Look at T2.", "--by", "ann").status == 0
    decided = upheld("queue", "decide", store, "north/F1", "ungrounded", "--by", "carla", "--reason", "It was misread.")
    assert "decided: ungrounded, carla" in decided.out
    tree = upheld("queue", "show", store, "north/F1", "--json").tree
    assert [step["kind"] for step in tree["history"]] == ["flag", "assignment", "comment", "decision"]
    assert [line.split("  ")[0] for line in upheld("queue", "list", store).out.splitlines()] == ["south/F1"]
    (label,) = map(json.loads, upheld("queue", "export", store).out.splitlines())
    assert (label["id"], label["label"], label["rests_on"]) == ("north/F1", "ungrounded", ["o1"])
    assert "whole" in upheld("ledger", "verify", store).out


def test_a_second_decision_names_the_version_that_was_seen(upheld: Program, store: Path) -> None:
    """Our promise: nothing is decided twice in silence, and the message says what to name."""
    add(upheld, store)
    assert upheld("queue", "decide", store, "north/F1", "ungrounded", "--by", "ann").status == 0
    refused = upheld("queue", "decide", store, "north/F1", "grounded", "--by", "ben")
    assert (refused.status, "is at version 2" in refused.err) == (2, True)
    again = upheld("queue", "decide", store, "north/F1", "grounded", "--by", "ben", "--expected-version", "2")
    assert "decided: grounded" in again.out


def test_the_words_of_a_flag_are_erased(upheld: Program, store: Path) -> None:
    """Issue 6, section 2: that it was flagged stays; its words are in the file no more."""
    add(upheld, store, "north", "--note", "zebra")
    assert "entry 9 says so" in upheld("queue", "erase", store, "north/F1", "--reason", "asked for").err
    assert "nothing left" in upheld("queue", "erase", store, "north/F1", "--reason", "asked for").err
    shown = upheld("queue", "show", store, "north/F1").out
    assert "(erased)" in shown
    assert "zebra" not in shown
    assert b"zebra" not in b"".join(path.read_bytes() for path in store.parent.glob("x.db*"))
    assert "whole" in upheld("ledger", "verify", store).out


def test_flags_are_copied_with_the_ledger(upheld: Program, store: Path) -> None:
    """Issue 6, section 2: a backup has the queue too."""
    add(upheld, store)
    assert upheld("ledger", "copy", store, "copy.db").status == 0
    assert upheld("queue", "list", "copy.db", "--json").tree == upheld("queue", "list", store, "--json").tree


def test_what_is_not_there_is_named(upheld: Program, store: Path) -> None:
    """Our promise: bad input ends with status 2 and says what to write."""
    assert upheld("queue", "list", store).err.strip() == "note: nothing waits"
    for arguments, told in (
        (("show", store, "F1"), "CONVERSATION/FLAG"),
        (("show", store, "west/F1"), "it has north, south"),
        (("show", store, "north/F1"), "'F1'"),
        (("comment", store, "north/F1", "Hm.", "--by", "ann"), "'F1'"),
        (("erase", store, "north/F1", "--reason", "x"), "'F1'"),
        (("list", "none.db"), "none.db"),
    ):
        refused = upheld("queue", *arguments)
        assert (refused.status, told in refused.err) == (2, True), refused.err
