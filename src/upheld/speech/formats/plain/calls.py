"""A tool call as the text of a turn, and read back: one JSON object with ``name`` and ``arguments``.

The plainest form that a turn can hold, and the one that a guard is shown before a call is made: whoever reads the
turn sees what was called with what, and the matcher of tool calls reads its values as claims.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

_START = '{"name": '


def tool_call_text(name: str, arguments: Mapping[str, object]) -> str:
    """Give a tool call as the JSON text that spans of its claims refer to."""
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False, default=str)


def tool_call_of(text: str) -> tuple[str, Mapping[str, object]] | None:
    """Read what :func:`tool_call_text` wrote; ``None`` for any other text, also for other JSON."""
    if not text.startswith(_START):
        return None
    try:
        tree: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(tree, dict) or list(cast("dict[str, object]", tree)) != ["name", "arguments"]:
        return None
    name, arguments = cast("dict[str, object]", tree).values()
    if not isinstance(name, str) or not name.strip() or not isinstance(arguments, dict):
        return None
    call = name, cast("dict[str, object]", arguments)
    return call if tool_call_text(*call) == text else None
