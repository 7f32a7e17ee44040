"""What a language model is told of the whole, and the prompts, each in a Markdown file."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def wording(name: str) -> str:
    """Give the text of ``name``, without the line break at its end."""
    return files(__name__).joinpath(f"{name}.md").read_text("utf-8").rstrip("\n")
