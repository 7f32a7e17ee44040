"""The words that this room adds to a request, each in a Markdown file whose name carries its version."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def wording(name: str) -> str:
    """Give the text of ``name`` (``repair@1``), without the line break at its end."""
    return files(__name__).joinpath(f"{name}.md").read_text("utf-8").rstrip("\n")
