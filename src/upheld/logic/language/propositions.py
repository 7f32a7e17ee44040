"""Propositions: what can be true or false, with an identity that outlives who said it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from upheld.logic.language.formulas import Formula
from upheld.logic.language.identities import PropositionId


class Kind(StrEnum):
    """What sort of thing a proposition is in the conversation (semantics, section 2)."""

    OBSERVATION = "observation"
    HYPOTHESIS = "hypothesis"
    ASSUMPTION = "assumption"
    CONSTRAINT = "constraint"
    POSITION = "position"
    ISSUE = "issue"
    DECISION = "decision"
    DISSENT = "dissent"
    FACT = "fact"
    EVIDENCE = "evidence"
    EPISODE = "episode"
    ARGUMENT = "argument"
    AWARENESS = "awareness"


TENTATIVE = frozenset({Kind.HYPOTHESIS, Kind.POSITION})
"""Kinds that are put forward to be tested: asserting one as fact is an overclaim until it is resolved."""

CONSIDERED = TENTATIVE | {Kind.DECISION, Kind.ISSUE}
"""Kinds whose lifecycle runs active → weakened → abandoned or resolved; the others are reported facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposition:
    """A self-contained sentence under an id.

    ``formula`` says what it means over atoms, where somebody gave one; without it the proposition is its own atom.
    """

    id: PropositionId
    text: str
    kind: Kind
    formula: Formula | None = None
