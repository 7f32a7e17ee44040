"""Laws of snapshots: what came through bytes answers and goes on like the original."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Move, after, conversations, examples, folded, last_of, picture

from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Joined, Took
from upheld.errors import UpheldError
from upheld.logic.language.formulas import Atom, Not
from upheld.logic.language.identities import ConversationId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.turns import Retract, Turn
from upheld.logic.language.verdicts import Candidate, Modality
from upheld.logic.reasoning.answers.brief import brief
from upheld.logic.reasoning.answers.changes import affected, directly_affected, review
from upheld.logic.reasoning.answers.conflicts import nogoods
from upheld.logic.reasoning.answers.explain import explain
from upheld.logic.reasoning.answers.roots import roots_of
from upheld.logic.reasoning.answers.verify import verify_literal
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.state import State
from upheld.record.snapshots.codec import SnapshotCodec
from upheld.record.stores.ephemeral import EphemeralStore

AT_ONCE, BIT_BY_BIT = SnapshotCodec(State), SnapshotCodec(State, wide=0)
"""A state of these sizes is made at once; with the second codec each map and set stays written until it is asked."""

both = pytest.mark.parametrize("codec", [AT_ONCE, BIT_BY_BIT], ids=["at once", "bit by bit"])


def through_bytes(codec: SnapshotCodec[State], state: State) -> State:
    """Give what comes back of a state."""
    return codec.decode(codec.encode(state))


def answers(state: State) -> dict[str, Any]:
    """Give every answer to every question about every claim."""
    base = state.plausibility
    literals = [Literal(id, is_negated) for id in sorted(state.propositions) for is_negated in (False, True)]
    atoms = [Atom(id) for id in sorted(state.propositions)]
    formulas = [*atoms, *map(Not, atoms), Atom("x"), Not(Atom("x")), Atom("y")]
    nodes = sorted(state.nodes)
    return {
        "labels": {key: state.label(key) for key in (*nodes, *map(str, literals))},
        "lifecycles": {id: lifecycle_of(state, id) for id in nodes},
        "verdicts": [
            verify_literal(state, Candidate(literal=literal, modality=modality))
            for literal in literals
            for modality in Modality
        ],
        "affected": {id: affected(state, Retract(target=id)) for id in nodes},
        "directly affected": {id: directly_affected(state, id) for id in nodes},
        "review": {id: review(state, id) for id in nodes},
        "briefs": {id: brief(state, Retract(target=id)) for id in nodes},
        "explanations": {id: explain(state, id) for id in sorted(state.propositions)},
        "roots": {id: roots_of(state, id) for id in sorted(state.propositions)},
        "nogoods": nogoods(state),
        "beliefs": [(base.believes(formula), base.knows(formula)) for formula in formulas],
        "conditional beliefs": [
            base.believes_given(first, second) for first in formulas[:4] for second in formulas[:4]
        ],
        "quarantined": base.quarantined(),
        "disbelief": [base.explain_disbelief(formula) for formula in formulas],
    }


@both
@examples(25)
@given(conversations())
def test_a_state_that_came_through_bytes_answers_like_the_original(
    codec: SnapshotCodec[State], talk: tuple[State, tuple[Move, ...]]
) -> None:
    """Our promise: nothing that anybody can ask tells a decoded state from the one that was encoded."""
    state = last_of(*talk)
    again = through_bytes(codec, state)
    assert picture(again) == picture(state)
    assert answers(again) == answers(state)


@both
@examples(25)
@given(conversations(), st.integers(0, 10))
def test_going_on_from_a_decoded_state_is_going_on_from_the_original(
    codec: SnapshotCodec[State], talk: tuple[State, tuple[Move, ...]], place: int
) -> None:
    """Our promise: every later turn and retraction does the same to both, whenever the snapshot was taken."""
    state, moves = talk
    place = min(place, len(moves))
    again = through_bytes(codec, last_of(state, moves[:place]) if place else state)
    live = list(folded(state, moves))
    for number, move in enumerate(moves[place:], place):
        again = after(again, move)
        assert picture(again) == picture(live[number]), move
    assert answers(again) == answers(live[-1])


@both
@examples(12)
@given(conversations())
def test_a_state_may_go_through_bytes_at_every_turn(
    codec: SnapshotCodec[State], talk: tuple[State, tuple[Move, ...]]
) -> None:
    """Our promise: snapshots of snapshots lose nothing."""
    state, moves = talk
    again = state
    for move, live in zip(moves, folded(state, moves), strict=True):
        again = through_bytes(codec, after(again, move))
        assert picture(again) == picture(live), move
    assert answers(again) == answers(last_of(state, moves))


@both
@examples(20)
@given(conversations(), st.data())
def test_a_state_may_be_written_slice_upon_slice(
    codec: SnapshotCodec[State], talk: tuple[State, tuple[Move, ...]], data: st.DataObject
) -> None:
    """Our promise: what is new since some snapshot, written upon it, is the whole; whoever asked what in between."""
    state, moves = talk
    body = codec.opened(codec.encode(state))
    again = body.value
    for move, live in zip(moves, folded(state, moves), strict=True):
        again = after(again, move)
        if data.draw(st.booleans()):
            body = codec.opened(codec.encode(again, upon=body))
            again = body.value
        if data.draw(st.integers(0, 3)) == 3:
            assert picture(again) == picture(live), move
    assert answers(again) == answers(last_of(state, moves))
    assert answers(through_bytes(codec, again)) == answers(again)


# --- conversations ---------------------------------------------------------------------------------------------------

TALK = ConversationId("conversation")


def told(talk: Conversation, move: Move) -> None:
    """Say or take back; what is refused is not said."""
    try:
        talk.tell(move) if isinstance(move, Turn) else talk.retract(move)
    except UpheldError:
        return


def looked_at(talk: Conversation) -> dict[str, Any]:
    """Give all that can be asked of a conversation, of its past, and of what each was told."""
    line, agents = talk.timeline, sorted(talk.state.agents)
    return {
        "version": talk.version,
        "now": answers(talk.state),
        "events": line.events,
        "findings": line.findings,
        "turns": (line.turns, line.length),
        "told": [line.told(turn) for turn in line.turns],
        "before": [picture(line.before(turn)) for turn in line.turns],
        "at": {turn: picture(talk.at(turn).state) for turn in line.turns},
        "views": [picture(talk.for_agent(agent).state) for agent in agents],
        "seen": [picture(talk.seen_by(agent)) for agent in agents],
        "seen then": [picture(talk.at(turn).seen_by(agent)) for turn in line.turns[-2:] for agent in agents],
    }


@examples(8)
@given(conversations(most=8), st.data())
def test_a_conversation_opened_from_a_snapshot_is_the_one_that_was_replayed(
    talk: tuple[State, tuple[Move, ...]], data: st.DataObject
) -> None:
    """Our promise: at every turn, every public question has the same answer with and without a snapshot."""
    state, moves = talk
    store, policy = EphemeralStore(), state.policy
    agents = list(state.agents.values())
    live = Conversation(agents, store=store, policy=policy, is_lenient=True, snapshot_every=0)
    for move in moves:
        told(live, move)
        if data.draw(st.booleans()):
            live.keep_snapshot()
        if live.timeline.turns and data.draw(st.integers(0, 4)) == 4:
            turn = data.draw(st.sampled_from(live.timeline.turns))
            _amend(live, turn, data)
        opened = Conversation(store=store, policy=policy, snapshot_every=0)
        assert picture(opened.state) == picture(live.state)
        assert opened.version == live.version
    replayed = Conversation(store=_without_snapshots(store), policy=policy, snapshot_every=0)
    live.keep_snapshot()
    opened = Conversation(store=store, policy=policy, snapshot_every=0)
    assert looked_at(opened) == looked_at(replayed)
    if live.timeline.turns:
        turn = data.draw(st.sampled_from(live.timeline.turns))
        # Opened anew, so that the amendment is the first that looks back.
        opened = Conversation(store=store, policy=policy, snapshot_every=0)
        meant = replace(opened.timeline.told(turn), operations=())
        assert _amended(opened, meant) == _amended(replayed, meant)


def _amend(talk: Conversation, turn: TurnId, data: st.DataObject) -> None:
    others = [event.operations for event in talk.timeline.events if isinstance(event, Turn)]
    try:
        talk.amend(turn, data.draw(st.sampled_from([(), *others])))
    except UpheldError:
        return


def _amended(talk: Conversation, turn: Turn) -> object:
    """Give what an amendment would lead to, or the error that it would be."""
    try:
        line = talk.timeline.amended(turn)
    except UpheldError as error:
        return type(error), str(error)
    return picture(line.now), line.events, line.findings, [picture(line.at(each)) for each in line.turns]


def _without_snapshots(store: EphemeralStore) -> EphemeralStore:
    copy = EphemeralStore()
    copy.append(TALK, [entry.content for entry in store.read(TALK)])
    assert copy.snapshot(TALK) is None
    return copy


@examples(8)
@given(conversations(most=10), st.integers(1, 10), st.integers(0, 10))
def test_catching_up_with_another_writer_is_opening_anew(
    talk: tuple[State, tuple[Move, ...]], first: int, kept: int
) -> None:
    """Our promise: refreshing folds only what is new, and that is the same as a replay of all."""
    state, moves = talk
    store, policy = EphemeralStore(), state.policy
    writer = Conversation(list(state.agents.values()), store=store, policy=policy, is_lenient=True, snapshot_every=0)
    for move in moves[:first]:
        told(writer, move)
    if kept % 2:
        writer.keep_snapshot()
    reader = Conversation(store=store, policy=policy, snapshot_every=0)
    for move in moves[first:]:
        told(writer, move)
        reader.refresh()
        assert picture(reader.state) == picture(writer.state)
    assert looked_at(reader) == looked_at(writer)
    assert not any(isinstance(event, Joined) for event in reader.timeline.events)
    assert len([event for event in reader.timeline.events if isinstance(event, Took)]) <= len(moves)
