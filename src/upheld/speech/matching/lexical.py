"""A matcher that goes by words alone: exact where it speaks, silent where words do not decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from upheld.logic.language.identities import AgentId
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching import moods, rules, values
from upheld.speech.matching.clauses import Span, clauses, given_and_then, sentences, trimmed
from upheld.speech.matching.cues import Reading, is_small_talk, read_cues
from upheld.speech.matching.index import LexicalIndex
from upheld.speech.matching.language import is_english
from upheld.speech.matching.matcher import Claim, Link, Relation
from upheld.speech.matching.tokens import Frame, frame
from upheld.speech.matching.wishes.index import WishIndex, undoubted
from upheld.speech.view import Known, View

MAX_TEXT = 20_000
"""Characters of a candidate; a longer one is abstained on whole."""

MAX_TERMS = 200
"""Terms of one sentence; the order of terms is compared in quadratic time."""

NO_MATCH = "no proposition matches well enough"
NOT_COVERED = "language not covered: this matcher reads English"
TOO_LONG = f"over the size limit of {MAX_TEXT} characters"
ASKS = "a question claims nothing that could be checked"
SHORT = "too few words to match"
TORN = "matches what stands and what was given up alike"


class LexicalMatcher:
    """Claims by sentence and clause, matched by weighted overlap of stems with numbers, names and negation kept.

    No learned part, no network, the same answer every time. Covers English. What it cannot decide it abstains on, by
    name, and that is most of what people say in their own words. It keeps an index of the last view, so that one
    matcher serves one conversation and one thread at a time.
    """

    name = "lexical"
    version = "1"

    def __init__(self) -> None:
        """Start with an empty index."""
        self._index = LexicalIndex()
        self._wishes = WishIndex()
        self._speaker: AgentId | None = None

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims of a text. Cost: linear in the text and in the propositions that share a word with it."""
        whole = (0, len(text))
        if len(text) > MAX_TEXT:
            return (Claim(span=whole, text=text, abstained=TOO_LONG),)
        if not is_english(text):
            return (Claim(span=whole, text=text, abstained=NOT_COVERED),)
        self._index.update(view)
        self._wishes.update(view)
        self._speaker = speaker
        claims = (claim for span in sentences(text) for claim in self._addressed(text, span))
        return tuple(undoubted(claim, self._wishes) for claim in claims)

    def _addressed(self, text: str, span: Span) -> Iterator[Claim]:
        """Give the claim that a greeting makes of a name, then those of the rest of the sentence."""
        found = values.greeted(text[span[0] : span[1]], self._index)
        if found is None:
            yield from self._sentence(text, span)
            return
        (start, end), link = found
        place = (span[0] + start, span[0] + end)
        yield Claim(span=place, text=text[slice(*place)], stance=Stance.PRESUPPOSES, links=(link,))
        for rest in trimmed(text, place[1], span[1]):
            yield from self._sentence(text, rest)

    def _sentence(self, text: str, span: Span) -> Iterator[Claim]:
        claim = self._claim(text, span)
        if claim is None or claim.links or claim.modality is Modality.QUESTION:
            yield from () if claim is None else (claim,)
            return
        for parts in self._partings(text, span):
            if any(part.links for part in parts):
                yield from parts
                return
        yield claim

    def _partings(self, text: str, span: Span) -> Iterator[list[Claim]]:
        whole = read_cues(text[span[0] : span[1]])
        split = given_and_then(text, span)
        if split is not None:
            given = self._claim(text, split[0], as_reported=whole, stance=Stance.PRESUPPOSES)
            then = self._claim(text, split[1], as_reported=whole)
            yield sorted((part for part in (given, then) if part is not None), key=lambda part: part.span)
        parts = clauses(text, span)
        if len(parts) > 1:
            found = (self._claim(text, place, as_reported=whole) for place in parts)
            yield [part for part in found if part is not None]

    def _claim(
        self, text: str, span: Span, *, as_reported: Reading | None = None, stance: Stance | None = None
    ) -> Claim | None:
        words = text[span[0] : span[1]]
        if is_small_talk(words):
            return None
        reading = read_cues(words)
        if as_reported is not None and as_reported.stance is Stance.REPORTS and reading.stance is Stance.ASSERTS:
            # What one speaker is said to hold does not become the candidate's own claim after the first comma.
            reading = replace(reading, stance=Stance.REPORTS, modality=as_reported.modality)
        links, abstained = self._links(reading)
        return Claim(
            span=span,
            text=words,
            stance=stance if stance and reading.stance is Stance.ASSERTS else reading.stance,
            modality=reading.modality,
            links=links,
            abstained=abstained,
        )

    def _links(self, reading: Reading) -> tuple[tuple[Link, ...], str]:
        if reading.modality is Modality.QUESTION:
            return (), ASKS
        claim = frame(reading.content)
        if len(claim.terms) < 2:
            return (), SHORT
        if len(claim.order) > MAX_TERMS:
            return (), TOO_LONG
        pairs = [
            rules.compare(claim, said, known, is_negated=reading.is_negated)
            for known, said in self._index.candidates(claim)
        ]
        pairs.sort(key=lambda pair: -pair.closeness)
        best = self._best(reading, pairs)
        if best is not None:
            return (best,), ""
        by_value = self._by_value(reading, claim)
        return (by_value, "") if by_value else self._against(reading, pairs)

    def _best(self, reading: Reading, pairs: list[rules.Comparison]) -> Link | None:
        """Give the proposition that says the claim; one that stands before one that does not."""
        found = [
            link
            for pair in pairs
            if (link := rules.supported(pair)) is not None and self._may_be_meant(reading, pair.known, link, pairs)
        ]
        return next((link for link in found if link.relation is Relation.SUPPORTED_BY), found[0] if found else None)

    def _may_be_meant(self, reading: Reading, known: Known, link: Link, pairs: list[rules.Comparison]) -> bool:
        """Tell whether the words of a proposition, the same as the claim's, also mean the same."""
        if not values.has_values_of(reading.content, known):
            return False
        if link.relation is Relation.SUPPORTED_BY:
            return moods.may_support(reading.content, known, self._speaker)
        if link.literal.negated:
            return reading.is_negated or moods.is_denied(reading.content, known)
        if self._speaker is None:
            return True
        if known.lifecycle in GIVEN_UP and values.is_kept(reading.content, pairs):
            return False
        # A speaker's own words that nobody else bears out say nothing for or against saying them again.
        is_own = known.speaker == self._speaker and known.label is not Label.IN
        return not is_own or known.lifecycle in GIVEN_UP

    def _by_value(self, reading: Reading, claim: Frame) -> tuple[Link, ...]:
        if reading.is_negated or reading.stance is not Stance.ASSERTS:
            return ()
        valued = values.valued(reading.content, claim, is_fact=reading.modality is Modality.FACT)
        return values.judged(valued, self._index, self._speaker)

    def _against(self, reading: Reading, pairs: list[rules.Comparison]) -> tuple[tuple[Link, ...], str]:
        """Look for what speaks against the claim, the nearest proposition first."""
        for place, pair in enumerate(pairs):
            link = rules.given_up(pair) or rules.contradicted(pair)
            if link is None or moods.speaks_of_change(reading.content, pair.known):
                continue
            if pair.known.lifecycle in GIVEN_UP and values.is_kept(reading.content, pairs):
                continue
            if any(earlier.closeness > pair.closeness for earlier in pairs[:place]):
                return (), TORN
            return (link,), ""
        return (), NO_MATCH
