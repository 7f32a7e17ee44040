"""Whether a text is in the language that the word lists cover."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from upheld.speech.matching.lexicon import ENGLISH, FOREIGN, SHARED, TELLING

_FUNCTION_SHARE, _TELLING_SHARE, _FOREIGN_SHARE = 4, 10, 8
"""One function word in so many, and one that only English has, are enough; with so many such words to a foreign one."""

_UNKNOWN, _SURELY, _SHAPED, _NAMED = 1.0, 1.5, 0.5, 0.4
"""What a word weighs against English: unknown; foreign for sure; of an English shape; with a capital, as names have."""

_SHARED = 0.25
"""What a function word weighs for English that other languages have too."""

_FEW = 1.5
"""Weight that does not make a text foreign, whatever stands beside it: one word that nobody knows, and a name."""

_NAMES_A_WORD = 2
"""So many names count for each foreign word, at most: names alone are no language."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^\s*\$ [a-z].*?$", re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(r"\S+")
_NO_LANGUAGE = re.compile(r"[\d_/\\=<>{}\[\]$@#|]|\w[.(:]\w|[a-z][A-Z]")
_QUOTED = re.compile(r"[\"\u201c\u201d\u201e\u00ab][^\"\u201c\u201d\u201e\u00ab\u00bb\n]{2,400}[\"\u201c\u201d\u00bb]")
_FRAME = 3
"""Words around what is quoted that are enough to tell the language of who quotes."""

_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n])[\s\"\u201c\u201e(*-]*\Z")
_LOOK_BACK = 6
_BEYOND_LATIN = re.compile(r"[^\0-\u024f]")
_LONGEST_ACRONYM = 3
_CONTRACTED = ("n't", "'re", "'ve", "'ll", "'d", "'m")
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "er", "r")
_SHORTEST_ROOT = 3
_REMEMBERED = 4096
_ENGLISH_SHAPE = re.compile(r"(?:ied|ies|ed|ly|ness|less|ful|ght|sh|tch)\Z")


def is_english(text: str) -> bool:
    """Tell whether most of what is language in a text is English.

    Words that no other language has decide where there are enough of them. Elsewhere, as in notes without any, each
    word is looked up in the list of English words. Code, numbers, addresses and identifiers are no language, a name is
    hardly one, and what is quoted counts only where nothing stands around it. Where nothing tells, a text passes: what
    is let through wrongly finds no match and is abstained on later.

    Cost: linear in the text. The list is read at the first call that needs it.
    """
    if not _is_latin(text):
        return False
    said = _said(text.replace("\u2019", "'"))
    if _is_plainly_english(_WORD.findall(said.casefold())):
        return True
    ours, theirs = _weighed(_bare(said))
    return theirs < _FEW or ours >= theirs


@cache
def english_words() -> frozenset[str]:
    """Give the English words of the list, without forms that `is_formed_of` finds. Cost: a file, at the first call."""
    return frozenset(files("upheld.speech.matching").joinpath("english.txt").read_text("utf-8").split())


def is_formed_of(word: str, known: Collection[str]) -> bool:
    """Tell whether a word is known, or a known one with one of the common endings of English."""
    return word in known or any(root in known for root in _roots(word))


def _is_latin(text: str) -> bool:
    strange = 0 if text.isascii() else sum(map(str.isalpha, _BEYOND_LATIN.findall(text)))
    return strange == 0 or strange * 5 <= sum(map(str.isalpha, text))


def _is_plainly_english(words: Sequence[str]) -> bool:
    telling = sum(map(TELLING.__contains__, words))
    return (
        telling * _TELLING_SHARE >= len(words)
        and sum(map(ENGLISH.__contains__, words)) * _FUNCTION_SHARE >= len(words)
        and sum(map(FOREIGN.__contains__, words)) * _FOREIGN_SHARE <= telling
    )


def _said(text: str) -> str:
    """Give a text without code, and without what it quotes if something stands around that."""
    whole = _CODE.sub(" ", text) if "`" in text or "$ " in text else text
    frame = _QUOTED.sub(" ", whole)
    return frame if frame == whole or len(_WORD.findall(frame)) >= _FRAME else whole


def _bare(text: str) -> str:
    return _TOKEN.sub(lambda token: "" if _NO_LANGUAGE.search(token[0]) else token[0], text)


def _weighed(text: str) -> tuple[float, float]:
    """Give how much of a text speaks for English, and how much against."""
    is_shouted = text.isupper()
    ours = theirs = names = shared = 0.0
    for found in _WORD.finditer(text):
        word = found[0]
        low = word.casefold()
        is_acronym = word.isupper() and not is_shouted and len(word) <= _LONGEST_ACRONYM
        if low in SHARED or is_acronym or len(word) == 1:
            shared += low in ENGLISH
            continue
        if low in FOREIGN:
            if word.islower() or is_shouted or _starts_sentence(text, found.start()):
                theirs += _SURELY
            else:
                names += 1
        elif _is_ours(low):
            ours += 1
        elif word[0].isupper() and not is_shouted:
            names += 1
        else:
            theirs += _unknown(low)
    return ours + _SHARED * shared, theirs + _NAMED * min(names, _NAMES_A_WORD * theirs)


@lru_cache(maxsize=_REMEMBERED)
def _is_ours(word: str) -> bool:
    return word in TELLING or word.endswith(_CONTRACTED) or is_formed_of(word, english_words())


def _unknown(word: str) -> float:
    if not word.isascii():
        return _SURELY
    return _SHAPED if _ENGLISH_SHAPE.search(word) else _UNKNOWN


def _starts_sentence(text: str, start: int) -> bool:
    begin = max(start - _LOOK_BACK, 0)
    return start == 0 or _SENTENCE_START.search(text[begin:start]) is not None


def _roots(word: str) -> Iterator[str]:
    if word.endswith("'s"):
        yield word[:-2]
    for ending in _ENDINGS:
        root = word.removesuffix(ending)
        if root == word or len(root) < _SHORTEST_ROOT:
            continue
        yield root
        yield root + "e"
        if root[-1] == "i":
            yield root[:-1] + "y"
        if root[-1] == root[-2]:
            yield root[:-1]
