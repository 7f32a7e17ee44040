"""What a context window can show of one proposition, and where a renderer reads it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import TENTATIVE, Kind
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle


class Group(StrEnum):
    """Under which heading an item stands; the value is the heading."""

    OPEN = "Open questions"
    DECISIONS = "Decisions"
    STANDS = "Stands"
    CONSIDERED = "Considered, not settled"
    DOUBTED = "No longer supported: do not rely on"
    GIVEN_UP = "Given up: do not rely on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One proposition, or one open question, as a context window may show it.

    ``speaker`` is a name to print, ``turn`` and ``at`` say when it was first put forward (``at`` in ISO 8601 as its
    source wrote it, or empty), ``moment`` orders by the record. ``grounds`` are the literals that it rests on,
    ``fallen`` those that no longer stand; ``because`` are the recorded reasons for giving it up, at ``ended``, and
    ``current`` the value that replaced it. ``near`` is whatever else has to do with it: what it explains, attacks,
    settles, answers. ``is_settled`` and ``is_alive`` are of hypotheses and positions: whether they may be told as fact,
    and whether they may be told as what somebody considers, whatever is held against them. ``words`` are those of its
    turn: they help to find it, and are never shown.
    """

    id: PropositionId
    text: str
    kind: Kind
    label: Label
    lifecycle: Lifecycle
    moment: int
    speaker: str = ""
    turn: str = ""
    at: str = ""
    grounds: tuple[Literal, ...] = ()
    fallen: tuple[Literal, ...] = ()
    because: tuple[PropositionId, ...] = ()
    near: tuple[PropositionId, ...] = ()
    current: PropositionId | None = None
    ended: str = ""
    is_settled: bool = False
    is_alive: bool = True
    words: str = ""

    @property
    def group(self) -> Group:
        """The heading that it stands under."""
        if self.lifecycle in GIVEN_UP:
            return Group.GIVEN_UP
        if self.kind is Kind.ISSUE:
            return Group.STANDS if self.lifecycle is Lifecycle.RESOLVED else Group.OPEN
        if self.kind is Kind.DECISION:
            # One whose grounds fell was taken all the same, and is the first thing to look at again.
            return Group.DECISIONS
        if self.kind in TENTATIVE and not self.is_settled:
            return Group.CONSIDERED if self.is_alive else Group.DOUBTED
        return Group.STANDS if self.label is Label.IN else Group.DOUBTED

    @property
    def neighbours(self) -> tuple[PropositionId, ...]:
        """Everything that it has to do with, each once: what it rests on first."""
        current = () if self.current is None else (self.current,)
        found = (*(each.proposition for each in self.grounds), *self.because, *current, *self.near)
        return tuple(dict.fromkeys(each for each in found if each != self.id))


class ItemSource(Protocol):
    """A state, read item by item."""

    @property
    def turn(self) -> str:
        """The last turn that was told; empty before the first."""
        ...

    def ids(self) -> Iterable[PropositionId]:
        """Give all propositions, in any order. Cost: linear."""
        ...

    def get(self, proposition: PropositionId, /) -> Item | None:
        """Give one, or ``None`` for what nobody put forward."""
        ...

    def problems(self) -> Iterable[Item]:
        """Give the open questions that are no propositions themselves."""
        ...
