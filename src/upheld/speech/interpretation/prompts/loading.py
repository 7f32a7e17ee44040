"""The instructions of the interpreter, and the requests that they make."""

from __future__ import annotations

from upheld.speech.models.prompts.loading import Prompt, joined, prompt_in
from upheld.speech.models.request import Message, Request, Role, Shape

__all__ = ["FOLDER", "LIMIT", "Prompt", "asked", "joined", "prompt_named"]

FOLDER = "upheld.speech.interpretation.prompts"
"""Package whose files are the instructions of this room."""

LIMIT = 4_096
"""Most tokens of a reply, unless more is asked for."""


def prompt_named(name: str) -> Prompt:
    """Give one file of this room's instructions."""
    return prompt_in(FOLDER, name)


def asked(instructions: Prompt, shape: Shape, *shown: str, limit: int = LIMIT) -> Request:
    """Give a request: instructions as such, and what is shown, quoted already, as what a user gives."""
    text = "\n\n".join(filter(None, shown))
    messages = (Message(role=Role.SYSTEM, text=instructions.text), Message(role=Role.USER, text=text))
    return Request(prompt=instructions.label, messages=messages, shape=shape, limit=limit)
