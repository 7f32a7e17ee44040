"""Who asks, as the service knows them: for a page that offers what its key may do, and nothing else."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from upheld.faces.server.access import Reading
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.answering import Route
from upheld.faces.server.models.shapes import Shape

router = APIRouter(prefix="/v1", tags=["keys"], route_class=Route)


class Caller(Shape):
    """Who asks; a service without keys takes everybody whom it lets in for an admin."""

    tenant: str
    role: Role = Field(description="Each role may do what those before it may: reader, writer, admin.")


@router.get("/caller", operation_id="get_caller")
async def get_caller(visit: Reading) -> Caller:
    """Say whose key was sent, and what it may do."""
    return Caller(tenant=visit.caller.tenant, role=visit.caller.role)
