"""Where in a turn's text the words of a claim are."""

from __future__ import annotations

import re

from upheld.speech.matching.clauses import Span, sentences
from upheld.speech.matching.tokens import frame

BAR = 0.6
"""Share of the terms that a sentence and a claim must have in common; below it nobody is told where to look."""


def span_of(words: str, text: str) -> Span | None:
    """Give the first and past-the-last character of a claim's words in a text; ``None`` when unsure.

    They are found as they are, else without case and spacing; else as the sentence that has most terms in common with
    them, if that is most of both and no other sentence has as many. Cost: linear in both.
    """
    if not words or not text:
        return None
    start = text.find(words)
    if start >= 0:
        return start, start + len(words)
    return _loosely(words, text) or _sentence(words, text)


def _loosely(words: str, text: str) -> Span | None:
    parts = words.rstrip(".!?… ").split()
    lowered = text.lower()
    # Making a pattern takes a hundred times as long as seeing that a word is missing, which is so for most claims.
    if not parts or any(each.lower() not in lowered for each in parts):
        return None
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, parts)) + r"(?!\w)"
    found = re.search(pattern, text, re.IGNORECASE)
    return None if found is None else found.span()


def _sentence(words: str, text: str) -> Span | None:
    wanted = frame(words).terms
    scored = [(_common(wanted, frame(text[start:end]).terms), (start, end)) for start, end in sentences(text)]
    best = max((score for score, _ in scored), default=0.0)
    if best < BAR:
        return None
    found = [span for score, span in scored if score == best]
    return found[0] if len(found) == 1 else None


def _common(ours: frozenset[str], theirs: frozenset[str]) -> float:
    both = len(ours | theirs)
    return len(ours & theirs) / both if both else 0.0
