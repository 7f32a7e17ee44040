"""One call of a tool, from what a host sent to what it is told; nothing that goes wrong is told as a trace."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import cache
from typing import Any

from mcp_types import CallToolResult, TextContent, ToolAnnotations
from mcp_types import Tool as Listed
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from upheld.errors import MalformedInput, UpheldError
from upheld.faces.mcp.tools.asking import ASKING
from upheld.faces.mcp.tools.telling import TELLING
from upheld.faces.mcp.tools.tool import Tool
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.errors import logged_tree_of

TOOLS: Mapping[str, type[Tool]] = {each.called(): each for each in (*TELLING, *ASKING)}
"""Every tool by its name."""

PROBLEM = "upheld/problem"
"""Where a refusal has its problem details (RFC 9457), for programs: a key of ``_meta``."""

_LOG = logging.getLogger("upheld.server.mcp")


@cache
def listing(name: str, *, conversation: str = "") -> Listed:
    """Describe one tool; ``conversation`` is what a call means that names none. Made once: schemas are slow to make."""
    tool = TOOLS[name]
    return Listed(
        name=name,
        title=tool.heading,
        description=tool.told(),
        input_schema=tool.taken(conversation=conversation),
        output_schema=tool.given(),
        annotations=ToolAnnotations(
            read_only_hint=tool.needs is Role.READER,
            destructive_hint=tool.takes_back,
            idempotent_hint=tool.needs is Role.READER,
            open_world_hint=False,
        ),
    )


def listed(role: Role, *, conversation: str = "") -> list[Listed]:
    """List the tools that a role may call."""
    return [listing(name, conversation=conversation) for name, tool in TOOLS.items() if role.includes(tool.needs)]


def schema_of(name: str) -> Mapping[str, Any] | None:
    """Give the schema of a tool's arguments, if there is such a tool."""
    return listing(name).input_schema if name in TOOLS else None


def called(visit: Visit, name: str, arguments: Mapping[str, Any], *, conversation: str = "") -> CallToolResult:
    """Call a tool. A refusal is an answer as well: it says what to do instead, so that a language model can."""
    try:
        tool = _permitted(visit, name)
        return _answered(tool.read(arguments, conversation=conversation).answer(visit))
    except UpheldError as error:
        tree = logged_tree_of(error)
        return _refused(f"{tree['title']}: {tree['detail']}", tree)
    except HTTPException as error:
        return _refused(error.detail)
    except Exception:  # noqa: BLE001 - at the edge: a host must be answered, and not with words of the inside
        return _refused(fault(name))


def _permitted(visit: Visit, name: str) -> type[Tool]:
    tool = TOOLS.get(name)
    if tool is None:
        raise MalformedInput(f"there is no tool {name!r}; there are {', '.join(TOOLS)}")
    visit.require(tool.needs)
    return tool


def fault(what: str) -> str:
    """Log the fault that is being dealt with, with its trace, and give what is told of it."""
    _LOG.exception("%s failed", what)
    return "a fault of the service itself; nothing was decided"


def carried(tree: Any) -> tuple[Any, str]:
    """Give a tree with its JSON text; half a character (a lone surrogate), which no message can carry, is replaced."""
    text = json.dumps(tree, ensure_ascii=False)
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return (tree if whole == text else json.loads(whole)), whole


def _answered(answer: BaseModel) -> CallToolResult:
    tree, text = carried(answer.model_dump(mode="json"))
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=tree)


def _refused(message: str, tree: Mapping[str, Any] | None = None) -> CallToolResult:
    told, problem = carried([message, tree])[0]
    meta = {PROBLEM: problem} if problem is not None else None
    return CallToolResult(content=[TextContent(type="text", text=told)], is_error=True, _meta=meta)
