"""Stores in operation, on the command line: tenants, retention, and what schema a store has."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from upheld.conversation.conversation import Conversation
from upheld.conversation.wiring import opened_store, partitions_at
from upheld.errors import DroppedConversation, StoreError, UnknownConversation
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.store import Clock, Store
from upheld.record.ledger.verifying import verified
from upheld.record.stores.sqlite.partitions import FilePartitions
from upheld.record.stores.sqlite.schema import MIGRATIONS
from upheld.record.stores.sqlite.store import SqliteStore

from .conftest import Program

OLD, NEW = "2020-01-01T00:00:00.000+00:00", "2099-01-01T00:00:00.000+00:00"


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An address of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/t.db"
    return str(request.getfixturevalue("postgres"))


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A tenant that is not there yet, and does not stay."""
    is_database = "postgres" in request.node.name
    return str(request.getfixturevalue("tenant")) if is_database else f"t{os.getpid()}"


def told(address: str, tenant: str, id: str = "night") -> None:
    """Tell a conversation of a tenant one claim."""
    talk = Conversation({"ana": "user"}, id=id)
    talk.observe("ana", "o1", "The pump is off.", said="I see that the pump is off.")
    talk.save(address, tenant=tenant)


def at(time: str) -> Clock:
    """Give a clock that stands."""
    return lambda: time


def test_a_tenant_is_listed_dropped_with_a_receipt_and_gone(upheld: Program, store: str, name: str) -> None:
    """Our promise (docs/how-to/keep-the-stores.md): nothing goes without --yes, and the receipt proves what went."""
    told(store, name)
    told(store, name, "day")
    assert upheld("tenants", "list", store, "--json").tree[name] == {"conversations": 2, "entries": 6}
    assert f"{name}: 2 conversations, 6 entries" in upheld("tenants", "list", store).out
    asked = upheld("tenants", "drop", store, name)
    assert (asked.status, asked.tree["is_dropped"], "say --yes" in asked.err) == (2, False, True)
    with opened_store(store, tenant=name) as kept:
        head = kept.head(ConversationId("night"))
    receipt = upheld("tenants", "drop", store, name, "--yes")
    assert (receipt.status, receipt.tree["is_dropped"], receipt.tree["entries"]) == (0, True, 6)
    assert receipt.tree["heads"]["night"] == f"{head.epoch}:{head.chain}"
    assert name not in upheld("tenants", "list", store, "--json").tree
    assert upheld("tenants", "drop", store, name, "--yes").status == 2
    with pytest.raises(UnknownConversation):
        Conversation.open(store, id="night", tenant=name)


def test_every_command_of_a_store_asks_the_tenant_that_is_named(upheld: Program, store: str, name: str) -> None:
    """Our promise: --tenant is whose ledger it is, for questions and for what is asked of the record."""
    told(store, name)
    place = f"{store}#night"
    for command in (("status",), ("explain",), ("ledger", "head"), ("ledger", "verify")):
        words = ("o1",) if command == ("explain",) else ()
        assert upheld(*command, place, *words, "--tenant", name).status == 0
        assert upheld(*command, place, *words, "--tenant", "nobody").status == 2
    assert "pump" in upheld("search", store, "pump", "--tenant", name, "--words-only").out
    assert upheld("search", store, "pump", "--tenant", "Nobody!").status == 2
    wrong = upheld("convert", place, "--to", "yaml", "--tenant", name)
    assert (wrong.status, "The pump is off." in wrong.out) == (0, True)
    Path("talk.yaml").write_text(wrong.out, "utf-8")
    assert upheld("convert", "talk.yaml", "--to", f"{store}#copied", "--tenant", name).status == 0
    assert "copied" in upheld("ledger", "head", store, "--tenant", name, "--json").tree
    assert "a file has no tenants" in upheld("status", "talk.yaml", "--tenant", name).err


def test_a_file_that_somebody_has_open_is_not_dropped(upheld: Program, tmp_path: Path) -> None:
    """Our promise: nobody acknowledges into a file that was unlinked under them."""
    address = f"sqlite:///{tmp_path}/t.db"
    told(address, "acme")
    with opened_store(address, tenant="acme") as idle:
        refused = upheld("tenants", "drop", address, "acme", "--yes")
        assert (refused.status, "a process has it open" in refused.err) == (2, True)
        assert idle.version(ConversationId("night")) == 3
    assert upheld("tenants", "drop", address, "acme", "--yes").status == 0
    assert list((tmp_path / "t.db.tenants").iterdir()) == []


def test_whoever_has_a_dropped_schema_open_is_refused(upheld: Program, postgres: str, tenant: str) -> None:
    """Our promise: of a database who is idle is not noticed, and acknowledges nothing from then on."""
    told(postgres, tenant)
    talk = Conversation.open(postgres, id="night", tenant=tenant)
    assert upheld("tenants", "drop", postgres, tenant, "--yes").status == 0
    with pytest.raises(StoreError, match="tables of the ledger are gone"):
        talk.observe("ana", "o2", "It rains.")
    talk.close()


def test_who_has_an_old_conversation_open_lets_go_of_its_words(upheld: Program, tmp_path: Path) -> None:
    """Our promise: what was erased by another program is not told from memory."""
    path = tmp_path / "t.db"
    with SqliteStore(path, clock=at(OLD)) as store:
        Conversation({"ana": "user"}, id="night", store=store).observe("ana", "o1", "The pump is off.")
        talk = Conversation(id="night", store=store)
        assert len(talk.propositions) == 1
        assert upheld("ledger", "retain", path, "--older-than", "90d").status == 0
        talk.refresh()
        assert len(talk.propositions) == 0


def test_what_nobody_spoke_in_for_long_is_erased_and_still_verifies(upheld: Program, tmp_path: Path) -> None:
    """Our promise: words, meanings and retractions go with an act on record; the young and the kept stay."""
    path = tmp_path / "t.db"
    for id, time in (("old", OLD), ("older", "2019-01-01T00:00:00+00:00"), ("young", NEW)):
        with SqliteStore(path, clock=at(time)) as store:
            talk = Conversation({"ana": "user"}, id=id, store=store)
            talk.observe("ana", "o1", "The pump is off.", said="secret words")
            talk.retract("o1", reason="secret reason")
    dry = upheld("ledger", "retain", path, "--older-than", "90d", "--keep-last", "1", "--dry-run", "--json").tree
    assert {each["conversation"]: each["erased"] for each in dry["conversations"]} == {"old": 3, "older": 3, "young": 0}
    kept = upheld("ledger", "retain", path, "--older-than", "90d", "--keep-last", "2", "--dry-run")
    assert "older: last spoken in at 2019-01-01T00:00:00+00:00; 3 entries would be erased" in kept.out
    assert "1 would be erased, 2 kept, 0 empty before" in kept.out
    done = upheld("ledger", "retain", path, "--older-than", "90d", "--by", "ana", "--reason", "the house rule")
    assert (done.status, "2 erased, 1 kept, 0 empty before" in done.out) == (0, True)
    again = upheld("ledger", "retain", path, "--older-than", "90d")
    assert "0 erased, 1 kept, 2 empty before" in again.out
    with SqliteStore(path) as store:
        for id in ("old", "older", "young"):
            assert verified(store, ConversationId(id)).faults == ()
            assert len(Conversation.open(f"sqlite:///{path}", id=id).propositions) == (1 if id == "young" else 0)
    everything = b"".join(each.read_bytes() for each in tmp_path.glob("t.db*"))
    assert everything.count(b"secret words") == 1
    assert upheld("ledger", "retain", path, "--older-than", "soon").status == 2


def told_at(address: str, tenant: str, id: str, time: str) -> None:
    """Tell a conversation one claim by a clock that stands."""
    if address.startswith("sqlite"):
        path = FilePartitions(address.removeprefix("sqlite:///")).file_of(tenant)
        made: Store = SqliteStore(path, clock=at(time))
    else:
        kind: Any = import_module("upheld.record.stores.postgres.store").PostgresStore
        made = kind(address, tenant=tenant, clock=at(time))
    with made as store:
        Conversation({"ana": "user"}, id=id, store=store).observe("ana", "o1", "The pump is off.", said="secret words")


def test_what_nobody_spoke_in_for_long_is_dropped_whole_with_receipts(upheld: Program, store: str, name: str) -> None:
    """Our promise: with --drop nothing is left but receipts, and the names are free; whoever has one open is told."""
    opened_store(store, tenant=name).close()
    for id, time in (("old", OLD), ("older", "2019-01-01T00:00:00+00:00"), ("young", NEW)):
        told_at(store, name, id, time)
    talk = Conversation.open(store, id="old", tenant=name)
    retain = ("ledger", "retain", store, "--tenant", name, "--older-than", "90d", "--drop")
    assert "old: last spoken in at 2020-01-01T00:00:00+00:00; 3 entries would be dropped" in (
        upheld(*retain, "--dry-run", "--keep-last", "1").out
    )
    first = upheld(*retain, "--keep-last", "2")
    assert (first.status, "1 dropped, 2 kept, 0 empty before" in first.out) == (0, True)
    assert "older: last spoken in at 2019-01-01T00:00:00+00:00; 3 entries dropped at 20" in first.out
    head = talk.head()
    done = upheld(*retain, "--by", "ana", "--reason", "the house rule", "--json").tree["conversations"]
    receipts = {each["conversation"]: each["receipt"] for each in done}
    assert receipts["young"] is None
    when = receipts["old"].pop("dropped_at")
    expected = {"conversation": "old", "entries": 3, "chain": head.chain, "by": "ana", "reason": "the house rule"}
    assert (receipts["old"], when > OLD) == (expected, True)
    with pytest.raises(DroppedConversation, match="'old'"):
        talk.observe("ana", "o2", "It rains.")
    talk.close()
    assert list(upheld("ledger", "head", store, "--tenant", name, "--json").tree) == ["young"]
    assert upheld("status", f"{store}#old", "--tenant", name).status == 2
    told(store, name, "old")
    assert upheld("ledger", "verify", store, "--tenant", name).status == 0


def test_nothing_of_a_dropped_conversation_is_in_the_file(upheld: Program, tmp_path: Path) -> None:
    """Our promise: overwritten in the file, its log and its indexes, names included."""
    address = f"sqlite:///{tmp_path}/t.db"
    told(address, "default", "young")
    told_at(address, "default", "heliotrope", OLD)
    assert upheld("ledger", "retain", address, "--older-than", "90d", "--drop").status == 0
    everything = b"".join(each.read_bytes() for each in tmp_path.glob("t.db*"))
    assert (everything.count(b"secret words"), everything.count(b"heliotrope")) == (0, 0)
    assert b"young" in everything


def test_retention_in_a_database_leaves_a_record_that_verifies(upheld: Program, postgres: str, tenant: str) -> None:
    """Our promise: the same in Postgres, in the ledger of one tenant alone."""
    told(postgres, tenant)
    assert "0 erased, 1 kept" in upheld("ledger", "retain", postgres, "--older-than", "1h", "--tenant", tenant).out
    assert upheld("ledger", "verify", postgres, "--tenant", tenant).status == 0


def test_an_older_schema_is_told_brought_up_and_a_newer_one_refused(upheld: Program, tmp_path: Path) -> None:
    """Our promise: --dry-run changes nothing; what a newer version wrote is left alone."""
    address = f"sqlite:///{tmp_path}/t.db"
    told(address, "acme")
    told(address, "default")
    known = partitions_at(address).schema("acme").known
    first = tmp_path / "t.db.tenants" / "acme.db"
    with closing(sqlite3.connect(first)) as connection, connection:
        for table in re.findall(r"CREATE TABLE (\w+)", " ".join(MIGRATIONS[-1].statements)):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("DELETE FROM migrations WHERE number = ?", (known,))
    dry = upheld("migrate", "--store", address, "--all-tenants", "--dry-run")
    assert dry.out.splitlines() == [f"acme: schema {known - 1} of {known}", f"default: schema {known} of {known}"]
    assert partitions_at(address).schema("acme").found == known - 1
    done = upheld("migrate", "--store", address, "--tenant", "acme", "--json")
    assert done.tree == {"acme": {"before": known - 1, "after": known, "known": known}}
    with closing(sqlite3.connect(first)) as connection, connection:
        connection.execute("INSERT INTO migrations VALUES (?, 'of tomorrow', '')", (known + 1,))
    refused = upheld("migrate", "--store", address, "--all-tenants")
    assert (refused.status, "written by a newer version: acme" in refused.err) == (2, True)
    assert upheld("migrate", "--store", address, "--tenant", "nobody").status == 2
    assert upheld("migrate", "--store", "ephemeral:").status == 2


def test_the_schema_in_a_database_is_told(upheld: Program, postgres: str, tenant: str) -> None:
    """Our promise: the number of a tenant's ledger, without making one that is not there."""
    assert upheld("migrate", "--store", postgres, "--tenant", tenant).status == 2
    told(postgres, tenant)
    schema = upheld("migrate", "--store", postgres, "--tenant", tenant, "--json").tree[tenant]
    assert schema["before"] == schema["after"] == schema["known"]
