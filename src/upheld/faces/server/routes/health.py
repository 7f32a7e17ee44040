"""Whether the service runs, and whether its store answers; without a key, for whoever watches over it."""

from __future__ import annotations

from typing import Literal, cast

from fastapi import APIRouter, Request, Response

from upheld.faces.server.errors import RETRY_AFTER, refusal
from upheld.faces.server.house import House
from upheld.faces.server.models.shapes import Shape
from upheld.logic.language.identities import ConversationId
from upheld.record.stores.tenants import DEFAULT

router = APIRouter(prefix="/health", tags=["health"])


class Health(Shape):
    """All is well."""

    status: Literal["live", "ready"]


@router.get("/live", operation_id="is_live")
async def live() -> Health:
    """Say that the process runs."""
    return Health(status="live")


@router.get("/ready", operation_id="is_ready", response_model=Health)
def ready(request: Request) -> Health | Response:
    """Say that the store answers; 503 when it does not, and when the service is about to end."""
    house = cast("House", request.app.state.house)
    if house.leaving.is_set():
        return refusal(503, "the service is about to end", slug="stopping", headers={"retry-after": str(RETRY_AFTER)})
    house.tenancy.host(DEFAULT).store.version(ConversationId("ready"))
    return Health(status="ready")
