"""What was asked and what that costs, by prompt and language model: counted from replies, priced by the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from upheld.errors import ModelFailure
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Reply, Usage, costing, usage_of
from upheld.speech.models.request import Request

T = TypeVar("T")

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost, in and out, in one currency of the caller's."""

    input: Decimal
    output: Decimal

    def of(self, usage: Usage) -> Decimal:
        """Give the cost of a usage."""
        return (self.input * usage.input_tokens + self.output * usage.output_tokens) / _MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """One line of a bill: what was asked under a label of a language model, as the provider named it."""

    label: str
    answered_by: str
    usage: Usage

    def cost(self, prices: Mapping[str, Price]) -> Decimal | None:
        """Give the cost, or ``None`` where it is unknown: no price, or calls without any count of tokens.

        What was reused costs nothing, whatever the price.
        """
        if not self.usage.calls and not self.usage.tokens:
            return Decimal(0)
        price = prices.get(self.answered_by)
        return None if price is None or not self.usage.tokens else price.of(self.usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """All lines, in the order in which they were first asked for."""

    posts: tuple[Post, ...] = ()
    prices: Mapping[str, Price] = field(default_factory=dict[str, Price], hash=False)

    @property
    def usage(self) -> Usage:
        """What was asked in all."""
        return sum((post.usage for post in self.posts), Usage())

    @property
    def cost(self) -> Decimal | None:
        """What it costs in all, or ``None`` when a part of it is unknown: a sum of the known parts would mislead."""
        costs = [post.cost(self.prices) for post in self.posts]
        return None if None in costs else sum(filter(None, costs), Decimal(0))

    def lines(self) -> tuple[str, ...]:
        """Give the bill as lines of text, the sum last; an unknown cost is called unknown."""
        rows = [(post.label, post.answered_by, post.usage, post.cost(self.prices)) for post in self.posts]
        return tuple(
            f"{label}  {who}  {usage.calls} calls  {usage.input_tokens} in  {usage.output_tokens} out  "
            f"{usage.reused} reused  {'unknown' if cost is None else f'{cost:.4f}'}"
            for label, who, usage, cost in (*rows, ("all", "", self.usage, self.cost))
        )


class CountingModel:
    """Passes requests on, and adds up what they took, failures included; safe to use from several threads."""

    def __init__(self, inner: LanguageModel) -> None:
        """Count from zero."""
        self.name = inner.name
        self._inner = inner
        self._lock = threading.Lock()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """What was asked so far."""
        with self._lock:
            return self._usage

    def taken(self) -> Usage:
        """Give what was asked since this was last called, or since the beginning."""
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

    def telling_costs(self, read: Callable[[], T]) -> T:
        """Work something out by asking; a failure then says all that was spent, calls before it included."""
        try:
            return read()
        except ModelFailure as failure:
            costing(failure, self.usage)
            raise

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage


class MeteredModel:
    """Counts what another is asked, failures included; safe to use from several threads.

    A failure is counted under the name of the language model that was asked, a reply under the name that it gives;
    a price that is given for the one holds for the other.
    """

    def __init__(
        self,
        inner: LanguageModel,
        *,
        prices: Mapping[str, Price] | None = None,
        label: Callable[[Request], str] = lambda request: request.prompt,
    ) -> None:
        """``prices`` are by name; ``label`` says under what a request is counted, its prompt unless told otherwise."""
        self.name = inner.name
        self._inner = inner
        self._prices = dict(prices or {})
        self._label = label
        self._lock = threading.Lock()
        self._counted: dict[tuple[str, str], Usage] = {}

    @property
    def bill(self) -> Bill:
        """What was counted so far."""
        with self._lock:
            counted = dict(self._counted)
        asked = self._prices.get(self.name) or self._prices.get(self.name.partition(":")[2])
        named = {who: asked for _, who in counted} if asked is not None else {}
        posts = tuple(Post(label=label, answered_by=who, usage=usage) for (label, who), usage in counted.items())
        return Bill(posts=posts, prices={**named, **self._prices})

    def ask(self, request: Request, /) -> Reply:
        """Answer a request, and count what that took."""
        try:
            reply = self._inner.ask(request)
        except ModelFailure as failure:
            self._count(request, self.name, usage_of(failure))
            raise
        self._count(request, reply.answered_by, reply.usage)
        return reply

    def _count(self, request: Request, who: str, usage: Usage) -> None:
        place = self._label(request), who
        with self._lock:
            self._counted[place] = self._counted.get(place, Usage()) + usage
