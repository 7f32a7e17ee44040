"""The server of the protocol: which request is answered by what. It knows no transport."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from upheld.errors import UpheldError
from upheld.faces.mcp.calling import called, fault, listed, schema_of
from upheld.faces.mcp.listening import listening
from upheld.faces.mcp.prompts import prompted, prompts
from upheld.faces.mcp.resources import TEMPLATES, contents, resources
from upheld.faces.mcp.wording import wording
from upheld.faces.server.access import Visit
from upheld.faces.server.description import installed_version
from upheld.faces.server.errors import logged_tree_of

Answer = TypeVar("Answer")
Context = ServerRequestContext[Any, Any]

Visiting = Callable[[Any], Visit]
"""Tells who asks, from the HTTP request that the transport attached to a message; ``None`` where it is no HTTP."""

_INSIDE = 500
"""The status from which on a fault is ours and not the caller's."""


def protocol_server(visiting: Visiting, *, conversation: str = "") -> Server[Any]:
    """Make a server; ``conversation`` is the one that is meant where a call names none."""
    answers = _Answers(visiting, conversation)
    return Server(
        "upheld",
        title="upheld",
        version=installed_version(),
        description="What a conversation rests on, and whether the next reply still stands on it.",
        instructions=wording("instructions"),
        get_tool_input_schema=schema_of,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
        on_subscriptions_listen=partial(listening, visiting),
    )


class _Answers:
    """One method a request. The engine is synchronous, so each runs on a thread, as endpoints do."""

    def __init__(self, visiting: Visiting, conversation: str) -> None:
        self._visiting = visiting
        self._conversation = conversation

    async def list_tools(self, context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
        role = self._visiting(context.request).caller.role
        return ListToolsResult(tools=listed(role, conversation=self._conversation))

    async def call_tool(self, context: Context, asked: CallToolRequestParams) -> CallToolResult:
        visit = self._visiting(context.request)
        call = partial(called, visit, asked.name, asked.arguments or {}, conversation=self._conversation)
        return await to_thread.run_sync(call)

    async def list_resources(self, context: Context, asked: PaginatedRequestParams | None) -> ListResourcesResult:
        cursor = (asked.cursor if asked is not None else None) or ""
        return await _answered(partial(resources, self._visiting(context.request), cursor))

    async def list_templates(self, _: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=list(TEMPLATES))

    async def read_resource(self, context: Context, asked: ReadResourceRequestParams) -> ReadResourceResult:
        found = await _answered(partial(contents, self._visiting(context.request), asked.uri))
        return ReadResourceResult(contents=[*found])

    async def list_prompts(self, _: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        return ListPromptsResult(prompts=list(prompts(conversation=self._conversation)))

    async def get_prompt(self, context: Context, asked: GetPromptRequestParams) -> GetPromptResult:
        visit, given = self._visiting(context.request), asked.arguments or {}
        return await _answered(partial(prompted, visit, asked.name, given, conversation=self._conversation))


async def _answered(act: Callable[[], Answer]) -> Answer:
    try:
        return await to_thread.run_sync(act)
    except UpheldError as error:
        tree = logged_tree_of(error)
        code = INTERNAL_ERROR if tree["status"] >= _INSIDE else INVALID_PARAMS
        raise MCPError(code=code, message=tree["detail"], data=tree) from None
    except Exception:  # noqa: BLE001 - at the edge: a host must be answered, and not with words of the inside
        raise MCPError(code=INTERNAL_ERROR, message=fault("a resource or a prompt")) from None
