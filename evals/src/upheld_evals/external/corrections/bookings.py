"""Turns in which the system confirms or books something, and what a later correction means for them.

Gold is a rule over the labels: a turn rests on a value when it speaks of a booking and has the value in its words. When
that value is replaced, the turn must lose its support. It must keep it when it says other values, and what was
corrected belongs to another domain or had no value yet: an old value in other words cannot be in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from upheld_evals.external.corrections.dialogues import Dialogue, Said
from upheld_evals.external.wording import has_any
from upheld_evals.harness.suite import Item

FALLS, STANDS = "falls", "stands"
DONE = "booked"

_BOOKING = re.compile(r"\b(?:book(?:ed|ing)?|reserv\w+|reference number|tickets? for|confirm\w*)\b", re.IGNORECASE)
_DONE = re.compile(
    r"\breference number\b|\b(?:have|has|'ve|been|was|is) (?:successfully )?(?:booked|reserved)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """A turn of the system about a booking, and a later turn of the user in which values were corrected."""

    dialogue: Dialogue
    booking: int
    place: int

    @property
    def booked(self) -> Said:
        """What the system said."""
        return self.dialogue.turns[self.booking]

    @property
    def corrected(self) -> Said:
        """The turn with the correction."""
        return self.dialogue.turns[self.place]


def is_about_booking(said: Said) -> bool:
    """Tell whether a turn of the system confirms, books, or says that it did."""
    return not said.is_user and _BOOKING.search(said.text) is not None


def _held(dialogue: Dialogue, place: int) -> dict[str, tuple[str, ...]]:
    """Give the value of each slot before a turn."""
    held: dict[str, tuple[str, ...]] = {}
    for said in dialogue.turns[:place]:
        held.update(said.values if said.is_user else {})
    return held


def slots_said(dialogue: Dialogue, place: int) -> tuple[str, ...]:
    """Give the slots whose values at a turn stand in its words."""
    text = dialogue.turns[place].text
    return tuple(slot for slot, value in _held(dialogue, place).items() if has_any(text, value))


def resting_items(dialogues: Sequence[Dialogue]) -> tuple[Item, ...]:
    """Give each pair of a correction and an earlier turn about a booking for which the rule decides."""
    return tuple(
        Item(
            id=f"{dialogue.origin}/{dialogue.id}/{dialogue.turns[booking].id} after {dialogue.turns[place].id}",
            conversation=f"{dialogue.origin}/{dialogue.id}",
            label=label,
            facets={
                "data": dialogue.origin,
                "stage": DONE if _DONE.search(dialogue.turns[booking].text) else "to confirm",
            },
            content=Resting(dialogue=dialogue, booking=booking, place=place),
        )
        for dialogue in dialogues
        for place, said in enumerate(dialogue.turns)
        if said.corrections
        for booking, label in _decided(dialogue, place)
    )


def _decided(dialogue: Dialogue, place: int) -> Iterator[tuple[int, str]]:
    corrections = dialogue.turns[place].corrections
    for booking, said in enumerate(dialogue.turns[:place]):
        slots = slots_said(dialogue, booking) if is_about_booking(said) else ()
        if not slots:
            continue
        since = {slot for each in dialogue.turns[booking + 1 : place] if each.is_user for slot in each.values}
        if since & set(slots):
            continue  # What it rests on was set anew between the two turns: it has fallen before.
        if any(each.slot in slots and not has_any(said.text, each.newer) for each in corrections):
            yield booking, FALLS
        elif all(_is_apart(each.slot, slots, _held(dialogue, booking)) for each in corrections):
            yield booking, STANDS


def _is_apart(corrected: str, slots: Sequence[str], held: Mapping[str, object]) -> bool:
    """Tell whether a corrected slot had no value, or is of another domain than all that a turn says."""
    return corrected not in held or all(_domain(slot) != _domain(corrected) for slot in slots)


def _domain(slot: str) -> str:
    return slot.rpartition("-")[0]
