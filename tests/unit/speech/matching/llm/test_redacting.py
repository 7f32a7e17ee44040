"""A matcher that is shown no secrets, and still tells places in the reply as it came."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from upheld import Conversation
from upheld.conversation.asking.view import StateView
from upheld.conversation.guard.guard import Guard
from upheld.conversation.reading.reader import Reader
from upheld.logic.language.identities import AgentId
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.matching.clauses import sentences
from upheld.speech.matching.llm.redacting import RedactingMatcher
from upheld.speech.matching.matcher import Claim
from upheld.speech.redaction.patterned import PatternRedactor
from upheld.speech.view import View

MAIL = "ava.lind@example.org"


class Sentences:
    """A matcher that makes a claim of each sentence, and keeps what it was shown."""

    name = "sentences"
    version = "1"

    def __init__(self) -> None:
        """Have seen nothing."""
        self.shown: list[str] = []

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the sentences."""
        self.shown.append(text)
        return tuple(Claim(span=(start, end), text=text[start:end]) for start, end in sentences(text))


VIEW = StateView(Conversation().state)


def test_the_matcher_within_sees_no_secret_and_the_claim_has_it_back() -> None:
    """Issue, section 1 (redaction): before anything is sent; places are those of the reply."""
    inner = Sentences()
    text = f"Hello there. I wrote to {MAIL}. It is done."
    claims = RedactingMatcher(inner, PatternRedactor()).match(text, VIEW)
    assert MAIL not in inner.shown[0]
    assert [claim.text for claim in claims] == ["Hello there.", f"I wrote to {MAIL}.", "It is done."]
    assert [text[slice(*claim.span)] for claim in claims] == [claim.text for claim in claims]


@given(st.lists(st.sampled_from(["Yes.", MAIL, " and ", "Call me. ", "It is ", f"To {MAIL}. "]), max_size=8))
def test_places_are_within_the_reply_and_in_its_order(parts: list[str]) -> None:
    """Our promise: whatever was redacted, each claim is a part of the reply, and they do not overlap."""
    text = "".join(parts)
    claims = RedactingMatcher(Sentences(), PatternRedactor()).match(text, VIEW)
    places = [claim.span for claim in claims]
    assert all(0 <= start <= end <= len(text) for start, end in places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    assert all(text[slice(*claim.span)] == claim.text for claim in claims)


def test_a_guard_shows_its_matcher_no_more_than_the_record_holds() -> None:
    """Issue, section 1: one redactor for what is said and for what is checked; the same value, the same placeholder."""
    inner = Sentences()
    reader = Reader(interpreter=CueInterpreter(), redactor=PatternRedactor())
    guard = Guard(Conversation({"user": "", "assistant": ""}, interpreter=reader), matcher=inner)
    guard.said("user", f"My address is {MAIL}.")
    guard.check_now(f"I shall write to {MAIL}.")
    assert "[email-1]" in inner.shown[0]
    assert MAIL not in repr([each.text for each in guard.conversation.propositions])
