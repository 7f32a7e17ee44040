"""Replies after a correction: one that repeats the old value, one with the new, one about a slot nobody touched.

Each is made in two wordings: by the slot's name ("The price range is cheap."), and in the user's own words turned to
them ("you want a cheap restaurant"), where a sentence of theirs has the value. A matcher that goes by words alone can
hold the second against what was said; the first takes understanding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from upheld.speech.matching.clauses import sentences
from upheld_evals.external.corrections.dialogues import Correction, Dialogue, spoken_name
from upheld_evals.external.wording import has_any

STALE, CURRENT, UNTOUCHED = "stale", "current", "untouched"
BY_SLOT, IN_THEIR_WORDS = "by the slot's name", "in the user's words"

_PERSONS = {"i": "you", "me": "you", "my": "your", "mine": "yours", "am": "are", "'m": "'re", "myself": "yourself"}
_PERSON = re.compile(r"\b(?:I|me|my|mine|am|myself)\b|'m\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Something that a system might say: about which value, in which wording; only :data:`STALE` must be flagged."""

    kind: str
    wording: str
    text: str
    value: tuple[str, ...]


def replies_after(dialogue: Dialogue, place: int) -> tuple[Reply, ...]:
    """Give the replies to the corrections of one turn. Cost: linear in the dialogue."""
    return tuple(reply for each in dialogue.turns[place].corrections for reply in _replies(dialogue, place, each))


def _replies(dialogue: Dialogue, place: int, correction: Correction) -> Iterator[Reply]:
    before = [each.text for each in dialogue.turns[:place] if each.is_user]
    here = [dialogue.turns[place].text]
    about = [
        (STALE, correction.slot, correction.older, before),
        (CURRENT, correction.slot, correction.newer, here),
    ]
    untouched = dialogue.untouched(place)
    if untouched is not None:
        about.append((UNTOUCHED, *untouched, before))
    stale = [each.older for turn in dialogue.turns[: place + 1] for each in turn.corrections]
    for kind, slot, value, said in about:
        yield Reply(kind=kind, wording=BY_SLOT, text=f"The {spoken_name(slot)} is {value[0]}.", value=value)
        sentence = _last_with(value, said)
        # A sentence about what nobody touched that has a replaced value besides is stale all the same.
        is_mixed = kind != STALE and any(has_any(sentence, older) for older in stale)
        if sentence and not is_mixed:
            yield Reply(kind=kind, wording=IN_THEIR_WORDS, text=addressed(sentence), value=value)


def _last_with(value: tuple[str, ...], said: Sequence[str]) -> str:
    for text in reversed(said):
        for start, end in sentences(text):
            if has_any(text[start:end], value):
                return text[start:end]
    return ""


def addressed(sentence: str) -> str:
    """Give a sentence of the first person turned to whoever said it."""
    return _PERSON.sub(lambda found: _PERSONS[found[0].casefold()], sentence)
