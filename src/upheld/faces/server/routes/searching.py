"""Claims of all conversations of a tenant."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from upheld.conversation.searching.search import ClaimSearch
from upheld.faces.server.access import Reading
from upheld.faces.server.answering import Route
from upheld.faces.server.models.searching import Hit, SearchAnswer
from upheld.faces.trees import plain
from upheld.record.ledger.appending import LAST_EPOCH

router = APIRouter(prefix="/v1", tags=["search"], route_class=Route)


@router.get("/search", operation_id="search")
def search(
    visit: Reading,
    words: Annotated[str, Query(min_length=1, max_length=2000, description="What to look for.")],
    *,
    conversation: Annotated[str, Query(max_length=200, description="Only in this one.")] = "",
    as_of: Annotated[str, Query(max_length=40, description="A time in ISO 8601, or an entry of that one.")] = "",
    include: Annotated[Literal["", "superseded"], Query(description="Find what was given up as well.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 10,
) -> SearchAnswer:
    """Find claims that stand, best first; conversations that could not be searched are named."""
    is_entry = as_of.isascii() and as_of.isdigit()
    found = ClaimSearch(visit.host.store, visit.house.embedder).search(
        words,
        conversation=conversation or None,
        as_of=(min(int(as_of), LAST_EPOCH) if is_entry else as_of) or None,
        has_superseded=include == "superseded",
        limit=limit,
    )
    hits = [
        Hit.model_validate({**plain(hit.found), "stands": hit.found.stands, "why": list(hit.why)}) for hit in found.hits
    ]
    return SearchAnswer(hits=hits, unsearched=list(found.unsearched))
