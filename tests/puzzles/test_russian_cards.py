"""Russian cards: two tell each other their hands aloud, and the third, who holds one card, must learn none.

Seven cards, three for Anne, three for Bill, one for Cath. Source: van Ditmarsch 2003, *The Russian cards problem*,
Studia Logica 75, section 3.
"""

from __future__ import annotations

import itertools

import pytest

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, CommonKnowledge, Formula, Implies, KnowsWhether, Not, Or

CARDS = "0123456"
PLAYERS = ("anne", "bill", "cath")
OWN = {player: [f"{player}{card}" for card in CARDS] for player in PLAYERS}


def deal(anne: str, bill: str) -> frozenset[str]:
    """Who holds what; Cath has the card that is left."""
    cath = set(CARDS) - set(anne) - set(bill)
    hands = {"anne": anne, "bill": bill, "cath": cath}
    return frozenset(f"{player}{card}" for player, hand in hands.items() for card in hand)


DEALS = [
    deal("".join(anne), "".join(bill))
    for anne in itertools.combinations(CARDS, 3)
    for bill in itertools.combinations([card for card in CARDS if card not in anne], 3)
]
ACTUAL = deal("012", "345")


def one_of(*hands: str) -> Formula:
    """Anne has one of these hands."""
    return Or(tuple(And(tuple(Atom(f"anne{card}") for card in hand)) for hand in hands))


def knows_the_deal(player: str) -> Formula:
    """The player knows of each card whether Anne has it, and whether Bill has."""
    return And(tuple(KnowsWhether(player, Atom(atom)) for atom in (*OWN["anne"], *OWN["bill"])))


def is_in_the_dark(player: str) -> Formula:
    """The player knows of no card of another who has it."""
    return And(
        tuple(
            Implies(Not(Atom(f"{player}{card}")), Not(KnowsWhether(player, Atom(f"{other}{card}"))))
            for card in CARDS
            for other in ("anne", "bill")
        )
    )


SAFE = one_of("012", "034", "056", "135", "246")
CATH_HAS_SIX = Atom("cath6")
SHARED = And((knows_the_deal("anne"), knows_the_deal("bill"), is_in_the_dark("cath")))


@pytest.fixture
def start() -> PlausibilityModel:
    """All deals; each player sees the own hand."""
    return PlausibilityModel.among(DEALS, observes=OWN)


def test_five_hands_tell_bill_everything_and_cath_nothing(start: PlausibilityModel) -> None:
    """Van Ditmarsch 2003: 012, 034, 056, 135, 246; a hundred and forty deals, then twenty, then three."""
    assert len(start.worlds) == 140
    said = start.announced(SAFE)
    assert said.worlds == said.extension(CommonKnowledge(PLAYERS, knows_the_deal("bill")))
    assert said.worlds == said.extension(CommonKnowledge(PLAYERS, is_in_the_dark("cath")))
    answered = said.announced(CATH_HAS_SIX)
    assert [len(said.worlds), len(answered.worlds)] == [20, 3]
    assert answered.worlds == answered.extension(CommonKnowledge(PLAYERS, SHARED))
    assert ACTUAL in answered.worlds


def test_hands_that_share_a_card_give_it_away(start: PlausibilityModel) -> None:
    """Our counterexample: a card that is in every hand is known to be Anne's."""
    said = start.announced(one_of("012", "034", "056"))
    assert not said.holds_at(ACTUAL, is_in_the_dark("cath"))


def test_one_hand_too_few_leaves_cath_with_a_card(start: PlausibilityModel) -> None:
    """Our counterexample: without the fifth hand, Cath learns something from one of the cards that may be hers."""
    said = start.announced(one_of("012", "034", "056", "135"))
    assert said.worlds != said.extension(is_in_the_dark("cath"))


def test_decision_diagrams_count_the_same_deals() -> None:
    """Our promise: knowledge structures leave the worlds that explicit worlds leave."""
    pytest.importorskip("oxidd", reason="the extra `epistemic` is not installed")
    atoms = [f"{player}{card}" for card in CARDS for player in PLAYERS]
    law = Or(tuple(And(tuple(Atom(a) if a in each else Not(Atom(a)) for a in atoms)) for each in DEALS))
    start = KnowledgeStructure.over(atoms, observes=OWN, law=law)
    said = start.announced(SAFE)
    answered = said.announced(CATH_HAS_SIX)
    assert [start.count_worlds(), said.count_worlds(), answered.count_worlds()] == [140, 20, 3]
    assert answered.is_valid(CommonKnowledge(PLAYERS, SHARED))
