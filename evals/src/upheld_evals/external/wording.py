"""Texts in one form, so that a value is found in other people's words: case, endings, articles, numbers as digits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from upheld_evals.external.locomo import normalised
from upheld_evals.external.porter import stem

_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}


@lru_cache(maxsize=1 << 16)
def in_one_form(text: str) -> str:
    """Give the stems of a text, one blank between them, punctuation and articles left out, number words as digits."""
    return " ".join(stem(_NUMBERS.get(word, word)) for word in normalised(text).split())


def has_any(text: str, forms: Iterable[str]) -> bool:
    """Tell whether a text has one of some values in it, its words one after the other; an empty value is in none."""
    told = f" {in_one_form(text)} "
    return any(f" {form} " in told for form in map(in_one_form, forms) if form)
