"""What is measured: a suite of items, the arms that answer them, and what an answer came to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Usage
from upheld.speech.models.request import Request
from upheld_evals.statistics import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to answer.

    Items of one ``conversation`` are answered in order, and belong together when intervals are drawn. ``facets`` are
    what a table can be split by; ``content`` is for the arms and the scorer of the suite.
    """

    id: str
    conversation: str
    label: str = ""
    facets: Mapping[str, str] = field(default_factory=dict[str, str])
    content: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an arm answers: a JSON value, or the reason why it abstains; ``certainty`` in [0, 1] where it has one."""

    value: Any = None
    abstained: str = ""
    certainty: float | None = None


Responder = Callable[[Item], Answer]
"""Answers the items of one conversation, in order."""


class Arm(Protocol):
    """One of the ways that are compared.

    ``identity`` is everything that decides its answers apart from the items and the language model (name, version,
    prompt version, source of the code): another one starts a new journal. ``asks_llm``: without a language model it is
    left out, and the report says so.
    """

    @property
    def name(self) -> str:
        """Name in tables."""
        ...

    @property
    def identity(self) -> str:
        """What decides its answers."""
        ...

    @property
    def asks_llm(self) -> bool:
        """Whether it needs a language model."""
        ...

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Get ready for the items of one conversation; the time this takes is that of reading the conversation."""
        ...


@runtime_checkable
class Prompted(Arm, Protocol):
    """An arm whose requests are known before any reply is, so that they can be exported and sent as a batch."""

    def requests(self, item: Item, /) -> tuple[Request, ...]:
        """Give what it would ask about an item."""
        ...


class Status(StrEnum):
    """Whether an item was answered, abstained on, or could not be run; what failed is never counted as right.

    ``MISSING``: the reply that it takes is not recorded, so that nothing was measured: it is in no share at all.
    """

    ANSWERED = "answered"
    ABSTAINED = "abstained"
    FAILED = "failed"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one item under one arm. ``score`` lies in [0, 1]; times are seconds.

    ``preparing`` stands with the first item of a conversation. ``reason`` says why it abstained or failed.
    """

    item: str
    arm: str
    status: Status
    score: float
    value: Any = None
    certainty: float | None = None
    reason: str = ""
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    preparing: float = 0.0


Scored = tuple[Item, Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One number of a table: never without its ``n``; ``group`` is the facet that it is of, empty for all."""

    name: str
    value: float | None
    n: int
    interval: Interval | None = None
    group: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A number that somebody else published, shown beside ours and never mixed with them."""

    source: str
    name: str
    value: str
    n: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a plot: points (x, y) in order; ``is_dashed`` for what somebody else published."""

    name: str
    points: tuple[tuple[float, float], ...]
    is_dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot of a few lines. ``caption`` names n, the arms' language model if any, and what stands still."""

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    caption: str = ""
    is_log_x: bool = False
    is_log_y: bool = False


Found = Mapping[str, Sequence[Scored]]
"""By arm, in the order of the suite."""


def _no_plots(_: Found) -> Sequence[Plot]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A set of items, the arms that are compared on them, and how answers become numbers.

    ``data`` names the files and how many items they hold, ``digest`` is a hash of them. ``baseline`` names the arm that
    the others are held against: no suite is without one. ``is_paired`` when a score of 1 means right and anything else
    wrong, so that arms can be compared item by item; ``rivals`` are further arms that each is compared with so.
    ``tuned_on`` says which part of the data was looked at when the measured thing was built.
    """

    name: str
    version: str
    purpose: str
    data: str
    digest: str
    items: tuple[Item, ...]
    arms: tuple[Arm, ...]
    baseline: str
    score: Callable[[Item, Answer], float]
    measures: Callable[[Sequence[Scored], int], Sequence[Measure]]
    plots: Callable[[Found], Sequence[Plot]] = _no_plots
    is_paired: bool = True
    rivals: tuple[str, ...] = ()
    printed: tuple[Printed, ...] = ()
    notes: tuple[str, ...] = ()
    tuned_on: str = ""

    def __post_init__(self) -> None:
        """Refuse a suite without its baseline, or with two arms of one name: that is a mistake of its author."""
        names = [arm.name for arm in self.arms]
        if self.baseline not in names or len(set(names)) != len(names):
            raise ValueError(f"suite {self.name!r}: baseline {self.baseline!r} must be one of distinct arms {names}")

    def requests(self, arm: Arm, item: Item) -> tuple[Request, ...]:
        """Give what an arm would ask a language model about an item; nothing for arms that cannot tell beforehand."""
        return arm.requests(item) if isinstance(arm, Prompted) else ()

    def fingerprint(self, arm: Arm, llm: str) -> str:
        """Give the identity of a journal: the suite, its items, the arm and the language model."""
        told = [self.name, self.version, self.digest, arm.name, arm.identity, llm if arm.asks_llm else ""]
        told += [f"{item.id}\0{item.conversation}\0{item.label}" for item in self.items]
        return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()[:16]
