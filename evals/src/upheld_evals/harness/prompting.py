"""Prompts as files with a version in their name, and what people said as quotations that nothing in them can leave."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files

from upheld.logic.language.turns import Turn
from upheld.speech.models.request import Message, Role

ONE_WORD = 16
"""Tokens of a reply that is one word; a few more, since some language models say "The answer is" first."""


@cache
def instructions(prompt: str) -> str:
    """Give the text of a prompt by name and version (``verify-direct@1``)."""
    return files("upheld_evals").joinpath("prompts", f"{prompt}.md").read_text("utf-8")


def messages(prompt: str, **quoted: str) -> tuple[Message, ...]:
    """Give the instructions, and apart from them each quotation between marks with its name.

    The marks are escaped inside a quotation, so that no text can close its own.
    """
    body = "\n\n".join(f"<{name}>\n{escape(text, quote=False)}\n</{name}>" for name, text in quoted.items())
    return (Message(role=Role.SYSTEM, text=instructions(prompt)), Message(role=Role.USER, text=body))


def transcript_text(turns: Iterable[Turn]) -> str:
    """Give turns as lines: id, when it was said if that is known, who, and the words."""
    return "\n".join(f"{turn.id} {f'[{turn.at}] ' if turn.at else ''}{turn.speaker}: {turn.text}" for turn in turns)
