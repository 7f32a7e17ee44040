"""Laws of truth maintenance over random maps with circles and denials: the quick answers equal the obvious ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Move, claims, conversations, examples, last_of

from upheld.logic.dependency import affected as losing
from upheld.logic.dependency import environments as labels
from upheld.logic.dependency import reference
from upheld.logic.dependency.affected import losses
from upheld.logic.dependency.breaking import breaking_sets, essentials
from upheld.logic.dependency.cone import ROOT, cone_of
from upheld.logic.dependency.environments import environments, iter_environments
from upheld.logic.dependency.justifications import DependencyMap, Justification, with_justifications
from upheld.logic.dependency.nogoods import culprits
from upheld.logic.dependency.streaming import iter_losses
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.turns import Falsify, Retract, Retraction
from upheld.logic.language.verdicts import Affected, Effect
from upheld.logic.reasoning.answers.changes import affected, count_affected, iter_affected
from upheld.logic.reasoning.answers.explain import what_breaks
from upheld.logic.reasoning.answers.grounds import complete_justification
from upheld.logic.reasoning.state import State

Id = PropositionId
NAMES = tuple(map(PropositionId, "abcdefg"))


@dataclass(frozen=True)
class Ground:
    """A map, and which of its assumptions hold now."""

    dependencies: DependencyMap
    held: frozenset[Literal]

    @cached_property
    def groups(self) -> dict[Id, tuple[Justification, ...]]:
        """Justifications as plain values."""
        return reference.groups_of(self.dependencies)

    @cached_property
    def assumptions(self) -> frozenset[Literal]:
        """Default assumptions."""
        return reference.assumptions_of(self.groups)

    @cached_property
    def standing(self) -> frozenset[Literal]:
        """What stands: the least fixpoint on what holds."""
        return reference.foundation(self.groups, self.held)

    @cached_property
    def behind(self) -> Mapping[Id, frozenset[Id]]:
        """Everything that each claim rests on, over premises."""
        direct = {
            id: {item.proposition for way in ways for item in way if not item.negated}
            for id, ways in self.groups.items()
        }
        found: dict[Id, frozenset[Id]] = {}
        for id in direct:
            seen: set[Id] = set()
            pending = [*direct[id]]
            while pending:
                each = pending.pop()
                if each not in seen:
                    seen.add(each)
                    pending.extend(direct.get(each, ()))
            found[id] = frozenset(seen)
        return found

    def ring_of(self, id: Id) -> frozenset[Id]:
        """The circle that a claim lies on."""
        ring = {each for each in self.behind.get(id, ()) if id in self.behind.get(each, ())}
        return frozenset(ring)

    def rank_of(self, id: Id) -> int:
        """A place in the order of support: what rests on more comes later, a circle has one place."""
        return len({id, *self.behind.get(id, ())})


def _ground(random: Random, *, is_signed: bool) -> Ground:
    """A small map, dense enough for several circles, nested ones and alternatives; some of it not held."""
    names = NAMES[: random.randint(2, len(NAMES))]
    dependencies = DependencyMap()
    for name in names:
        others = [each for each in names if each != name]
        ways = [
            tuple(
                Literal(each, is_signed and random.random() < 0.15)
                for each in random.sample(others, random.randint(0, min(3, len(others))))
            )
            for _ in range(random.choice((0, 1, 1, 2, 2, 3)))
        ]
        if random.random() < 0.9:
            dependencies = with_justifications(dependencies, name, tuple(dict.fromkeys(ways)))
    bare = Ground(dependencies, frozenset())
    open_to = [item for item in bare.assumptions if item.negated or item.proposition not in bare.groups]
    return Ground(dependencies, frozenset(item for item in sorted(open_to) if random.random() < 0.7))


def grounds(*, is_signed: bool = True) -> st.SearchStrategy[Ground]:
    """Maps by number: drawing each literal would take longer than the laws themselves."""
    return st.integers(0, 2**40).map(lambda seed: _ground(Random(seed), is_signed=is_signed))


Question = tuple[Ground, frozenset[Id], frozenset[Id]]


def _question(random: Random) -> Question:
    ground = _ground(random, is_signed=True)
    denied = sorted(item.proposition for item in ground.held if item.negated)
    unsettled = frozenset(id for id in denied if random.random() < 0.5)
    return ground, frozenset(random.sample(NAMES, random.randint(1, 2))), unsettled


def questions() -> st.SearchStrategy[Question]:
    """A map, what is taken away, and which denials are."""
    return st.integers(0, 2**40).map(lambda seed: _question(Random(seed)))


def fast(question: Question) -> dict[Id, Effect]:
    """Effects by the sweep."""
    ground, gone, unsettled = question
    stands = ground.standing.__contains__
    found = losses(ground.dependencies, gone, stands, ground.ring_of, unsettled=unsettled)
    return {item.id: item.effect for item in found}


def slow(question: Question) -> dict[Id, Effect]:
    """Effects by deriving everything anew."""
    ground, gone, unsettled = question
    return reference.losses(ground.groups, gone, ground.standing.__contains__, unsettled)


def streamed(question: Question) -> list[Affected]:
    """Effects one by one."""
    ground, gone, unsettled = question
    first = min(gone)
    found = iter_losses(
        ground.dependencies,
        gone,
        ground.standing.__contains__,
        ground.rank_of,
        ground.ring_of,
        unsettled_by=lambda id: unsettled if id == first else (),
    )
    return list(found)


# --- losses ----------------------------------------------------------------------------------------------------------


@examples(1_000)
@given(questions())
def test_losses_over_circles_are_the_difference_of_two_foundations(question: Question) -> None:
    """Gupta, Mumick and Subrahmanian 1993: delete and rederive equals the least fixpoint, whatever the circles."""
    assert fast(question) == slow(question)


@examples(400)
@given(questions())
def test_a_stream_gives_each_loss_once_exact_and_after_what_it_rests_on(question: Question) -> None:
    """Our promise (`iter_losses`): the same effects, none taken back, premises before what rests on them."""
    ground = question[0]
    found = streamed(question)
    assert {item.id: item.effect for item in found} == slow(question)
    assert len(found) == len({item.id for item in found})
    places = {item.id: place for place, item in enumerate(found)}
    for item in found:
        behind = ground.behind[item.id] - ground.ring_of(item.id)
        assert all(places[each] < places[item.id] for each in behind if each in places)
        if not ground.ring_of(item.id):
            assert set(item.path[1:-1]) <= {each.id for each in found if each.effect is Effect.LOST}


@examples(150)
@given(grounds(is_signed=False), st.lists(st.tuples(st.booleans(), st.sampled_from(NAMES)), max_size=8))
def test_taking_away_and_putting_back_ends_where_the_batch_does(ground: Ground, changes: list[tuple[bool, Id]]) -> None:
    """Semantics, section 7: what stands after any sequence is what a foundation from scratch says."""
    dependencies, standing = ground.dependencies, ground.standing
    for is_taken, id in changes:
        before = Ground(dependencies, ground.held)
        groups = () if is_taken else ground.groups.get(id, ())
        if id not in ground.groups:
            continue
        if is_taken:
            reached = losses(dependencies, (id,), standing.__contains__, before.ring_of)
            lost = {Literal(item.id) for item in reached if item.effect is Effect.LOST}
            dependencies = with_justifications(dependencies, id, groups)
            standing = standing - lost - {Literal(id)}
        else:
            dependencies = with_justifications(dependencies, id, groups)
            standing = Ground(dependencies, ground.held).standing
        assert standing == Ground(dependencies, ground.held).standing
    restored = dependencies
    for id, groups in ground.groups.items():
        restored = with_justifications(restored, id, groups)
    assert Ground(restored, ground.held).standing == ground.standing


def test_a_sweep_without_regard_to_circles_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the laws are able to fail."""
    a, b, c = NAMES[:3]
    dependencies = DependencyMap()
    for id, groups in ((a, ((),)), (b, ((Literal(a),), (Literal(c),))), (c, ((Literal(b),),))):
        dependencies = with_justifications(dependencies, id, groups)
    question = (Ground(dependencies, frozenset()), frozenset({a}), frozenset[Id]())
    assert fast(question) == slow(question) == {b: Effect.LOST, c: Effect.LOST}

    def nothing(_: Ground, __: Id) -> frozenset[Id]:
        return frozenset()

    monkeypatch.setattr(Ground, "ring_of", nothing)
    assert fast(question) == {b: Effect.THINNED}


# --- environments, breaking sets, nogoods ----------------------------------------------------------------------------


@examples(400)
@given(grounds(), st.lists(st.frozensets(st.sampled_from(NAMES), min_size=1, max_size=2), max_size=2))
def test_environments_are_sound_complete_consistent_and_minimal(ground: Ground, excluded: list[frozenset[Id]]) -> None:
    """De Kleer 1986, section 3, against all subsets of the assumptions."""
    nogoods = [frozenset(map(Literal, each)) for each in excluded]
    for id in NAMES[:2]:
        assume(len(reference.assumptions_of(ground.groups, (Literal(id),))) <= reference.MOST_ASSUMPTIONS)
        found = environments(ground.dependencies, id, nogoods=nogoods)
        assert found.is_complete
        wanted = _brute(ground, (id,), nogoods)
        assert (frozenset(found.found), len(found.found)) == (wanted, len(wanted))
        sizes = [len(each) for each in found.found]
        assert sizes == sorted(sizes)
        assert tuple(iter_environments(ground.dependencies, id, nogoods=nogoods)) == found.found


@examples(250)
@given(grounds())
def test_what_would_break_it_is_what_hits_every_environment(ground: Ground) -> None:
    """Reiter 1987, theorem 4.4: minimal hitting sets; the other way round they give the environments again."""
    first = NAMES[0]
    found = breaking_sets(ground.dependencies, first)
    assert found.is_complete
    assert frozenset(found.found) == reference.cuts(ground.groups, (Literal(first),))
    if not any(item.negated for item in ground.assumptions):
        # Where p and ~p may meet, sets on which both hold are no environments, and need hitting all the same.
        held = _brute(ground, (first,))
        assert frozenset(found.found) == reference.hitting_sets(held)
        assert held == reference.hitting_sets(frozenset(found.found))


@examples(250)
@given(grounds())
def test_any_claim_on_the_way_may_be_what_breaks_it(ground: Ground) -> None:
    """Our promise (`explain`): claims with premises count too, and what breaks it alone is essential."""
    wanted = Literal(NAMES[0])
    cone = cone_of(ground.dependencies, (wanted,))
    possible = [name for number, name in enumerate(cone.names) if number != ROOT and not name.negated]
    found = breaking_sets(ground.dependencies, NAMES[0], candidates=lambda item: not item.negated)
    brute = reference.breaking_sets(ground.groups, (wanted,), possible)
    assert frozenset(found.found) == brute
    numbers, is_complete = essentials(cone, 10**6)
    assert is_complete
    alone = {cone.names[each] for each in numbers if not cone.names[each].negated}
    if frozenset() not in brute:
        assert alone == {item for group in brute if len(group) == 1 for item in group}


@examples(250)
@given(grounds())
def test_nogoods_are_minimal_unions_and_the_retractions_resolve_the_clash(ground: Ground) -> None:
    """De Kleer 1986, section 3.2; a retraction resolves the clash and no part of it does."""
    first, second = NAMES[:2]
    found = culprits(ground.dependencies, first, second)
    assert found.is_complete
    each = [_brute(ground, (id,)) for id in (first, second)]
    unions = reference.minimal(one | other for one in each[0] for other in each[1])
    both = _brute(ground, (first, second))
    assert frozenset(found.nogoods) == both
    assert both <= unions
    assert {culprit.assumption for culprit in found.ranked} == frozenset[Literal]().union(*both)
    for culprit in found.ranked:
        assert culprit.nogoods == sum(culprit.assumption in nogood for nogood in both)
    held = reference.assumptions_of(ground.groups, (Literal(first), Literal(second)))
    for retraction in found.retractions:
        assert not {Literal(first), Literal(second)} <= reference.foundation(ground.groups, held, retraction)
        assert all(
            {Literal(first), Literal(second)} <= reference.foundation(ground.groups, held, retraction - {one})
            for one in retraction
        )


def test_a_circle_that_holds_itself_up_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the laws are able to fail; without loop formulas the completion accepts the circle."""
    a, b, c = NAMES[:3]
    dependencies = DependencyMap()
    for id, groups in ((b, ((Literal(a),), (Literal(c),))), (c, ((Literal(b),),))):
        dependencies = with_justifications(dependencies, id, groups)
    assert environments(dependencies, b).found == (frozenset({Literal(a)}),)

    def everything(*_: object) -> dict[int, int]:
        return {ROOT: 0}

    monkeypatch.setattr(labels, "founded", everything)
    assert environments(dependencies, b).found == (frozenset(),)


def _brute(
    ground: Ground, wanted: Collection[Id], nogoods: Collection[frozenset[Literal]] = ()
) -> frozenset[frozenset[Literal]]:
    assume(len(ground.assumptions) <= reference.MOST_ASSUMPTIONS)
    return reference.environments(ground.groups, [Literal(id) for id in wanted], nogoods=nogoods)


# --- the same in conversations ---------------------------------------------------------------------------------------

Conversation = tuple[State, tuple[Move, ...]]


@examples(120)
@given(conversations(), st.data())
def test_counting_and_streaming_agree_with_the_whole_answer(conversation: Conversation, data: st.DataObject) -> None:
    """Our promise (`iter_affected`, `count_affected`): the lost and thinned of `affected`, whatever the change."""
    state = last_of(*conversation)
    target = data.draw(claims(state))
    kinds: tuple[Retraction, ...] = (Retract(target=target), Falsify(target=target))
    for change in kinds:
        whole = affected(state, change)
        listed = {(item.id, item.effect) for item in (*whole.lost, *whole.thinned)}
        found = [(item.id, item.effect) for item in iter_affected(state, change)]
        assert (set(found), len(found)) == (listed, len(listed))
        counted = count_affected(state, change)
        assert (counted.lost, counted.thinned, counted.total) == (len(whole.lost), len(whole.thinned), len(listed))


@examples(120)
@given(conversations(), st.data())
def test_what_breaks_a_claim_is_what_would_lose_it(conversation: Conversation, data: st.DataObject) -> None:
    """Our promise (`explain`): each claim alone, and the sets together, exactly as `affected` would have it."""
    state = last_of(*conversation)
    id = data.draw(claims(state))
    assume(complete_justification(state, id) is not None)
    found = what_breaks(state, id)
    assert found.is_complete
    others = [each for each in state.propositions if each != id]
    assert set(found.alone) == {each for each in others if _is_lost(state, id, (each,))}
    for group in found.together:
        assert _is_lost(state, id, group)
        assert all(not _is_lost(state, id, tuple(each for each in group if each != one)) for one in group)
    pairs = {frozenset(group) for group in found.together if len(group) == 2}
    if found.is_complete_together:
        free = [each for each in others if each not in found.alone]
        assert pairs == {
            frozenset((one, other))
            for one in free
            for other in free
            if one < other and _is_lost(state, id, (one, other))
        }


def _is_lost(state: State, id: Id, gone: tuple[Id, ...]) -> bool:
    if not gone:
        return False
    reached = losing.losses(state.dependencies, gone, state.stands, state.network.in_ring)  # type: ignore[arg-type]
    return reached.effects.get(id) is Effect.LOST
