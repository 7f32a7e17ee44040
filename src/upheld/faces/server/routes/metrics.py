"""The numbers of the service, for Prometheus; no part of what clients are generated from."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Header, Request, Response
from starlette.exceptions import HTTPException

from upheld.faces.server.admission.gate import METRICS, Caller
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.house import House
from upheld.record.stores.tenants import DEFAULT

router = APIRouter()


@router.get(METRICS, include_in_schema=False)
def metrics(request: Request, accept: Annotated[str, Header()] = "") -> Response:
    """Give all numbers. They are of all tenants together, and so for an admin of the service itself."""
    house, caller = cast("House", request.app.state.house), cast("Caller | None", request.state.caller)
    if caller is not None and (caller.role is not Role.ADMIN or caller.tenant != DEFAULT):
        raise HTTPException(403, f"this needs an admin's key of the tenant {DEFAULT}, or the setting metrics_open")
    told, kind = house.metrics.told(accept)
    return Response(told, headers={"content-type": kind})
