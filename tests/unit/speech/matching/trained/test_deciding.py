"""A judgement made into links: the rule says how sure, what stands says which way, and in between it abstains."""

from __future__ import annotations

from dataclasses import replace

import pytest

from upheld.errors import MalformedInput
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.speech.matching.matcher import Relation
from upheld.speech.matching.trained.deciding import decided
from upheld.speech.matching.trained.features import FEATURES, Near, features
from upheld.speech.matching.trained.rule import Rule, rule_of
from upheld.speech.trained.judge import Judgement, Relations
from upheld.speech.view import Known

NONE = Relations(link=0.02, denies=0.01, contradicts=0.01)
LINKED = Relations(link=0.97, denies=0.01, contradicts=0.02)
AGAINST = Relations(link=0.05, denies=0.02, contradicts=0.95)
GONE = Relations(link=0.03, denies=0.96, contradicts=0.02)


def near(
    id: str, *, lifecycle: Lifecycle = Lifecycle.STANDING, kind: Kind = Kind.OBSERVATION, cosine: float = 0.7
) -> Near:
    """Give a proposition as it stands."""
    up = lifecycle not in (Lifecycle.ABANDONED, Lifecycle.SUPERSEDED, Lifecycle.RETRACTED)
    return Near(
        known=Known(
            proposition=Proposition(id=PropositionId(id), text=f"Something about {id}.", kind=kind),
            label=Label.IN if up else Label.OUT,
            lifecycle=lifecycle,
        ),
        nearness=cosine,
    )


def judged(*relations: Relations, hypothesis: float = 0.02, new: float = 0.05) -> Judgement:
    """Give a judgement of an asserted claim."""
    return Judgement(
        relations=relations,
        stances=(0.94, 0.02, 0.02, 0.02),
        modalities=(0.98 - hypothesis, hypothesis, 0.02),
        new=new,
    )


def by(bias: float) -> Rule:
    """Give a rule that goes by nothing but its bias."""
    return Rule(weights=(0.0,) * len(FEATURES), bias=bias, grounded_at=0.8, ungrounded_at=0.3)


def test_a_sure_claim_rests_on_what_it_links_to_and_what_stands() -> None:
    """Never on what was given up, however well its words fit."""
    beside = [near("o1", lifecycle=Lifecycle.SUPERSEDED), near("o2"), near("o3")]
    found = decided("A claim.", judged(LINKED, LINKED, NONE), beside, by(3.0), "n")
    assert [(str(link.literal), link.relation) for link in found.links] == [("o2", Relation.SUPPORTED_BY)]
    assert found.links[0].score == pytest.approx(0.9526, abs=1e-4)


def test_saying_that_something_was_dropped_rests_on_its_negation() -> None:
    """Semantics, section 6: a denial is grounded when the claim was given up."""
    beside = [near("h1", lifecycle=Lifecycle.ABANDONED, kind=Kind.HYPOTHESIS), near("o2")]
    found = decided("It was never that.", judged(GONE, NONE), beside, by(3.0), "n")
    assert [str(link.literal) for link in found.links] == ["~h1"]


def test_a_rule_that_needs_a_guess_objects_beside_one_only() -> None:
    """What a plain chat says, read by words, may have been replaced unread: an objection to it would be a guess."""
    careful = replace(by(-3.0), needs_guess=True)
    plain = decided("A claim.", judged(NONE), [near("o1")], careful, "n")
    assert (plain.links, plain.is_new) == ((), False)
    assert "not sure enough" in plain.abstained
    beside = [near("o1"), near("h1", lifecycle=Lifecycle.ABANDONED, kind=Kind.HYPOTHESIS)]
    assert decided("A claim.", judged(NONE, LINKED), beside, careful, "n").links
    assert plain.likelihood == pytest.approx(0.0474, abs=1e-4)


def test_between_the_bars_it_abstains() -> None:
    """Could not check is not checked."""
    found = decided("A claim.", judged(LINKED), [near("o1")], by(0.0), "n")
    assert not found.links
    assert "not sure enough" in found.abstained


def test_a_claim_that_leans_on_what_was_given_up_names_it() -> None:
    """What the engine then calls abandoned or superseded."""
    found = decided(
        "A claim.", judged(LINKED, NONE), [near("o1", lifecycle=Lifecycle.RETRACTED), near("o2")], by(-3), "n"
    )
    assert [(str(link.literal), link.relation) for link in found.links] == [("o1", Relation.COMMITTED_TO)]


def test_a_claim_that_cannot_stand_beside_another_contradicts_it() -> None:
    """Both cannot hold."""
    found = decided("A claim.", judged(NONE, AGAINST), [near("o1"), near("o2")], by(-3.0), "n")
    assert [(str(link.literal), link.relation) for link in found.links] == [("o2", Relation.CONTRADICTS)]


def test_a_live_guess_put_as_settled_is_named_and_reported_it_holds() -> None:
    """Overclaim: the same words, another modality."""
    guess = [near("h1", kind=Kind.HYPOTHESIS, lifecycle=Lifecycle.ACTIVE)]
    as_fact = decided("It is so.", judged(LINKED), guess, by(-3.0), "n")
    assert [str(link.literal) for link in as_fact.links] == ["h1"]
    as_view = decided("It may be so.", judged(LINKED, hypothesis=0.95), guess, by(3.0), "n")
    assert [link.relation for link in as_view.links] == [Relation.SUPPORTED_BY]


def test_where_nothing_is_linked_nobody_said_it() -> None:
    """The paper's empty set."""
    found = decided("Something else.", judged(NONE, NONE, new=0.9), [near("o1"), near("o2")], by(-3.0), "n")
    assert found.is_new
    assert not found.links


def test_the_numbers_are_those_that_are_named_and_finite_at_the_ends() -> None:
    """A rule is fitted on them by name and place."""
    sure = Relations(link=1.0, denies=0.0, contradicts=0.0)
    numbers = features("Is it 30 euros?", judged(sure), [near("o1")])
    assert len(numbers) == len(FEATURES)
    assert all(abs(number) < 10 for number in numbers)
    assert numbers[FEATURES.index("asks")] == 1.0


def test_a_card_without_a_rule_or_with_one_for_other_numbers_is_refused() -> None:
    """A rule for other features would be arithmetic without a meaning."""
    whole = {
        "features": list(FEATURES),
        "weights": [0.0] * len(FEATURES),
        "bias": 0,
        "grounded_at": 0.9,
        "ungrounded_at": 0.1,
        "needs_guess": True,
    }
    assert rule_of({"rule": whole}).needs_guess
    assert rule_of({"rule": whole}).grounded_at == 0.9
    for broken in ({}, {"rule": {**whole, "features": ["other"]}}, {"rule": {**whole, "bias": "much"}}):
        with pytest.raises(MalformedInput):
            rule_of(broken)
