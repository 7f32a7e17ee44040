"""Prompts: two things that a person at a host may ask for by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mcp_types import EmbeddedResource, GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from upheld.errors import MalformedInput
from upheld.faces.mcp.resources import page_of
from upheld.faces.mcp.wording import wording
from upheld.faces.server.access import Visit

_DRAFT = "The answer that was drafted, as a quotation:"


def prompts(*, conversation: str = "") -> Sequence[Prompt]:
    """List the prompts; ``conversation`` is the one that is meant where none is named."""
    where = PromptArgument(name="conversation", description="Name of the conversation.", required=not conversation)
    draft = PromptArgument(name="draft", description="An answer that is there already.", required=False)
    return (
        Prompt(
            name="check_before_answering",
            title="Check before you answer",
            description="Answer from what stands, and verify the answer before it is given.",
            arguments=[where, draft],
        ),
        Prompt(
            name="catch_up",
            title="Catch up with a conversation",
            description="What was decided, what stands, what is open, and what fell.",
            arguments=[where],
        ),
    )


def prompted(visit: Visit, name: str, arguments: Mapping[str, str], *, conversation: str = "") -> GetPromptResult:
    """Give a prompt, with the page of the conversation as it stands now.

    Raises:
        MalformedInput: there is no such prompt, or an argument is missing or unknown.
        UnknownConversation: there is no conversation of that name.
    """
    found = next((each for each in prompts(conversation=conversation) if each.name == name), None)
    if found is None:
        raise MalformedInput(f"there is no prompt {name!r}; there are {', '.join(each.name for each in prompts())}")
    known = {each.name for each in found.arguments or ()}
    for each in arguments:
        if each not in known:
            raise MalformedInput(f"unknown argument; one of {', '.join(sorted(known))}", key=each)
    where = arguments.get("conversation") or conversation
    if not where:
        raise MalformedInput("missing: the name of a conversation", key="conversation")
    draft = arguments.get("draft", "")
    visit.check_text(draft, "draft")
    page = page_of(visit, where)
    told = {"conversation": where, "draft": f"{_DRAFT}\n\n{draft}" if draft else ""}
    # In one go: what a draft says in braces is no place of ours.
    text = re.sub(r"\{(\w+)\}", lambda place: told[place[1]], wording(name))
    return GetPromptResult(
        description=found.description,
        messages=[
            PromptMessage(role="user", content=TextContent(type="text", text=text.rstrip())),
            PromptMessage(role="user", content=EmbeddedResource(type="resource", resource=page)),
        ],
    )
