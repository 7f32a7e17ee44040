"""The description of the service (OpenAPI), as clients are generated from it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fastapi import FastAPI

from upheld.faces.server.errors import MEDIA_TYPE
from upheld.faces.server.models.shapes import Problem, Responses, Tree

PROBLEMS: Responses = {
    "4XX": {"description": "Refused; nothing was changed.", "model": Problem},
    "5XX": {"description": "A fault, of the service or of what it stands on.", "model": Problem},
}
"""What every route may answer besides its own."""

VERSION = "1"
"""Version of what is described, as it stands in the paths; the program has a version of its own."""


def installed_version() -> str:
    """Give the version of the program that is installed; 0 where it only lies there."""
    try:
        return version("upheld")
    except PackageNotFoundError:
        return "0"


class Described(FastAPI):
    """An application that describes itself: a route's summary is the first sentence that its function says."""

    def openapi(self) -> dict[str, Any]:
        """Give the description; made once."""
        is_new = self.openapi_schema is None
        tree = super().openapi()
        if is_new:
            for route in _routes(tree):
                _summarise(route)
                _type_problems(route)
        return tree


def _routes(tree: Tree) -> Iterator[Tree]:
    for path in tree["paths"].values():
        yield from path.values()


def _summarise(route: Tree) -> None:
    first = str(route.get("description", "")).partition("\n")[0]
    route["summary"] = first.partition(". ")[0].rstrip(".")


def _type_problems(route: Tree) -> None:
    """Name the media type of a refusal; the framework knows only that of an answer."""
    for name in PROBLEMS:
        response = route["responses"][name]
        told = next(iter(response["content"].values()))
        response["content"] = {MEDIA_TYPE: told}
