"""Resources: what is on record, for a host to show or to put before its language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from mcp_types import ListResourcesResult, Resource, ResourceTemplate, TextResourceContents
from pydantic import BaseModel

from upheld.conversation.answering.context import rendered
from upheld.errors import MalformedInput, UnknownReference
from upheld.faces.mcp.calling import carried
from upheld.faces.server.access import Visit
from upheld.faces.server.routes import asking, conversations, turns
from upheld.logic.language.turns import Turn

ROOT = "upheld://conversations"
"""The list; whatever else there is stands below it."""

PAGE = 100
"""Conversations, or turns, that are listed at once."""

DIGITS = 15
"""Of the number of an entry."""

JSON, TEXT = "application/json", "text/plain"

TEMPLATES: Sequence[ResourceTemplate] = (
    ResourceTemplate(
        name="conversation",
        title="A conversation as it stands",
        uri_template=ROOT + "/{conversation}",
        description="What may be relied on now, as a page for a context window, and the same as JSON.",
    ),
    ResourceTemplate(
        name="turns",
        title="Turns of a conversation",
        uri_template=ROOT + "/{conversation}/turns{?after}",
        description="Who said what, each turn with its meaning of now; `next` is what to give as `after`.",
        mime_type=JSON,
    ),
    ResourceTemplate(
        name="claim",
        title="A claim",
        uri_template=ROOT + "/{conversation}/claims/{claim}",
        description="Why a claim stands or not, down to the turns, and what would break it.",
        mime_type=JSON,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a URI means: the list, a conversation, its turns, or one of its claims."""

    conversation: str = ""
    claim: str = ""
    is_turns: bool = False
    after: str = ""

    @property
    def uri(self) -> str:
        """The URI, in its one form."""
        there = f"{ROOT}/{quote(self.conversation, safe='')}" if self.conversation else ROOT
        there += "/turns" if self.is_turns else ""
        there += f"/claims/{quote(self.claim, safe='')}" if self.claim else ""
        return there + (f"?after={quote(self.after, safe='')}" if self.after else "")


def place_of(uri: str) -> Place:
    """Read a URI.

    Raises:
        UnknownReference: there is nothing of that form.
    """
    try:
        parts = urlsplit(uri)
        asked = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError:
        raise UnknownReference(uri, where="resources") from None
    steps = [unquote(step) for step in parts.path.split("/")[1:]]
    after = asked.get("after", "")
    if f"{parts.scheme}://{parts.netloc}" == ROOT and not parts.fragment and asked.keys() <= {"after"}:
        match steps:
            case []:
                return Place(after=after)
            case [conversation] if conversation and not asked:
                return Place(conversation=conversation)
            case [conversation, "turns"] if conversation:
                return Place(conversation=conversation, is_turns=True, after=after)
            case [conversation, "claims", claim] if conversation and claim and not asked:
                return Place(conversation=conversation, claim=claim)
            case _:
                pass
    raise UnknownReference(uri, where="resources")


def resources(visit: Visit, cursor: str) -> ListResourcesResult:
    """List the list itself, then each conversation, a page at a time; the cursor is the last name of a page."""
    page = conversations.list_conversations(visit, after=cursor, limit=PAGE)
    first = Resource(
        name="conversations",
        title="Conversations",
        uri=ROOT,
        description="The conversations on record, with the number of entries of each.",
        mime_type=JSON,
    )
    found = [Resource(name=each.id, uri=Place(conversation=each.id).uri) for each in page.conversations]
    return ListResourcesResult(resources=found if cursor else [first, *found], next_cursor=page.next)


def contents(visit: Visit, uri: str) -> list[TextResourceContents]:
    """Read a resource.

    Raises:
        UnknownReference: there is nothing of that URI.
        UnknownConversation: there is no conversation of that name.
    """
    place = place_of(uri)
    if place.claim:
        return [_json(uri, _plain(asking.explain(place.conversation, place.claim, visit)))]
    if place.is_turns:
        found = turns.list_turns(place.conversation, visit, after=_entry(place.after), limit=PAGE)
        return [_json(uri, _plain(found))]
    if place.conversation:
        status = conversations.get_conversation(place.conversation, visit)
        return [page_of(visit, place.conversation), _json(uri, _plain(status))]
    return [_json(uri, _plain(conversations.list_conversations(visit, after=place.after, limit=PAGE)))]


def _entry(after: str) -> int:
    # No record has as many entries as this has digits; more of them no store could count to.
    if after and not (after.isascii() and after.isdigit() and len(after) <= DIGITS):
        raise MalformedInput("no number of an entry", key="after")
    return int(after or 0)


def page_of(visit: Visit, conversation: str) -> TextResourceContents:
    """Write what stands as a page for a context window; what people said is quoted in it, and no instruction."""
    with visit.entered(conversation) as room:
        talk = room.conversation
        state, told = talk.state, [each for each in talk.timeline.events if isinstance(each, Turn)]
    text, _ = carried(rendered(state, turns=told).text)
    return TextResourceContents(uri=Place(conversation=conversation).uri, mime_type=TEXT, text=text)


def _plain(answer: BaseModel) -> Any:
    return answer.model_dump(mode="json")


def _json(uri: str, tree: Any) -> TextResourceContents:
    return TextResourceContents(uri=uri, mime_type=JSON, text=carried(tree)[1])
