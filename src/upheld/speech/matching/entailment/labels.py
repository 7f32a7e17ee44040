"""Which output of a network means which label: ``id2label`` of its configuration, in the spellings that are in use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from upheld.errors import MalformedInput

LABELS = ("entailment", "neutral", "contradiction")
"""The three labels, in the order of :class:`~upheld.speech.matching.entailment.judge.Shares`."""

_SPELLINGS = {
    "entailment": 0,
    "entailed": 0,
    "entails": 0,
    "neutral": 1,
    "contradiction": 2,
    "contradictory": 2,
    "contradicts": 2,
}

Order = tuple[int, int, int]


def order_of(configuration: Mapping[str, object], source: str) -> Order:
    """Give the place of each label of ``LABELS`` among the outputs.

    Exports name the labels in capitals or not, and in every order; there is no customary one.

    Raises:
        MalformedInput: there is no ``id2label``, or it does not name the three labels, each once.
    """
    named = configuration.get("id2label")
    if not isinstance(named, dict):
        raise MalformedInput(f"has no id2label: {_NEEDED}", source=source, key="id2label")
    told = {str(key): str(value) for key, value in cast("dict[object, object]", named).items()}
    places = {_SPELLINGS.get(re.sub(r"[^a-z]", "", name.casefold())): key for key, name in told.items()}
    order = tuple(places.get(label, "") for label in range(len(LABELS)))
    if sorted(order) != ["0", "1", "2"] or len(told) != len(LABELS):
        listed = ", ".join(f"{key}: {name}" for key, name in told.items()) or "nothing"
        raise MalformedInput(f"names {listed}: {_NEEDED}", source=source, key="id2label")
    return (int(order[0]), int(order[1]), int(order[2]))


_NEEDED = (
    'needed are three outputs, such as {"0": "entailment", "1": "neutral", "2": "contradiction"} in the order in which '
    "the network was trained; names such as LABEL_0 say nothing, and a network of two labels cannot tell what "
    "contradicts from what is merely not said"
)
