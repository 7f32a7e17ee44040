"""Requests and replies as JSON trees, and back."""

from __future__ import annotations

from typing import Any

from upheld.speech.models.plain.reading import Reading
from upheld.speech.models.reply import Finish, Level, Reply, Usage
from upheld.speech.models.request import Message, Request, Role, Shape


def plain_reply(reply: Reply) -> dict[str, Any]:
    """Give a reply as a tree."""
    tree: dict[str, Any] = {
        "text": reply.text,
        "answered_by": reply.answered_by,
        "finish": reply.finish.value,
        "usage": plain_usage(reply.usage),
    }
    return tree if reply.level is None else {**tree, "level": reply.level.value}


def read_reply(tree: object, *, source: str = "", line: int = 0) -> Reply:
    """Give the reply that a tree stands for.

    Raises:
        MalformedInput: it stands for none; ``key`` names what is wrong.
    """
    reading = Reading(tree, source=source, line=line)
    level = reading.text("level", "")
    return Reply(
        text=reading.text("text"),
        answered_by=reading.text("answered_by", ""),
        finish=reading.one_of(Finish, "finish", Finish.STOP),
        usage=reading.usage("usage"),
        level=reading.one_of(Level, "level", Level.TEXT) if level else None,
    )


def plain_usage(usage: Usage) -> dict[str, int]:
    """Give a usage as a tree; what was reused is not written, since that is of one run."""
    return {"calls": usage.calls, "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}


def plain_request(request: Request) -> dict[str, Any]:
    """Give a request as a tree."""
    tree: dict[str, Any] = {
        "prompt": request.prompt,
        "messages": [{"role": message.role.value, "text": message.text} for message in request.messages],
        "temperature": request.temperature,
        "limit": request.limit,
        "sample": request.sample,
    }
    if request.shape is not None:
        tree["shape"] = {"name": request.shape.name, "schema": request.shape.schema}
    return tree


def read_request(tree: object, *, source: str = "", line: int = 0) -> Request:
    """Give the request that a tree stands for.

    Raises:
        MalformedInput: it stands for none; ``key`` names what is wrong.
    """
    reading = Reading(tree, source=source, line=line)
    messages = [Reading(each, source=source, line=line) for each in reading.items("messages")]
    shape = Reading(reading.tree["shape"], source=source, line=line) if reading.tree.get("shape") else None
    return Request(
        prompt=reading.text("prompt"),
        messages=tuple(
            Message(role=message.one_of(Role, "role", None), text=message.text("text")) for message in messages
        ),
        shape=None if shape is None else Shape(name=shape.text("name"), schema=shape.mapping("schema")),
        temperature=reading.number("temperature", 0.0),
        limit=int(reading.number("limit", 4_096)),
        sample=int(reading.number("sample", 0)),
    )
