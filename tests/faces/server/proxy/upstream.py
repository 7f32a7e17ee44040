"""An upstream on loopback that speaks the three interfaces and says what a script tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

Tree = dict[str, Any]

PIECE = 7
"""Characters of one delta: few, so that sentences and words are cut anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is answered: texts and calls of tools (``{"name": …, "arguments": {…}}``) in order.

    ``status`` other than 200 answers ``body`` as it is. A stream that ``hangs`` sends so many events and then waits;
    one that ``breaks`` sends so many and closes the connection. ``choices`` are those of a chat with several.
    """

    parts: Sequence[str | Tree] = ()
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hangs: int | None = None
    breaks: int | None = None
    choices: Sequence[str] = ()
    is_silent: bool = False

    @property
    def text(self) -> str:
        """All text."""
        return "".join(each for each in self.parts if isinstance(each, str))

    @property
    def calls(self) -> list[Tree]:
        """All calls."""
        return [each for each in self.parts if not isinstance(each, str)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Tree:
        """The body as JSON."""
        return json.loads(self.raw)


class Upstream:
    """Answers until the ``with`` ends; ``script`` is given each request, or is a list that is used in order."""

    def __init__(self) -> None:
        """Take a free port."""
        self.script: list[Answer] | Callable[[Asked], Answer] = []
        self.asked: list[Asked] = []
        self.gone = threading.Event()
        self.ended = threading.Event()
        self._http = _Listening(("127.0.0.1", 0), _Answering)
        self._http.upstream = self

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def says(self, *answers: Answer | str) -> None:
        """Write a script anew, and forget what was asked."""
        self.script = [each if isinstance(each, Answer) else Answer(parts=[each]) for each in answers]
        self.asked = []
        self.gone.clear()

    def answer(self, asked: Asked) -> Answer:
        """Give the next answer."""
        self.asked.append(asked)
        if callable(self.script):
            return self.script(asked)
        if not self.script:
            return Answer(status=418, body=b'{"error": {"message": "the script is used up"}}')
        return self.script.pop(0)

    def __enter__(self) -> Self:
        """Begin."""
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, and let go of everybody who waits."""
        self.ended.set()
        self._http.shutdown()
        self._http.server_close()


class _Listening(ThreadingHTTPServer):
    daemon_threads = True
    upstream: Upstream

    def _unheard(self, request: object, client_address: object) -> None:
        """Say nothing: a client that has gone is a part of the script."""

    handle_error = _unheard


class _Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listening  # pyright: ignore[reportIncompatibleVariableOverride]

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing."""

    def _any(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(method=self.command, path=self.path, headers=headers, raw=raw)
        answer = self.server.upstream.answer(asked)
        if answer.is_silent:
            self._watch()
            return
        path = self.path.partition("?")[0]
        if answer.status != 200 or answer.body:
            self._send(answer.status, answer.body, answer.headers)
        elif asked.body.get("stream"):
            self._stream(_EVENTS[path](answer, asked.body), answer)
        else:
            self._send(200, json.dumps(_WHOLE[path](answer, asked.body)).encode(), answer.headers)

    do_GET = do_POST = do_DELETE = _any  # noqa: N815

    def _send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | dict(headers)).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, events: Iterator[tuple[str, str]], answer: Answer) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for count, (name, data) in enumerate(events):
            if count == answer.breaks:
                self.close_connection = True
                return
            if count == answer.hangs:
                self._watch()
                return
            line = (f"event: {name}\n" if name else "") + f"data: {data}\n\n"
            try:
                self.wfile.write(f"{len(line.encode()):x}\r\n{line}\r\n".encode())
            except OSError:
                self.server.upstream.gone.set()
                self.close_connection = True
                return
        self.wfile.write(b"0\r\n\r\n")

    def _watch(self) -> None:
        """Wait until whoever asked is gone, and note it."""
        self.connection.settimeout(0.05)
        self.close_connection = True
        while not self.server.upstream.ended.is_set():
            try:
                if not self.connection.recv(1):
                    self.server.upstream.gone.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                self.server.upstream.gone.set()
                return


def _pieces(text: str) -> list[str]:
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


# --- chat completions ------------------------------------------------------------------------------------------------

_CHAT = {"id": "chatcmpl-1", "created": 1, "model": "scripted", "system_fingerprint": "fp_1"}
_USAGE = {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}


def _tool_calls(answer: Answer) -> list[Tree]:
    return [
        {
            "id": f"call_{place}",
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
        }
        for place, call in enumerate(answer.calls)
    ]


def _chat(answer: Answer, _: Tree) -> Tree:
    choices: list[Tree] = []
    for place, text in enumerate(answer.choices or [answer.text]):
        message: Tree = {"role": "assistant", "content": text or None, "refusal": None}
        if answer.calls:
            message["tool_calls"] = _tool_calls(answer)
        finish = "tool_calls" if answer.calls else "stop"
        choices.append({"index": place, "message": message, "logprobs": None, "finish_reason": finish})
    return {**_CHAT, "object": "chat.completion", "choices": choices, "usage": _USAGE}


def _chat_events(answer: Answer, body: Tree) -> Iterator[tuple[str, str]]:
    def chunk(index: int, delta: Tree, finish: str | None = None) -> tuple[str, str]:
        choice = {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}
        return "", json.dumps({**_CHAT, "object": "chat.completion.chunk", "choices": [choice]})

    texts = list(answer.choices or [answer.text])
    for index, _ in enumerate(texts):
        yield chunk(index, {"role": "assistant", "content": "", "refusal": None})
    longest = max(len(_pieces(text)) for text in texts)
    for place in range(longest):
        for index, text in enumerate(texts):
            if place < len(_pieces(text)):
                yield chunk(index, {"content": _pieces(text)[place]})
    for place, call in enumerate(_tool_calls(answer)):
        arguments = call["function"]["arguments"]
        begun = {**call, "index": place, "function": {"name": call["function"]["name"], "arguments": ""}}
        yield chunk(0, {"tool_calls": [begun]})
        for piece in _pieces(arguments):
            yield chunk(0, {"tool_calls": [{"index": place, "function": {"arguments": piece}}]})
    for index, _ in enumerate(texts):
        yield chunk(index, {}, "tool_calls" if answer.calls else "stop")
    if "include_usage" in str(body.get("stream_options")):
        yield "", json.dumps({**_CHAT, "object": "chat.completion.chunk", "choices": [], "usage": _USAGE})
    yield "", "[DONE]"


# --- messages --------------------------------------------------------------------------------------------------------

_MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "stop_sequence": None}


def _blocks(answer: Answer) -> list[Tree]:
    blocks: list[Tree] = []
    for place, part in enumerate(answer.parts):
        if isinstance(part, str):
            blocks.append({"type": "text", "text": part})
        else:
            blocks.append(
                {"type": "tool_use", "id": f"toolu_{place}", "name": part["name"], "input": part["arguments"]}
            )
    return blocks


def _stop_reason(answer: Answer) -> str:
    return "tool_use" if answer.calls else "end_turn"


def _message(answer: Answer, _: Tree) -> Tree:
    usage = {"input_tokens": 3, "output_tokens": 5}
    return {**_MESSAGE, "content": _blocks(answer), "stop_reason": _stop_reason(answer), "usage": usage}


def _message_events(answer: Answer, _: Tree) -> Iterator[tuple[str, str]]:
    def event(kind: str, **fields: object) -> tuple[str, str]:
        return kind, json.dumps({"type": kind, **fields})

    usage = {"input_tokens": 3, "output_tokens": 1}
    yield event("message_start", message={**_MESSAGE, "content": [], "stop_reason": None, "usage": usage})
    yield event("ping")
    for index, block in enumerate(_blocks(answer)):
        if block["type"] == "text":
            yield event("content_block_start", index=index, content_block={"type": "text", "text": ""})
            for piece in _pieces(block["text"]):
                yield event("content_block_delta", index=index, delta={"type": "text_delta", "text": piece})
                yield event("ping")
        else:
            yield event("content_block_start", index=index, content_block={**block, "input": {}})
            for piece in _pieces(json.dumps(block["input"])):
                delta = {"type": "input_json_delta", "partial_json": piece}
                yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    ended = {"stop_reason": _stop_reason(answer), "stop_sequence": None}
    yield event("message_delta", delta=ended, usage={"output_tokens": 5})
    yield event("message_stop")


# --- responses -------------------------------------------------------------------------------------------------------


def _items(answer: Answer) -> list[Tree]:
    items: list[Tree] = []
    for place, part in enumerate(answer.parts):
        if isinstance(part, str):
            content: list[Tree] = [{"type": "output_text", "text": part, "annotations": [], "logprobs": []}]
            items.append(
                {
                    "id": f"msg_{place}",
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": content,
                }
            )
        else:
            called = {"name": part["name"], "arguments": json.dumps(part["arguments"]), "call_id": f"call_{place}"}
            items.append({"id": f"fc_{place}", "type": "function_call", "status": "completed", **called})
    return items


_COUNT = iter(range(1, 1_000_000))


def _response(answer: Answer, _: Tree) -> Tree:
    usage = {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 8,
    }
    return {
        "id": f"resp_{next(_COUNT)}",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "scripted",
        "output": _items(answer),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "usage": usage,
    }


def _response_events(answer: Answer, body: Tree) -> Iterator[tuple[str, str]]:
    count = iter(range(100_000))

    def event(kind: str, **fields: object) -> tuple[str, str]:
        return kind, json.dumps({"type": kind, "sequence_number": next(count), **fields})

    whole = _response(answer, body)
    begun: Tree = {**whole, "status": "in_progress", "output": [], "usage": None}
    yield event("response.created", response=begun)
    yield event("response.in_progress", response=begun)
    for index, item in enumerate(whole["output"]):
        if item["type"] == "message":
            part = item["content"][0]
            where = {"item_id": item["id"], "output_index": index, "content_index": 0}
            started: Tree = {**item, "status": "in_progress", "content": []}
            yield event("response.output_item.added", output_index=index, item=started)
            yield event("response.content_part.added", **where, part={**part, "text": ""})
            for piece in _pieces(part["text"]):
                yield event("response.output_text.delta", **where, delta=piece, logprobs=[])
            yield event("response.output_text.done", **where, text=part["text"], logprobs=[])
            yield event("response.content_part.done", **where, part=part)
        else:
            where = {"item_id": item["id"], "output_index": index}
            started = {**item, "status": "in_progress", "arguments": ""}
            yield event("response.output_item.added", output_index=index, item=started)
            for piece in _pieces(item["arguments"]):
                yield event("response.function_call_arguments.delta", **where, delta=piece)
            done = {"name": item["name"], "arguments": item["arguments"]}
            yield event("response.function_call_arguments.done", **where, **done)
        yield event("response.output_item.done", output_index=index, item=item)
    yield event("response.completed", response=whole)


_WHOLE: Mapping[str, Callable[[Answer, Tree], Tree]] = {
    "/v1/chat/completions": _chat,
    "/v1/messages": _message,
    "/v1/responses": _response,
}
_EVENTS: Mapping[str, Callable[[Answer, Tree], Iterator[tuple[str, str]]]] = {
    "/v1/chat/completions": _chat_events,
    "/v1/messages": _message_events,
    "/v1/responses": _response_events,
}


def events_in(content: bytes) -> list[tuple[str, Any]]:
    """Read a stream: the name and the data of each event."""
    found: list[tuple[str, Any]] = []
    for block in content.decode().split("\n\n"):
        if block.strip():
            lines = dict(cast("tuple[str, str]", line.split(": ", 1)) for line in block.split("\n"))
            data = lines["data"]
            found.append((lines.get("event", ""), data if data == "[DONE]" else json.loads(data)))
    return found
