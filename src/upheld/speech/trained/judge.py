"""The port to whoever judges a claim beside propositions, and a clause in its talk; values only.

A judge sees words and nothing else: whether a proposition stands is not told to it, so that it cannot guess from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from upheld.logic.language.verdicts import Modality, Stance

STANCES = (Stance.ASSERTS, Stance.PRESUPPOSES, Stance.DENIES, Stance.REPORTS)
"""Order of the stances in a judgement."""

MODALITIES = (Modality.FACT, Modality.HYPOTHESIS, Modality.QUESTION)
"""Order of the modalities in a judgement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A claim, the reply that it is part of, and the propositions that it may be about, all together.

    ``nearness`` is the cosine of each proposition with the claim, which whoever found them has at hand.
    """

    claim: str
    propositions: tuple[str, ...]
    nearness: tuple[float, ...]
    reply: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations:
    """How a claim stands to one proposition, each in [0, 1].

    ``link``: the claim asserts it, takes it for granted, or follows from it. ``denies``: it says that the proposition
    is not so, or was dropped. ``contradicts``: both cannot hold. They need not sum to one.
    """

    link: float
    denies: float
    contradicts: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a judge makes of a question: one ``relations`` a proposition, and the claim's own properties.

    ``stances`` and ``modalities`` are distributions in the order of ``STANCES`` and ``MODALITIES``; ``new`` is how
    likely it is that none of the propositions says the claim.
    """

    relations: tuple[Relations, ...]
    stances: tuple[float, ...]
    modalities: tuple[float, ...]
    new: float

    @property
    def stance(self) -> Stance:
        """The likeliest stance."""
        return STANCES[self.stances.index(max(self.stances))]

    @property
    def modality(self) -> Modality:
        """The likeliest modality."""
        return MODALITIES[self.modalities.index(max(self.modalities))]


class Judge(Protocol):
    """Judges claims; safe to call from several threads. ``name`` has the digest of its weights."""

    @property
    def name(self) -> str:
        """Weights and version."""
        ...

    def reads(self, claim: str, /) -> bool:
        """Tell whether a claim is read whole; of a longer one only the beginning is."""
        ...

    def fitting(self, question: Question, /) -> int:
        """Give how many of its propositions, from the first on, are read whole."""
        ...

    def judge(self, questions: Sequence[Question], /) -> tuple[Judgement, ...]:
        """Give a judgement a question, in their order; the same for the same question, whatever stands beside it."""
        ...
