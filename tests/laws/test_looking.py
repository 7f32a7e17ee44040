"""Laws of what is drawn of a conversation: replaying the log is folding it, and parts add up to the whole."""

from __future__ import annotations

from hypothesis import given
from strategies import Move, conversations, examples

from upheld.conversation.asking.picturing import edges_of, nodes_of, standing_in
from upheld.conversation.asking.questions import is_open_again
from upheld.conversation.conversation import Conversation
from upheld.conversation.looking.drawing import DatedEdge
from upheld.conversation.looking.history import History, history_of
from upheld.conversation.looking.log import FEW, Log
from upheld.errors import UpheldError
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.record.stores.ephemeral import EphemeralStore

Standings = dict[PropositionId, tuple[object, bool]]


def told(drawn: tuple[State, tuple[Move, ...]], log: Log | None = None) -> tuple[Conversation, EphemeralStore]:
    """Tell a drawn conversation; what is refused is left out. A log is kept up with it, but for every third event."""
    state, moves = drawn
    store = EphemeralStore()
    talk = Conversation(
        [state.agents[id] for id in state.agents], store=store, policy=state.policy, is_lenient=True, snapshot_every=0
    )
    for number, move in enumerate(moves):
        if log is not None and number % 3:
            assert log.keep_up(talk.timeline)
        try:
            if isinstance(move, Turn):
                talk.tell(move)
            else:
                talk.retract(move)
        except UpheldError:
            continue
    return talk, store


def whole(state: State) -> Standings:
    """Give how every node stands, one by one: slow and obvious."""
    found: Standings = {}
    for id in state.nodes:
        standing = standing_in(state, id)
        assert standing is not None
        found[id] = (standing, is_open_again(state.node(id), standing.lifecycle, standing.label))
    return found


def replayed(history: History, place: int) -> Standings:
    """Give how all stand at a place, by the log of changes."""
    return {each.claim: (each.standing, each.needs_reevaluation) for each in history.changes if each.place <= place}


@examples(150)
@given(conversations(most=12))
def test_the_log_replayed_up_to_a_place_is_the_state_there(drawn: tuple[State, tuple[Move, ...]]) -> None:
    """Issue 6, section 5: going back in a conversation shows it as it was, and nothing is recomputed for it."""
    talk, store = told(drawn)
    history = history_of(talk, store, Log())
    shown = {each.id for each in history.claims}
    for place in range(history.place + 1):
        state = talk.timeline.around(place)[1] if place < history.place else talk.state
        expected = {id: each for id, each in whole(state).items() if id in shown}
        assert {id: each for id, each in replayed(history, place).items() if id in state.nodes} == expected
        assert all(each.place > place for each in history.claims if each.id not in state.nodes and "#f" not in each.id)


@examples(150)
@given(conversations(most=12))
def test_what_is_drawn_is_the_picture_and_what_ended(drawn: tuple[State, tuple[Move, ...]]) -> None:
    """Our promise: the same nodes and edges as the exports; what counts no more says since when."""
    talk, store = told(drawn)
    history = history_of(talk, store, Log())
    dated = edges_of(talk.state)
    there = {(each.source, each.target, each.kind) for each in history.edges}
    pictured = {(each.edge.source, each.edge.target, each.edge.kind) for each in dated}
    assert pictured <= there
    assert {each.id for each in nodes_of(talk.state, dated)} <= {each.id for each in history.claims}
    ended = {(each.source, each.target, each.kind) for each in history.edges if each.ended is None}
    assert ended <= pictured
    assert all(each.ended is None or each.place <= each.ended <= history.place for each in history.edges)
    ids = {each.id for each in history.claims}
    assert all({each.source, each.target} <= ids for each in history.edges)


@examples(100)
@given(conversations(most=24))
def test_a_log_that_is_kept_up_is_the_log_that_is_folded_later(drawn: tuple[State, tuple[Move, ...]]) -> None:
    """Our promise: what is spared to the first look changes nothing of what it sees."""
    kept = Log()
    talk, store = told(drawn, kept)
    late = Log()
    expected = history_of(talk, store, late)
    assert kept.keep_up(talk.timeline)
    assert kept.steps == late.steps
    assert history_of(talk, store, kept) == expected
    is_short = talk.timeline.count <= FEW
    assert (Log().keep_up(talk.timeline) is not None) is is_short, "a long past is folded for who looks"


@examples(100)
@given(conversations(most=10))
def test_what_came_since_each_place_adds_up_to_the_whole(drawn: tuple[State, tuple[Move, ...]]) -> None:
    """Our promise to a page that follows: it holds what it would hold if it asked for everything."""
    talk, store = told(drawn)
    log = Log()
    expected = history_of(talk, store, log)
    for place in range(1, expected.place + 1):
        then = _upto(expected, place)
        more = history_of(talk, store, log, after=place)
        assert (*then.moments, *more.moments) == expected.moments
        assert {each.id for each in (*then.claims, *more.claims)} == {each.id for each in expected.claims}
        assert len(then.claims) + len(more.claims) == len(expected.claims)
        assert (*then.changes, *more.changes) == expected.changes
        assert _known(then.edges) | _known(more.edges) == _known(expected.edges)


def _upto(history: History, place: int) -> History:
    """Give what was known at a place."""
    return History(
        id=history.id,
        title=history.title,
        version=history.version,
        place=place,
        agents=history.agents,
        moments=history.moments[:place],
        claims=tuple(each for each in history.claims if each.place <= place),
        edges=tuple(_as_of(each, place) for each in history.edges if each.place <= place),
        changes=tuple(each for each in history.changes if each.place <= place),
    )


def _as_of(edge: DatedEdge, place: int) -> DatedEdge:
    ended = edge.ended if edge.ended is not None and edge.ended <= place else None
    return DatedEdge(
        source=edge.source, target=edge.target, kind=edge.kind, group=edge.group, place=edge.place, ended=ended
    )


def _known(edges: tuple[DatedEdge, ...]) -> dict[tuple[str, str, str, str | None], DatedEdge]:
    return {(each.source, each.target, each.kind, each.group): each for each in edges}
