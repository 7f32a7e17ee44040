"""The route that a gateway asks, and the part of the service that has it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI

from upheld.faces.server.access import Writing
from upheld.faces.server.guardrail.exchange import GuardrailAnswer, GuardrailRequest
from upheld.faces.server.guardrail.judging import judged
from upheld.faces.server.models.shapes import Tree
from upheld.faces.server.parts import Part
from upheld.faces.server.routes.exchange import whole_body

router = APIRouter(prefix="/beta", tags=["guardrail"])

SENT: Tree = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": GuardrailRequest.model_json_schema()}}}
}


@router.post("/litellm_basic_guardrail_api", operation_id="guard_gateway", openapi_extra=SENT)
def guard_gateway(visit: Writing, content: Annotated[bytes, Depends(whole_body)]) -> GuardrailAnswer:
    """Answer a LiteLLM gateway. Requests are put on record, and answers are held against it.

    What could not be checked is decided by the setting ``guardrail``, and answered like anything else.
    """
    return judged(content, visit)


def guardrail() -> Part:
    """Give the part."""

    def add(app: FastAPI) -> None:
        app.include_router(router)

    return Part(add=add)
