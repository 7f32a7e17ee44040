"""Two matchers in a row: the cheap one decides where it is sure, the capable one is asked for the rest."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from upheld.errors import ModelFailure
from upheld.logic.language.identities import AgentId
from upheld.speech.matching.clauses import Span
from upheld.speech.matching.matcher import Claim, Matched, Matcher, Relation, costed
from upheld.speech.models.reply import usage_of
from upheld.speech.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many texts came, and for how many of them the capable matcher was asked."""

    texts: int = 0
    asked: int = 0

    @property
    def asked_share(self) -> float:
        """The part of the texts that it was asked for, in [0, 1]; 0 of none."""
        return self.asked / self.texts if self.texts else 0.0


class EscalatingMatcher:
    """Claims by a cheap matcher; what it leaves open, by a capable one, in one question a text.

    Where both have a claim in one place, the capable one is believed, and what the cheap one found against it is kept:
    a claim is grounded only if neither objects. Without an answer, what was open stays open, and says why.
    """

    def __init__(self, cheap: Matcher, capable: Matcher) -> None:
        """Ask ``capable`` for what ``cheap`` cannot decide. It is as safe for threads as the two are."""
        self._cheap = cheap
        self._capable = capable
        self._share = Share()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self._cheap.name}, {self._capable.name}"

    @property
    def version(self) -> str:
        """Both versions."""
        return f"{self._cheap.version}, {self._capable.version}"

    @property
    def share(self) -> Share:
        """What was asked so far."""
        return self._share

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims of a text. Cost: that of the cheap matcher, and of the capable one where it is asked."""
        return self.matched(text, view, speaker=speaker).claims

    def matched(self, text: str, view: View, *, speaker: AgentId | None = None) -> Matched:
        """Give the claims of a text, and what the capable matcher asked for them, in vain or not."""
        first = self._cheap.match(text, view, speaker=speaker)
        is_open = any(not claim.links for claim in first)
        with self._lock:
            self._share = Share(texts=self._share.texts + 1, asked=self._share.asked + is_open)
        if not is_open:
            return Matched(claims=first)
        try:
            second = costed(self._capable, text, view, speaker=speaker)
        except ModelFailure as failure:
            still = tuple(_still_open(claim, failure) for claim in first)
            return Matched(claims=still, usage=usage_of(failure))
        return Matched(claims=merged(first, second.claims), usage=second.usage)


def merged(first: Sequence[Claim], second: Sequence[Claim]) -> tuple[Claim, ...]:
    """Give the claims of two matchers on one text as one list, in order and without overlap.

    The second is believed where it has a claim; the first keeps its claims elsewhere, and its objections everywhere.
    """
    claims = [_with_objections(claim, first) for claim in second]
    kept = [claim for claim in first if not any(_overlaps(claim.span, other.span) for other in second)]
    return tuple(sorted((*claims, *kept), key=lambda claim: claim.span))


def _with_objections(claim: Claim, first: Sequence[Claim]) -> Claim:
    """Add what the first matcher found in the same place: links to what it repeats or contradicts.

    A claim that the second could not check takes over the links of a first one that covers it.
    """
    beside = [each for each in first if each.links and _overlaps(each.span, claim.span)]
    if not claim.links and not claim.is_new:
        whole = next((each for each in beside if _covers(each.span, claim.span)), None)
        if whole is not None:
            return replace(whole, span=claim.span, text=claim.text)
    objections = tuple(link for each in beside for link in each.links if link.relation is not Relation.SUPPORTED_BY)
    links = tuple(dict.fromkeys((*claim.links, *objections)))
    return replace(claim, links=links, abstained="" if links else claim.abstained) if objections else claim


def _still_open(claim: Claim, failure: ModelFailure) -> Claim:
    return claim if claim.links else replace(claim, abstained=f"{claim.abstained}; no language model helped: {failure}")


def _covers(one: Span, other: Span) -> bool:
    return one[0] <= other[0] and other[1] <= one[1]


def _overlaps(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
