"""Wishes that a later wish replaces: "how about Thai food", "No, next Thursday", "can you try Livermore instead?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from upheld.logic.language.identities import AgentId
from upheld.speech.interpretation.corrections import Correction, is_cued, written_out
from upheld.speech.matching.entities import Entity, is_same
from upheld.speech.matching.wishes.index import WishIndex, is_wished, topic, wished
from upheld.speech.view import Known

_PREFERRED = re.compile(
    r"\b(?:how|what) about\b|\b(?:instead|actually|try|prefer|different|rather|better)\b|"
    r"\blet'?s (?:do|go|try|make)\b",
    re.IGNORECASE,
)
"""Cues that one thing is wished for in the place of another."""

_REFUSED = re.compile(
    r"\A(?:(?:no|nope|nah|wait|oops|sorry|hmm|oh|well)\b[\s,.!;-]*)+|\b(?:change (?:of|in (?:my|our|the)) plans?|"
    r"changed? (?:my|our) minds?|(?:that's|that is|it's) (?:wrong|not right|incorrect)|that isn't right|"
    r"(?:some|any)(?:thing|where) (?:else|different)|"
    r"(?:any|some|are there|do i have|do you have)\b.{0,30}\b(?:other|more \w+s)|other (?:options?|ones?)|"
    r"different (?:one|city|place|day|time|date)|another one)\b",
    re.IGNORECASE,
)
"""Cues that what was said or offered before is not what is wanted; the rest of the turn tells what is."""

_ELSE = re.compile(r"\b(?:also|too|as well|another|and|second|both|either|or|if|plus|additional\w*)\b", re.IGNORECASE)
"""Words by which a wish may be one more, and not another."""


def is_refusal(clause: str) -> bool:
    """Tell whether a clause says that something said or offered before is not what is wanted."""
    return _REFUSED.search(clause) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferring:
    """Reads what a speaker wishes for in the place of what they wished for before.

    ``is_heard`` tells whether a word was said before: a wish that brings a new thing into the talk replaces nothing.
    """

    wishes: WishIndex
    speaker: AgentId
    is_heard: Callable[[str], bool]

    def corrections(self, clause: str, *, is_cued_before: bool = False) -> tuple[Correction, ...]:
        """Give the wishes that a clause replaces, with the new values in the places of the old ones."""
        is_refusing = is_cued_before or is_refusal(clause)
        is_preferred = is_refusing or is_cued(clause) or _PREFERRED.search(clause) is not None
        if not is_preferred or not is_wished(clause) or (_ELSE.search(clause) and not is_refusing):
            return ()
        if not is_refusing and not all(map(self.is_heard, topic(clause))):
            return ()
        swaps: dict[str, list[tuple[Known, Entity, Entity]]] = {}
        for newer in _single(wished(clause)):
            found = self._older(newer)
            if found is not None:
                swaps.setdefault(found[0].proposition.id, []).append((*found, newer))
        return tuple(
            Correction(
                known=group[0][0],
                text=written_out(group[0][0].proposition.text, ((older, newer) for _, older, newer in group)),
            )
            for group in swaps.values()
        )

    def _older(self, newer: Entity) -> tuple[Known, Entity] | None:
        """Find the last wish with another value of the sort; nothing where it has this one already."""
        for known, older in self.wishes.latest(newer, self.speaker):
            return None if is_same(newer, older) else (known, older)
        return None


def _single(values: Sequence[Entity]) -> Iterator[Entity]:
    """Leave out values of which a clause has several of a sort: it is not plain which is wished for."""
    for each in values:
        if sum(other.place == each.place for other in values) == 1:
            yield each
