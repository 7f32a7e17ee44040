"""The port to language models: whoever can answer a request."""

from __future__ import annotations

from typing import Protocol

from upheld.speech.models.reply import Reply
from upheld.speech.models.request import Request


class LanguageModel(Protocol):
    """Answers requests one at a time; safe to call from several threads, with or without a running event loop.

    ``name`` stands in every reading and verdict, so it says provider and model (``openai:gpt-4o``).
    """

    @property
    def name(self) -> str:
        """Provider and model."""
        ...

    def ask(self, request: Request, /) -> Reply:
        """Answer a request. Blocks until the reply is there or the deadline has passed.

        Raises:
            ModelUnreachable: no answer: refused, over the rate limit after all retries, too late.
            BudgetSpent: it would go over what may be spent; nothing was sent.
            NoRecording: only recorded replies may be used, and there is none of this request.
        """
        ...
