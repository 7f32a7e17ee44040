"""The product of worlds and events keeps the reduction axioms: what holds after is said of what held before."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.reference import PlausibilityModel, World, Worlds
from upheld.logic.epistemic.reference_events import executed, product
from upheld.logic.epistemic.structures.events import EventModel, former, occurrence
from upheld.logic.language.formulas import (
    And,
    Atom,
    Believes,
    CommonKnowledge,
    Formula,
    Iff,
    Knows,
    Not,
    Or,
    SafelyBelieves,
    Top,
)
from upheld.logic.language.notation import parse_formula

ATOMS, AGENTS, EVENTS = ("p", "q"), ("ann", "bob"), ("e", "f", "g")
PLAIN: tuple[Formula, ...] = tuple(map(parse_formula, ("p", "q", "~p", "p | q", "p <-> q", "p & ~q", "true")))
BELIEVED = PLAIN[:4]
ABOUT: tuple[Formula, ...] = tuple(
    map(parse_formula, ("K_ann p", "~Kw_bob q", "B_ann q", "~B_bob K_ann p", "C (p | q)"))
)
FORMULAS = st.sampled_from(PLAIN + ABOUT)
# Mostly plain, so that events compete: a law that no example puts to the test is none.
PRECONDITIONS = st.sampled_from((*PLAIN, *PLAIN[:6], *PLAIN[:6], *ABOUT))
SEEN = st.fixed_dictionaries({agent: st.sets(st.sampled_from(ATOMS), max_size=1) for agent in AGENTS})
RANKS = st.fixed_dictionaries({event: st.integers(0, 2) for event in EVENTS})
PARTITIONS = st.sampled_from(
    [
        (frozenset(EVENTS),),
        (frozenset(EVENTS),),
        (frozenset({"e", "f"}), frozenset({"g"})),
        (frozenset({"e"}), frozenset({"f", "g"})),
        tuple(frozenset({event}) for event in EVENTS),
    ]
)
STEPS = st.lists(st.tuples(PRECONDITIONS, st.sampled_from((Mode.RADICAL, Mode.CONSERVATIVE))), min_size=1, max_size=3)

Draw = st.DrawFn


@st.composite
def starts(draw: Draw) -> PlausibilityModel:
    """Two agents with different plausibilities, after a few upgrades that one or both heard."""
    found = PlausibilityModel.over(ATOMS, observes=draw(SEEN))
    for formula, mode in draw(STEPS):
        listeners = draw(st.sampled_from((AGENTS, AGENTS[:1], AGENTS[1:])))
        found = found.updated(formula, mode, listeners=listeners)
    return found


EVENT_MODELS = st.builds(
    EventModel,
    events=st.just(EVENTS),
    preconditions=st.fixed_dictionaries(dict.fromkeys(EVENTS, PRECONDITIONS)),
    partitions=st.fixed_dictionaries(dict.fromkeys(AGENTS, PARTITIONS)),
    ranks=st.fixed_dictionaries(dict.fromkeys(AGENTS, RANKS)),
)


def worlds_before(after: PlausibilityModel, where: Worlds, event: str) -> Worlds:
    """The worlds where the event can happen, and leads to one of these."""
    mark = occurrence("1", event)
    return frozenset(world - {mark} for world in where if mark in world)


def first(ranks: Mapping[World, int], worlds: Worlds) -> Worlds:
    """The most plausible of some worlds."""
    return frozenset(world for world in worlds if ranks[world] == min(ranks[each] for each in worlds))


@examples(100)
@given(starts(), EVENT_MODELS, st.sampled_from(AGENTS), st.sampled_from(PLAIN))
def test_what_is_known_after_is_what_was_known_of_each_event_that_it_might_be(
    before: PlausibilityModel, events: EventModel, agent: str, formula: Formula
) -> None:
    """Baltag, Moss and Solecki 1998: ``[e] K p`` iff e can happen only where for each f of its class ``K [f] p``."""
    after = product(before, events)
    for event in EVENTS if after is not before else ():
        possible = before.extension(events.preconditions[event])
        alike = next(each for each in events.classes_of(agent) if event in each)
        known = possible.intersection(
            *(before.extension(Knows(agent, Or((Not(events.preconditions[f]), formula)))) for f in alike)
        )
        assert worlds_before(after, after.extension(Knows(agent, formula)), event) == known


@examples(100)
@given(starts(), EVENT_MODELS)
def test_what_is_believed_after_is_what_the_likeliest_events_leave_of_the_likeliest_worlds(
    before: PlausibilityModel, events: EventModel
) -> None:
    """Baltag and Smets 2008, section 4: events that can happen decide first; where they tie, worlds do."""
    after = product(before, events)
    asked = itertools.product(EVENTS, AGENTS, BELIEVED) if after is not before else ()
    for event, agent, formula in asked:
        holding, expected = before.extension(formula), set[World]()
        for world in before.extension(events.preconditions[event]):
            cell = next(cell for cell in before.cells(agent) if world in cell)
            able = {
                f: cell & before.extension(events.preconditions[f])
                for f in next(each for each in events.classes_of(agent) if event in each)
            }
            least = min(events.rank(agent, f) for f, worlds in able.items() if worlds)
            candidates = frozenset[World]().union(
                *(worlds for f, worlds in able.items() if events.rank(agent, f) == least)
            )
            if first(before.ranks[agent], candidates) <= holding:
                expected.add(world)
        assert worlds_before(after, after.extension(Believes(agent, formula)), event) == expected


@examples(100)
@given(starts(), st.sampled_from(PLAIN), st.sampled_from(PLAIN + ABOUT))
def test_an_event_that_all_confuse_is_a_radical_upgrade(
    before: PlausibilityModel, upgrade: Formula, formula: Formula
) -> None:
    """Baltag and Smets 2008, section 4: ``⇑p`` is the product with p more plausible than not p."""
    both = frozenset({"yes", "no"})
    events = EventModel(
        events=("yes", "no"),
        preconditions={"yes": upgrade, "no": Not(upgrade)},
        partitions=dict.fromkeys(AGENTS, (both,)),
        ranks={agent: {"yes": 0, "no": 1} for agent in AGENTS},
    )
    after, upgraded = product(before, events), before.radical(upgrade)
    marks = frozenset(occurrence("1", event) for event in both)
    asked = [formula, *(make(agent, formula) for agent in AGENTS for make in (Believes, SafelyBelieves))]
    for each in (*asked, CommonKnowledge((), formula)):
        assert {world - marks for world in after.extension(each)} == upgraded.extension(each)


@examples(100)
@given(starts(), EVENT_MODELS, FORMULAS, st.sampled_from(PLAIN))
def test_what_an_event_sets_is_worth_what_it_was_set_to(
    before: PlausibilityModel, events: EventModel, value: Formula, other: Formula
) -> None:
    """Van Benthem, van Eijck and Kooi 2006: ``[e] p`` iff e can happen only where what e sets p to holds."""
    changing = EventModel(
        events=events.events,
        preconditions=events.preconditions,
        partitions=events.partitions,
        ranks=events.ranks,
        changes={"e": {"p": value}, "f": {"q": other}},
    )
    after = executed(before, changing)
    kept = product(before, events)
    expected = {"p": {"e": value, "f": Atom("p"), "g": Atom("p")}, "q": {"e": Atom("q"), "f": other, "g": Atom("q")}}
    for event in EVENTS if after is not before else ():
        mark = occurrence("1", event)
        happened = frozenset(world for world in after.worlds if mark in world)
        assert len(happened) == len([world for world in kept.worlds if mark in world])
        for atom, meant in expected.items():
            was = {
                frozenset(each for each in ATOMS if former("1", each) in world) for world in happened if atom in world
            }
            able = And((events.preconditions[event], meant[event]))
            assert was == before.extension(able)


@examples(100)
@given(starts(), EVENT_MODELS)
def test_nothing_happening_changes_nothing(before: PlausibilityModel, events: EventModel) -> None:
    """Baltag, Moss and Solecki 1998: one event that can always happen, and that all notice, is no news."""
    silence = EventModel(events=("e",), preconditions={"e": Top()})
    after = product(before, silence)
    mark = frozenset({occurrence("1", "e")})
    for formula in (*ABOUT, *events.preconditions.values(), Iff(ABOUT[0], ABOUT[2])):
        assert {world - mark for world in after.extension(formula)} == before.extension(formula)
