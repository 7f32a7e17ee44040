"""An answer without a language model: the items that fit the question best, in their own words, or an abstention."""

from __future__ import annotations

import re
from collections.abc import Sequence

from upheld.conversation.answering.answer import Answer, grounds_of
from upheld.conversation.checking.claims import CheckedClaim, check_candidates
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Candidate, Modality, Outcome, Stance
from upheld.logic.reasoning.state import State
from upheld.speech.instructions import is_instruction
from upheld.speech.matching.tokens import frame
from upheld.speech.rendering.context.items import Group, Item
from upheld.speech.rendering.context.quoting import name, quotation
from upheld.speech.rendering.context.renderer import ContextRenderer
from upheld.speech.rendering.context.searching import coverage, family_of

BY_WORDS = "words"

LEAST_COVERED = 0.8
"""Part of the weight of a question's words that an item must share for its text to pass as an answer.

Chosen on the questions of the development conversations, short and interleaved (``upheld eval questions``): with 0.7
five questions that have no answer get one in the interleaved ones, with 0.8 none does, and two fewer are answered.
"""

MOST_GIVEN, MOST_NEAREST = 3, 3
"""Items that are given as an answer, and items that are named where there is none."""

_MOST_LOOKED_AT = 12

_ABOUT_NOTHING = frozenset(
    [
        "who",
        "whom",
        "whose",
        "what",
        "which",
        "when",
        "where",
        "why",
        "how",
        "many",
        "much",
        "long",
        "often",
        "old",
        "does",
        "do",
        "get",
        "got",
        "have",
        "say",
        "said",
        "think",
        "know",
        "change",
        "happen",
        "must",
        "need",
        "want",
        "wish",
        "all",
        "now",
        "first",
        "next",
        "last",
    ]
)
"""Words of questions that are about no subject, as stems."""

_WORD = re.compile(r"[^\s?!,;\"()]+")
_WANTS_VALUE = re.compile(
    r"\b(?:how (?:many|much|long|often|old|far|high|large)|when|what time|what date)\b", re.IGNORECASE
)


def extracted(state: State, question: str, renderer: ContextRenderer) -> Answer:
    """Answer with up to three items that share enough of the question's words, each with where it came from.

    What was replaced is answered with the value that replaced it, what was given up as given up, and a live hypothesis
    as what somebody considers. An item that no longer stands is never given as an answer. Cost: a search.
    """
    words = words_of(question)
    ranked = [kept.item for kept in renderer.ranked(question)[:_MOST_LOOKED_AT]]
    unknown = [said for said, word in words.items() if not _is_known(renderer, word)]
    if unknown:
        return _abstained(question, f"nothing in the record mentions {', '.join(map(quotation, unknown))}", ranked)
    found: list[Item] = []
    for item in ranked:
        meant = _current(renderer, item)
        is_about = coverage(renderer.terms, tuple(words.values()), item.id) >= LEAST_COVERED
        if is_about and _may_answer(question, meant) and meant not in found:
            found.append(meant)
    given = found[:MOST_GIVEN]
    claims = tuple(claim for item in given for claim in _checked(state, item) if claim.outcome is Outcome.GROUNDED)
    if not claims:
        return _abstained(question, "no item of the record says it", ranked)
    text = "\n".join(claim.text for claim in claims)
    return Answer(
        question=question,
        text=text,
        outcome=Outcome.GROUNDED,
        by=BY_WORDS,
        claims=claims,
        grounds=grounds_of(claims),
    )


def told(item: Item) -> str:
    """Give an item as a sentence with its source: who said it, when, and whether it is more than considered."""
    origin = ", ".join(name(part) for part in (item.id, item.turn, item.at, item.speaker) if part)
    said = f"{quotation(item.text)} ({origin})"
    match item.group:
        case Group.GIVEN_UP:
            at = f" at {name(item.ended)}" if item.ended else ""
            because = f" because of {', '.join(map(name, item.because))}" if item.because else ""
            return f"Given up{at}{because}: {said}"
        case Group.CONSIDERED:
            return f"Considered, not settled: {said}"
        case _:
            return said


def words_of(question: str) -> dict[str, str]:
    """Give the words of a question that are about something, as they were said, each with its stem."""
    found: dict[str, str] = {}
    for said in _WORD.findall(question):
        for stem in frame(said).order:
            if stem not in _ABOUT_NOTHING and stem not in found.values():
                found[said] = stem
    return found


def _is_known(renderer: ContextRenderer, word: str) -> bool:
    return renderer.terms.has(word) or renderer.terms.has(family_of(word))


def _current(renderer: ContextRenderer, item: Item) -> Item:
    """Give the value that replaced an item, where one stands."""
    current = renderer.item(item.current) if item.current is not None else None
    return item if current is None or current.group is Group.GIVEN_UP else current


def _may_answer(question: str, meant: Item) -> bool:
    """Tell whether an item can be an answer at all: one that stands, with a figure or a day where one is wanted."""
    if meant.group in {Group.OPEN, Group.DOUBTED} or is_instruction(meant.text):
        return False
    return not _WANTS_VALUE.search(question) or bool(frame(meant.text).numbers)


def _checked(state: State, item: Item) -> Sequence[CheckedClaim]:
    literal = Literal(item.id)
    match item.group:
        case Group.GIVEN_UP:
            meant = (Candidate(literal=~literal), *_reasons(state, item))
        case Group.CONSIDERED:
            meant = (Candidate(literal=literal, stance=Stance.REPORTS, modality=Modality.HYPOTHESIS),)
        case _:
            meant = (Candidate(literal=literal),)
    return check_candidates(state, told(item), meant, matcher="by id").claims


def _reasons(state: State, item: Item) -> Sequence[Candidate]:
    literals = (Literal(each) for each in item.because)
    return [Candidate(literal=each) for each in literals if state.stands(each)]


def _abstained(question: str, missing: str, ranked: Sequence[Item]) -> Answer:
    nearest = [item for item in ranked if item.group is not Group.OPEN][:MOST_NEAREST]
    return Answer(
        question=question,
        text="",
        outcome=Outcome.ABSTAIN,
        by=BY_WORDS,
        missing=missing,
        nearest=tuple(item.id for item in nearest),
    )
