"""The application with all its parts."""

from __future__ import annotations

from fastapi import FastAPI

from upheld.faces.mcp.part import mcp_part
from upheld.faces.proxy.part import proxy_part
from upheld.faces.server.app import create_app
from upheld.faces.server.guardrail.route import guardrail
from upheld.faces.server.parts import Part
from upheld.faces.server.settings import Settings


def service_app(settings: Settings) -> FastAPI:
    """Make the application that ``upheld serve`` runs."""
    return create_app(settings, parts=_parts())


def _parts() -> tuple[Part, ...]:
    return guardrail(), mcp_part(), proxy_part()
