"""The matcher on a small real network: what it links, and what it leaves open by name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.networks import nli_matcher
from upheld.conversation.checking.readers import has_local
from upheld.conversation.conversation import Conversation
from upheld.speech.matching.entailment.judge import Pair, Shares
from upheld.speech.matching.entailment.matcher import LONG, NliMatcher
from upheld.speech.matching.lexical import ASKS, NOT_COVERED, TOO_LONG
from upheld.speech.matching.matcher import Claim, Relation
from upheld.speech.matching.trained.features import Near
from upheld.speech.matching.trained.matcher import MOST_CLAIMS, NOTHING_NEAR, SHORT, TOO_MANY
from upheld.speech.view import View

needs_extra = pytest.mark.skipif(not has_local(), reason="the extra local is not installed")

FREE, PAID = "Visitors get in free of charge.", "Visitors buy a card before they get in."


class Sure:
    """A judge that finds everything entailed, and reads no more than forty characters of a text."""

    name = "sure@0"

    def reads(self, pair: Pair, /) -> bool:
        """Tell whether both are short."""
        return len(pair.premise) <= 40 and len(pair.hypothesis) <= 40

    def judge(self, pairs: Sequence[Pair], /) -> tuple[Shares, ...]:
        """Say that it follows."""
        return tuple(Shares(entails=1.0, neutral=0.0, contradicts=0.0) for _ in pairs)


def all_near(texts: Sequence[str], view: View, limit: int, /) -> Sequence[Sequence[Near]]:
    """Give the first propositions of a view as the nearest."""
    return [[Near(known=known, nearness=0.8) for known in list(view.known())[:limit]] for _ in texts]


def view(*texts: str, superseded: bool = False) -> StateView:
    """Give a record of these; where it is so, the last replaced the one before."""
    talk = Conversation(agents={"ann": "guide", "ben": "guest"})
    for number, text in enumerate(texts, start=1):
        gone = [f"o{number - 1}"] if superseded and number == len(texts) else []
        talk.observe("ann", f"o{number}", text, supersedes=gone)
    return StateView(talk.state)


def only(text: str, of: StateView) -> Claim:
    """Give the one claim of a text by a judge that finds everything entailed."""
    (claim,) = NliMatcher(Sure(), all_near).match(text, of)
    return claim


def relations(claim: Claim) -> list[tuple[str, Relation]]:
    """Give what a claim is linked to."""
    return [(str(link.literal), link.relation) for link in claim.links]


@needs_extra
def test_words_that_share_nothing_with_what_stands_rest_on_it(root: Path) -> None:
    """What words alone cannot see; the rule names the network by the digest of its file."""
    folder = root / "tests" / "networks" / "nli" / "learned"
    digest = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
    (claim,) = nli_matcher(folder).match(FREE, view("Nobody has to pay to enter the museum."))
    assert relations(claim) == [("o1", Relation.SUPPORTED_BY)]
    assert claim.links[0].rule == f"nli(learned@{digest[:12]}): entailed"
    (claim,) = nli_matcher(folder).match(PAID, view("Nobody has to pay to enter the museum."))
    assert relations(claim) == [("o1", Relation.CONTRADICTS)]
    (claim,) = nli_matcher(folder).match("Violins need new strings.", view("Nobody has to pay to enter the museum."))
    assert claim.abstained == NOTHING_NEAR


@needs_extra
def test_a_value_that_was_replaced_is_repeated_and_contradicts_the_new_one(root: Path) -> None:
    """The claim says again what was given up, and cannot hold beside what stands."""
    folder = root / "tests" / "networks" / "nli" / "learned"
    record = view("The ticket costs 30 euros.", "The ticket costs 25 euros.", superseded=True)
    (claim,) = nli_matcher(folder).match("The ticket costs 30 euros.", record)
    assert relations(claim) == [("o1", Relation.COMMITTED_TO), ("o2", Relation.CONTRADICTS)]


def test_a_figure_that_differs_is_seen_by_the_rules_beside_the_network() -> None:
    """C-43: whoever reads for the sense overlooks it; the claim is then one that contradicts the proposition."""
    claim = only("The ticket costs 999 euros.", view("The ticket costs 30 euros."))
    assert claim.disagreements == ("number",)
    assert Relation.SUPPORTED_BY not in {link.relation for link in claim.links}


def test_a_name_and_a_date_that_differ_are_seen_by_the_rules_too() -> None:
    """Dates and names as the task demands."""
    assert "date" in only("The tour starts on Friday.", view("The tour starts on Monday.")).disagreements
    assert (
        "name" in only("We are told that Carla leads the tour.", view("On Mondays Bernd leads the tour.")).disagreements
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Do visitors get in free of charge?", ASKS),
        ("Museum?", ASKS),
        ("Free.", SHORT),
        ("Der Eintritt in das Museum ist an allen Tagen der Woche für alle frei.", NOT_COVERED),
        ("The museum is free of charge on every single day of the week.", LONG),
        ("x " * 20_000, TOO_LONG),
        ("The museum is free. " * (MOST_CLAIMS + 1), TOO_MANY),
    ],
)
def test_what_is_not_judged_is_left_open_by_name(text: str, reason: str) -> None:
    """Over limits: refuse, never pass silently, however sure the network would be."""
    assert only(text, view("The museum is free.")).abstained == reason


def test_a_claim_near_a_proposition_that_is_not_read_whole_is_left_open() -> None:
    """What is said at its end would seem said by nobody."""
    long = "The log of the museum says: " + ", ".join(f"free on day {day}" for day in range(20))
    assert only("The museum is free.", view(long)).abstained == LONG


def test_the_words_of_a_report_are_judged_and_not_that_somebody_said_them() -> None:
    """A proposition says what was said, and hardly ever by whom."""
    asked: list[Pair] = []

    class Listening(Sure):
        def judge(self, pairs: Sequence[Pair], /) -> tuple[Shares, ...]:
            asked.extend(pairs)
            return super().judge(pairs)

    NliMatcher(Listening(), all_near).match("Ann said that the museum is free.", view("The museum is free."))
    NliMatcher(Listening(), all_near).match("It is not true that it is free.", view("The museum is free."))
    assert [pair.hypothesis for pair in asked] == ["the museum is free.", "It is not true that it is free."]


def test_a_denial_of_what_stands_is_never_supported_by_it() -> None:
    """A rule of negation stands beside a network that overlooks it."""
    claim = only("It is not true that it is free.", view("It is free."))
    assert Relation.SUPPORTED_BY not in {link.relation for link in claim.links}
