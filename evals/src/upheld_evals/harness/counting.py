"""What a conversation's readers and judges asked of a language model, whoever of them asked."""

from __future__ import annotations

from threading import Lock

from upheld.errors import ModelFailure
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Reply, Usage, usage_of
from upheld.speech.models.request import Request


class CountingModel:
    """Passes requests on, and counts what they cost, failures included."""

    def __init__(self, inner: LanguageModel) -> None:
        """Ask ``inner``."""
        self._inner = inner
        self._lock = Lock()
        self._usage = Usage()
        self.name = inner.name

    def taken(self) -> Usage:
        """Give what was used since this was last asked."""
        with self._lock:
            usage, self._usage = self._usage, Usage()
        return usage

    def ask(self, request: Request, /) -> Reply:
        """Ask; raises what the inner one raises."""
        try:
            reply = self._inner.ask(request)
        except ModelFailure as failure:
            self._add(usage_of(failure))
            raise
        self._add(reply.usage)
        return reply

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage
