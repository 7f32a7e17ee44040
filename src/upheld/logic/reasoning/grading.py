"""Standing by degrees: graded labels of a state, off unless asked for, and named in every verdict that they decide.

The engine itself is crisp. Whoever wants a claim to survive the loss of a minor premise, or doubts how well some turns
were understood, asks for a grading; see :mod:`upheld.logic.argumentation.graded` for the definitions and sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from upheld.errors import MalformedInput, UnknownReference
from upheld.logic.argumentation.graded.confidence import Along, Strength, calibrated
from upheld.logic.argumentation.graded.partial import partially_grounded
from upheld.logic.argumentation.graded.weighted import above_threshold
from upheld.logic.argumentation.grounded import grounded
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.answers.framing import framework_of_state
from upheld.logic.reasoning.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """Labels of a state under a graded variant, and the name of the variant."""

    labels: Mapping[str, Label] = field(repr=False)
    variant: str

    def label(self, key: str) -> Label:
        """Give the graded label; what nobody holds is out."""
        return self.labels.get(key, Label.OUT)


def with_tolerance(state: State, tolerance: float) -> Grading:
    """Let a claim stand while at most this share of the premises of a justification is lost (partial dependency).

    Cost: the whole network.

    Raises:
        MalformedInput: a tolerance outside [0, 1).
    """
    found = partially_grounded(framework_of_state(state), tolerance=tolerance)
    return Grading(labels=found.labels, variant=str(found.variant))


def with_confidence(
    state: State, confidence: Mapping[PropositionId, float], *, at_least: float, along: Along = Along.MINIMUM
) -> Grading:
    """Let a claim stand when its strength is at least ``at_least``, given how surely each was read.

    Out is what is certainly weaker; what circles leave open is undecided. Cost: as
    :func:`~upheld.logic.argumentation.graded.confidence.calibrated`.

    Raises:
        MalformedInput: a confidence outside [0, 1], or a bar outside (0, 1].
        UnknownReference: a confidence for what nobody introduced.
    """
    if not 0 < at_least <= 1:
        raise MalformedInput(f"{at_least} is no strength to ask for: it lies in (0, 1]")
    for id in confidence:
        if id not in state.nodes:
            raise UnknownReference(id, where="the confidences")
    surely: Mapping[str, float] = {str(id): value for id, value in confidence.items()}
    found = calibrated(framework_of_state(state), surely, along=along)
    labels = {key: _label(strength, at_least) for key, strength in found.strengths.items()}
    return Grading(labels=labels, variant=f"{found.variant}, strength at least {at_least:g}")


def without_weak_attacks(state: State, weights: Mapping[tuple[str, str], float], threshold: float) -> Grading:
    """Overlook attacks, as ``(attacker, target)``, that weigh less than the threshold; what is not listed weighs 1.

    Raises:
        MalformedInput: a weight or a threshold that is none.
    """
    found = above_threshold(framework_of_state(state), weights, threshold=threshold)
    return Grading(labels=grounded(found.framework), variant=str(found.variant))


def _label(strength: Strength, at_least: float) -> Label:
    if strength.low >= at_least:
        return Label.IN
    return Label.OUT if strength.high < at_least else Label.UNDECIDED
