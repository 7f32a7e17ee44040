"""The keyword arguments of the speaking methods, as types; each is a field of its operation."""

# Annotations are not postponed here: typed dictionaries compile each postponed one on import.

from collections.abc import Iterable
from typing import TypedDict

from upheld.logic.language.formulas import Formula
from upheld.logic.language.literals import Literal

Ids = Iterable[str]
Literals = Iterable[str | Literal]


class Setting(TypedDict, total=False):
    """To whom a turn was said (all, if left out), in which session, and when (ISO 8601).

    The same ``key`` again means the same turn again: it is told once, and the first answer is given again.
    """

    audience: Ids
    session: str
    at: str
    key: str


class Circumstances(Setting, total=False):
    """How a turn was said, and in which words."""

    said: str


class Grounds(Circumstances, total=False):
    """On what a claim rests, and what it means."""

    depends_on: Literals
    depends_on_any: Iterable[Literals]
    formula: str | Formula
    source: str | dict[str, str]
    novel: bool


class ObserveDetails(Grounds, total=False):
    """Of ``observe``."""

    kind: str
    contradicts: Ids
    supersedes: Ids
    reinterprets: Ids
    against: Ids
    prefers: Ids


class HypothesizeDetails(Grounds, total=False):
    """Of ``hypothesize``."""

    kind: str
    explains: Ids
    on: str
    refines: str


class UndermineDetails(Grounds, total=False):
    """Of ``undermine``."""

    id: str
    text: str
    evidence: Literals
    specific: bool
    attacks: Ids


class SupportDetails(UndermineDetails, total=False):
    """Of ``support``."""

    sufficient: bool


class ReviseDetails(Circumstances, total=False):
    """Of ``revise``."""

    replacement: str
    because: Literals
    withdrawn: bool


class ExpandAwarenessDetails(Circumstances, total=False):
    """Of ``expand_awareness``."""

    reinterprets: Ids
    formula: str | Formula
    source: str | dict[str, str]
    novel: bool


class ResolveDetails(Grounds, total=False):
    """Of ``resolve``."""

    id: str
    text: str
    mode: str
    subsumes: Ids
    dissent: Ids
    issue: str
    reopen_if: Literals


class QuestionDetails(Circumstances, total=False):
    """Of ``question``."""

    id: str
    about: Ids
