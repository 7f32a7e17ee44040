"""The page at ``/`` and its files at ``/assets/``: public, and allowed to load nothing from elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from upheld.faces.server.admission.gate import ASSETS, PAGE

STATIC = Path(__file__).parent / "static"
"""Where ``make page`` puts what it built."""

_ABSENT = Path(__file__).parent / "absent.html"

GUARDS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""What a browser is told: nothing of elsewhere, no frame around it, and no address of a conversation given away."""

FRESH = {"cache-control": "no-cache"}
LASTING = {"cache-control": "public, max-age=31536000, immutable"}
"""The name of an asset holds a digest of its content: another content has another name."""


class Assets(StaticFiles):
    """The files that the page is made of."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Send a file, to be kept for good."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.update(GUARDS | LASTING)
        return response


def add_page(app: FastAPI, *, folder: Path = STATIC) -> None:
    """Serve the page that was built into a folder; where there is none, one that says how to build it."""
    index = folder / "index.html"
    if index.is_file():
        app.mount(ASSETS.rstrip("/"), Assets(directory=folder / "assets", check_dir=False))

    def page(request: Request) -> Response:
        if index.is_file():
            return FileResponse(index, media_type="text/html", headers=GUARDS | FRESH)
        return HTMLResponse(_absent(request.app.openapi()), headers=GUARDS | FRESH)

    app.add_api_route(PAGE, page, methods=["GET", "HEAD"], include_in_schema=False)


def _absent(described: dict[str, Any]) -> str:
    offers = "\n".join(f"<li><code>{escape(route)}</code> {escape(told)}</li>" for route, told in _offers(described))
    return Template(_ABSENT.read_text("utf-8")).substitute(offers=offers)


def _offers(described: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            yield f"{method.upper()} {path}", str(route.get("description", "")).partition("\n")[0]
