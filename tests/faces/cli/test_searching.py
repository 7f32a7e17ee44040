"""``upheld search``: claims of a store, in text and JSON, now and as of a moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from upheld import Conversation
from upheld.logic.language.identities import ConversationId
from upheld.record.stores.sqlite.store import SqliteStore

Program = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Write two conversations, and one that nobody filed."""
    path = tmp_path / "x.db"
    with SqliteStore(path) as store:
        for name, place in (("north", "hall three"), ("south", "the yard")):
            talk = Conversation({"ann": "engineer"}, id=name, store=store)
            talk.observe("ann", "o1", f"The pump in {place} leaks.")
            talk.observe("ann", "o2", f"The pump in {place} is dry.")
            talk.supersede("o1", "o2")
        kept = [entry.content for entry in store.read(ConversationId("north"))]
        store.append(ConversationId("older"), kept)
    return path


def test_what_stands_is_found_in_all_conversations(upheld: Program, store: Path) -> None:
    """Our promise: a line a claim, best first; what was given up is not there, and what was not searched is named."""
    ended = upheld("search", store, "pump leaks", "--words-only")
    assert ended.status == 0
    assert sorted(line.split("  ")[:2] for line in ended.out.splitlines()) == [["north", "o2"], ["south", "o2"]]
    assert "not searched" in ended.err
    assert "older" in ended.err


def test_json_says_how_each_claim_stands(upheld: Program, store: Path) -> None:
    """Our promise: with what was given up on request, each with its standing and the epoch since when."""
    tree = upheld(
        "search", f"sqlite:///{store}#north", "pump leaks", "--words-only", "--include-superseded", "--json"
    ).tree
    assert [(hit["conversation"], hit["id"], hit["stands"]) for hit in tree["hits"]] == [
        ("north", "o1", False),
        ("north", "o2", True),
    ]
    assert {hit["lifecycle"] for hit in tree["hits"]} == {"superseded", "standing"}
    assert (tree["hits"][0]["why"], tree["unsearched"]) == (["words"], [])


def test_one_can_ask_how_things_stood(upheld: Program, store: Path) -> None:
    """Our promise: a moment before anything was said knows nothing, and no moment at all is refused."""
    assert upheld("search", store, "pump", "--as-of", "2020-01-01", "--words-only").out == ""
    assert upheld("search", store, "pump", "--as-of", "yesterday", "--words-only").status == 2


def test_a_store_that_is_not_there_is_not_made(upheld: Program, tmp_path: Path) -> None:
    """Bad input: status 2, and no new file."""
    ended = upheld("search", tmp_path / "none.db", "pump")
    assert (ended.status, (tmp_path / "none.db").exists()) == (2, False)


def test_what_nobody_filed_is_filed_by_a_command(upheld: Program, store: Path) -> None:
    """Our promise: after ``ledger refile`` the search looks everywhere, and a second time there is nothing to do."""
    assert "older: filed up to entry 6" in upheld("ledger", "refile", store).err
    ended = upheld("search", store, "pump", "--words-only", "--json")
    assert [hit["conversation"] for hit in ended.tree["hits"]] == ["north", "older", "south"]
    assert ended.tree["unsearched"] == []
    assert "everything is filed" in upheld("ledger", "refile", store).err


def test_what_is_left_after_an_erasure_is_found(upheld: Program, store: Path) -> None:
    """Our promise: what was erased is found by nobody, and the rest as before."""
    address = f"sqlite:///{store}#south"
    assert upheld("ledger", "erase", address, "--turn", "T1", "--reason", "asked for").status == 0
    hits = upheld("search", address, "pump", "--words-only", "--json").tree["hits"]
    assert [(hit["conversation"], hit["id"]) for hit in hits] == [("south", "o2")]


def test_a_conversation_that_was_written_into_a_store_is_found(upheld: Program, outage: Path) -> None:
    """Our promise: ``convert`` files what it writes; nobody has to know that there is an index."""
    assert upheld("convert", outage, "--to", "sqlite:///y.db#night").status == 0
    tree = upheld("search", "y.db", "auth token", "--words-only", "--json").tree
    assert tree["hits"]
    assert tree["unsearched"] == []
