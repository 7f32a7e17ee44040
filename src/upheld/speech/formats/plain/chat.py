"""Plain chats as trees: a list of messages with a speaker and a content, nothing annotated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from upheld.errors import MalformedInput
from upheld.logic.language import plain as p
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.formats import fields as f
from upheld.speech.formats.plain.speakers import Speakers
from upheld.speech.formats.transcript import Transcript

_CONTENTS = ("content", "text", "message")
_NAMES = ("speaker", "name", "author", "role")
_TIMES = ("at", "timestamp", "created_at", "time", "date")
_ROLES = {AgentKind.PERSON: "user", AgentKind.ASSISTANT: "assistant", AgentKind.TOOL: "tool"}


def read_chat(content: object, *, default_id: str = "chat") -> Transcript:
    """Read a chat from its tree: a list of messages, or a mapping with the list under ``messages``.

    A message has a ``role``, ``speaker``, ``name`` or ``author``, and a ``content``, ``text`` or ``message`` that is
    text or a list of parts; parts without text (pictures, calls) say nothing. Other keys are passed over.

    Raises:
        MalformedInput: not of that shape, or no message at all; ``key`` says where.
    """
    is_wrapped = isinstance(content, Mapping)
    key = "messages" if is_wrapped else ""
    messages = cast("Mapping[str, object]", content).get("messages") if is_wrapped else content
    if not isinstance(messages, list):
        raise MalformedInput(
            "no chat: expected a list of messages, each with a role (or speaker) and a content (or text)", key=key
        )
    if not messages:
        raise MalformedInput("the chat has no messages", key=key)
    speakers = Speakers()
    turns = tuple(
        _turn(item, f"{key}[{place}]", place + 1, speakers) for place, item in enumerate(cast("list[object]", messages))
    )
    return Transcript(id=default_id, agents=speakers.all(), turns=turns)


def plain_chat(transcript: Transcript) -> list[f.Tree]:
    """Give a transcript as a list of messages: role, name and content; operations and answers are left out."""
    agents = {agent.id: agent for agent in transcript.agents}
    return [
        {
            "role": _ROLES[agents[turn.speaker].kind],
            "name": agents[turn.speaker].name or turn.speaker,
            "content": turn.text,
        }
        | ({"at": turn.at} if turn.at else {})
        for turn in transcript.turns
    ]


def _turn(content: object, key: str, count: int, speakers: Speakers) -> Turn:
    tree = p.as_mapping(content, key)
    name, role = _speaker(tree, key)
    said = next((field for field in _CONTENTS if field in tree), None)
    if said is None:
        raise MalformedInput(f"a message needs one of {', '.join(_CONTENTS)}", key=key)
    at = next((tree[field] for field in _TIMES if isinstance(tree.get(field), str)), "")
    return Turn(
        id=TurnId(f"T{count}"),
        speaker=speakers.agent(name, role=role),
        text=_text(tree[said], f"{key}.{said}"),
        at=cast("str", at),
    )


def _speaker(tree: Mapping[str, object], key: str) -> tuple[str, str]:
    author = tree.get("author")
    if isinstance(author, Mapping):
        return _speaker(cast("Mapping[str, object]", author), f"{key}.author")
    role = p.as_text(tree["role"], f"{key}.role") if tree.get("role") is not None else ""
    for field in _NAMES:
        if tree.get(field) is not None:
            name = p.as_text(tree[field], f"{key}.{field}")
            if name.strip():
                return name, role
    raise MalformedInput(f"a message needs one of {', '.join(_NAMES)}", key=key)


def _text(content: object, key: str) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise MalformedInput(f"expected text or a list of parts, found {p.kind_of(content)}", key=key)
    parts = enumerate(cast("list[object]", content))
    return "\n".join(part for part in (_part(item, f"{key}[{place}]") for place, item in parts) if part)


def _part(content: object, key: str) -> str:
    if isinstance(content, str):
        return content
    said = p.as_mapping(content, key).get("text")
    return "" if said is None else p.as_text(said, f"{key}.text")
