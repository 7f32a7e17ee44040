"""Anthropic messages: requests, replies, pairs of both and batches; JSON or JSON lines.

Blocks that are read: text, tool_use, tool_result, the server tools and MCP with their results; thinking and
redacted_thinking are left out, documents and pictures counted. Source: Anthropic API reference, *Messages* and
*Message batches* (version 2023-06-01, as of January 2026).
"""

from __future__ import annotations

from upheld.speech.formats.apis.exchanges import messages_in, read_exchanges, reply_in, request_in
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.values import is_list, listed, mapping, text

_BLOCKS = frozenset(
    ("tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use", "mcp_tool_result",
     "web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result")
)  # fmt: skip

read_anthropic = read_exchanges
"""Read conversations; see :func:`read_exchanges`."""


def is_anthropic(head: Head) -> bool:
    """Tell whether a file has a message object, a request with ``system`` beside its messages, or blocks of its own."""
    first = head.first
    reply, request = reply_in(first), request_in(first)
    if text(reply.get("type")) == "message" and is_list(reply.get("content")) and "call_id" not in reply:
        return "stop_reason" in reply or "usage" in reply
    if "system" in request and is_list(request.get("messages")):
        return True
    return any(
        text(mapping(block).get("type")) in _BLOCKS
        for message in messages_in(head)
        if "role" in message
        for block in listed(message.get("content"))
    )
