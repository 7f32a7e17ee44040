"""What the arguments of a tool call claim, with spans into the call."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import check_text
from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import AgentId
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.formats.plain.calls import tool_call_text
from upheld.speech.matching.clauses import sentences
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.llm.tool_calls import MOST_VALUES, NO_CALL, TOO_MANY, ToolCallMatcher
from upheld.speech.matching.matcher import Claim
from upheld.speech.view import View


class Echo:
    """A matcher for which each sentence is a claim, and which keeps what it read."""

    name = "echo"
    version = "1"
    read = ""

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give each sentence as an open claim."""
        self.read = text
        return tuple(Claim(span=span, text=text[slice(*span)], abstained="echo") for span in sentences(text))


def hotel() -> Conversation:
    """Give a conversation in which an address was replaced."""
    talk = Conversation(agents={"ann": "guest"})
    talk.observe("ann", "o1", "Ann's address is 3 Mill Lane, Bath.")
    talk.observe("ann", "o2", "Ann's address is 9 Park Road, Bath.", supersedes=["o1"])
    return talk


def test_a_call_that_uses_a_replaced_value_is_ungrounded_where_it_does() -> None:
    """Issue, section 2: tool-call arguments too; decided by rules."""
    text = tool_call_text("ship_parcel", {"to": "3 Mill Lane, Bath", "express": True})
    found = check_text(hotel().state, text, ToolCallMatcher(LexicalMatcher()))
    assert found.outcome is Outcome.UNGROUNDED
    (wrong,) = [claim for claim in found.claims if claim.outcome is Outcome.UNGROUNDED]
    assert (wrong.reason, "3 Mill Lane, Bath" in text[slice(*wrong.span)]) == (Reason.SUPERSEDED, True)
    assert wrong.matcher == "tool call, lexical@1"


def test_each_value_is_said_with_its_tool_and_its_name() -> None:
    """Our promise: a bare value means nothing without what it is a value of."""
    echo = Echo()
    arguments = {"bookTable": {"guest-name": "Ann", "seats": [2, 4]}, "note": "By the window!", "tip": None, "ok": True}
    ToolCallMatcher(echo).match(tool_call_text("reserve.table", arguments), StateView(hotel().state))
    assert echo.read.splitlines() == [
        "reserve table, book Table guest name: Ann.",
        "reserve table, book Table seats: 2.",
        "reserve table, book Table seats: 4.",
        "reserve table, note: By the window!",
        "reserve table, ok: true.",
    ]


def test_spans_lie_in_the_json_whatever_is_escaped_there() -> None:
    """Demanded by semantics, section 11: the characters of the candidate, here of the call."""
    text = json.dumps({"name": "mail", "arguments": {"body": 'He said "no".\nThe café is shut \U0001f600 now.'}})
    found = ToolCallMatcher(Echo()).match(text, StateView(hotel().state))
    assert [json.loads(f'"{text[slice(*claim.span)]}"') for claim in found[1:]] == ["The café is shut \U0001f600 now."]
    assert found[0].text.endswith('He said \\"no\\".')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The door is shut.", NO_CALL),
        ('{"name": "x"}', NO_CALL),
        ("[" * 50_000, NO_CALL),
        (tool_call_text("x", {"all": [1] * (MOST_VALUES + 1)}), TOO_MANY),
    ],
)
def test_what_is_no_call_or_too_large_could_not_be_checked(text: str, reason: str) -> None:
    """Our promise: over a limit is said, never passed."""
    (claim,) = ToolCallMatcher(Echo()).match(text, StateView(hotel().state))
    assert claim.abstained == reason


def test_an_empty_call_claims_nothing() -> None:
    """Our promise: nothing said, nothing claimed."""
    for text in ("", tool_call_text("stop", {})):
        assert ToolCallMatcher(Echo()).match(text, StateView(hotel().state)) == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(name=st.text(max_size=8), arguments=st.dictionaries(st.text(max_size=6), JSON, max_size=4))
def test_any_call_gives_claims_in_it_and_apart(name: str, arguments: dict[str, object]) -> None:
    """The contract of a matcher, on any call."""
    text = tool_call_text(name, arguments)
    end = 0
    for claim in ToolCallMatcher(Echo()).match(text, StateView(Conversation().state)):
        assert end <= claim.span[0] < claim.span[1] <= len(text)
        assert claim.text == text[slice(*claim.span)]
        end = claim.span[1]
