"""Conversations told by an interpreter that is named; some of them ask a language model."""

from __future__ import annotations

from upheld.conversation.checking.readers import INTERPRETERS
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel

GOLD = "annotated"
EMBEDDED = (GOLD, "local")
"""Interpreters that need no language model; the others of :data:`INTERPRETERS` do."""


def is_asking(interpreter: str) -> bool:
    """Tell whether an interpreter asks a language model."""
    return interpreter in INTERPRETERS and interpreter not in EMBEDDED


def told(transcript: Transcript, interpreter: str, llm: LanguageModel | None) -> Conversation:
    """Give a conversation with every turn told.

    Raises:
        UpheldError: no such interpreter, or no language model to ask.
    """
    return loaded(transcript, interpreter=interpreter, llm=llm)
