"""A conversation goes whole: who may do it, what is answered, and what becomes of whoever has it open."""

from __future__ import annotations

import json
from collections.abc import Generator

import pytest

pytest.importorskip("websockets", reason="the extra 'server' is not installed")

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from upheld.conversation.wiring import opened_store
from upheld.logic.language.identities import ConversationId

from .conftest import PATIENCE, Keys, Running, Start, garden, observe


@pytest.fixture(params=["sqlite", "postgres"])
def running(request: pytest.FixtureRequest, start: Start) -> Generator[Running]:
    """A service on a store of each kind."""
    if request.param == "sqlite":
        yield start()
    else:
        yield start(store=request.getfixturevalue("postgres"))


def test_a_conversation_is_dropped_with_a_receipt_and_its_name_is_free(running: Running) -> None:
    """Our promise: nothing of it is listed, asked, found or reviewed, and nothing begins it again but a beginning."""
    client = running.client()
    path = garden(client, "dropped")
    assert client.post(f"{path}/flags", {"text": "The left bed is dry.", "speaker": "bot"}).status == 201
    store = running.house.tenancy.host("default").store
    head = store.head(ConversationId("dropped"))
    outdated = client.ask("DELETE", f"{path}?reason=why&expected_version=2")
    assert (outdated.status, outdated.problem, outdated.tree["found"]) == (409, "version-conflict", head.epoch)
    told = client.ask("DELETE", f"{path}?reason=the+house+rule&by=ann&expected_version={head.epoch}")
    receipt = told.tree
    assert (told.status, receipt.pop("dropped_at")[:2]) == (200, "20")
    assert receipt == {
        "conversation": "dropped",
        "entries": head.epoch,
        "chain": head.chain,
        "by": "ann",
        "reason": "the house rule",
    }
    assert "dropped" not in {each["id"] for each in client.get("/v1/conversations").tree["conversations"]}
    assert client.get("/v1/search?words=bed").tree["hits"] == []
    assert "dropped" not in {each["conversation"] for each in client.get("/v1/queue").tree["flags"]}
    for again in (
        client.get(path),
        client.tell(path, "ann", observe("o8")),
        client.get(f"{path}/export"),
        client.ask("DELETE", f"{path}?reason=again"),
    ):
        assert (again.status, again.problem) == (404, "unknown-conversation")
    client.begin("dropped")
    assert client.get(path).tree["version"] == 1
    assert client.ask("DELETE", f"{path}?reason=over").tree["entries"] == 1


def test_whoever_follows_a_dropped_conversation_is_told(running: Running) -> None:
    """Our promise: dropped here or by another process, streams and sockets end, and hear nothing of a later one."""
    client = running.client()
    for number, is_elsewhere in enumerate((False, True)):
        path = client.begin(f"followed {number}".replace(" ", "-"), {"id": "ann"})
        with (
            client.stream(f"{path}/events") as events,
            connect(f"ws://127.0.0.1:{running.port}{path}/live", proxy=None) as socket,
        ):
            assert (next(events)["id"], json.loads(socket.recv(PATIENCE))["epoch"]) == ("1", 1)
            if is_elsewhere:
                with opened_store(running.house.settings.store) as store:
                    store.drop(ConversationId(path.rpartition("/")[2]), reason="asked for")
            else:
                assert client.ask("DELETE", f"{path}?reason=asked+for").status == 200
            client.begin(path.rpartition("/")[2], {"id": "ann"})
            client.tell(path, "ann", observe("o1"))
            assert [each for each in events if "id" in each] == []
            with pytest.raises(ConnectionClosed):
                socket.recv(PATIENCE)
            assert (socket.close_code, socket.close_reason) == (1008, "unknown-conversation")
        client.ask("DELETE", f"{path}?reason=asked+for")
        with pytest.raises(AssertionError), client.stream(f"{path}/events", last_event_id="1"):
            pass
        assert client.get(f"{path}/events").problem == "unknown-conversation"


def test_only_an_admin_drops_for_a_reason_and_in_their_own_tenant(start: Start, keys: Keys) -> None:
    """Our promise: a writer cannot make anything go; no reason is no reason."""
    running = start(keys=keys.path, tenants=True)
    writer, admin, other = (running.client(keys.texts[each]) for each in ("acme/writer", "acme/admin", "globex/admin"))
    path = writer.begin("kept")
    for client, query, status in (
        (writer, "?reason=mine", 403),
        (other, "?reason=theirs", 404),
        (admin, "", 422),
        (admin, "?reason=", 422),
        (admin, "?reason=%20", 422),
    ):
        assert client.ask("DELETE", f"{path}{query}").status == status
    assert writer.get(path).tree["version"] == 1
    assert admin.ask("DELETE", f"{path}?reason=asked+for").tree["by"] is None


def test_another_worker_has_it_open_and_finds_it_gone(start: Start) -> None:
    """Our promise: nobody is answered from a record that another process dropped, nor told into a later one."""
    first = start()
    second = start(store=first.house.settings.store)
    ours, theirs = first.client(), second.client()
    path = garden(ours, "shared")
    assert theirs.get(path).tree["version"] == 9
    assert ours.ask("DELETE", f"{path}?reason=asked+for").status == 200
    claim = {"claims": [{"literal": "o1"}]}
    assert theirs.post(f"{path}/verify", claim).problem == "unknown-conversation"
    assert theirs.tell(path, "ann", observe("o8")).problem == "unknown-conversation"
    ours.begin("shared", {"id": "eve"})
    assert [each["id"] for each in theirs.get(path).tree["agents"]] == ["eve"]
    assert theirs.post(f"{path}/verify", claim).tree["reasons"] == ["unknown"]
