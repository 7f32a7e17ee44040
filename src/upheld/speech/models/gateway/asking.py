"""Asking until there is a reply, or there is to be none: retries, waits, refusals, and one deadline for it all."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol
from urllib.parse import urlsplit

from upheld.errors import ModelUnreachable
from upheld.speech.models.gateway.failures import Failure, Remedy
from upheld.speech.models.gateway.terms import Refusal, Terms
from upheld.speech.models.reply import Level, Reply, Usage, costing
from upheld.speech.models.request import Request
from upheld.speech.models.settings import GatewaySettings

_FIRST_WAIT, _LONGEST_WAIT = 1.0, 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """How time passes for a language model: a test gives its own and waits for nothing. Both are in seconds."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Line(Protocol):
    """One language model, asked once: what a gateway stands on."""

    @property
    def terms(self) -> Terms:
        """On what terms to ask first."""
        ...

    def send(self, request: Request, terms: Terms, seconds: float) -> Reply | Failure:
        """Send a request once, and wait at most so many seconds."""
        ...


class Gateway:
    """Asks until there is a reply, or it is too late: waits where it is told to, and takes back what is refused.

    What a server would not take (a JSON Schema, then JSON mode; a temperature; a name of the limit) is remembered, and
    not sent to it again. Usage counts every attempt that left this process. Safe to use from several threads.
    """

    def __init__(self, line: Line, settings: GatewaySettings, *, pacing: Pacing) -> None:
        """``line`` makes the attempts."""
        self.name = public_name(settings)
        self._line = line
        self._settings = settings
        self._pacing = pacing
        self._terms = line.terms

    def __repr__(self) -> str:
        """Name it, and nothing that could hold a key."""
        return f"Gateway({self.name!r})"

    @property
    def level(self) -> Level:
        """How replies are held to their shape, as far as the server has let us know."""
        return self._terms.level

    def ask(self, request: Request, /) -> Reply:
        """Answer a request; see :class:`~upheld.speech.models.language_model.LanguageModel`."""
        asking = _Asking(request=request, terms=self._terms, until=self._pacing.clock() + self._settings.deadline)
        while True:
            left = asking.until - self._pacing.clock()
            if left <= 0:
                raise self._given_up(asking, asking.last, f"{self._settings.deadline:g} s have passed")
            outcome = self._line.send(request, asking.terms, min(self._settings.timeout, left))
            if isinstance(outcome, Reply):
                self._terms = asking.terms
                return replace(outcome, usage=asking.spent + outcome.usage)
            self._consider(asking, outcome)

    def _consider(self, asking: _Asking, failure: Failure) -> None:
        """Prepare the next attempt, on other terms or after a while; or raise, when there is to be none."""
        asking.spent += failure.usage
        if failure.remedy is Remedy.OTHERWISE:
            if not asking.takes_back(failure):
                raise self._given_up(asking, asking.refused)
            return
        if failure.remedy is Remedy.NONE:
            raise self._given_up(asking, failure)
        asking.last, asking.failures = failure, asking.failures + 1
        if asking.failures > self._settings.retries:
            raise self._given_up(asking, failure)
        wait = asking.wait(failure.wait)
        if self._pacing.clock() + wait >= asking.until:
            raise self._given_up(asking, failure, f"the next attempt could be made in {wait:.0f} s, which is too late")
        self._pacing.sleep(wait)

    def _given_up(self, asking: _Asking, failure: Failure | None, why: str = "") -> ModelUnreachable:
        tries = f" after {asking.failures} attempts" if asking.failures > 1 else ""
        parts = [*filter(None, [why])] if failure is None else [*filter(None, [failure.said, why, failure.advice])]
        return costing(ModelUnreachable(f"{self.name} gave no reply{tries}: {'; '.join(parts)}"), asking.spent)


@dataclass(slots=True, kw_only=True)
class _Asking:
    """One request on its way: what it has cost, how often it failed, and on what terms it goes next."""

    request: Request
    terms: Terms
    until: float
    spent: Usage = field(default_factory=Usage)
    failures: int = 0
    last: Failure | None = None
    refused: Failure | None = None

    def takes_back(self, failure: Failure) -> bool:
        """Change the terms to what the server may take; not so, if it refused something else."""
        # Of several refusals the first says what was wrong with the request as it was meant.
        self.refused = self.refused or failure
        shaped = self.request.shape is not None
        refusal = Refusal(said=failure.said, status=failure.status, shaped=shaped)
        terms = self.terms.after(refusal)
        if terms is None:
            return False
        self.terms = terms
        return True

    def wait(self, asked: float | None) -> float:
        """Give the seconds until the next attempt: what the server asked for, or twice as long each time.

        The key of the request spreads the waits of requests that failed together; chance could not be replayed.
        """
        spread = 0.75 + int(self.request.key[:4], 16) / 0x1_0000 / 2
        grown = min(_FIRST_WAIT * 2 ** (self.failures - 1), _LONGEST_WAIT) * spread
        return grown if asked is None else max(asked, 0.0)


def public_name(settings: GatewaySettings) -> str:
    """Give the name that stands in readings and verdicts: provider, language model, and where, if it is somewhere else.

    Two servers may call different weights by one name, so that a cache must tell them apart.
    """
    if not settings.base_url:
        return settings.name
    name = settings.name.removeprefix("openai:").removeprefix("openai-chat:")
    parts = urlsplit(settings.base_url)
    return f"openai:{name}@{parts.netloc}{parts.path.rstrip('/')}"
