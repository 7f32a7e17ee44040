"""What an interpreter or a matcher may read of the state, and nothing more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A proposition as the conversation has it now: who put it forward first, and how it stands."""

    proposition: Proposition
    label: Label
    lifecycle: Lifecycle
    speaker: AgentId | None = None
    turn: TurnId | None = None


class View(Protocol):
    """A reading of one state. Anything with these two methods will do."""

    def known(self) -> Iterable[Known]:
        """Give all propositions in view, in the order in which they were put forward."""
        ...

    def get(self, proposition: PropositionId, /) -> Known | None:
        """Give one, or ``None`` when nobody put it forward."""
        ...


@runtime_checkable
class GrowingView(View, Protocol):
    """A view that can be read from its end, so that whoever follows a conversation reads only what is new."""

    def count(self) -> int:
        """Give the number of propositions in view. Cost: none."""
        ...

    def newest(self) -> Iterator[Proposition]:
        """Give the propositions, newest first; the very objects that an earlier view of the same past gave."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProblem:
    """Something that waits for an explanation or a decision; ``about`` are the propositions that it concerns.

    ``is_surprise`` where nobody asked: an observation that nothing known led to and nothing explains yet.
    """

    id: PropositionId
    text: str
    about: frozenset[PropositionId] = frozenset()
    is_surprise: bool = False


@runtime_checkable
class Situation(View, Protocol):
    """A view that also knows who takes part, what was said last, and what rests on what."""

    def agents(self) -> Sequence[Agent]:
        """Give those who take part."""
        ...

    def problems(self) -> Sequence[OpenProblem]:
        """Give what is unexplained or undecided, in the order in which it came up."""
        ...

    def grounds_of(self, proposition: PropositionId, /) -> tuple[Literal, ...]:
        """Give what a proposition rests on directly; nothing for one that nobody put forward."""
        ...

    def replacement_of(self, proposition: PropositionId, /) -> PropositionId | None:
        """Give the value that replaced a proposition, if one did."""
        ...

    def earlier(self, count: int, /) -> Sequence[Turn]:
        """Give the last turns before this moment, oldest first, at most ``count``."""
        ...
