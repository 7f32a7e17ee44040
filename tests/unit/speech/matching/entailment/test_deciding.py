"""Shares made into links: what stands supports, what was given up is repeated, and in between it abstains."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import UpheldError
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.speech.matching.cues import read_cues
from upheld.speech.matching.entailment.deciding import (
    NO_NUMBER,
    NOTHING_FOLLOWS,
    SAFE,
    UNSURE,
    Asked,
    Bars,
    Decided,
    judged,
)
from upheld.speech.matching.entailment.judge import Pair, Shares
from upheld.speech.matching.lexical import TORN
from upheld.speech.matching.matcher import Relation
from upheld.speech.view import Known

CLAIM = "Visitors get in free of charge."
ENTAILS = Shares(entails=0.99, neutral=0.005, contradicts=0.005)
NEUTRAL = Shares(entails=0.01, neutral=0.98, contradicts=0.01)
AGAINST = Shares(entails=0.005, neutral=0.005, contradicts=0.99)
ALMOST = Shares(entails=0.9, neutral=0.05, contradicts=0.05)
BROKEN = Shares(entails=math.nan, neutral=math.nan, contradicts=math.nan)


class Told:
    """A judge that was told what to say of a pair; of others it says that nothing follows. It remembers all pairs."""

    name = "told@0"

    def __init__(self, **shares: Shares) -> None:
        """``to_o1`` is what follows from o1, ``from_o1`` whether o1 follows."""
        self.shares = shares
        self.asked: list[str] = []

    def reads(self, pair: Pair, /) -> bool:
        """Everything is read."""
        return True

    def judge(self, pairs: Sequence[Pair], /) -> tuple[Shares, ...]:
        """Say what was told."""
        names = [
            f"to_{_id(pair.premise)}" if "about" in pair.premise else f"from_{_id(pair.hypothesis)}" for pair in pairs
        ]
        self.asked += names
        return tuple(self.shares.get(name, NEUTRAL) for name in names)


def _id(text: str) -> str:
    return text.removesuffix(".").rsplit(" ", 1)[-1]


def known(id: str, lifecycle: Lifecycle = Lifecycle.STANDING, kind: Kind = Kind.OBSERVATION) -> Known:
    """Give a proposition as it stands."""
    up = lifecycle not in (Lifecycle.ABANDONED, Lifecycle.SUPERSEDED, Lifecycle.RETRACTED)
    return Known(
        proposition=Proposition(id=PropositionId(id), text=f"It is about {id}.", kind=kind),
        label=Label.IN if up else Label.OUT,
        lifecycle=lifecycle,
    )


GONE = known("g1", Lifecycle.SUPERSEDED)


def decided(judge: Told, *knowns: Known, claim: str = CLAIM, bars: Bars = SAFE) -> Decided:
    """Judge a claim beside propositions."""
    reading = read_cues(claim)
    return judged(Asked(reading=reading, words=reading.content), knowns, judge, bars, "nli(told@0)")


def links(found: Decided) -> list[tuple[str, Relation]]:
    """Give what a claim is linked to."""
    return [(str(link.literal), link.relation) for link in found.links]


def test_a_claim_rests_on_the_proposition_that_entails_it_most() -> None:
    """One that says it is enough, and the rules beside it then look at that one alone."""
    found = decided(
        Told(to_o1=Shares(entails=0.98, neutral=0.01, contradicts=0.01), to_o2=ENTAILS), known("o1"), known("o2")
    )
    assert links(found) == [("o2", Relation.SUPPORTED_BY)]
    assert (found.links[0].score, found.links[0].rule) == (0.99, "nli(told@0): entailed")


def test_a_claim_that_says_more_than_what_stands_is_not_supported() -> None:
    """The direction counts: that the claim entails a proposition is no ground for the claim."""
    assert decided(Told(from_o1=ENTAILS), known("o1")) == Decided(abstained=NOTHING_FOLLOWS)


def test_a_claim_that_entails_what_was_given_up_is_committed_to_it() -> None:
    """Whatever became of it, as the relation says; nothing may rest on it, so the other way is not asked."""
    judge = Told(from_g1=ENTAILS, to_g1=ENTAILS)
    assert links(decided(judge, GONE)) == [("g1", Relation.COMMITTED_TO)]
    assert judge.asked == ["from_g1"]


def test_what_was_given_up_never_supports_a_claim_however_well_it_fits() -> None:
    """Never grounded by what does not stand."""
    assert decided(Told(to_g1=ENTAILS), GONE) == Decided(abstained=NOTHING_FOLLOWS)


def test_a_contradiction_must_hold_both_ways() -> None:
    """Networks that were trained on captions call much a contradiction that is about another thing."""
    assert links(decided(Told(to_o1=AGAINST, from_o1=AGAINST), known("o1"))) == [("o1", Relation.CONTRADICTS)]
    assert decided(Told(to_o1=AGAINST), known("o1")).links == ()
    assert decided(Told(from_o1=AGAINST), known("o1")).links == ()


def test_repeating_what_was_replaced_and_contradicting_what_replaced_it_are_both_said() -> None:
    """The case of a new value; what was given up comes first, for the verdict's first reason."""
    found = decided(Told(from_g1=ENTAILS, to_o1=AGAINST, from_o1=AGAINST), known("o1"), GONE)
    assert links(found) == [("g1", Relation.COMMITTED_TO), ("o1", Relation.CONTRADICTS)]


@pytest.mark.parametrize("other", [{"from_g1": ENTAILS}, {"to_o2": AGAINST, "from_o2": AGAINST}])
def test_where_one_says_it_and_another_speaks_against_it_nothing_is_decided(other: dict[str, Shares]) -> None:
    """Never grounded where unsure."""
    found = decided(Told(to_o1=ENTAILS, **other), known("o1"), known("o2"), GONE)
    assert found == Decided(abstained=TORN)


def test_below_the_bars_it_abstains_and_says_so() -> None:
    """Could not check is not checked; the bars are arguments."""
    judge = Told(to_o1=ALMOST, from_g1=ALMOST)
    assert decided(judge, known("o1"), GONE) == Decided(abstained=UNSURE)
    assert links(decided(judge, known("o1"), bars=Bars(supported=0.9))) == [("o1", Relation.SUPPORTED_BY)]
    assert links(decided(judge, GONE, bars=Bars(committed=0.9))) == [("g1", Relation.COMMITTED_TO)]


def test_a_guess_is_no_ground_for_a_fact_and_one_for_a_guess() -> None:
    """Semantics, section 6: a hypothesis may be put as one while it is alive."""
    guess = known("h1", kind=Kind.HYPOTHESIS)
    sure = decided(Told(to_h1=ENTAILS, from_h1=ENTAILS), guess)
    assert links(sure) == [("h1", Relation.COMMITTED_TO)]
    perhaps = decided(Told(to_h1=ENTAILS, from_h1=ENTAILS), guess, claim="Perhaps visitors get in free of charge.")
    assert links(perhaps) == [("h1", Relation.SUPPORTED_BY)]


def test_what_is_reported_of_others_is_contradicted_by_nothing() -> None:
    """That Ben said it is claimed, not that it is so."""
    judge = Told(to_o1=AGAINST, from_o1=AGAINST)
    assert decided(judge, known("o1"), claim="Ben said that visitors get in free of charge.").links == ()


def test_a_wish_is_no_ground_for_the_deed_however_sure_the_network_is() -> None:
    """The named moods of the matcher by words hold here too."""
    wished = Known(
        proposition=Proposition(id=PropositionId("o1"), text="She wants to move it about o1.", kind=Kind.OBSERVATION),
        label=Label.IN,
        lifecycle=Lifecycle.STANDING,
        speaker=AgentId("ann"),
    )
    assert decided(Told(to_o1=ENTAILS), wished, claim="She was moved.") == Decided(abstained=UNSURE)


@pytest.mark.parametrize("where", ["to_o1", "from_g1", "from_o2"])
def test_a_pair_without_a_number_leaves_the_claim_open(where: str) -> None:
    """A share that is no number is below no bar and above none: it must not be passed over."""
    shares = {"to_o2": AGAINST, where: BROKEN}
    assert decided(Told(**shares), known("o1"), known("o2"), GONE) == Decided(abstained=NO_NUMBER)


@pytest.mark.parametrize("bar", [0.5, 0.0, -1.0, 1.01, math.nan])
def test_bars_that_two_labels_could_reach_are_refused(bar: float) -> None:
    """Above a half at most one label is believed."""
    for name in ("supported", "committed", "contradicted"):
        with pytest.raises(UpheldError, match=name):
            Bars(**{name: bar})


SHARE = st.floats(0, 1)


@given(
    st.dictionaries(
        st.sampled_from(["to_o1", "from_o1", "to_o2", "from_o2", "from_g1", "to_g1"]), st.tuples(SHARE, SHARE, SHARE)
    )
)
def test_only_what_stands_and_entails_above_the_bar_ever_supports(told: dict[str, tuple[float, float, float]]) -> None:
    """A law over any shares, even ones that do not sum to one; and a claim has links or a reason, never both."""
    shares = {name: Shares(entails=a, neutral=b, contradicts=c) for name, (a, b, c) in told.items()}
    found = decided(Told(**shares), known("o1"), known("o2"), GONE)
    assert bool(found.links) != bool(found.abstained)
    for id, relation in links(found):
        if relation is Relation.SUPPORTED_BY:
            assert len(found.links) == 1
            assert shares[f"to_{id}"].entails >= SAFE.supported
        else:
            assert id == "g1" or shares[f"from_{id}"].contradicts >= SAFE.contradicted
