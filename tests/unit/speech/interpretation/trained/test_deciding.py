"""What a clause is taken to do: bars, targets, and who may do what to whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedInput
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.speech.interpretation.trained.deciding import (
    ACTING,
    BARRED,
    INTRODUCING,
    REPLACE,
    Bars,
    Speaking,
    bars_of,
    certainty,
    done,
)
from upheld.speech.trained.moves import ACTS, OPERATIONS, ClauseMoves
from upheld.speech.view import Known

ANN, BEN, BOT, LOG = map(AgentId, ("ann", "ben", "bot", "log"))
KINDS: Mapping[AgentId, AgentKind] = {BOT: AgentKind.ASSISTANT, LOG: AgentKind.TOOL}
HALF = Bars(of=dict.fromkeys(BARRED, 0.5))
SAID = "It is otherwise now."
SHARES = st.floats(0, 1)


def known(id: str, kind: Kind, *, by: AgentId = BEN, lifecycle: Lifecycle | None = None) -> Known:
    """Give a proposition; a guess is active, a report stands."""
    usual = Lifecycle.ACTIVE if kind in (Kind.HYPOTHESIS, Kind.POSITION) else Lifecycle.STANDING
    return Known(
        proposition=Proposition(id=PropositionId(id), text=f"The text of {id}.", kind=kind),
        label=Label.IN,
        lifecycle=lifecycle or usual,
        speaker=by,
    )


GUESS, FACT = known("h1", Kind.HYPOTHESIS), known("o1", Kind.OBSERVATION)


def moves(shares: Mapping[str, float], *acts: Mapping[str, float]) -> ClauseMoves:
    """Give moves; what is not named has no share."""
    return ClauseMoves(
        operations=tuple(shares.get(name, 0.0) for name in OPERATIONS),
        acts=tuple(tuple(own.get(name, 0.0) for name in ACTS) for own in acts),
    )


def by(speaker: AgentId) -> Speaking:
    """Give a speaker among the others."""
    return Speaking(speaker=speaker, kinds=KINDS)


def test_a_move_is_made_from_its_bar_on() -> None:
    """The bars are the card's: below one, nothing is made up."""
    assert done(SAID, moves({"observe": 0.5}), [], by(ANN), HALF).introduces == "observe"
    assert done(SAID, moves({"observe": 0.49}), [], by(ANN), HALF).introduces == ""
    assert done(SAID, moves({"question": 0.9}), [], by(ANN), HALF).asks


def test_a_clause_puts_forward_one_thing_the_one_furthest_above_its_bar() -> None:
    """A guess that is told flatly is no report as well."""
    bars = Bars(of={**HALF.of, "hypothesize": 0.3})
    assert done(SAID, moves({"observe": 0.6, "hypothesize": 0.55}), [], by(ANN), bars).introduces == "hypothesize"


def test_a_move_and_its_target_must_pass_the_bar_together() -> None:
    """A clause that surely undermines something, nobody knows what, undermines nothing: no edge is invented."""
    sure = moves({"undermine": 0.9}, {"undermine": 0.9})
    nowhere = moves({"undermine": 0.9}, {"undermine": 0.1})
    assert done(SAID, sure, [GUESS], by(ANN), HALF).on == {"undermine": GUESS}
    assert done(SAID, nowhere, [GUESS], by(ANN), HALF).on == {}


def test_only_what_is_open_is_supported_undermined_or_settled() -> None:
    """Demanded by semantics, section 4: a report is no guess, and what was dropped is not settled by a nod."""
    gone = known("h2", Kind.HYPOTHESIS, lifecycle=Lifecycle.ABANDONED)
    for act in ("support", "undermine", "resolve"):
        own = moves({act: 1.0}, {act: 1.0}, {act: 1.0})
        assert done(SAID, own, [FACT, gone], by(ANN), HALF).on == {}, act
        assert done(SAID, own, [FACT, GUESS], by(ANN), HALF).on == {act: GUESS}, act


def test_nobody_takes_back_anothers_report_unless_a_new_value_comes_with_it() -> None:
    """Demanded by semantics: what is said against another's report is an argument, not a retraction."""
    takes = {"revise": 1.0}
    assert done(SAID, moves(takes, takes), [FACT], by(ANN), HALF).on == {}
    assert done(SAID, moves({**takes, "observe": 1.0}, takes), [FACT], by(ANN), HALF).on == {"revise": FACT}
    assert done(SAID, moves(takes, takes), [FACT], by(BEN), HALF).on == {"revise": FACT}
    assert done(SAID, moves(takes, takes), [GUESS], by(ANN), HALF).on == {"revise": GUESS}


@pytest.mark.parametrize("act", ["revise", "resolve"])
def test_an_assistant_settles_and_takes_back_only_what_is_its_own(act: str) -> None:
    """Its reply must not talk a person's statement away, nor make a person's guess a fact."""
    own = moves({act: 1.0, "observe": 1.0}, {act: 1.0})
    assert done(SAID, own, [GUESS], by(BOT), HALF).on == {}
    assert done(SAID, own, [FACT], by(BOT), HALF).on == {}
    mine = known("h3", Kind.HYPOTHESIS, by=BOT)
    assert done(SAID, own, [mine], by(BOT), HALF).on == {act: mine}


@given(st.lists(SHARES, min_size=8, max_size=8), st.lists(SHARES, min_size=5, max_size=5))
def test_a_tool_speaks_for_and_against_and_does_nothing_else(shares: list[float], acts: list[float]) -> None:
    """Demanded by the threat of injected text: what was retrieved takes nothing back and settles nothing."""
    told = ClauseMoves(operations=tuple(shares), acts=(tuple(acts), tuple(acts)))
    assert set(done(SAID, told, [GUESS, FACT], by(LOG), HALF).on) <= {"support", "undermine"}


@given(st.lists(SHARES, min_size=8, max_size=8), st.lists(SHARES, min_size=5, max_size=5))
def test_whatever_the_network_says_one_guess_is_not_acted_on_both_ways(shares: list[float], acts: list[float]) -> None:
    """A clause does not both support and undermine one guess, nor drop and settle it."""
    found = done(SAID, ClauseMoves(operations=tuple(shares), acts=(tuple(acts),)), [GUESS], by(ANN), HALF)
    assert set(found.on) <= set(ACTING)
    assert found.introduces in ("", *INTRODUCING)
    assert not {"support", "undermine"} <= set(found.on)
    assert not {"revise", "resolve"} <= set(found.on)


@given(st.lists(SHARES, min_size=8, max_size=8))
def test_certainty_is_that_of_the_least_sure_move(shares: list[float]) -> None:
    """What is passed on to a language model is what the network is least sure of."""
    sure = moves({"observe": 1.0})
    unsure = ClauseMoves(operations=tuple(shares), acts=())
    assert certainty([sure]) == 1.0
    assert certainty([]) == 1.0
    assert 0.5 <= certainty([sure, unsure]) == min(max(share, 1 - share) for share in shares)


def test_a_card_without_bars_is_refused() -> None:
    """Bars that somebody guessed would read anything into anything."""
    bars: dict[str, float] = dict.fromkeys(BARRED, 0.25)
    assert bars_of({"reading": {"bars": bars, "sure_at": 0.9}}) == Bars(of=bars, sure_at=0.9)
    damaged: tuple[dict[str, object], ...] = (
        {},
        {"bars": bars},
        {"bars": {"observe": 0.5}, "sure_at": 1},
        {"bars": {"observe": "x"}, "sure_at": 1},
    )
    for card in ({}, *({"reading": each} for each in damaged)):
        with pytest.raises(MalformedInput, match="no bars of a reading"):
            bars_of(card)


def test_a_report_is_replaced_from_a_bar_of_its_own_on() -> None:
    """A report that is wrongly given up makes a good reply look stale; a guess that is dropped does so seldom."""
    takes = moves({"revise": 0.7, "observe": 1.0}, {"revise": 0.7})
    careful = Bars(of={**HALF.of, REPLACE: 0.9})
    assert done(SAID, takes, [FACT], by(BEN), HALF).on == {"revise": FACT}
    assert done(SAID, takes, [FACT], by(BEN), careful).on == {}
    assert done(SAID, takes, [GUESS], by(BEN), careful).on == {"revise": GUESS}


def test_of_a_guess_and_a_report_the_likelier_is_given_up() -> None:
    """One clause gives up one thing."""
    takes = moves({"revise": 1.0, "observe": 1.0}, {"revise": 0.6}, {"revise": 0.9})
    assert done(SAID, takes, [GUESS, FACT], by(BEN), HALF).on == {"revise": FACT}
    assert done(SAID, takes, [FACT, GUESS], by(BEN), HALF).on == {"revise": GUESS}


def test_values_that_speak_against_it_keep_a_report() -> None:
    """The values of both must allow it: whoever says the same again replaces nothing."""
    said = known("o2", Kind.OBSERVATION)
    paid = replace(said, proposition=replace(said.proposition, text="The user paid 45 euros."))
    takes = moves({"revise": 1.0, "observe": 1.0}, {"revise": 1.0})
    assert done("You mean 45 euros.", takes, [paid], by(BEN), HALF).on == {}
    assert done("It was 54 euros.", takes, [paid], by(BEN), HALF).on == {"revise": paid}
