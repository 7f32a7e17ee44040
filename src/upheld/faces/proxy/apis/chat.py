"""OpenAI chat completions.

Source: OpenAI API reference, *Chat completions* and *Streaming* (January 2026).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from upheld.faces.proxy.apis.chat_stream import ChatReader
from upheld.faces.proxy.apis.dialect import Refusal
from upheld.faces.proxy.events import Tree
from upheld.speech.formats.exports.values import listed, mapping

_INSTRUCTING = ("system", "developer")


class ChatCompletions:
    """The dialect of ``/v1/chat/completions``; of several choices each is judged."""

    vendor = "openai"

    def with_standing(self, body: Tree, text: str) -> Tree:
        """Add a message of instructions after those that the request begins with, in their role."""
        messages = listed(body.get("messages"))
        roles = [mapping(each).get("role") for each in messages]
        count = next((place for place, role in enumerate(roles) if role not in _INSTRUCTING), len(roles))
        role = roles[count - 1] if count else "system"
        return {**body, "messages": [*messages[:count], {"role": role, "content": text}, *messages[count:]]}

    def with_reason(self, body: Tree, text: str) -> Tree:
        """Add a message of the user."""
        return {**body, "messages": [*listed(body.get("messages")), {"role": "user", "content": text}]}

    def candidates(self, tree: Tree) -> Sequence[Tree]:
        """Give the choices one by one."""
        return [{**tree, "choices": [choice]} for choice in listed(tree.get("choices"))]

    def marked(self, tree: Tree, mark: Tree) -> Tree:
        """Put it beside the choices."""
        return {**tree, "upheld": mark}

    def refused(self, tree: Tree, refusals: Sequence[Refusal | None]) -> Tree:
        """Put the notice in the place of a message, and leave out its calls."""
        choices = [
            choice if refusal is None else _refused(dict(mapping(choice)), refusal)
            for choice, refusal in zip(listed(tree.get("choices")), refusals, strict=True)
        ]
        return {**tree, "choices": choices}

    def error(self, status: int, message: str) -> Tree:
        """Give an error of this interface."""
        return openai_error(status, message)

    def reader(self, body: Tree) -> ChatReader:
        """Read a stream of chunks."""
        count: Any = body.get("n")
        return ChatReader(lanes=count if isinstance(count, int) and count > 1 else 1)


def openai_error(status: int, message: str) -> Tree:
    """Give an error as both interfaces of OpenAI word it."""
    kind = "invalid_request_error" if status < 500 else "upstream_error"
    code = {502: "upstream_unreachable", 504: "upstream_timeout"}.get(status)
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _refused(choice: Tree, refusal: Refusal) -> Tree:
    message = cast("Tree", {"role": "assistant", "content": refusal.notice, "refusal": None})
    return {**choice, "message": message, "finish_reason": "content_filter", "logprobs": None}
