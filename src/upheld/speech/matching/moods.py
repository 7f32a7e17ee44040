"""How a proposition was put, and whether a claim of the same words and values may rest on it all the same.

A wish is no deed, a report is not what it reports, what was is not what is.
"""

from __future__ import annotations

import re

from upheld.logic.language.identities import AgentId
from upheld.speech.matching.entities import entities
from upheld.speech.matching.tokens import frame, stem
from upheld.speech.view import Known


def stems(words: str) -> frozenset[str]:
    """Give the stems of words, as a frame has them."""
    return frozenset(stem(word) for word in words.split())


LIGHT = stems(
    "order parcel package delivery deliver delivered shipment ship shipping send sent reach arrive expect set book "
    "booked booking reserve reserved reservation confirm confirmed note noted put right sorry thank thanks new total "
    "number address time date day appointment name call visit dear all ready see make take use still up plan planned"
)
"""Words that fit around any value, and say little of their own."""

CARRIERS = stems("order parcel package delivery deliver shipment ship shipping send post")
"""Words for what goes to an address: the address says where, whichever of them is used."""

COMPLETED = re.compile(
    r"\b(?:was|were|has|have|had|been|already|just|did|done|went|gone|arrived|delivered|sent|shipped|dispatched|"
    r"refunded|paid|booked|cancel+ed|changed|moved|added|finished|completed)\b",
    re.IGNORECASE,
)
"""Words that report a deed as done."""

SAID_BY = re.compile(r"\A\S+ (?:says|asks): ")
"""Who said it is no part of what was said."""

_ASKED = re.compile(r"\A\S+ asks: ")
_REPORTED = re.compile(
    r"\b(?:said|says|told|tells|thinks?|thought|believes?|believed|claims|claimed|heard|reckons?|suspects?|suspected|"
    r"suggests|suggested|according to|asked|wondered|hopes?|expects?|expected)\b",
    re.IGNORECASE,
)
_WISHED = re.compile(r"\b(?:like|want|wants|need|needs|please|hope|wish)\b", re.IGNORECASE)
_GRANTED = re.compile(r"\b(?:gets?|got|receives?|received|granted|approved)\b", re.IGNORECASE)
_PARTICIPLE = re.compile(r"\b\w{2,30}[^\Wae]ed\b", re.IGNORECASE)
_UNSURE = re.compile(r"\b(?:should|would|could|might|supposed)\b", re.IGNORECASE)
_FUTURE = re.compile(r"\b(?:should|would|could|might|supposed|will|'ll|may|expected|planned|going to)\b", re.IGNORECASE)
_UNREAL = re.compile(
    r"\b(?:false|untrue|doubts?|doubted|pretend|imagine|suppose|assume|dreamt|dreamed|dream|joke|joking|kidding|film|movie|"
    r"novel|story|fairy tale|example|hypothetical\w*)\b",
    re.IGNORECASE,
)
_AIMED = re.compile(r"\b(?:want|wants|like|likes|hope|hopes|plan|plans|try|tries|need|needs|wish)(?: \w+)? to\b", re.I)
_AIM = re.compile(r"\b(?:want|like|hope|plan|try|need|wish|will|going)\w*\b|\A(?!(?:you|he|she|they|we|it|i)\b)", re.I)
_MOODS = ((_REPORTED, _REPORTED), (_UNSURE, _FUTURE), (_UNREAL, _UNREAL), (_AIMED, _AIM))
"""Moods of a proposition, each with what a text must have of it."""
_PAST = re.compile(r"\b(?:was|were|had|used to)\b", re.IGNORECASE)
_PRESENT = re.compile(r"\b(?:is|are|has|have)\b", re.IGNORECASE)
_PARTS = re.compile(r"[,;]\s|\sbut\s", re.IGNORECASE)
_HOLDER = re.compile(
    r"\b(?:sister|brother|wife|husband|partner|friend|colleague|mother|father|mum|mom|dad|son|daughter|neighbou?r|boss|"
    r"manager|cousin|aunt|uncle|nephew|niece|flatmate|roommate|grandmother|grandfather|girlfriend|boyfriend|"
    r"landlord|tenant)\b"
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|[Mm]y|[Mm]ine)\b")
_PRONOUN = re.compile(r"\A(?:it|they|that|this|he|she|those|these)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:another|other|extra|additional|old|previous|previously|former|formerly|instead|changed|moved|replaced|removed|"
    r"cancelled|stays?|remains?|no longer)\b"
)


def may_support(text: str, known: Known, speaker: AgentId | None) -> bool:
    """Tell whether nothing in how a proposition was put keeps a text of the same words and values from resting on it.

    It was asked for and not done; somebody else is said to say it; it is about somebody whom the text leaves out; it is
    about the one who said it, and another says it of themselves; the text leaves its subject to a pronoun.
    """
    said = known.proposition.text
    content = SAID_BY.sub("", said, count=1)
    is_wished = _ASKED.match(said) is not None or _WISHED.search(content) is not None
    if is_wished and (_GRANTED.search(text) or _deeds(text) - _deeds(content)):
        return False
    if any(theirs.search(content) and not ours.search(text) for theirs, ours in _MOODS):
        return False
    part = _nearest_part(text, content)
    if _PAST.search(part) and _PRESENT.search(text) and not _PRESENT.search(part):
        return False
    if frozenset(_HOLDER.findall(content.casefold())) - frozenset(_HOLDER.findall(text.casefold())):
        return False
    is_anothers = speaker is not None and known.speaker is not None and known.speaker != speaker
    if is_anothers and _FIRST_PERSON.search(text) and _FIRST_PERSON.search(content):
        return False
    return not (_PRONOUN.match(text) and _is_bare(text) and not _is_bare(content))


def _nearest_part(text: str, content: str) -> str:
    """Give the part of a proposition, between commas, that has most words of a text."""
    terms = frame(text).terms
    return max(_PARTS.split(content), key=lambda part: len(frame(part).terms & terms))


def _deeds(text: str) -> frozenset[str]:
    """Give the words of a text that report a deed as done, in lower case."""
    return frozenset(word.casefold() for word in (*COMPLETED.findall(text), *_PARTICIPLE.findall(text)))


def _is_bare(text: str) -> bool:
    """Tell whether a text has values and next to nothing else."""
    own = entities(text)
    rest = frame(text).terms.difference(*(entity.terms for entity in own)) if own else frozenset[str]()
    return bool(own) and rest <= LIGHT | CARRIERS


def speaks_of_change(text: str, known: Known) -> bool:
    """Tell whether a text has words of change, or of another one, that a proposition has not."""
    return any(word not in known.proposition.text.casefold() for word in _OTHER.findall(text.casefold()))


def is_denied(text: str, known: Known) -> bool:
    """Tell whether the part of a proposition that is about a text has the other sign, and not only some other part."""
    content = SAID_BY.sub("", known.proposition.text, count=1)
    return frame(_nearest_part(text, content)).negated != frame(text).negated
