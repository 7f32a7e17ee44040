"""The vendors' own clients, asked the same thing in three interfaces, whole and as streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import anthropic
import openai

Tree = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Reply:
    """What a client made of an answer; ``pieces`` are the texts in the order in which they came."""

    text: str = ""
    calls: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ended: str = ""
    upheld: Tree = field(default_factory=dict[str, Any])
    usage: Any = None
    pieces: list[str] = field(default_factory=list[str])


Ask = Callable[[str, list[Tree], Mapping[str, str], bool], Reply]
"""Asks: the address of the service, the messages, further headers, and whether with a tool."""

_PARAMETERS = {"type": "object", "properties": {"to": {"type": "string"}, "express": {"type": "boolean"}}}
_CHAT_TOOLS = [{"type": "function", "function": {"name": "ship", "parameters": _PARAMETERS}}]
_TOOLS = [{"type": "function", "name": "ship", "parameters": _PARAMETERS, "strict": False}]
_BLOCK_TOOLS = [{"name": "ship", "input_schema": _PARAMETERS}]


def _openai(url: str, *, awaits: bool = False) -> Any:
    made: Any = openai.AsyncOpenAI if awaits else openai.OpenAI
    return made(api_key="sk-vendor", base_url=f"{url}/proxy/v1", max_retries=0)


def _anthropic(url: str, *, awaits: bool = False) -> Any:
    made: Any = anthropic.AsyncAnthropic if awaits else anthropic.Anthropic
    return made(api_key="sk-vendor", base_url=f"{url}/proxy", max_retries=0)


def _chat_given(messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Tree:
    tools: Tree = {"tools": _CHAT_TOOLS} if has_tool else {}
    return {"model": "scripted", "messages": messages, "extra_headers": headers, **tools}


def _responses_given(messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Tree:
    tools: Tree = {"tools": _TOOLS} if has_tool else {}
    return {"model": "scripted", "input": messages, "extra_headers": headers, **tools}


def _messages_given(messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Tree:
    tools: Tree = {"tools": _BLOCK_TOOLS} if has_tool else {}
    return {"model": "scripted", "max_tokens": 99, "messages": messages, "extra_headers": headers, **tools}


def _of_chat(answer: Any) -> Reply:
    choice = answer.choices[0]
    called: list[Any] = choice.message.tool_calls or []
    calls = [(each.function.name, each.function.arguments) for each in called]
    upheld = getattr(answer, "upheld", {})
    return Reply(
        text=choice.message.content or "", calls=calls, ended=choice.finish_reason, upheld=upheld, usage=answer.usage
    )


def _of_response(answer: Any) -> Reply:
    refusals = [
        part.refusal
        for item in answer.output
        if item.type == "message"
        for part in item.content
        if part.type == "refusal"
    ]
    calls = [(each.name, each.arguments) for each in answer.output if each.type == "function_call"]
    text = answer.output_text or "".join(refusals)
    return Reply(text=text, calls=calls, ended=answer.status, upheld=getattr(answer, "upheld", {}), usage=answer.usage)


def _of_message(answer: Any) -> Reply:
    text = "".join(each.text for each in answer.content if each.type == "text")
    calls = [(each.name, str(each.input)) for each in answer.content if each.type == "tool_use"]
    upheld = getattr(answer, "upheld", {})
    return Reply(text=text, calls=calls, ended=answer.stop_reason, upheld=upheld, usage=answer.usage)


def chat(url: str, messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Reply:
    """Chat completions."""
    with _openai(url) as client:
        return _of_chat(client.chat.completions.create(**_chat_given(messages, headers, has_tool)))


def responses(url: str, messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Reply:
    """Responses."""
    with _openai(url) as client:
        return _of_response(client.responses.create(**_responses_given(messages, headers, has_tool)))


def messages(url: str, messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Reply:
    """Messages."""
    with _anthropic(url) as client:
        return _of_message(client.messages.create(**_messages_given(messages, headers, has_tool)))


def chat_stream(url: str, messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Reply:
    """Chat completions as a stream, with its costs at the end."""
    reply = Reply()
    called: dict[int, list[str]] = {}
    given = _chat_given(messages, headers, has_tool)
    with (
        _openai(url) as client,
        client.chat.completions.create(stream=True, stream_options={"include_usage": True}, **given) as stream,
    ):
        for chunk in stream:
            reply.usage = chunk.usage or reply.usage
            reply.upheld = getattr(chunk, "upheld", reply.upheld)
            for choice in chunk.choices:
                reply.pieces += [choice.delta.content] if choice.delta.content else []
                reply.ended = choice.finish_reason or reply.ended
                calls: list[Any] = choice.delta.tool_calls or []
                for call in calls:
                    entry = called.setdefault(call.index, ["", ""])
                    entry[0] += call.function.name or ""
                    entry[1] += call.function.arguments or ""
    reply.calls = [(name, arguments) for name, arguments in called.values()]
    reply.text = "".join(reply.pieces)
    return reply


def responses_stream(url: str, messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Reply:
    """Responses as a stream; its events are numbered without a gap."""
    reply = Reply()
    numbers: list[int] = []
    given = _responses_given(messages, headers, has_tool)
    with _openai(url) as client, client.responses.create(stream=True, **given) as stream:
        for event in stream:
            numbers.append(event.sequence_number)
            if event.type == "error":
                raise RuntimeError(event.message)
            if event.type == "response.output_text.delta":
                reply.pieces.append(event.delta)
            if event.type in {"response.completed", "response.incomplete"}:
                whole = _of_response(event.response)
                reply.text, reply.calls, reply.ended = whole.text, whole.calls, whole.ended
                reply.upheld, reply.usage = whole.upheld, whole.usage
    assert numbers == list(range(len(numbers)))
    assert reply.text.replace("\n", "") == "".join(reply.pieces).replace("\n", "")
    return reply


def messages_stream(url: str, messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Reply:
    """Messages as a stream, put together by the vendor's own helper."""
    with _anthropic(url) as client:
        upheld: Tree = {}
        pieces: list[str] = []
        with client.messages.stream(**_messages_given(messages, headers, has_tool)) as stream:
            for event in stream:
                upheld = getattr(event, "upheld", upheld)
                if event.type == "text":
                    pieces.append(event.text)
            reply = _of_message(stream.get_final_message())
    reply.upheld, reply.pieces = upheld, pieces
    return reply


def chat_async(url: str, messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Reply:
    """Chat completions as a stream, by the client that awaits and its own helper."""

    async def asked() -> Reply:
        async with _openai(url, awaits=True) as client:
            pieces: list[str] = []
            upheld: Tree = {}
            given = {"stream_options": {"include_usage": True}, **_chat_given(messages, headers, has_tool)}
            async with client.chat.completions.stream(**given) as stream:
                async for event in stream:
                    if event.type == "content.delta":
                        pieces.append(event.delta)
                    if event.type == "chunk":
                        upheld = getattr(event.chunk, "upheld", upheld)
                completion = stream.current_completion_snapshot
            reply = _of_chat(completion)
            reply.pieces, reply.upheld = pieces, upheld
            return reply

    return asyncio.run(asked())


def messages_async(url: str, messages: list[Tree], headers: Mapping[str, str], has_tool: bool) -> Reply:
    """Messages, by the client that awaits."""

    async def asked() -> Reply:
        async with _anthropic(url, awaits=True) as client:
            return _of_message(await client.messages.create(**_messages_given(messages, headers, has_tool)))

    return asyncio.run(asked())


WHOLE: Mapping[str, Ask] = {"chat": chat, "responses": responses, "messages": messages, "async": messages_async}
STREAMED: Mapping[str, Ask] = {
    "chat": chat_stream,
    "responses": responses_stream,
    "messages": messages_stream,
    "async": chat_async,
}
VOICES: Mapping[str, Ask] = {
    **{f"{name} whole": ask for name, ask in WHOLE.items()},
    **{f"{name} streamed": ask for name, ask in STREAMED.items()},
}
REFUSED = {"content_filter", "incomplete", "refusal"}
"""How each interface says that an answer was refused."""
