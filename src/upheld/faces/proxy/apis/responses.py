"""OpenAI Responses.

Source: OpenAI API reference, *Responses* and *Conversation state* (January 2026).
"""

from __future__ import annotations

from collections.abc import Sequence

from upheld.faces.proxy.apis.chat import openai_error
from upheld.faces.proxy.apis.dialect import Refusal
from upheld.faces.proxy.apis.responses_stream import ResponseReader
from upheld.faces.proxy.events import Tree
from upheld.speech.formats.exports.values import is_list, listed, mapping, text

INCOMPLETE: Tree = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
"""How a response says that not all of it may leave."""


class Responses:
    """The dialect of ``/v1/responses``."""

    vendor = "openai"

    def with_standing(self, body: Tree, text: str) -> Tree:
        """Add to the instructions, which hold for this request alone."""
        told = body.get("instructions")
        return {**body, "instructions": f"{told}\n\n{text}" if isinstance(told, str) and told else text}

    def with_reason(self, body: Tree, text: str) -> Tree:
        """Add a message of the user."""
        told = body.get("input")
        items = told if is_list(told) else [{"role": "user", "content": told}] if told else []
        return {**body, "input": [*items, {"role": "user", "content": text}]}

    def candidates(self, tree: Tree) -> Sequence[Tree]:
        """There is one answer; what is none has no output."""
        return [tree] if is_list(tree.get("output")) else []

    def marked(self, tree: Tree, mark: Tree) -> Tree:
        """Put it beside the output."""
        return {**tree, "upheld": mark}

    def refused(self, tree: Tree, refusals: Sequence[Refusal | None]) -> Tree:
        """Put a message that refuses in the place of all output."""
        refusal = next((each for each in refusals if each is not None), None)
        if refusal is None:
            return tree
        ids = [
            text(item.get("id")) for item in map(mapping, listed(tree.get("output"))) if item.get("type") == "message"
        ]
        message = {
            "id": next(iter(ids), "msg_upheld"),
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "refusal", "refusal": refusal.notice}],
        }
        return {**tree, **INCOMPLETE, "output": [message]}

    def error(self, status: int, message: str) -> Tree:
        """Give an error of this interface."""
        return openai_error(status, message)

    def reader(self, body: Tree) -> ResponseReader:
        """Read a stream of this interface."""
        return ResponseReader()
