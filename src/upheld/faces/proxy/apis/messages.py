"""Anthropic messages.

Source: Anthropic API reference, *Messages*, *Errors* and *Handling stop reasons* (version 2023-06-01, January 2026).
"""

from __future__ import annotations

from collections.abc import Sequence

from upheld.faces.proxy.apis.dialect import Refusal
from upheld.faces.proxy.apis.messages_stream import MessageReader, refusal_details
from upheld.faces.proxy.events import Tree
from upheld.speech.formats.exports.values import is_list, listed

_KINDS = {400: "invalid_request_error", 403: "permission_error", 504: "timeout_error"}


class Messages:
    """The dialect of ``/v1/messages``."""

    vendor = "anthropic"

    def with_standing(self, body: Tree, text: str) -> Tree:
        """Add a block to the system prompt."""
        told = body.get("system")
        if not told:
            return {**body, "system": text}
        blocks = told if is_list(told) else [{"type": "text", "text": told}]
        return {**body, "system": [*blocks, {"type": "text", "text": text}]}

    def with_reason(self, body: Tree, text: str) -> Tree:
        """Add a message of the user; two in a row are read as one."""
        return {**body, "messages": [*listed(body.get("messages")), {"role": "user", "content": text}]}

    def candidates(self, tree: Tree) -> Sequence[Tree]:
        """There is one answer; what is none has no content."""
        return [tree] if is_list(tree.get("content")) else []

    def marked(self, tree: Tree, mark: Tree) -> Tree:
        """Put it beside the content."""
        return {**tree, "upheld": mark}

    def refused(self, tree: Tree, refusals: Sequence[Refusal | None]) -> Tree:
        """Put the notice in the place of all blocks."""
        refusal = next((each for each in refusals if each is not None), None)
        if refusal is None:
            return tree
        content = [{"type": "text", "text": refusal.notice}]
        return {**tree, "content": content, **refusal_details(refusal)}

    def error(self, status: int, message: str) -> Tree:
        """Give an error of this interface."""
        return anthropic_error(status, message)

    def reader(self, body: Tree) -> MessageReader:
        """Read a stream of this interface."""
        return MessageReader()


def anthropic_error(status: int, message: str) -> Tree:
    """Give an error as this interface words its own."""
    return {"type": "error", "error": {"type": _KINDS.get(status, "api_error"), "message": message}}
