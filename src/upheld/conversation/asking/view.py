"""A state as interpreters and matchers read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from upheld.logic.dependency.justifications import grounds_of
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.answers.findings import current_value
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.state import State
from upheld.speech.view import Known, OpenProblem

Earlier = Callable[[int], Sequence[Turn]]
"""Gives the last turns, at most so many, oldest first."""


def nothing_earlier(_: int) -> Sequence[Turn]:
    """Give no turns: a state alone knows no words."""
    return ()


class StateView:
    """The :class:`~upheld.speech.view.Situation` of one state; without ``earlier`` it knows no words of turns."""

    def __init__(self, state: State, *, earlier: Earlier = nothing_earlier) -> None:
        """Read this state."""
        self._state = state
        self._earlier = earlier

    def known(self) -> Iterator[Known]:
        """Give all propositions, in the order in which they were put forward. Cost: linear."""
        for id in reversed(tuple(self._state.introduced)):
            yield self._known(id)

    def count(self) -> int:
        """Give the number of propositions in view."""
        return len(self._state.propositions)

    def newest(self) -> Iterator[Proposition]:
        """Give the propositions, newest first."""
        return (self._state.propositions[id] for id in self._state.introduced)

    def get(self, proposition: PropositionId, /) -> Known | None:
        """Give one proposition as it stands."""
        return self._known(proposition) if proposition in self._state.propositions else None

    def agents(self) -> Sequence[Agent]:
        """Give those who take part, by id."""
        return tuple(self._state.agents[id] for id in sorted(self._state.agents))

    def problems(self) -> Sequence[OpenProblem]:
        """Give what is unexplained or undecided in the order in which it came up, then what merely surprised."""
        state = self._state
        found = sorted(state.problems.values(), key=lambda each: (each.origin.moment, each.id))
        asked = {id for each in found for id in each.about}
        surprising = [id for id in state.unexplained if id not in asked and state.label(id) is Label.IN]
        surprising.sort(key=lambda id: state.node(id).moment)
        return (
            *(OpenProblem(id=each.id, text=each.text, about=each.about) for each in found),
            *(
                OpenProblem(id=id, text=state.proposition(id).text, about=frozenset({id}), is_surprise=True)
                for id in surprising
            ),
        )

    def grounds_of(self, proposition: PropositionId, /) -> tuple[Literal, ...]:
        """Give what a proposition rests on directly."""
        return grounds_of(self._state.dependencies, proposition)

    def replacement_of(self, proposition: PropositionId, /) -> PropositionId | None:
        """Give the value that replaced a proposition, if one did."""
        return current_value(self._state, proposition) if proposition in self._state.nodes else None

    def earlier(self, count: int, /) -> Sequence[Turn]:
        """Give the last turns before this moment."""
        return self._earlier(count)

    def _known(self, id: PropositionId) -> Known:
        node = self._state.node(id)
        origin = node.first.origin
        return Known(
            proposition=self._state.proposition(id),
            label=self._state.label(id),
            lifecycle=lifecycle_of(self._state, id),
            speaker=origin.speaker,
            turn=origin.turn or None,
        )
