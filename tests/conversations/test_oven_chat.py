"""The chat that ``make run`` shows: read and checked on this machine, without a key.

Demanded by issue 5, gate 6: an assistant is caught on a stale premise, a replaced value and an invented figure, is not
caught on three true paraphrases, and what cannot be told is abstained on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from upheld.conversation.checking.readers import has_local
from upheld.conversation.checking.replaying import CheckReport, check_replies
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.formats.reading import read_transcript

CAUGHT = {"T15": Reason.ABANDONED, "T16": Reason.SUPERSEDED, "T17": Reason.CONTRADICTED}
TRUE = ("T11", "T13", "T14")


@pytest.fixture(scope="module")
def report(root: Path) -> CheckReport:
    """Give the report, or skip."""
    if not has_local():
        pytest.skip("the extra local is not installed")
    chat = read_transcript(root / "examples" / "oven-chat.json")
    return check_replies(chat, interpreter="local", matching="local")


def test_the_assistant_is_caught_where_it_is_wrong_and_nowhere_else(report: CheckReport) -> None:
    """Each with the reason that a person would give."""
    found = {each.turn: each.checked for each in report.replies if each.checked.outcome is Outcome.UNGROUNDED}
    reasons: dict[str, set[Reason | None]] = {
        turn: {finding.reason for claim in checked.claims for finding in claim.findings}
        for turn, checked in found.items()
    }
    assert reasons.keys() == CAUGHT.keys()
    assert all(reason in reasons[turn] for turn, reason in CAUGHT.items())


def test_true_paraphrases_pass_and_what_cannot_be_told_is_abstained_on(report: CheckReport) -> None:
    """A false alarm costs trust; that customers hardly notice is on no record."""
    outcomes: dict[str, Outcome] = {each.turn: each.checked.outcome for each in report.replies}
    assert all(outcomes[turn] is not Outcome.UNGROUNDED for turn in TRUE)
    assert outcomes["T18"] is Outcome.ABSTAIN


def test_nothing_is_called_grounded_that_is_not(report: CheckReport) -> None:
    """Demanded of everything here: never wrongly grounded."""
    assert not [
        each.turn for each in report.replies if each.checked.outcome is Outcome.GROUNDED and each.turn in CAUGHT
    ]
