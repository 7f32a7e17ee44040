"""How much may be asked: calls and tokens, over all threads. What is spent is never sent."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from upheld.errors import BudgetSpent, ModelFailure
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Reply, Usage, usage_of
from upheld.speech.models.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """Calls and tokens; ``None`` is without a limit."""

    calls: int | None = None
    tokens: int | None = None


class BudgetedModel:
    """Refuses before anything is sent once the calls or the tokens are spent; what was answered stays answered.

    A call that is under way counts from its start, so that threads together keep the limit of calls; attempts that the
    inner one adds of itself are counted when they are known, as are tokens, so these can be passed by what was under
    way. Put it inside a cache (``CachedModel(BudgetedModel(llm, calls=100), store)``): what is kept then stays free.
    """

    def __init__(self, inner: LanguageModel, *, calls: int | None = None, tokens: int | None = None) -> None:
        """``calls`` and ``tokens`` are what may be spent from now on; 0 allows nothing."""
        self.name = inner.name
        self.allowance = Allowance(calls=calls, tokens=tokens)
        self._inner = inner
        self._lock = threading.Lock()
        self._spent = Usage()
        self._under_way = 0

    @property
    def spent(self) -> Usage:
        """What was spent, failures included."""
        with self._lock:
            return self._spent

    @property
    def left(self) -> Allowance:
        """What may still be spent; never below 0."""
        spent, allowed = self.spent, self.allowance
        return Allowance(
            calls=None if allowed.calls is None else max(allowed.calls - spent.calls, 0),
            tokens=None if allowed.tokens is None else max(allowed.tokens - spent.tokens, 0),
        )

    def ask(self, request: Request, /) -> Reply:
        """Answer a request, if it may still be asked.

        Raises:
            BudgetSpent: nothing was sent.
        """
        self._begin()
        cost = Usage()
        try:
            reply = self._inner.ask(request)
            cost = reply.usage
        except ModelFailure as failure:
            cost = usage_of(failure)
            raise
        finally:
            with self._lock:
                self._under_way -= 1
                self._spent += cost
        return reply

    def _begin(self) -> None:
        allowed = self.allowance
        with self._lock:
            if allowed.calls is not None and self._spent.calls + self._under_way >= allowed.calls:
                raise BudgetSpent(f"all {allowed.calls} calls are spent; allow more, and it goes on from here")
            if allowed.tokens is not None and self._spent.tokens >= allowed.tokens:
                raise BudgetSpent(f"all {allowed.tokens} tokens are spent; allow more, and it goes on from here")
            self._under_way += 1
