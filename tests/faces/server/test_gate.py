"""What is refused before anything is read: strangers, others' tenants, floods, foreign pages."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import Client, Keys, Start, garden, observe


def test_tenants_do_not_see_each_other(start: Start, keys: Keys, tmp_path: Path) -> None:
    """Our promise: a ledger of its own for each, so that no name, search or stream leads across."""
    running = start(keys=keys.path, tenants=True)
    acme, globex = (running.client(keys.texts[f"{tenant}/writer"]) for tenant in ("acme", "globex"))
    path = garden(acme, "shared-name")
    assert globex.get(path).problem == "unknown-conversation"
    assert globex.get("/v1/conversations").tree["conversations"] == []
    assert globex.get("/v1/search?words=soil").tree["hits"] == []
    assert globex.get(f"{path}/events").problem == "unknown-conversation"
    assert globex.tell(path, "eve", observe("o1")).problem == "unknown-conversation"
    globex.begin("shared-name")
    assert (acme.get(path).tree["version"], globex.get(path).tree["version"]) == (9, 1)
    store = Path(running.house.settings.store.removeprefix("sqlite:///"))
    assert {each.name for each in Path(f"{store}.tenants").glob("*.db")} == {"acme.db", "globex.db"}


def test_whoever_asks_is_told_as_whom_the_service_knows_them(start: Start, keys: Keys) -> None:
    """Our promise to a page, which offers what its key may do: with keys and without."""
    guarded = start(keys=keys.path, tenants=True)
    for who in ("reader", "writer", "admin"):
        told = guarded.client(keys.texts[f"acme/{who}"]).get("/v1/caller")
        assert (told.status, told.tree) == (200, {"tenant": "acme", "role": who})
    assert guarded.client().get("/v1/caller").status == 401
    assert start().client().get("/v1/caller").tree == {"tenant": "default", "role": "admin"}


def test_a_role_may_do_what_it_says_and_no_more(start: Start, keys: Keys) -> None:
    """Our promise: a reader asks, a writer also tells, an admin also erases."""
    running = start(keys=keys.path, tenants=True)
    reader, writer, admin = (running.client(keys.texts[f"acme/{role}"]) for role in ("reader", "writer", "admin"))
    path = garden(writer, "roles")
    refused = [
        reader.post("/v1/conversations", {"id": "mine"}),
        reader.tell(path, "ann", observe("o9")),
        reader.post(f"{path}/turns/batch", {"turns": [{"speaker": "ann"}]}),
        reader.post(f"{path}/turns/T1/amendments", {"operations": []}),
        reader.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}}),
        reader.post("/v1/conversations/import", b"Ann: It rains."),
        writer.post(f"{path}/turns/T4/erasure", {"reason": "no"}),
    ]
    assert [told.status for told in refused] == [403] * len(refused)
    assert reader.post(f"{path}/verify", {"claims": [{"literal": "o1"}]}).tree["outcome"] == "grounded"
    assert reader.get(path).tree["version"] == 9
    assert admin.post(f"{path}/turns/T4/erasure", {"reason": "asked for"}).status == 200


@pytest.mark.parametrize("key", ["", "upheld_acme_00", "nonsense", "\u00fcpheld"])
def test_without_a_key_that_opens_nothing_is_told(start: Start, keys: Keys, key: str) -> None:
    """RFC 6750: 401 with the scheme; the health of the service and its description are for everybody."""
    running = start(keys=keys.path, tenants=True)
    client = Client(port=running.port, headers={"authorization": f"Bearer {key}"} if key else {})
    told = client.get("/v1/conversations")
    assert (told.status, told.problem, told.headers["www-authenticate"]) == (401, "no-key", "Bearer")
    assert client.get("/health/live").tree == {"status": "live"}
    assert client.get("/health/ready").tree == {"status": "ready"}
    assert client.get("/openapi.json").status == 200
    basic = Client(port=running.port, headers={"authorization": f"Basic {keys.texts['acme/admin']}"})
    assert basic.get("/v1/conversations").status == 401


def test_a_key_has_so_many_requests_a_minute_and_no_other_pays_for_it(start: Start, keys: Keys) -> None:
    """RFC 6585, 429: Retry-After says when there is a token again."""
    running = start(keys=keys.path, tenants=True, requests_a_minute=5)
    acme, globex = (running.client(keys.texts[f"{tenant}/reader"]) for tenant in ("acme", "globex"))
    answers = [acme.get("/v1/conversations") for _ in range(6)]
    assert [told.status for told in answers] == [200] * 5 + [429]
    assert (answers[5].problem, 1 <= int(answers[5].headers["retry-after"]) <= 12) == ("too-many-requests", True)
    assert globex.get("/v1/conversations").status == 200
    strangers = [running.client("upheld_acme_guess").get("/v1/conversations").status for _ in range(6)]
    assert strangers == [401] * 5 + [429]


def test_a_body_that_is_too_large_is_refused_before_it_is_read(start: Start) -> None:
    """Our promise: by its declared length at once, and by what comes where none was declared."""
    running = start(body_bytes=2048)
    with socket.create_connection(("127.0.0.1", running.port), timeout=5) as raw:
        raw.sendall(b"POST /v1/conversations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n")
        assert b" 413 " in raw.recv(200), "not one byte of the body was sent"
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=5)
    chunks = iter([b'{"id": "', *[b"x" * 1024] * 3, b'"}'])
    connection.request(
        "POST", "/v1/conversations", body=chunks, headers={"content-type": "application/json"}, encode_chunked=True
    )
    response = connection.getresponse()
    told = json.loads(response.read())
    assert (response.status, told["type"]) == (413, "urn:upheld:problem:limit-exceeded")
    connection.close()
    assert running.client().post("/v1/conversations", {"id": "small"}).status == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"host": "rebound.example"},
        {"host": "[broken"},
        {"origin": "http://[broken"},
        {"host": "rebound.example:80", "origin": "http://rebound.example:80"},
    ],
)
def test_a_page_of_another_origin_cannot_reach_a_service_that_trusts_its_machine(
    client: Client, headers: dict[str, str]
) -> None:
    """Our promise: CORS is closed, forged requests are refused, and a rebound name opens nothing."""
    told = client.post("/v1/conversations/import?id=forged", b"Ann: It rains.", **headers)
    assert (told.status, told.problem.startswith("foreign-")) == (403, True)
    preflight = client.ask("OPTIONS", "/v1/conversations", access_control_request_method="POST", **headers)
    assert "access-control-allow-origin" not in preflight.headers
    assert client.get("/v1/conversations/forged").status == 404


def test_a_page_that_the_settings_name_may_ask(start: Start) -> None:
    """Our promise: CORS is opened by name, and for nobody else."""
    page = "https://desk.example"
    client = start(origins=[page]).client()
    preflight = client.ask("OPTIONS", "/v1/conversations", origin=page, access_control_request_method="POST")
    assert preflight.headers["access-control-allow-origin"] == page
    told = client.get("/v1/conversations", origin=page)
    assert (told.status, told.headers["access-control-allow-origin"]) == (200, page)
    assert client.get("/v1/conversations", origin="https://other.example").status == 403


@pytest.mark.parametrize(
    ("method", "path", "body", "content_type", "status"),
    [
        ("GET", "/v2/conversations", None, "", 404),
        ("DELETE", "/v1/conversations", None, "", 405),
        ("POST", "/v1/conversations", b"{", "application/json", 422),
        ("POST", "/v1/conversations", b'{"id": "plain"}', "text/plain", 422),
        ("POST", "/v1/conversations", b"[" * 100_000, "application/json", 400),
        ("POST", "/v1/conversations", b'{"id": "\xff"}', "application/json", 400),
    ],
)
def test_what_is_no_request_of_this_service_is_a_problem_too(
    client: Client, method: str, path: str, body: bytes | None, content_type: str, status: int
) -> None:
    """RFC 9457: one form for every refusal, also those of the framework; what was sent is not sent back."""
    told = client.ask(method, path, body, **({"content_type": content_type} if content_type else {}))
    assert (told.status, told.headers["content-type"]) == (status, "application/problem+json")
    assert set(told.tree) <= {"type", "title", "status", "detail", "errors"}
    assert b"[[[[" not in told.body


def test_a_store_that_is_gone_is_503_and_tells_nothing_of_the_inside(start: Start) -> None:
    """Our promise: a fault names its sort, and no path, statement or trace."""
    running = start()
    client = running.client()
    path = garden(client, "gone")
    running.house.tenancy.close()
    for told in (client.get(path), client.get("/health/ready"), client.tell(path, "ann", observe("o9"))):
        assert (told.status, told.problem, told.headers["retry-after"]) == (503, "store", "1")
        assert set(told.tree) == {"type", "title", "status", "detail"}
    assert client.get("/health/live").status == 200


def test_a_file_that_is_torn_is_a_fault_without_its_path(start: Start) -> None:
    """Our promise: trying again does not mend it, so that no Retry-After is sent."""
    running = start()
    client = running.client()
    garden(client, "torn")
    store = Path(running.house.settings.store.removeprefix("sqlite:///"))
    running.house.tenancy.host("default").forget("torn")
    for file in store.parent.glob("t.db*"):
        file.write_bytes(b"\0" * file.stat().st_size)
    told = client.get("/v1/conversations/torn")
    assert (told.status, "retry-after" in told.headers) == (500, False)
    assert str(store.parent).encode() not in told.body
    assert b"sqlite" not in told.body.lower()


def test_no_secret_and_nothing_that_was_said_is_in_the_logs(
    start: Start, keys: Keys, caplog: pytest.LogCaptureFixture
) -> None:
    """Our promise: a line has the method, the path, the status, the time and the tenant."""
    caplog.set_level(logging.DEBUG)
    running = start(keys=keys.path, tenants=True)
    client = running.client(keys.texts["acme/writer"])
    path = garden(client, "logged")
    client.get("/v1/search?words=soil")
    client.get(f"{path}/explain?claim=o1")
    client.tell(path, "ann", observe("o1", "Another soil."))
    running.client("upheld_acme_wrongsecret").get(path)
    running.house.tenancy.close()
    client.get(path)
    last, deadline = f"GET {path} 503", time.monotonic() + 5
    lines: list[str] = []
    # A line is written when its answer is on its way.
    while not any(line.startswith(last) and line.endswith("tenant=acme") for line in lines):
        assert time.monotonic() < deadline
        lines = [record.getMessage() for record in caplog.records if record.name.startswith("upheld.server")]
    assert any(line.startswith("GET /v1/search 200") for line in lines)
    secrets = [text.rpartition("_")[2] for text in keys.texts.values()]
    for word in ("soil", "claim", "o1", "wrongsecret", *secrets):
        assert not any(word in line for line in lines), word


def test_a_running_service_writes_its_log_to_standard_error_alone(root: Path) -> None:
    """Our promise: what a program reads from standard output is not mixed with it."""
    code = (
        "import logging; from upheld.faces.server.telemetry.logs import write_logs; write_logs(); "
        "logging.getLogger('upheld.server.access').info('seen'); logging.getLogger('uvicorn.error').info('unseen')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, cwd=root / "src"
    )
    assert (run.stdout, "seen" in run.stderr, "unseen" in run.stderr) == ("", True, False)
