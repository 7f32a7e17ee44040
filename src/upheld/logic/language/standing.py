"""Two things that must not be mixed: what the speakers did with a claim, and whether it holds (semantics, 5)."""

from __future__ import annotations

from enum import StrEnum


class Label(StrEnum):
    """Label of an argument in a labelling (Caminada 2006): accepted, rejected, or neither."""

    IN = "in"
    OUT = "out"
    UNDECIDED = "undecided"


class Lifecycle(StrEnum):
    """The last act of the speakers on a proposition."""

    ACTIVE = "active"
    WEAKENED = "weakened"
    ABANDONED = "abandoned"
    RESOLVED = "resolved"
    STANDING = "standing"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


GIVEN_UP = frozenset({Lifecycle.ABANDONED, Lifecycle.SUPERSEDED, Lifecycle.RETRACTED})
"""Lifecycles of a claim that its holders let go."""
