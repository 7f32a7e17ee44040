"""Words reduced to what counts in matching: stems, values, negation, and words that turn a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from upheld.speech.matching.lexicon import CALENDAR, GUARDS, IRREGULAR, NEGATIONS, NUMBER_WORDS, STOP_WORDS, UNITS

_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_PLAIN = {word: int(value) for word, value in NUMBER_WORDS.items() if value.isdigit() and word not in _SCALES}
_TENS = "|".join(word for word, value in _PLAIN.items() if value in range(20, 100, 10))
_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "|".join(word for word, value in _PLAIN.items() if value in range(10, 20) and word != "dozen")
_SMALL = rf"(?:(?:{_TENS})[ -](?:{_UNITS})|{_TENS}|{_TEENS}|(?:{_UNITS}))"
_HUNDREDS = rf"(?:(?:{_SMALL}|an?)[ -]hundred(?:(?: and)? {_SMALL})?)"
_PART = rf"(?:{_HUNDREDS}|{_SMALL})"
NUMERAL = (
    rf"(?:(?:{_PART}|an?)[ -](?:thousand|million|billion)(?:(?:,| and)? {_PART})?|{_HUNDREDS}|"
    rf"(?:{_TENS})[ -](?:{_UNITS}))"
)
"""A number of several words: "sixty-five", "two hundred and ten", "three thousand". To be matched without case."""

SCALED = r"\d+(?:\.\d+)? (?:thousand|million|billion)"
"""A figure with a word of size: "3 million"."""

_COMPOUND = re.compile(rf"hundred|thousand|[mb]illion|(?:{_TENS})[ -](?:{_UNITS})", re.IGNORECASE)

_SIMPLE = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.:]\d+)+|\d+(?:st|nd|rd|th)?(?![\w])|[^\W_]+(?:['\u2019][^\W\d_]+)?|"
    r"[%$\u20ac\u00a3]"
)
_TOKEN = re.compile(_SIMPLE)
_LONGER_TOKEN = re.compile(rf"\b{SCALED}\b|(?i:\b{NUMERAL}\b(?!-))|{_SIMPLE}")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")


@dataclass(frozen=True, slots=True)
class Frame:
    """A text for matching.

    ``order`` holds stems and values (numbers, days, months) as they come, function words left out; ``numbers`` are the
    values, ``names`` the stems of words written with a capital inside a sentence; ``guards`` are words that turn what
    is claimed (only, unless, before, all …); ``joined`` are pairs of terms with nothing but a blank between them.
    """

    order: tuple[str, ...]
    numbers: frozenset[str]
    names: frozenset[str]
    guards: frozenset[str]
    joined: frozenset[tuple[str, str]]
    negated: bool

    def neighbours(self, value: str) -> frozenset[str]:
        """Give what stands directly before and after a value."""
        places = [place for place, term in enumerate(self.order) if term == value]
        return frozenset(term for place in places for term in self.order[max(0, place - 1) : place + 2]) - {value}

    def follower(self, value: str) -> str:
        """Give the term that comes after the first occurrence of a value, or nothing."""
        place = self.order.index(value) + 1
        return self.order[place] if place < len(self.order) else ""

    @property
    def terms(self) -> frozenset[str]:
        """All stems and numbers."""
        return frozenset(self.order)

    @property
    def words(self) -> frozenset[str]:
        """The stems without the numbers."""
        return self.terms - self.numbers


def values_in(text: str) -> list[tuple[str, int, int]]:
    """Give each value (number, day, month) of a text in its normal form, with where it stands."""
    found: list[tuple[str, int, int]] = []
    for match in _tokens(text):
        value = _value(match.group(), match.group().casefold(), is_start=match.start() == 0)
        if value is not None:
            found.append((value, match.start(), match.end()))
    return found


@lru_cache(maxsize=65536)
def frame(text: str) -> Frame:
    """Analyse an English text. Cost: linear in its length; remembered for texts seen before."""
    gathered = _Gathered()
    for found in _tokens(text):
        gathered.take(found.group(), found.start(), found.end())
        gathered.is_start = text[found.end() : found.end() + 1] in {".", "!", "?", ":"}
    return Frame(
        order=tuple(gathered.order),
        numbers=frozenset(gathered.numbers),
        names=frozenset(gathered.names),
        guards=frozenset(gathered.guards),
        joined=frozenset(gathered.joined),
        negated=gathered.negations % 2 == 1,
    )


class _Gathered:
    """What has been read of a text so far."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.numbers: set[str] = set()
        self.names: set[str] = set()
        self.guards: set[str] = set()
        self.joined: set[tuple[str, str]] = set()
        self.negations = 0
        self.is_start = True
        self._end = -2

    def take(self, raw: str, start: int, end: int) -> None:
        word = raw.casefold().replace("\u2019", "'")
        if word in NEGATIONS or word.endswith("n't"):
            self.negations += 1
        elif word in GUARDS:
            self.guards.add(GUARDS[word])
        elif (value := _value(raw, word, is_start=self.is_start)) is not None:
            self.numbers.add(value)
            self._append(value, start, end)
        elif word.removesuffix("'s") not in STOP_WORDS and word not in STOP_WORDS:
            term = stem(word)
            self._append(term, start, end)
            if raw[0].isupper() and not self.is_start:
                self.names.add(term)

    def _append(self, term: str, start: int, end: int) -> None:
        if self.order and start == self._end + 1:
            self.joined.add((self.order[-1], term))
        self.order.append(term)
        self._end = end


def _value(raw: str, word: str, *, is_start: bool) -> str | None:
    if word in CALENDAR and raw[0].isupper() and not (is_start and word in {"may", "march"}):
        return word
    return _number(word)


def has_compound(text: str) -> bool:
    """Tell whether a text may have a number of several words; most have none, and are read three times as fast."""
    return _COMPOUND.search(text) is not None


def _tokens(text: str) -> Iterator[re.Match[str]]:
    return (_LONGER_TOKEN if has_compound(text) else _TOKEN).finditer(text)


def numeral(words: str) -> str | None:
    """Give the number that several words name, in digits, or ``None``: "two hundred and ten" is 210."""
    total, part = Decimal(0), Decimal(0)
    for word in re.split(r"[ ,-]+", words.casefold()):
        if word in _SCALES:
            part = (part or 1) * _SCALES[word]
            if word != "hundred":
                total, part = total + part, 0
        elif word in _PLAIN:
            part += _PLAIN[word]
        elif re.fullmatch(r"\d+(?:\.\d+)?", word):
            part = Decimal(word)
        elif word not in ("a", "an", "and"):
            return None
    whole = total + part
    return str(int(whole)) if whole == int(whole) else None


def _number(word: str) -> str | None:
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if " " in word or "-" in word:
        return numeral(word)
    if not word[0].isdigit():
        return None
    ordinal = _ORDINAL.fullmatch(word)
    value = ordinal.group(1) if ordinal else word.replace(",", "")
    if value.isdigit():
        return value.lstrip("0") or "0"
    if ":" in value:
        return value.lstrip("0") if value[0] == "0" and value[1] != ":" else value
    return value.rstrip("0").rstrip(".") if value.count(".") == 1 and value.endswith("0") and "." in value else value


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Give the stem of a lower-case English word: plural, -ed, -ing, -ly and a final e are taken off."""
    word = word.removesuffix("'s").removesuffix("'")
    if word in UNITS:
        return UNITS[word]
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 4 or not word.isalpha():
        return word
    for suffix, ending in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if word.endswith(suffix) and not word.endswith(("ss", "us", "is")):
            word = word.removesuffix(suffix) + ending
            break
    for suffix in ("ing", "ed", "ly"):
        root = word.removesuffix(suffix)
        if root != word and len(root) > 2 and any(char in "aeiouy" for char in root):
            word = root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
            break
    return word.removesuffix("e") if len(word) > 3 else word
