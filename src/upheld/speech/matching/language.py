"""Whether a text is in the language that the word lists cover."""

from __future__ import annotations

import re

from upheld.speech.matching.lexicon import ENGLISH, FOREIGN

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_LATIN_END = "\u024f"
_FEW = 4


def is_english(text: str) -> bool:
    """Tell whether a text may be read as English: Latin script, and function words that are English ones.

    A text of a few words without any function word passes, unless one of them belongs to another language. A small
    test by design: what it lets through wrongly finds no match and is abstained on later.
    """
    letters = [char for char in text if char.isalpha()]
    if not letters:
        return True
    if sum(char > _LATIN_END for char in letters) * 5 > len(letters):
        return False
    words = [word.casefold().replace("\u2019", "'") for word in _WORD.findall(text)]
    ours = sum(word in ENGLISH for word in words)
    theirs = sum(word in FOREIGN and word not in ENGLISH for word in words)
    accented = sum(not char.isascii() for char in letters)
    if len(words) <= _FEW:
        return theirs == 0 or ours > theirs
    return ours > theirs and (ours * 12 >= len(words) or accented == 0)
