"""A language model's answer, read and held against what stands before anybody is given it."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from upheld.conversation.checking.claims import Checked, check_candidates, check_text, checked
from upheld.errors import UnusableReply
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import NEGATION, Literal
from upheld.logic.language.verdicts import Candidate, Modality, Outcome, Stance
from upheld.logic.reasoning.state import State
from upheld.speech.instructions import is_instruction
from upheld.speech.matching.matcher import Matcher
from upheld.speech.matching.tokens import frame
from upheld.speech.rendering.context.items import Item

CITES_NOTHING = "it cites nothing that it rests on"
CITES_AN_ORDER = "it rests on a passage that reads like an instruction, which grounds nothing"
BY_CITATION = "by citation"

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")

ItemOf = Callable[[PropositionId], Item | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """What a language model answered: words, what they put as fact, what as a view, or that the record is silent."""

    text: str
    rests_on: tuple[Literal, ...]
    reports: tuple[Literal, ...]
    abstains: bool
    missing: str


def cited(tree: object, shown: Collection[PropositionId]) -> Cited:
    """Read the JSON of a reply; only what was shown may be cited.

    Raises:
        UnusableReply: a field is missing or wrong, or an id stands nowhere on the page; says which.
    """
    if not isinstance(tree, Mapping):
        raise UnusableReply("the reply must be one JSON object")
    fields = cast("Mapping[str, object]", tree)
    answer = Cited(
        text=_text(fields, "answer").strip(),
        rests_on=_literals(fields, "rests_on", shown),
        reports=_literals(fields, "reports", shown),
        abstains=_flag(fields, "abstains"),
        missing=_text(fields, "missing").strip(),
    )
    if not answer.abstains and not answer.text:
        raise UnusableReply("answer is empty: give an answer, or set abstains and say in missing what is missing")
    return answer


def check_answer(state: State, answer: Cited, question: str, item_of: ItemOf, matcher: Matcher) -> Checked:
    """Hold an answer against what stands: every citation, then its words.

    Grounded is only an answer that cites something, all of which stands as it is put, whose figures and names come from
    there or from the question, and in which the matcher finds nothing that does not hold.
    """
    by_words = check_text(state, answer.text, matcher)
    wrong = tuple(claim for claim in by_words.claims if claim.outcome is Outcome.UNGROUNDED)
    candidates = _candidates(answer)
    if not candidates and not wrong:
        return Checked(outcome=Outcome.ABSTAIN, claims=by_words.claims, abstained=CITES_NOTHING)
    if not candidates:
        return checked(wrong)
    by_citation = check_candidates(state, answer.text, candidates, matcher=BY_CITATION)
    if by_citation.outcome is Outcome.UNGROUNDED or wrong:
        return checked((*by_citation.claims, *wrong))
    doubt = _doubt(answer, question, item_of)
    return Checked(outcome=Outcome.ABSTAIN, claims=by_citation.claims, abstained=doubt) if doubt else by_citation


def _candidates(answer: Cited) -> Sequence[Candidate]:
    facts = [Candidate(literal=each) for each in answer.rests_on]
    views = (
        Candidate(literal=each, stance=Stance.REPORTS, modality=Modality.HYPOTHESIS)
        for each in answer.reports
        if each not in answer.rests_on
    )
    return [*facts, *views]


def _doubt(answer: Cited, question: str, item_of: ItemOf) -> str:
    """Say why an answer is not grounded although all that it cites stands; empty where nothing speaks against it."""
    items = [item_of(each.proposition) for each in (*answer.rests_on, *answer.reports)]
    if any(item is not None and is_instruction(item.text) for item in items):
        return CITES_AN_ORDER
    strangers = _strangers(answer, question, item_of)
    return f"it says more than what it cites: {', '.join(strangers)}" if strangers else ""


def _strangers(answer: Cited, question: str, item_of: ItemOf) -> Sequence[str]:
    """Give the figures and names of an answer that neither the question nor anything cited has."""
    known = set(frame(question).terms)
    for each in (*answer.rests_on, *answer.reports):
        for source in _sources(each.proposition, item_of):
            told = (source.text, source.speaker, source.turn, _spoken_day(source.at), source.ended)
            known.update(term for text in told for term in frame(text).terms)
    said = frame(answer.text)
    return sorted((said.numbers | said.names) - known)


def _spoken_day(at: str) -> str:
    """Give a day as people write it, beside its figures."""
    found = _DAY.match(at)
    if found is None or not 1 <= int(found[2]) <= 12:
        return at
    return f"{at} {int(found[3])} {calendar.month_name[int(found[2])]} {found[1]}"


def _sources(id: PropositionId, item_of: ItemOf) -> Sequence[Item]:
    """Give an item, what it rests on directly, why it was given up and what replaced it."""
    item = item_of(id)
    if item is None:
        return ()
    beside = (*(each.proposition for each in item.grounds), *item.because, item.current)
    others = (item_of(each) for each in beside if each is not None)
    return [item, *(each for each in others if each is not None)]


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise UnusableReply(f"{key} must be a text")
    return value


def _flag(fields: Mapping[str, object], key: str) -> bool:
    value = fields.get(key)
    if not isinstance(value, bool):
        raise UnusableReply(f"{key} must be true or false")
    return value


def _literals(fields: Mapping[str, object], key: str, shown: Collection[PropositionId]) -> tuple[Literal, ...]:
    value = fields.get(key)
    if not isinstance(value, list):
        raise UnusableReply(f"{key} must be a list of ids")
    found: dict[Literal, None] = {}
    for each in cast("list[object]", value):
        if not isinstance(each, str):
            raise UnusableReply(f"{key} must be a list of ids")
        id = PropositionId(each.removeprefix(NEGATION))
        if id not in shown:
            raise UnusableReply(f"{key} names {each!r}, which is no id of an item in the record that you were given")
        found[Literal(id, each.startswith(NEGATION))] = None
    return tuple(found)
