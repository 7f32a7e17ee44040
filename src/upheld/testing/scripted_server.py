"""A server on loopback that speaks the OpenAI chat protocol and does what a script says: standard library only.

::

    with ScriptedServer(['{"operations": []}', Fails(status=429, headers={"Retry-After": "1"})]) as server:
        llm = language_model("scripted", base_url=server.base_url)

It counts what it was asked and what it reported, so that a report of costs can be compared with the other side's.
No figure may be reported from its answers: it measures the path.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

from upheld.speech.models.reply import Usage
from upheld.testing.scripted_acts import Act, EchoesSchema, Fails, Hangs, NoChoices, Raw, Says, Waits

Line = str | Mapping[str, object] | Act
"""What is done with one request; a text is said, an object is said as JSON."""
Script = Sequence[Line] | Callable[[Mapping[str, Any]], Line]
NAME = "scripted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A request as it came: its body, and its headers with their names in lower case."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]


class ScriptedServer:
    """Answers ``POST /v1/chat/completions`` (streamed or not) and ``GET /v1/models`` until the ``with`` ends.

    ``script`` is a list, used in order over all threads, or a callable that is given each body. A list that is used up
    answers 403, which nobody tries again. ``refuses`` names what response formats (``json_schema``, ``json_object``)
    and what fields (``temperature``, ``max_tokens``) are turned down, with ``refusal_status``; that uses up no line.
    """

    def __init__(self, script: Script = (), *, refuses: Sequence[str] = (), refusal_status: int = 400) -> None:
        """Take a free port of 127.0.0.1; nothing is answered before the ``with``."""
        self.refuses = tuple(refuses)
        self.refusal_status = refusal_status
        self.ended = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        self._received: list[Received] = []
        self._used = 0
        self._tokens = Usage()
        self._http = _Listening(("127.0.0.1", 0), _Conversing)
        self._http.scripted = self

    def __enter__(self) -> Self:
        """Begin to answer."""
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, and let go of every request that is still waiting."""
        self.ended.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def base_url(self) -> str:
        """The address to give to a client."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def received(self) -> tuple[Received, ...]:
        """Every request for a completion so far, also those that were refused or failed."""
        with self._lock:
            return tuple(self._received)

    @property
    def bodies(self) -> tuple[Mapping[str, Any], ...]:
        """Their bodies."""
        return tuple(each.body for each in self.received)

    @property
    def usage(self) -> Usage:
        """What a client should report: a call for each request that came, and the tokens of each whole answer."""
        with self._lock:
            return self._tokens + Usage(calls=len(self._received))

    def acts(self, received: Received) -> Act:
        """Keep a request, and give what to do with it."""
        with self._lock:
            self._received.append(received)
            refused = self._refused(received.body)
            if refused:
                return Fails(status=self.refusal_status, message=f"{refused} is not supported", code="unsupported")
            place, self._used = self._used, self._used + 1
        if callable(self._script):
            return _act(self._script(received.body))
        if place >= len(self._script):
            return Fails(status=403, message=f"the script has {len(self._script)} lines, and all are used")
        return _act(self._script[place])

    def reports(self, usage: Usage) -> None:
        """Count the tokens of an answer that is about to be sent whole."""
        with self._lock:
            self._tokens += usage

    def _refused(self, body: Mapping[str, Any]) -> str:
        asked = cast(Mapping[str, Any], body.get("response_format") or {}).get("type", "")
        for name in self.refuses:
            if name == asked:
                return f"response_format {name}"
            if name in body:
                return name
        return ""


class _Listening(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    scripted: ScriptedServer

    def _unheard(self, request: object, client_address: object) -> None:
        """Say nothing: a client that has gone is a part of the script."""

    handle_error = _unheard


class _Conversing(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    # Head and body are two packets; with Nagle's algorithm the second waits 40 ms for an acknowledgement.
    disable_nagle_algorithm = True
    server: _Listening  # pyright: ignore[reportIncompatibleVariableOverride] - the one that made it

    def log_message(self, format: str, *args: object) -> None:
        """Write no log: the script knows what was asked."""

    def _list(self) -> None:
        """List the one language model."""
        if self.path.rstrip("/") == "/v1/models":
            self._send_json(200, {"object": "list", "data": [{"id": NAME, "object": "model", "owned_by": "upheld"}]})
        else:
            self._send_json(404, _error(f"nothing at {self.path}"))

    def _complete(self) -> None:
        """Do what the script says."""
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.rstrip("/") != "/v1/chat/completions":
            self._send_json(404, _error(f"nothing at {self.path}"))
            return
        body = cast(Mapping[str, Any], json.loads(sent))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._perform(self.server.scripted.acts(Received(body=body, headers=headers)), body)

    do_GET = _list  # noqa: N815 - the name that http.server looks for
    do_POST = _complete  # noqa: N815 - the same

    def _perform(self, act: Act, body: Mapping[str, Any]) -> None:
        match act:
            case Waits():
                if not self.server.scripted.ended.wait(act.seconds):
                    self._perform(act.then, body)
                self.close_connection = True
            case Fails():
                self._send_json(act.status, _error(act.message, act.code), act.headers)
            case Raw():
                self._send(200, act.body, act.content_type)
            case Hangs():
                self.close_connection = True
            case NoChoices():
                usage = Usage(input_tokens=act.input_tokens)
                self.server.scripted.reports(usage)
                self._send_json(200, _completion(body, [], usage))
            case EchoesSchema():
                self._say(Says(text=json.dumps(asked_schema(body))), body)
            case Says():
                self._say(act, body)

    def _say(self, act: Says, body: Mapping[str, Any]) -> None:
        usage = _usage(act, body)
        if act.cut_after is None and not act.pause:
            self.server.scripted.reports(usage)
        if body.get("stream"):
            self._stream(act, body, usage)
            return
        choice = {"index": 0, "message": {"role": "assistant", "content": act.text}, "finish_reason": act.finish}
        whole = json.dumps(_completion(body, [choice], usage)).encode()
        kept = len(whole) if act.cut_after is None else int(len(whole) * act.cut_after)
        self._send(200, whole, act.content_type, kept=0 if act.pause else kept)
        if act.pause:
            self._trickle(whole[:kept], act.pause)

    def _trickle(self, body: bytes, pause: float) -> None:
        for place in range(0, len(body), 10):
            if self.server.scripted.ended.wait(pause):
                break
            self.wfile.write(body[place : place + 10])

    def _stream(self, act: Says, body: Mapping[str, Any], usage: Usage) -> None:
        """Send the words as server-sent events, in chunks, so that a cut can be told from the end."""
        events = list(_events(act, body, usage))
        kept = len(events) if act.cut_after is None else int(len(events) * act.cut_after)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events[:kept]:
            line = f"data: {event}\n\n".encode()
            self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            self.wfile.flush()
        if act.cut_after is None:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def _send_json(self, status: int, tree: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(tree).encode(), "application/json", headers=headers)

    def _send(
        self,
        status: int,
        body: bytes,
        content_type: str,
        *,
        headers: Mapping[str, str] | None = None,
        kept: int | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[:kept])
        if kept is not None and kept < len(body):
            self.close_connection = True


def asked_schema(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the JSON Schema that a request holds its answer to; an empty one when it has none."""
    asked = cast(Mapping[str, Any], body.get("response_format") or {})
    shape = cast(Mapping[str, Any], asked.get("json_schema") or {})
    return shape.get("schema") or {"type": "object", "properties": {}}


def _act(line: Line) -> Act:
    if isinstance(line, str):
        return Says(text=line)
    return Says(text=json.dumps(line, ensure_ascii=False)) if isinstance(line, Mapping) else line


def _usage(act: Says, body: Mapping[str, Any]) -> Usage:
    words = sum(len(str(message.get("content")).split()) for message in body.get("messages", []))
    return Usage(
        input_tokens=words if act.input_tokens is None else act.input_tokens,
        output_tokens=len(act.text.split()) if act.output_tokens is None else act.output_tokens,
    )


def _completion(body: Mapping[str, Any], choices: Sequence[Mapping[str, Any]], usage: Usage) -> dict[str, Any]:
    return {
        "id": "scripted-1",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", NAME),
        "choices": choices,
        "usage": _reported(usage),
    }


def _reported(usage: Usage) -> dict[str, int]:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.tokens,
    }


def _events(act: Says, body: Mapping[str, Any], usage: Usage) -> Iterator[str]:
    frame = {"id": "scripted-1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model", NAME)}
    for word in re.findall(r"\S+\s*|^\s+", act.text):
        delta = {"role": "assistant", "content": word}
        yield json.dumps({**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield json.dumps({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": act.finish}]})
    if cast(Mapping[str, Any], body.get("stream_options") or {}).get("include_usage"):
        yield json.dumps({**frame, "choices": [], "usage": _reported(usage)})
    yield "[DONE]"


def _error(message: str, code: str = "") -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "code": code or None}}
