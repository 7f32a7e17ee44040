"""What the service writes: a line a request, in a form for people or for programs, and nothing of what was said."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from upheld.faces.server.telemetry.logs import JsonLines, TextLines, known_as
from upheld.faces.server.telemetry.observing import request_id

from .conftest import PATIENCE, Client, Keys, Process, Start, garden, observe, process

pytest.importorskip("typer", reason="the extra 'cli' is not installed")

SECRET = "hunter-zwei-7f3a"


def tell_secrets(client: Client) -> None:
    """Say a secret in every place in which somebody says something, rightly and wrongly."""
    path = garden(client, "confided")
    client.tell(path, "ann", observe("o8", f"The password is {SECRET}."), text=f"It is {SECRET}.")
    client.tell(path, "ann", observe("o8", f"It is not {SECRET}."))
    client.tell(path, SECRET, observe("o9"))
    client.tell(path, "ann", {"op": SECRET})
    client.post(f"{path}/turns", {"speaker": "ann", "text": f"Because of {SECRET} we are late."})
    client.post(f"{path}/turns", {"speaker": "ann", SECRET: 1}, idempotency_key=SECRET)
    client.post(f"{path}/turns", f'{{"speaker": "{SECRET}'.encode(), content_type="application/json")
    client.post(f"{path}/verify", {"text": f"The password is {SECRET}."})
    client.post(f"{path}/verify", {"claims": [{"literal": SECRET}], "speaker": SECRET, "response": SECRET})
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o8"}, "reason": SECRET})
    client.post(f"{path}/turns/T1/erasure", {"reason": SECRET})
    client.get(f"/v1/search?words={SECRET}")
    client.get(f"{path}/explain?claim={SECRET}")
    client.get(f"{path}?{SECRET}={SECRET}", cookie=SECRET, x_other=SECRET, user_agent=SECRET)
    client.get(path, authorization=f"Bearer {SECRET}")
    client.get(path, origin=f"https://{SECRET}.example", traceparent=SECRET, x_request_id=f"{SECRET} and more")
    client.get(f"{path}/events", last_event_id=SECRET)
    client.post(f"/v1/conversations/import?id={SECRET}&form={SECRET}", SECRET.encode())
    client.ask(
        "GET", f"{path}/live?after={SECRET}", upgrade="websocket", connection="Upgrade", sec_websocket_key=SECRET
    )


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_secret_that_is_said_anywhere_is_written_anywhere(tmp_path: Path, root: Path, form: str) -> None:
    """Our promise: neither a turn nor a text to verify, no header, query or body, also where it is refused."""
    store = f"sqlite:///{tmp_path}/t.db"
    with process(root, "--store", store, UPHELD_LOG_FORM=form) as running:
        tell_secrets(running.client())
        running.written("/v1/conversations/import" if form == "text" else "/import")
        running.process.terminate()
        written = running.ended()
    assert written.count("/v1/conversations") > 20
    assert SECRET not in written
    assert "Traceback" not in written


def test_a_line_of_json_has_what_a_program_asks_for(tmp_path: Path, root: Path) -> None:
    """Our promise (docs/how-to/operate-the-service.md): an object a line, the route as a template."""
    with process(root, "--store", f"sqlite:///{tmp_path}/t.db", UPHELD_LOG_FORM="json") as running:
        client = running.client()
        client.begin("written")
        client.get("/v1/conversations/written", x_request_id="req-1")
        line = json.loads(running.written("req-1"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert line.pop("ms") >= 0
    assert line == {
        "level": "INFO",
        "logger": "upheld.server.access",
        "request_id": "req-1",
        "method": "GET",
        "route": "/v1/conversations/{conversation}",
        "status": 200,
        "tenant": "default",
        "trace_id": "",
    }


def test_every_answer_has_the_id_of_its_request(client: Client, start: Start, keys: Keys) -> None:
    """Our promise: the caller's own, if it is one; on refusals and faults too, for these are asked about."""
    assert client.get("/health/live", x_request_id="desk:4711_a.b").headers["x-request-id"] == "desk:4711_a.b"
    for sent in ("", "two words", "x" * 129, "line\tbreak", "ümlaut"):
        given = client.get("/health/live", x_request_id=sent).headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f]{32}", given)
    locked = start(keys=keys.path, tenants=True).client()
    assert locked.get("/v1/conversations", x_request_id="mine").headers["x-request-id"] == "mine"
    assert request_id("") != request_id("")


def test_a_fault_is_found_by_the_id_of_its_request(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the answer of a fault says nothing but where to look."""
    running = start()

    def broken(*_: object) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(type(running.house.tenancy.host("default").store), "conversations", broken)
    told = running.client().get("/v1/conversations", x_request_id="lost")
    assert (told.status, told.headers["x-request-id"]) == (500, "lost")
    assert SECRET.encode() not in told.body


def failing() -> None:
    """Fail as something fails that quotes what it was given."""
    nothing: dict[str, str] = {}
    try:
        nothing[SECRET]
    except KeyError as error:
        raise ValueError(f"no such thing: {SECRET}") from error


@pytest.mark.parametrize("form", [TextLines, JsonLines])
def test_of_an_exception_the_places_are_written_and_not_its_words(form: Callable[[], logging.Formatter]) -> None:
    """Our promise: an exception may quote whatever it met; where it was raised says what a person needs."""
    record = logging.LogRecord("upheld.server", logging.ERROR, __file__, 1, "a fault", (), None)
    try:
        failing()
    except ValueError:
        record.exc_info = sys.exc_info()
    with known_as("r1"):
        line = form().format(record)
    assert SECRET not in line
    assert line.index("KeyError") < line.index("ValueError")
    assert "in failing" in line
    assert ("\n" not in line and json.loads(line)["request_id"] == "r1") or form is TextLines


def test_a_line_of_the_server_itself_names_the_request_that_it_belongs_to(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    """Our promise: what went wrong can be joined with the request that met it."""
    seen: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            """Keep a line as it would be written."""
            seen.append(JsonLines().format(record))

    caplog.set_level("INFO", logger="upheld.server")
    handler = Keeping()
    logging.getLogger("upheld.server").addHandler(handler)
    try:
        running = start()
        path = running.client().begin("joined")
        running.house.tenancy.close()
        running.client().get(path, x_request_id="req-9")
        deadline = time.monotonic() + PATIENCE
        while len(lines := [json.loads(each) for each in seen if "req-9" in each]) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        logging.getLogger("upheld.server").removeHandler(handler)
    assert [each["logger"] for each in lines] == ["upheld.server", "upheld.server.access"]
    assert lines[0]["level"] == "ERROR"


def test_a_process_that_is_quiet_writes_no_line_for_a_request(tmp_path: Path, root: Path) -> None:
    """Our promise: --quiet leaves out what went well, and nothing else."""
    with process(root, "--store", f"sqlite:///{tmp_path}/t.db", "--quiet") as running:
        running.client().begin("unwritten")
        written = stopped(running)
    assert "unwritten" not in written


def stopped(running: Process) -> str:
    """End a process, and give what it wrote."""
    running.process.terminate()
    return running.ended()
