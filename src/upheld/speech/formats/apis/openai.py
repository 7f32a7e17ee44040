"""OpenAI chat completions: requests, replies, pairs of both, batches, and fine-tuning files; JSON or JSON lines.

Source: OpenAI API reference, *Chat completions* and *Batch* (January 2026); *Fine-tuning: chat format* (2025).
"""

from __future__ import annotations

from collections.abc import Mapping

from upheld.speech.formats.apis.exchanges import messages_in, read_exchanges, reply_in, request_in
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.values import listed, mapping, text

_TOOL_ROLES = frozenset(("tool", "function", "developer"))

read_openai = read_exchanges
"""Read conversations; see :func:`read_exchanges`."""


def is_openai(head: Head) -> bool:
    """Tell whether a file has messages with calls or results of tools, or comes with a request's or reply's keys.

    Bare messages without those marks are a plain chat, which is read strictly.
    """
    first = head.first
    if text(reply_in(first).get("object")).startswith("chat.completion") or _is_choice(reply_in(first)):
        return True
    messages = messages_in(head)
    if not messages or any("content" not in each and "tool_calls" not in each for each in messages[:-1]):
        return False
    is_plain_chat = bool(head.tree) and not head.is_lines and first is request_in(first) and _is_bare(first)
    is_request = "messages" in request_in(first) and not is_plain_chat
    return all("role" in each for each in messages[:-1]) and (is_request or any(map(_has_tools, messages)))


def _is_bare(tree: Mapping[str, object]) -> bool:
    """Tell whether an object is no more than the wrapping of a plain chat."""
    return "model" not in tree and "tools" not in tree


def _is_choice(tree: Mapping[str, object]) -> bool:
    return any("message" in mapping(choice) for choice in listed(tree.get("choices")))


def _has_tools(message: Mapping[str, object]) -> bool:
    return (
        bool(message.get("tool_calls") or message.get("function_call"))
        or "tool_call_id" in message
        or text(message.get("role")) in _TOOL_ROLES
    )
