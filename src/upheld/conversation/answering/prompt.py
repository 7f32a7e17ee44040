"""What is sent to a language model that answers from the record."""

from __future__ import annotations

from typing import Any

from upheld.speech.models.prompts.loading import Prompt, prompt_in
from upheld.speech.models.request import Message, Request, Role, Shape
from upheld.speech.rendering.context.quoting import quotation

LONGEST_QUESTION = 4_000
"""Characters of a question; the rest is cut, and shown to be."""

_LIMIT = 1_024

_IDS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}

SHAPE = Shape(
    name="answer",
    schema={
        "type": "object",
        "properties": {
            "answer": {"type": "string"},
            "rests_on": _IDS,
            "reports": _IDS,
            "abstains": {"type": "boolean"},
            "missing": {"type": "string"},
        },
        "required": ["answer", "rests_on", "reports", "abstains", "missing"],
        "additionalProperties": False,
    },
)
"""The JSON of a reply; the instructions say what each field means."""


def answer_request(record: str, question: str) -> Request:
    """Give the request for an answer to a question from a record, which is quoted and never instructs."""
    prompt = answer_prompt()
    asked = quotation(question, limit=LONGEST_QUESTION)
    quoted = f"<record>\n{record.rstrip()}\n</record>\n\n<question>{asked}</question>"
    messages = (Message(role=Role.SYSTEM, text=prompt.text), Message(role=Role.USER, text=quoted))
    return Request(prompt=prompt.label, messages=messages, shape=SHAPE, limit=_LIMIT)


def answer_prompt() -> Prompt:
    """Give the instructions."""
    return prompt_in("upheld.conversation.answering.prompts", "answer")
