"""What a reading could not take: records that are damaged, and what has no place in a conversation."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

MAX_DAMAGED = 1_000
"""Damaged records that are listed one by one; those beyond are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A record that means nothing: where it stands (line, key, path inside an archive), and what is wrong with it."""

    place: str
    why: str


class Tally:
    """What was left out so far. It only grows: ``damaged`` in the order of the file, ``left_out`` a count by kind.

    ``unlisted`` is how many damaged records there were beyond ``MAX_DAMAGED``.
    """

    def __init__(self) -> None:
        """Start with nothing left out."""
        self.damaged: list[Damaged] = []
        self.left_out: Counter[str] = Counter()
        self.unlisted = 0

    def damage(self, place: str, why: str) -> None:
        """Note a damaged record; the reading goes on."""
        if len(self.damaged) < MAX_DAMAGED:
            self.damaged.append(Damaged(place=place, why=why))
        else:
            self.unlisted += 1

    def leave_out(self, kind: str, count: int = 1) -> None:
        """Count what is no turn: thinking, pictures, joins, messages that were deleted."""
        if count:
            self.left_out[kind] += count
