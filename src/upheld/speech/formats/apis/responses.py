"""OpenAI Responses: requests (``input``), replies (``output``), lists of their items; JSON or JSON lines.

Items that are read: message, function_call and its output, custom and MCP calls, file and web search with what they
found, code interpreter; reasoning is left out. Source: OpenAI API reference, *Responses* (January 2026).
"""

from __future__ import annotations

from upheld.speech.formats.apis.exchanges import messages_in, read_exchanges, reply_in, request_in
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.values import listed, mapping, text

_ITEMS = frozenset(
    ("function_call", "function_call_output", "reasoning", "web_search_call", "file_search_call", "mcp_call",
     "code_interpreter_call", "custom_tool_call", "custom_tool_call_output")
)  # fmt: skip
_PARTS = frozenset(("input_text", "output_text", "input_image", "input_file"))

read_responses = read_exchanges
"""Read conversations; see :func:`read_exchanges`."""


def is_responses(head: Head) -> bool:
    """Tell whether a file has a response object, a request with ``input``, or items of either."""
    first = head.first
    reply, request = reply_in(first), request_in(first)
    if text(reply.get("object")) == "response":
        return True
    if "input" in request and ("model" in request or "instructions" in request) and "messages" not in request:
        return "run_type" not in first and "type" not in first
    items = [*messages_in(head), *map(mapping, listed(reply.get("output")))]
    return any(_is_item(text(item.get("type")), item.get("content")) for item in items)


def _is_item(kind: str, content: object) -> bool:
    if kind in _ITEMS:
        return True
    return kind == "message" and any(text(mapping(part).get("type")) in _PARTS for part in listed(content))
