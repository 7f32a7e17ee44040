"""What is done with a reply, by the reason that it does not stand for."""

from __future__ import annotations

from typing import Any

import pytest

from upheld.conversation.guard.policy import (
    DEFAULT_ACTIONS,
    Action,
    GuardPolicy,
    Note,
    Severity,
    strictest,
)
from upheld.errors import MalformedInput
from upheld.logic.language.verdicts import Reason


def test_each_reason_and_note_has_an_action() -> None:
    """Our promise: no reason is overlooked; what could not be checked follows the policy for failures."""
    for reason in (*Reason, *Note):
        assert isinstance(GuardPolicy().action_for(reason), Action)
    assert {*Reason, *Note} - set(DEFAULT_ACTIONS) == {Note.COULD_NOT_CHECK}
    assert GuardPolicy(on_failure=Action.WARN).action_for(Note.COULD_NOT_CHECK) is Action.WARN


def test_the_strictest_of_actions_decides() -> None:
    """Our promise (Action): from the mildest to the strictest."""
    assert strictest([]) is Action.PASS
    assert strictest([Action.WARN, Action.QUEUE, Action.RETRY]) is Action.QUEUE
    assert strictest([Action.RETRY, Action.WARN]) is Action.RETRY
    assert [action for action in Action if action.lets_through] == [Action.PASS, Action.WARN]


def test_what_is_only_supposed_may_have_an_action_of_its_own() -> None:
    """Issue, section 3: policies per reason and severity."""
    policy = GuardPolicy(actions={Reason.ABANDONED: Action.BLOCK}, slight={Reason.ABANDONED: Action.WARN})
    assert policy.action_for(Reason.ABANDONED, Severity.SEVERE) is Action.BLOCK
    assert policy.action_for(Reason.ABANDONED, Severity.SLIGHT) is Action.WARN
    assert policy.action_for(Reason.SUPERSEDED, Severity.SLIGHT) is Action.RETRY


def test_retries_come_to_an_end() -> None:
    """Our promise: a cap on attempts, and then what the policy says."""
    policy = GuardPolicy(attempts=1, exhausted=Action.QUEUE)
    assert [policy.after(Action.RETRY, count) for count in (0, 1, 2)] == [Action.RETRY, Action.QUEUE, Action.QUEUE]
    assert policy.after(Action.WARN, 9) is Action.WARN


@pytest.mark.parametrize(
    "wrong",
    [
        {"exhausted": Action.RETRY},
        {"on_failure": Action.RETRY},
        {"attempts": -1},
        {"deadline": 0.0},
        {"max_text": 0},
        {"actions": {Note.COULD_NOT_CHECK: Action.PASS}},
    ],
)
def test_a_policy_that_cannot_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    """Our promise: a retry after the last retry would never end, and failures have a place of their own."""
    with pytest.raises(MalformedInput, match="policy"):
        GuardPolicy(**wrong)


def test_a_policy_may_be_given_in_words() -> None:
    """Programs, section 4: ``Upheld(policy="retry once, then flag")``."""
    policy = GuardPolicy.from_text("Retry once, then flag")
    assert (policy.attempts, policy.exhausted) == (1, Action.WARN)
    assert policy.action_for(Reason.SUPERSEDED) is Action.RETRY
    assert policy.action_for(Reason.OUT_OF_VIEW) is Action.BLOCK


@pytest.mark.parametrize(
    ("text", "reason", "severity", "action"),
    [
        ("flag", Reason.SUPERSEDED, Severity.SEVERE, Action.WARN),
        ("block", Reason.PREMISE_LOST, Severity.SEVERE, Action.BLOCK),
        ("ask a person", Reason.CONTRADICTED, Severity.SEVERE, Action.QUEUE),
        ("block unknown and overclaimed", Reason.OVERCLAIMED, Severity.SEVERE, Action.BLOCK),
        ("block superseded, abandoned, and unknown", Reason.UNKNOWN, Severity.SEVERE, Action.BLOCK),
        ("pass reported premise lost", Reason.PREMISE_LOST, Severity.SLIGHT, Action.PASS),
        ("pass reported premise lost", Reason.PREMISE_LOST, Severity.SEVERE, Action.RETRY),
        ("when unsure, warn", Note.NOT_CHECKED, Severity.SEVERE, Action.WARN),
        ("on failure, pass", Note.COULD_NOT_CHECK, Severity.SEVERE, Action.PASS),
        ("If it cannot be checked, ask a person", Note.COULD_NOT_CHECK, Severity.SEVERE, Action.QUEUE),
        ("warn about unknown. block unknown", Reason.UNKNOWN, Severity.SEVERE, Action.BLOCK),
        ("block unread", Note.UNREAD, Severity.SEVERE, Action.BLOCK),
        ("hold instruction_like", Note.INSTRUCTION_LIKE, Severity.SEVERE, Action.QUEUE),
    ],
)
def test_a_sentence_of_a_policy_says_what_it_says(
    text: str, reason: Reason | Note, severity: Severity, action: Action
) -> None:
    """Our promise (from_text): these sentences, and a later one wins."""
    assert GuardPolicy.from_text(text).action_for(reason, severity) is action


def test_limits_may_be_given_in_words() -> None:
    """Our promise (from_text)."""
    assert GuardPolicy.from_text("within 2.5 seconds. mend streams").deadline == 2.5
    assert GuardPolicy.from_text("within 300 ms").deadline == 0.3
    assert GuardPolicy.from_text("without a deadline").deadline is None
    assert GuardPolicy.from_text("retry 3 times; mend streams").is_mending_streams
    assert GuardPolicy.from_text("retry 3 times").exhausted is Action.BLOCK
    assert GuardPolicy.from_text("  \n ") == GuardPolicy()


@pytest.mark.parametrize(
    "text", ["be nice", "block nonsense", "retry often", "pass could not check", "retry once then"]
)
def test_a_sentence_that_means_nothing_is_refused(text: str) -> None:
    """Our promise: a policy that was misread would let things through."""
    with pytest.raises(MalformedInput):
        GuardPolicy.from_text(text)


def test_a_retry_after_the_last_one_is_refused_in_words_too() -> None:
    """Our promise: see above."""
    with pytest.raises(MalformedInput, match="no retry"):
        GuardPolicy.from_text("retry once, then retry")
