"""Laws of a conversation on its record: the fold is the state, at every turn and after every amendment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Event, Joined, beginning_of, events_of
from upheld.conversation.timeline import STRIDE, Timeline
from upheld.errors import UpheldError
from upheld.logic.language.agents import hears
from upheld.logic.language.formulas import Atom, Not
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Turn, Withdraw
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened
from upheld.record.stores.ephemeral import EphemeralStore

MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
SPEAKERS = ("alice", "bob", "carol")

seeds = st.integers(0, 2**32 - 1)


def examples(count: int) -> int:
    """Scale a number of examples."""
    return max(1, round(count * MULTIPLIER))


def facts(state: State) -> dict[str, Any]:
    """Give labels, lifecycles, beliefs, commitments, questions and who takes part."""
    base = state.plausibility
    atoms = {id: Atom(id) for id in state.propositions}
    return {
        "labels": {id: state.label(id) for id in state.nodes},
        "denials": {id: state.label(f"~{id}") for id in state.propositions},
        "lifecycles": {id: lifecycle_of(state, id) for id in state.nodes},
        "beliefs": {id: (base.believes(atom), base.believes(Not(atom))) for id, atom in atoms.items()},
        "knowledge": {id: (base.knows(atom), base.knows(Not(atom))) for id, atom in atoms.items()},
        "commitments": {agent: frozenset(held) for agent, held in state.commitments.items() if held},
        "problems": dict(state.problems.items()),
        "agents": dict(state.agents.items()),
        "moment": state.moment,
    }


def outline(state: State) -> dict[str, Any]:
    """Give the cheaper part of the facts, for comparisons at every turn."""
    return {
        "labels": {id: state.label(id) for id in state.nodes},
        "lifecycles": {id: lifecycle_of(state, id) for id in state.propositions},
        "moment": state.moment,
        "turns": frozenset(state.turns),
    }


class Speakers:
    """Chance that says something that means something, most of the time."""

    def __init__(self, seed: int, talk: Conversation) -> None:
        """Seed it."""
        self._chance = Random(seed)
        self._talk = talk
        self._count = 0

    def speak(self, count: int) -> Conversation:
        """Do something until there are so many events; what is refused is not said."""
        while len(self._talk.timeline.events) < count:
            try:
                self._act()
            except UpheldError:
                continue
        return self._talk

    def _act(self) -> None:
        lot = self._chance.random()
        if lot < 0.84:
            speaker, operations, audience = self._chance.choice(SPEAKERS), self.operations(), self._audience()
            if audience is None:
                self._talk.say(speaker, "…", operations)
            else:
                self._talk.say(speaker, "…", operations, audience=audience)
        elif lot < 0.92:
            self._talk.retract(self._retraction(), by="keeper", reason="by lot")
        else:
            turns = self._talk.timeline.turns
            if turns:
                self._talk.amend(self._chance.choice(turns), self.operations(), by="keeper", reason="by lot")

    def operations(self) -> list[Operation]:
        """Give up to three operations."""
        return [self._operation() for _ in range(self._chance.choice((0, 1, 1, 1, 2, 3)))]

    def _audience(self) -> list[str] | None:
        return None if self._chance.random() < 0.8 else self._chance.sample(SPEAKERS, 1)

    def _operation(self) -> Operation:
        known, new = self._known, self._new
        grounds = self._grounds()
        makers = [
            lambda: Observe(id=new(), text=self._text(), depends_on=grounds, supersedes=self._few()),
            lambda: Observe(id=new(), text=self._text(), contradicts=self._few()),
            lambda: self._again(),
            lambda: Hypothesize(id=new(), text=self._text(), depends_on=grounds, explains=self._few()),
            lambda: Support(target=known(), evidence=grounds, specific=self._flip(), sufficient=self._flip()),
            lambda: Undermine(target=known(), evidence=grounds, specific=self._flip()),
            lambda: Revise(target=known(), because=grounds, withdrawn=self._flip()),
            lambda: Resolve(target=Literal(known()), id=new(), text=self._text(), subsumes=self._few()),
            lambda: Question(text=f"Why {self._count}?", about=self._few()),
            lambda: ExpandAwareness(id=new(), text=self._text()),
        ]
        return self._chance.choice(makers)()

    def _again(self) -> Operation:
        """Say a claim again, as it was said."""
        for event in reversed(self._talk.timeline.events):
            if isinstance(event, Turn):
                for operation in event.operations:
                    if isinstance(operation, Observe) and self._flip():
                        return operation
        return Observe(id=self._new(), text=self._text())

    def _retraction(self) -> Retraction:
        kind = self._chance.randrange(4)
        if kind == 0:
            return Retract(target=self._known())
        if kind == 1:
            return Falsify(target=self._known())
        if kind == 2:
            return Supersede(older=self._known(), newer=self._known())
        return Withdraw(source=self._chance.choice(self._talk.timeline.turns or (TurnId("T1"),)))

    def _grounds(self) -> tuple[Literal, ...]:
        return tuple(Literal(self._known(), self._chance.random() < 0.1) for _ in range(self._chance.choice((0, 1, 2))))

    def _few(self) -> tuple[PropositionId, ...]:
        return (self._known(),) if self._chance.random() < 0.2 else ()

    def _known(self) -> PropositionId:
        # Recent claims, mostly: what is said rests on what was just said.
        back = self._chance.randrange(12) if self._flip() else self._chance.randrange(self._count + 1)
        return PropositionId(f"p{max(1, self._count - back)}")

    def _new(self) -> PropositionId:
        self._count += 1
        return PropositionId(f"p{self._count}")

    def _text(self) -> str:
        return f"Claim {self._count} of somebody."

    def _flip(self) -> bool:
        return self._chance.random() < 0.5


def spoken(seed: int, count: int, store: EphemeralStore | None = None) -> Conversation:
    """Give a conversation that chance has had."""
    talk = Conversation(dict.fromkeys(SPEAKERS[:2], "x"), store=store, is_lenient=True)
    return Speakers(seed, talk).speak(count)


def folds(talk: Conversation) -> Iterator[tuple[Event, State]]:
    """Fold the events from the beginning, one by one; give the state after each."""
    line = Timeline(opened(list(talk.timeline.before(talk.timeline.turns[0]).agents.values())))
    for event in talk.timeline.events:
        line.add(event)
        yield event, line.now


@settings(max_examples=examples(1), deadline=None)
@given(seeds)
def test_the_state_at_every_turn_is_the_fold_of_what_came_before(seed: int) -> None:
    """Demanded by semantics, section 1: every query takes `at=t` and answers as of then, however far back.

    More than two hundred events, so that kept states are met, passed and started from.
    """
    talk = spoken(seed, 7 * STRIDE + 12)
    before = outline(opened())
    for event, state in folds(talk):
        if isinstance(event, Turn):
            assert outline(talk.at(event.id).state) == outline(state), event.id
            if before["moment"]:
                assert outline(talk.timeline.before(event.id)) == before, event.id
        before = outline(state)
    assert facts(talk.at(talk.timeline.turns[40]).state) == next(
        facts(state) for event, state in folds(talk) if event == talk.timeline.told(talk.timeline.turns[40])
    )


@settings(max_examples=examples(12), deadline=None)
@given(seeds, st.integers(10, 70))
def test_the_fold_of_the_record_is_the_live_state(seed: int, count: int) -> None:
    """Demanded by semantics, section 1: everything is derived by folding entries in order, amendments included."""
    store = EphemeralStore()
    talk = spoken(seed, count, store)
    again = Conversation(store=store)
    assert facts(again.state) == facts(talk.state)
    assert again.timeline.events == talk.timeline.events
    assert again.timeline.findings == talk.timeline.findings
    assert again.version == talk.version == store.version(talk.id)
    entries = list(store.read(talk.id))
    assert events_of(entries) == talk.timeline.events
    assert {agent.id for agent in beginning_of(entries).agents} == set(SPEAKERS[:2])


@settings(max_examples=examples(12), deadline=None)
@given(seeds, st.integers(10, 60), st.integers(0, 10**6))
def test_an_amendment_is_what_would_have_been_said_in_the_first_place(seed: int, count: int, place: int) -> None:
    """Demanded by semantics, section 1: the newest interpretation is folded at the place of its turn."""
    talk = spoken(seed, count)
    turns = talk.timeline.turns
    turn = turns[place % len(turns)]
    meant = Speakers(seed + 1, talk).operations()
    state, version, events = talk.state, talk.version, list(talk.timeline.events)
    try:
        talk.amend(turn, meant)
    except UpheldError:
        assert talk.state is state
        assert (talk.version, talk.timeline.events) == (version, events)
        return
    slow = Timeline(talk.timeline.before(turns[0])) if not isinstance(events[0], Joined) else Timeline(_opening(talk))
    for event in events:
        is_amended = isinstance(event, Turn) and event.id == turn
        slow.add(talk.timeline.told(turn) if is_amended else event)
    assert talk.timeline.told(turn).operations == tuple(meant)
    assert facts(talk.state) == facts(slow.now)
    assert talk.timeline.findings == slow.findings


@settings(max_examples=examples(12), deadline=None)
@given(seeds, st.integers(10, 50))
def test_looking_changes_nothing(seed: int, count: int) -> None:
    """Our promise (programs.md, 2): what-ifs, look-backs, questions and refused turns leave all as it was."""
    talk = spoken(seed, count)
    state, before, version = talk.state, facts(talk.state), talk.version
    chance = Random(seed)
    branch = talk.what_if()
    for proposition in chance.sample(talk.propositions, min(6, len(talk.propositions))):
        branch.falsify(proposition.id).retract(proposition.id)
        talk.affected(proposition.id)
        talk.verify(proposition.id, speaker="bob")
        talk.explain(proposition.id)
        talk.brief(proposition.id)
        talk.review(proposition.id)
    for turn in talk.timeline.turns:
        branch.withdraw(turn) if turn in talk.state.touched_by else talk.at(turn)
    with pytest.raises(UpheldError):
        talk.say("alice", "…", [Revise(target=PropositionId("nowhere"))])
    assert talk.state is state
    assert facts(talk.state) == before
    assert talk.version == version


@settings(max_examples=examples(12), deadline=None)
@given(seeds, st.integers(10, 60))
def test_a_view_holds_nothing_that_was_said_to_others_only(seed: int, count: int) -> None:
    """Demanded by semantics, section 8: a view folds only what an agent was told."""
    talk = spoken(seed, count)
    for agent in map(AgentId, talk.state.agents):
        heard = {
            id
            for event in talk.timeline.events
            if isinstance(event, Turn) and hears(agent, speaker=event.speaker, audience=event.audience)
            for id in (getattr(operation, "id", None) for operation in event.operations)
        }
        assert set(talk.for_agent(agent).state.propositions) <= heard


@settings(max_examples=examples(12), deadline=None)
@given(seeds, seeds, st.integers(1, 20))
def test_two_writers_who_refresh_and_retry_lose_nothing(first: int, second: int, count: int) -> None:
    """C-30: whatever is said on either side, both end with the same state, and it is the record's."""
    store = EphemeralStore()
    one = Conversation(dict.fromkeys(SPEAKERS, "x"), store=store, is_lenient=True)
    other = Conversation(store=store, is_lenient=True)
    chance = Random(first)
    for number in range(count):
        writer = chance.choice((one, other))
        for _ in range(2):
            try:
                writer.observe("alice", f"q{number}", f"Said {second + number}.")
                break
            except UpheldError:
                writer.refresh()
    one.refresh()
    other.refresh()
    assert [each.id for each in one.propositions] == [f"q{number}" for number in range(count)]
    assert facts(one.state) == facts(other.state) == facts(Conversation(store=store).state)


def _opening(talk: Conversation) -> State:
    """Give the state before anybody spoke or joined."""
    return opened([agent for agent in talk.state.agents.values() if agent.role])
