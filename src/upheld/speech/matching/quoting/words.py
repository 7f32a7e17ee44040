"""A text as words that can be compared, each with its place in the original."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

# Soft hyphens, characters of no width and combining accents do not end a word; a character of Chinese, Japanese or
# Korean is a word, because nothing stands between words there.
_INNER = r"\u00ad\u200b-\u200f\u2060\ufeff\u0300-\u036f"
_WORD = re.compile(
    rf"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\d+(?:[.,:/]\d+)+|[^\W_](?:[^\W_]|[{_INNER}])*(?:['\u2019][^\W\d_]+)*|"
    r"[%$\u20ac\u00a3]"
)
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word in its compared form, and where it stands: first and past-the-last character of the original."""

    form: str
    start: int
    end: int


def words_of(text: str) -> tuple[Word, ...]:
    """Give the words of a text. Letter case, accents' spelling, ligatures and kinds of apostrophe make no difference.

    Cost: linear.
    """
    return tuple(Word(_folded(found.group()), *found.span()) for found in _WORD.finditer(text))


def _folded(word: str) -> str:
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", word)) if not word.isascii() else word
    return plain.replace("\u2019", "'").casefold()


class Worded:
    """A text that word sequences can be looked up in, with spans of the original for answers."""

    def __init__(self, text: str) -> None:
        """Take the words of a text. Cost: linear."""
        self.text = text
        self.words = words_of(text)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The compared forms, in order."""
        return tuple(word.form for word in self.words)

    @cached_property
    def _joined(self) -> tuple[str, list[int]]:
        """All forms with a blank on either side of each, and where each begins."""
        starts: list[int] = []
        place = 1
        for form in self.forms:
            starts.append(place)
            place += len(form) + 1
        return " " + " ".join(self.forms) + " ", starts

    def find(self, forms: Sequence[str], start: int = 0) -> int:
        """Give the place of the first of these words where they come in a row, from a place on, or -1."""
        joined, starts = self._joined
        if not forms or start >= len(starts):
            return -1
        found = joined.find(" " + " ".join(forms) + " ", starts[start] - 1)
        return -1 if found < 0 else bisect_left(starts, found + 1)

    def span(self, first: int, count: int) -> tuple[int, int]:
        """Give the characters from a word to the last of ``count``."""
        return self.words[first].start, self.words[first + count - 1].end

    def within(self, span: tuple[int, int]) -> tuple[int, int]:
        """Give the first and past-the-last word that lie in a span of characters. Cost: logarithmic."""
        first = bisect_left(self.words, span[0], key=lambda word: word.start)
        return first, bisect_right(self.words, span[1], key=lambda word: word.end)
