"""The Model Context Protocol at ``/mcp`` of the service: behind the same gate, over the same conversations."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")

import httpx2
from mcp import Client as Host
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from .conftest import PATIENCE, Client, Keys, Start, garden

Act = Callable[[Host], Awaitable[Any]]

CALL: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPT = "application/json, text/event-stream"


def speak(port: int, act: Act, *, key: str = "", mode: str = "auto") -> Any:
    """Be a host for as long as one act takes."""

    async def main() -> Any:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        with anyio.fail_after(PATIENCE):
            async with httpx2.AsyncClient(headers=headers) as sender:
                transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=sender)
                async with Host(transport, mode=mode) as host:
                    return await act(host)

    return anyio.run(main)


def words(result: CallToolResult) -> str:
    """What a language model reads of an answer."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


QUESTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("GET", "", {}),
    ("POST", "verify", {"text": "The soil of the left bed is dry.", "speaker": "bot"}),
    ("POST", "verify", {"claims": [{"literal": "h1", "modality": "hypothesis"}], "at": "T3"}),
    ("POST", "affected", {"change": {"act": "retract", "target": "o1"}, "limit": 1}),
    ("POST", "brief", {"change": {"act": "falsify", "target": "o1"}}),
    ("GET", "explain?claim=c1", {"claim": "c1"}),
    ("GET", "claims?standing=in&limit=2", {"standing": "in", "limit": 2}),
)
NAMES = {"": "status", "claims": "list_claims"}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_tools_answer_what_http_answers(client: Client, name: str, mode: str) -> None:
    """Issue 6: all faces give the same verdicts; here field by field, in both eras of the protocol."""
    path = garden(client, name)

    async def act(host: Host) -> list[Any]:
        found: list[Any] = []
        for _, route, arguments in QUESTIONS:
            tool = route.partition("?")[0]
            result = await host.call_tool(NAMES.get(tool, tool), {"conversation": name, **arguments})
            found.append(result.structured_content)
        return found

    theirs = [
        client.ask(method, f"{path}/{route}".rstrip("/"), arguments if method == "POST" else None).tree
        for method, route, arguments in QUESTIONS
    ]
    assert speak(client.port, act, mode=mode) == theirs


def test_a_turn_told_by_a_tool_is_seen_over_http_and_the_other_way_round(client: Client, name: str) -> None:
    """Issue 6: one record behind all faces."""
    path = garden(client, name)

    async def act(host: Host) -> Any:
        told = await host.call_tool(
            "observe", {"conversation": name, "speaker": "ann", "text": "The pump is on.", "contradicts": ["h1"]}
        )
        await host.call_tool("retract", {"conversation": name, "change": {"act": "retract", "target": "o2"}})
        return told.structured_content

    told = speak(client.port, act)
    status = client.get(path).tree
    assert status["version"] == told["version"] + 1
    assert not {"h1", "o2"} & {each["id"] for each in status["stands"]}


def test_a_key_given_to_a_tool_is_the_one_of_the_header_and_any_worker_knows_it(
    start: Start, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    """Our promise: a call whose answer was lost is sent again, to another process and by another face."""
    store = f"sqlite:///{tmp_path_factory.mktemp('kept')}/t.db"
    one, two = start(store=store), start(store=store)
    path = garden(one.client(), name)
    undermine = {"conversation": name, "speaker": "ben", "target": "h1", "text": "It was serviced."}
    said: dict[str, Any] = {"speaker": "ben", "text": "The gate is shut.", "operations": []}

    async def act(host: Host) -> Any:
        told = await host.call_tool("undermine", undermine | {"idempotency_key": "k"})
        other = await host.call_tool("undermine", undermine | {"idempotency_key": "k", "specific": True})
        return told.structured_content, (other.meta or {})["upheld/problem"]["type"]

    (first, taken), (again, _) = speak(one.port, act), speak(two.port, act)
    assert taken == "urn:upheld:problem:repeated-identity"
    assert (first["is_repeated"], again["is_repeated"]) == (False, True)
    assert (again["turn"], again["operations"]) == (first["turn"], first["operations"])
    sent = {name: undermine[name] for name in ("speaker", "text")} | {"operations": first["operations"]}
    got = two.client().post(f"{path}/turns", sent, idempotency_key="k")
    assert (got.status, got.tree["turn"]) == (200, first["turn"])
    assert two.client().post(f"{path}/turns", said, idempotency_key="k").problem == "repeated-identity"


def test_a_search_as_of_an_entry_that_no_store_can_count_to_is_as_of_now(client: Client, name: str) -> None:
    """A fault that was found: a number of thirty digits was one too many for SQLite, over HTTP and here."""
    garden(client, name)
    asked = {"words": "dry", "conversation": name, "as_of": "9" * 30}

    async def act(host: Host) -> Any:
        return (await host.call_tool("search", asked)).structured_content

    assert {each["id"] for each in speak(client.port, act)["hits"]} == {"o1", "o2"}
    assert client.get(f"/v1/search?words=dry&conversation={name}&as_of={'9' * 30}").status == 200


def test_keys_open_their_tenant_in_their_role(start: Start, keys: Keys) -> None:
    """Issue 6: the same keys; a reader's host is shown reading tools alone, and no tenant sees another's."""
    port = start(keys=keys.path, tenants=True).port

    async def begin(host: Host) -> Any:
        return await host.call_tool("begin", {"id": "own"})

    async def look(host: Host) -> Any:
        tools = {each.name for each in (await host.list_tools()).tools}
        return tools, (await host.call_tool("list_conversations", {})).structured_content["conversations"]

    assert not speak(port, begin, key=keys.texts["acme/writer"]).is_error
    tools, found = speak(port, look, key=keys.texts["acme/reader"])
    assert ("verify" in tools, "observe" in tools, [each["id"] for each in found]) == (True, False, ["own"])
    refused = speak(port, begin, key=keys.texts["acme/reader"])
    assert (refused.is_error, words(refused)) == (True, "this needs a key of the role writer; this one is of reader")
    tools, found = speak(port, look, key=keys.texts["globex/admin"])
    assert ("observe" in tools, found) == (True, [])


def test_the_gate_stands_before_it(start: Start, keys: Keys) -> None:
    """Our promise: no key, a foreign page and a body over the limit are refused as everywhere else."""
    running = start(keys=keys.path, tenants=True, body_bytes=2000)
    assert running.client().post("/mcp", CALL, accept=ACCEPT).problem == "no-key"
    client = running.client(keys.texts["acme/reader"])
    assert client.post("/mcp", CALL, accept=ACCEPT, origin="http://evil.example").problem == "foreign-origin"
    assert client.post("/mcp", b" " * 2001, accept=ACCEPT).problem == "limit-exceeded"
    assert client.post("/mcp", CALL, accept=ACCEPT).status == 200
    assert running.client(keys.texts["globex/reader"]).ask("GET", "/mcp", accept=ACCEPT).status == 405


def test_no_session_is_kept_so_that_any_worker_answers(client: Client) -> None:
    """Our promise: a request stands for itself; what is no message is refused in the protocol's own form."""
    answer = client.post("/mcp", CALL, accept=ACCEPT)
    assert "mcp-session-id" not in answer.headers
    assert b'"verify"' in answer.body
    broken = client.post("/mcp", b"{", accept=ACCEPT, content_type="application/json")
    assert (broken.status, broken.tree["error"]["code"]) == (400, -32700)


def test_a_stream_ends_with_the_service_and_with_its_listener(start: Start) -> None:
    """Our promise: who leaves gives the place back, most_live is the most, and no stream holds the end up."""
    running = start(most_live=1)

    async def leave(host: Host) -> None:
        async with host.listen(resources_list_changed=True):
            assert not running.house.audience.has_let_in()

    async def crowd(host: Host) -> str:
        async with host.listen(resources_list_changed=True):
            with pytest.raises(Exception, match="1 streams are open already") as caught:
                await host.listen(resources_list_changed=True).__aenter__()
            return str(caught.value)

    speak(running.port, leave)
    deadline = time.monotonic() + PATIENCE
    while not running.house.audience.has_let_in():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    running.house.audience.let_out()
    assert "most_live" in speak(running.port, crowd)

    async def stay(host: Host) -> list[object]:
        async with host.listen(resources_list_changed=True) as stream:
            running.house.stopping.set()
            return [event async for event in stream]

    assert speak(running.port, stay) == []


def test_without_the_extra_the_path_says_what_to_install() -> None:
    """Our promise: 501 with the line to type, and the rest of the service is there."""
    code = """
import sys
sys.modules["mcp"] = None
from starlette.testclient import TestClient
from upheld.faces.server.settings import settings_from
from upheld.faces.service.app import service_app
app = service_app(settings_from(environment={}, flags={"store": "ephemeral:"}))
with TestClient(app, base_url="http://localhost") as client:
    answer = client.post("/mcp", json={})
    print(answer.status_code, answer.json()["detail"], client.get("/health/ready").status_code)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    told = "501 the Model Context Protocol needs an optional part: pip install 'upheld[mcp]' 200\n"
    assert ended.stdout == told, ended.stderr
