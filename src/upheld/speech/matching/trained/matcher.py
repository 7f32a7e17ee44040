"""A matcher by the trained network of this project: claims by clause, weighed beside the nearest propositions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from upheld.logic.language.identities import AgentId
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching.beside.rules import ALL_VALUES, beside
from upheld.speech.matching.clauses import Span, clauses, sentences
from upheld.speech.matching.cues import is_small_talk, read_cues
from upheld.speech.matching.language import is_english
from upheld.speech.matching.lexical import MAX_TEXT, NOT_COVERED, TOO_LONG
from upheld.speech.matching.matcher import Claim, Relation
from upheld.speech.matching.quoting.words import words_of
from upheld.speech.matching.trained.deciding import decided
from upheld.speech.matching.trained.features import Near
from upheld.speech.matching.trained.rule import Rule
from upheld.speech.matching.wishes.index import WishIndex, undoubted
from upheld.speech.trained.judge import Judge, Judgement, Question
from upheld.speech.view import Situation, View

SHOWN = 8
"""Propositions that a claim is judged beside: the network learned on lists of that length."""

FEWEST = 3
"""Fewest of them beside which it is judged, where there are so many: of long ones fewer are read together."""

LEAST_NEAR, LEAST_SHARE = 0.15, 0.4
"""Cosine, and share of the nearest one's, below which a proposition is about something else.

Of 252 propositions that candidates of ``dev`` rest on, seven lie below the first and one below the second. Without such
bars what is far away would be weighed with the rest, and padding could change a verdict.
"""

MOST_CLAIMS = 200
"""Claims of one text that are judged; a text with more is abstained on whole, so that its cost is bounded."""

LONG_CLAIM = "over the size limit: a clause that the trained network does not read whole"
LONG_PROPOSITION = "over the size limit: near a proposition that the trained network does not read whole"
TOO_MANY = f"over the size limit of {MOST_CLAIMS} claims"
NOTHING_NEAR = "nothing on record is near in meaning"
SHORT = "too few words to match"


class Nearest(Protocol):
    """Gives, for each of several texts, the propositions nearest to it in meaning, nearest first."""

    def __call__(self, texts: Sequence[str], view: View, limit: int, /) -> Sequence[Sequence[Near]]:
        """Give at most ``limit`` a text."""
        ...


class TrainedMatcher:
    """Claims by a small network and a calibrated rule, with the named rules of figures, dates and names beside it.

    The network sees a claim, the reply around it and the propositions nearest to it, all together, and never what
    stands. Where the rule is not sure it abstains, and so it does where anything is too long to be read whole. Covers
    English. One matcher serves one conversation and one thread at a time, as its ``nearest`` does.
    """

    version = "1"

    def __init__(self, judge: Judge, nearest: Nearest, rule: Rule) -> None:
        """Ask this judge about what ``nearest`` finds, and weigh its answers by ``rule``."""
        self._judge = judge
        self._nearest = nearest
        self._rule = rule
        self._wishes = WishIndex()

    @property
    def name(self) -> str:
        """The method, and the weights down to their digest."""
        return f"trained({self._judge.name})"

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims of a text. Cost: a search and a pass of the network a claim."""
        if reason := unread(text):
            return (Claim(span=(0, len(text)), text=text, abstained=reason),)
        self._wishes.update(view)
        found = weighed(text, claim_spans(text), view, self._judge, self._nearest)
        return tuple(undoubted(self._claim(each, text, view), self._wishes) for each in found)

    def _claim(self, each: Weighed, text: str, view: View) -> Claim:
        said = text[slice(*each.span)]
        if each.judgement is None:
            return Claim(span=each.span, text=said, abstained=each.abstained)
        result = decided(said, each.judgement, each.near, self._rule, self.name)
        is_decided = bool(result.links) or result.is_new
        claim = Claim(
            span=each.span,
            text=said,
            stance=_stance(said, each.judgement if is_decided else None),
            modality=_modality(said, each.judgement if is_decided else None),
            links=result.links,
            abstained=result.abstained,
            is_new=result.is_new,
            likelihood=round(result.likelihood, 4),
        )
        return ruled(claim, each.near, view)


def unread(text: str) -> str:
    """Say why a text is not judged at all: its length, its language, its number of claims; empty where it is."""
    if len(text) > MAX_TEXT:
        return TOO_LONG
    if not is_english(text):
        return NOT_COVERED
    return TOO_MANY if len(claim_spans(text)) > MOST_CLAIMS else ""


def ruled(claim: Claim, near: Sequence[Near], view: View) -> Claim:
    """Give a claim as the named rules leave it, by the propositions that are said to support it."""
    linked = {link.literal.proposition for link in claim.links if link.relation is Relation.SUPPORTED_BY}
    known = [each.known for each in near if each.known.proposition.id in linked]
    agents = view.agents() if isinstance(view, Situation) else ()
    people = [part for agent in agents for part in (agent.id, *agent.name.split())]
    return beside(claim, known, people, exact=ALL_VALUES) if known else claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A claim's place, what it was judged beside, and what the judge said; or why it was not judged."""

    span: Span
    near: Sequence[Near] = ()
    judgement: Judgement | None = None
    abstained: str = ""


def weighed(text: str, spans: Sequence[Span], view: View, judge: Judge, nearest: Nearest) -> tuple[Weighed, ...]:
    """Have the claims of a text judged; training does it by the same function."""
    unread = {span: reason for span in spans if (reason := _unreadable(text[slice(*span)], judge))}
    asked = [span for span in spans if span not in unread]
    reply = text if len(spans) > 1 else ""
    found: dict[Span, Sequence[Near]] = {}
    questions: list[Question] = []
    for span, around in zip(asked, nearest([text[slice(*span)] for span in asked], view, SHOWN), strict=True):
        near = about(around)
        if not near:
            unread[span] = NOTHING_NEAR
            continue
        count = judge.fitting(_question(text[slice(*span)], reply, near))
        if count < min(FEWEST, len(near)):
            unread[span] = LONG_PROPOSITION
            continue
        found[span] = near[:count]
        questions.append(_question(text[slice(*span)], reply, near[:count]))
    judged = dict(zip(found, judge.judge(questions), strict=True))
    return tuple(
        Weighed(span=span, near=found[span], judgement=judged[span])
        if span in judged
        else Weighed(span=span, abstained=unread[span])
        for span in spans
    )


def about(around: Sequence[Near]) -> list[Near]:
    """Leave out what is too far away to be what a claim is about."""
    bar = max(LEAST_NEAR, LEAST_SHARE * max((each.nearness for each in around), default=0.0))
    return [each for each in around if each.nearness >= bar]


def _question(claim: str, reply: str, near: Sequence[Near]) -> Question:
    return Question(
        claim=claim,
        reply=reply,
        propositions=tuple(each.known.proposition.text for each in near),
        nearness=tuple(each.nearness for each in near),
    )


def claim_spans(text: str) -> tuple[Span, ...]:
    """Give the places of what may claim something, clause by clause, in order."""
    return tuple(
        part
        for span in sentences(text)
        if not is_small_talk(text[slice(*span)])
        for part in clauses(text, span)
        if not is_small_talk(text[slice(*part)])
    )


def _unreadable(said: str, judge: Judge) -> str:
    return SHORT if len(words_of(said)) < 2 else "" if judge.reads(said) else LONG_CLAIM


def _modality(said: str, judgement: Judgement | None) -> Modality:
    """Give the modality: a question mark is never wrong, and a word of doubt seldom; else as judged."""
    cued = read_cues(said).modality
    return cued if cued is not Modality.FACT or judgement is None else judgement.modality


def _stance(said: str, judgement: Judgement | None) -> Stance:
    """Give the stance by cues, else as judged; of a claim that is left open, by cues alone."""
    cued = read_cues(said).stance
    return cued if cued is not Stance.ASSERTS or judgement is None else judgement.stance
