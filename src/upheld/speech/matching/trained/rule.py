"""How likely a claim is grounded, from its numbers: a logistic rule, and the two bars beside which it abstains."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from upheld.errors import MalformedInput
from upheld.speech.matching.trained.features import FEATURES


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Weights in the order of ``FEATURES``, fitted on judgements that the network did not learn from.

    A claim is called grounded from ``grounded_at`` on, ungrounded up to ``ungrounded_at``, and nothing in between. A
    rule that ``needs_guess`` objects only beside a guess or a proposal: of a plain chat that was read by words it does
    not know enough.
    """

    weights: tuple[float, ...]
    bias: float
    grounded_at: float
    ungrounded_at: float
    needs_guess: bool = False

    def likelihood(self, numbers: Sequence[float]) -> float:
        """Give how likely the claim is grounded, in [0, 1]."""
        total = self.bias + sum(weight * number for weight, number in zip(self.weights, numbers, strict=True))
        return 1 / (1 + math.exp(-total)) if total > -700 else 0.0


SURE = "rule"
"""Name, on a card, of the rule for a record that was annotated or read by a language model."""

RULES: Mapping[str, str] = {"cues": "rule_by_cues", "local": "rule_by_network"}
"""Names of the rules for records that an interpreter read that is less sure: what seems to stand there may not."""

_LESS_SURE = {**RULES, "trained": RULES["local"]}


def rule_name(read_by: str) -> str:
    """Give the name of the rule for a record by whoever read it: ``cues``, ``cues@1``, ``local``, ``trained(…)@1``."""
    return _LESS_SURE.get(read_by.partition("@")[0].partition("(")[0], SURE)


def rule_of(card: Mapping[str, Any], name: str = SURE) -> Rule:
    """Read a rule on a card.

    Raises:
        MalformedInput: there is none, or it is for other numbers than those that are taken now.
    """
    try:
        told = card[name]
        if tuple(told["features"]) != FEATURES:
            raise MalformedInput("the rule is for other features: make the models anew with `make models`", key="rule")
        return Rule(
            weights=tuple(map(float, told["weights"])),
            bias=float(told["bias"]),
            grounded_at=float(told["grounded_at"]),
            ungrounded_at=float(told["ungrounded_at"]),
            needs_guess=bool(told["needs_guess"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedInput(f"no rule on the card of the trained weights: {error}", key="rule") from error
