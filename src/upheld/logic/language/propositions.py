"""Propositions: what can be true or false, with an identity that outlives who said it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from upheld.logic.language.formulas import Atom, Formula, Iff, Implies
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


def definition_of(proposition: Proposition) -> Formula | None:
    """Give the law that ties a proposition's own atom to its formula; none for what is only its atom.

    A hypothesis implies what it says, and more may be true of it; a reported fact is just what it says.
    """
    if proposition.formula is None:
        return None
    atom = Atom(proposition.id)
    return Implies(atom, proposition.formula) if proposition.kind in TENTATIVE else Iff(atom, proposition.formula)
