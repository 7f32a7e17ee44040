"""What all agents know together says of one agent what that agent's own base says."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import AGENTS, FORMULAS, Move, conversations, examples

from upheld.conversation.events import Took
from upheld.conversation.timeline import Timeline
from upheld.errors import UpheldError
from upheld.logic.language.agents import Audience
from upheld.logic.language.formulas import Atom, Believes, Formula, Knows, Not
from upheld.logic.language.identities import AgentId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.mutual import mutual
from upheld.logic.reasoning.state import State

pytest.importorskip("oxidd", reason="knowledge structures need the extra 'epistemic'")

NAMES = tuple(agent.id for agent in AGENTS)
AUDIENCES = st.none() | st.frozensets(st.sampled_from(NAMES), max_size=2)


def told(state: State, moves: tuple[Move, ...], audiences: list[Audience | None]) -> Timeline:
    """Give the conversation with some turns said in private; what is refused is left out."""
    timeline = Timeline(state)
    for move, audience in zip(moves, audiences, strict=True):
        try:
            if isinstance(move, Turn):
                # Built anew, since only the audience is another.
                timeline.add(Turn(id=move.id, speaker=move.speaker, operations=move.operations, audience=audience))
            else:
                timeline.add(Took(retraction=move))
        except UpheldError:
            continue
    return timeline


@st.composite
def private_conversations(draw: st.DrawFn) -> Timeline:
    """A conversation in which some turns are heard by some."""
    state, moves = draw(conversations(most=6))
    return told(state, moves, [draw(AUDIENCES) for _ in moves])


@examples(150)
@given(private_conversations(), st.sampled_from(FORMULAS), st.sampled_from(NAMES), st.data())
def test_the_structure_says_of_one_agent_what_its_own_base_says(
    timeline: Timeline, formula: Formula, agent: AgentId, data: st.DataObject
) -> None:
    """Semantics, sections 3 and 8: K, B and conditional belief over what the agent was told, in private or not."""
    state = timeline.now
    views: dict[AgentId, State] = {name: timeline.seen_by(name) for name in state.agents}
    claims = [formula, *map(Atom, sorted(state.propositions))]
    asked = data.draw(st.sampled_from(claims))
    condition = data.draw(st.sampled_from(claims))
    both = mutual(state, views, [asked, condition])
    # Two that were told contrary things in private leave no way for both to be so.
    assume(both.count_worlds())
    for statement in (Knows(agent, asked), Knows(agent, Not(asked)), Believes(agent, asked)):
        assert both.holds(statement) is views[agent].plausibility.holds(statement), statement
    given_that = Believes(agent, asked, condition)
    assert both.holds(given_that) is views[agent].plausibility.holds(given_that)
