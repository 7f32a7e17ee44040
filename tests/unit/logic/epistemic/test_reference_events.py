"""The action-priority product on explicit worlds: who learns what, and who notices that somebody does."""

from __future__ import annotations

import pytest

from upheld.errors import RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.reference_events import executed, product, worlds_after
from upheld.logic.epistemic.structures.events import (
    DENIED,
    SILENCE,
    TOLD,
    EventModel,
    announcement,
    former,
    occurrence,
    telling_whether,
    whisper,
)
from upheld.logic.language.formulas import Atom, Bottom, KnowsWhether, Not, Top
from upheld.logic.language.notation import parse_formula

AGENTS = ("ann", "bob", "cat")
P = Atom("p")


@pytest.fixture
def start() -> PlausibilityModel:
    """Three agents who know nothing of p and q, and find all equally plausible."""
    return PlausibilityModel.over({"p", "q"}, observes=dict.fromkeys(AGENTS, ()))


def holds_after(model: PlausibilityModel, event: str, formula: str, *, name: str = "1") -> bool:
    """Tell whether a formula holds wherever the event happened."""
    return worlds_after(model, event, name=name) <= model.extension(parse_formula(formula))


def test_a_public_announcement_as_an_event_leaves_the_worlds_of_the_announcement(start: PlausibilityModel) -> None:
    """Baltag, Moss and Solecki 1998: a public announcement is the event model of one event."""
    after = product(start, announcement(P))
    said = occurrence("1", TOLD)
    assert {world - {said} for world in after.worlds} == start.announced(P).worlds
    assert holds_after(after, TOLD, "C p")


def test_who_is_told_whether_knows_and_the_others_know_that_they_do(start: PlausibilityModel) -> None:
    """Van Ditmarsch, van der Hoek and Kooi 2007, section 6.2: a semi-private announcement."""
    after = product(start, telling_whether(P, to={"ann"}, agents=AGENTS))
    assert holds_after(after, TOLD, "K_ann p & ~Kw_bob p & C_{bob,cat} Kw_ann p & ~K_bob K_ann p")
    assert holds_after(after, DENIED, "K_ann ~p & K_ann ~Kw_bob p")


def test_who_hears_nothing_of_a_whisper_thinks_that_nothing_was_said(start: PlausibilityModel) -> None:
    """Baltag and Smets 2008, section 4: a private announcement deceives by plausibility, and is not ruled out."""
    after = product(start, whisper(P, to={"ann"}, agents=AGENTS))
    assert holds_after(after, TOLD, "K_ann p & B_bob ~Kw_ann p & ~K_bob ~Kw_ann p & K_ann B_bob ~Kw_ann p")
    assert holds_after(after, SILENCE, "~Kw_ann p & B_bob ~Kw_ann p")


def test_a_plausible_event_outweighs_a_plausible_world(start: PlausibilityModel) -> None:
    """Baltag and Smets 2008, section 4: the incoming information has priority over what was believed."""
    believing = start.radical(P)
    events = EventModel(
        events=("yes", "no"),
        preconditions={"yes": P, "no": Not(P)},
        partitions=dict.fromkeys(AGENTS, (frozenset({"yes", "no"}),)),
        ranks={agent: {"yes": 1, "no": 0} for agent in ("ann", "bob")},
    )
    after = product(believing, events)
    assert len(after.worlds) == 4
    assert after.believes(Not(P), agent="ann")
    assert after.believes(P, agent="cat")


def test_events_that_everybody_confuses_upgrade_as_a_lexicographic_upgrade_does(start: PlausibilityModel) -> None:
    """Baltag and Smets 2008, section 4: ``⇑p`` is the product with p before not p, told apart by nobody."""
    ranked = start.radical(Atom("q"))
    events = EventModel(
        events=("yes", "no"),
        preconditions={"yes": P, "no": Not(P)},
        partitions=dict.fromkeys(AGENTS, (frozenset({"yes", "no"}),)),
        ranks={agent: {"yes": 0, "no": 1} for agent in AGENTS},
    )
    after, upgraded = product(ranked, events), ranked.radical(P)
    marks = frozenset({occurrence("1", "yes"), occurrence("1", "no")})
    for agent in AGENTS:
        assert {world - marks: rank for world, rank in after.ranks[agent].items()} == upgraded.ranks[agent]


def test_an_upgrade_that_only_some_hear_leaves_the_plausibility_of_the_others(start: PlausibilityModel) -> None:
    """Our promise: listeners can be named for a soft update."""
    for mode in (Mode.RADICAL, Mode.CONSERVATIVE):
        after = start.updated(P, mode, listeners=["bob"])
        assert after.believes(P, agent="bob")
        assert not after.believes(P, agent="ann")


def test_two_updates_by_events_are_told_apart(start: PlausibilityModel) -> None:
    """Our promise: each update has its own atoms, counted from 1 unless they are named."""
    after = product(product(start, whisper(P, to={"ann"}, agents=AGENTS)), whisper(P, to={"bob"}, agents=AGENTS))
    assert holds_after(after, TOLD, "K_bob p", name="2")
    with pytest.raises(RepeatedIdentity):
        product(after, announcement(P), name="1")


def test_an_event_that_can_happen_nowhere_is_refused(start: PlausibilityModel) -> None:
    """Our promise: a model keeps at least one world."""
    assert product(start, announcement(parse_formula("K_ann p"))) is start


def test_an_agent_that_the_model_does_not_have_is_refused(start: PlausibilityModel) -> None:
    """Our promise: a slip in a name does not pass in silence."""
    with pytest.raises(UnknownReference, match="dan"):
        product(start, whisper(P, to={"ann"}, agents=(*AGENTS, "dan")))


def test_an_event_may_change_facts_and_who_saw_it_happen_knows(start: PlausibilityModel) -> None:
    """Van Benthem, van Eijck and Kooi 2006: a coin is turned round, before the eyes of one."""
    both = frozenset({"turned", "left"})
    events = EventModel(
        events=("turned", "left"),
        preconditions={"turned": Top(), "left": Top()},
        partitions=dict.fromkeys(("bob", "cat"), (both,)),
        changes={"turned": {"p": Not(P)}},
    )
    seeing = start.announced(parse_formula("p & q"))
    after = executed(seeing, events)
    assert holds_after(after, "turned", "~p & q & K_ann ~p & ~Kw_bob p & K_bob Kw_ann p")
    assert holds_after(after, "left", "K_ann p & ~Kw_cat p & C q")
    assert {former("1", "p") in world for world in after.worlds} == {True}


def test_who_observed_what_an_event_changed_remembers_what_it_was() -> None:
    """Our promise (EventModel): what it is now, one knows from the event."""
    start = PlausibilityModel.over({"p"}, observes={"ann": {"p"}, "bob": ()})
    hidden = EventModel(
        events=("turned", "left"),
        preconditions={"turned": Top(), "left": Top()},
        partitions=dict.fromkeys(("ann", "bob"), (frozenset({"turned", "left"}),)),
        changes={"turned": {"p": Not(P)}},
    )
    after = executed(start, hidden, name="e")
    assert len(after.worlds) == 4
    assert after.knows(KnowsWhether("ann", Atom(former("e", "p"))), agent="ann")
    assert not after.is_consistent_with(KnowsWhether("ann", P))
    assert executed(start, announcement(Bottom())) is start
