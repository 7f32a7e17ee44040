"""An answer of a language model made into claims, none of which says more than the answer and the rules allow."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching.beside.quantities import marks, moments, quantities
from upheld.speech.matching.beside.rules import EXACT, beside, link_of
from upheld.speech.matching.clauses import Span, trimmed
from upheld.speech.matching.cues import is_small_talk
from upheld.speech.matching.llm.request import Asked, Shown
from upheld.speech.matching.llm.spans import EXACT as AS_GIVEN
from upheld.speech.matching.llm.spans import NOWHERE, SENTENCE, Locator, apart, passed_over
from upheld.speech.matching.llm.wire import WireClaim, wire_reply
from upheld.speech.matching.matcher import Claim, Link, Relation
from upheld.speech.view import Known

NOBODY_SAID = "nobody said it"
UNSURE = "the language model could not tell what it is about"
PASSED_OVER = "the language model passed over it"
TAKEN_LIGHTLY = "the language model took it for no claim, but it has figures in it or is long"
SAYS_UNKNOWN = "it says that something is not known here, which claims nothing that could be checked"

MOST_WORDS_OF_NO_CLAIM = 25
"""Words of a passage that may pass for one that claims nothing."""

_UNKNOWN = re.compile(
    r"\b(?:(?:has|have|was|were|is|are)(?:n['\u2019]t| not) (?:\w+ )?(?:been )?"
    r"(?:said|mentioned|stated|told|discussed|recorded|known|brought up)|"
    r"nobody (?:has )?(?:said|mentioned|told)|"
    r"(?:do|does|did)(?:n['\u2019]t| not) (?:know|say|recall|remember|have (?:any )?(?:information|record))|"
    r"no (?:information|record|mention)|not (?:sure|certain|aware)|(?:cannot|can't) (?:say|tell))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A claim of the answer, where it stands in the reply."""

    span: Span
    claim: Claim


def read_reply(value: object, asked: Asked, *, exact: Collection[str] = EXACT) -> tuple[Claim, ...]:
    """Give the claims of an answer, ``value`` being its JSON, in the order of the text and without overlap.

    A claim that is not in the reply word for word is found by its words, or stands for its sentence, and says so in its
    ``note``. What the answer left out becomes a claim that could not be checked. ``exact`` are the rules by which a
    differing value contradicts.

    Raises:
        UnusableReply: the answer is not what was asked for, or names propositions that were not shown.
    """
    shown = {each.name: each for each in asked.shown}
    answer = wire_reply(value, shown)
    if not asked.text.strip():
        return ()
    locator = Locator(asked.text)
    found = [_found(wire, locator, shown, asked) for wire in answer.claims]
    found = [replace(each, claim=_checked_by_rules(each.claim, asked, exact)) for each in found]
    claims = _in_place(asked.text, found)
    quiet = [locator.find(passage) for passage in answer.no_claim]
    silent = sorted(span for span, how in quiet if how not in (SENTENCE, NOWHERE))
    return _whole(asked.text, claims, silent)


def _found(wire: WireClaim, locator: Locator, shown: dict[str, Shown], asked: Asked) -> _Found:
    span, how = locator.find(wire.text)
    links = tuple(
        link_of(asked.request.prompt, _meant(shown[link.name].known, link.relation), _relation(wire, link.relation))
        for link in wire.links
    )
    words = asked.text[slice(*span)]
    is_sure = how not in (SENTENCE, NOWHERE)
    if not is_sure or (wire.is_new and links):
        # Not quite the claim that was judged, or one that says more than its links: it may lean on them, no more.
        links = tuple(_leaning(link) for link in links)
    is_unknown = not links and _UNKNOWN.search(words) is not None
    is_new = wire.is_new and not links and is_sure and not is_unknown
    abstained = "" if links else SAYS_UNKNOWN if is_unknown else NOBODY_SAID if is_new else UNSURE
    claim = Claim(
        span=span,
        text=words,
        stance=wire.stance,
        modality=wire.modality,
        links=tuple(dict.fromkeys(links)),
        abstained=abstained,
        is_new=is_new,
        note="" if how == AS_GIVEN else how,
    )
    return _Found(span=span, claim=claim)


def _relation(wire: WireClaim, relation: str) -> str:
    """What words presuppose they do not say more than: advice claims nothing but what it takes for granted."""
    return "supported_by" if wire.stance is Stance.PRESUPPOSES and relation == "committed_to" else relation


def _meant(known: tuple[Known, ...], relation: str) -> Known:
    """Give which of several propositions of one wording is meant: one that stands, unless it is denied."""
    if relation == "denies":
        return next((each for each in known if each.lifecycle in GIVEN_UP), known[-1])
    standing = [each for each in known if each.label is Label.IN]
    return (standing or [each for each in known if each.lifecycle not in GIVEN_UP] or list(known))[-1]


def _leaning(link: Link) -> Link:
    return replace(link, relation=Relation.COMMITTED_TO) if link.relation is Relation.SUPPORTED_BY else link


def _checked_by_rules(claim: Claim, asked: Asked, exact: Collection[str]) -> Claim:
    linked = {link.literal.proposition for link in claim.links if link.relation is Relation.SUPPORTED_BY}
    groups = [shown.known for shown in asked.shown if any(each.proposition.id in linked for each in shown.known)]
    known = [each for group in groups for each in group]
    return beside(claim, known, [part for agent in asked.agents for part in agent], exact=exact)


def _in_place(text: str, found: Iterable[_Found]) -> list[Claim]:
    """Give the claims parted from each other; those that share one place become one."""
    order = sorted(found, key=lambda each: each.span)
    placed: list[Claim] = []
    for span, each in zip(apart([each.span for each in order]), order, strict=True):
        (place,) = tuple(trimmed(text, *span)) or (span,)
        claim = replace(each.claim, span=place, text=text[slice(*place)])
        if placed and placed[-1].span == place:
            placed[-1] = _both(placed[-1], claim)
        else:
            placed.append(claim)
    return placed


def _both(one: Claim, other: Claim) -> Claim:
    """Give one claim for two of the same words: it holds only if both do."""
    links = (*one.links, *other.links)
    if not (one.links and other.links):
        links = tuple(_leaning(link) for link in links)
    is_fact = Modality.FACT in (one.modality, other.modality)
    return replace(
        one,
        stance=one.stance if one.stance is other.stance else Stance.ASSERTS,
        modality=Modality.FACT if is_fact else one.modality,
        links=tuple(dict.fromkeys(links)),
        abstained="" if links else one.abstained or other.abstained,
        is_new=one.is_new or other.is_new,
        disagreements=tuple(dict.fromkeys((*one.disagreements, *other.disagreements))),
        note=one.note or other.note,
    )


def _whole(text: str, claims: list[Claim], silent: list[Span]) -> tuple[Claim, ...]:
    """Add to the claims what the answer left out, and what it took too lightly."""
    taken = [claim.span for claim in claims]
    quiet = [span for span in silent if not any(_overlaps(span, other) for other in taken)]
    heavy = [span for span in quiet if _is_heavy(text[slice(*span)])]
    light = [span for span in quiet if span not in heavy]
    extra = [*_abstained(text, apart(heavy), TAKEN_LIGHTLY)]
    covered = sorted((*taken, *light, *(claim.span for claim in extra)))
    extra += _abstained(text, passed_over(text, covered), PASSED_OVER)
    return tuple(sorted((*claims, *extra), key=lambda claim: claim.span))


def _is_heavy(passage: str) -> bool:
    if is_small_talk(passage) or _UNKNOWN.search(passage) or passage.rstrip(" \"')").endswith("?"):
        return False
    has_values = bool(quantities(passage) or moments(passage) or marks(passage))
    return has_values or len(passage.split()) > MOST_WORDS_OF_NO_CLAIM


def _abstained(text: str, spans: Iterable[Span], reason: str) -> Iterator[Claim]:
    for span in dict.fromkeys(spans):
        yield Claim(span=span, text=text[slice(*span)], abstained=reason)


def _overlaps(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
