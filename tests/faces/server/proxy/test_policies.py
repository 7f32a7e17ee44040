"""What becomes of an answer under each policy: in three interfaces, whole and streamed, by the vendors' own clients."""

from __future__ import annotations

import pytest

from .conftest import CALL, SOUND, STALE, Between, Stand, talk
from .upstream import Answer, Upstream
from .voices import REFUSED, STREAMED, VOICES, WHOLE

OPENING = "The parcel is packed. "
LATER = " It arrives on Monday."

every_voice = pytest.mark.parametrize("voice", VOICES)


@every_voice
def test_a_sound_answer_passes_under_every_policy_with_its_calls(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """Our promise: what stands is not touched, wherever it is held back."""
    for policy in ("observe", "annotate", "retry", "block"):
        upstream.says(Answer(parts=[SOUND, CALL]))
        reply = VOICES[voice](between.url, talk(fresh), {"x-upheld-policy": policy}, True)
        assert reply.text == SOUND
        assert [name for name, _ in reply.calls] == ["ship"]
        assert "12 Elm Street" in reply.calls[0][1]
        assert reply.usage is not None
        assert reply.ended in {"tool_calls", "completed", "tool_use"}
        assert reply.upheld.get("action", "none") == ("none" if policy == "observe" else "pass")
        assert len(upstream.asked) == 1


@every_voice
def test_by_default_a_stale_answer_passes_and_is_marked(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """Our promise: annotate changes nothing of what is said."""
    upstream.says(Answer(parts=[OPENING + STALE + LATER]))
    reply = VOICES[voice](between.url, talk(fresh), {}, False)
    assert reply.text == OPENING + STALE + LATER
    assert (reply.upheld["action"], reply.upheld["outcome"]) == ("annotate", "ungrounded")
    assert "superseded" in reply.upheld["reasons"]
    told = between.turns(reply.upheld["conversation"])
    assert told[-1][1:] == ("assistant", OPENING + STALE + LATER)


@every_voice
def test_under_block_a_stale_answer_does_not_leave_nor_any_call_of_its_turn(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """C-41: nothing after the point of holding back is emitted, and no tool is called."""
    upstream.says(Answer(parts=[STALE + LATER, CALL]))
    reply = VOICES[voice](between.url, talk(fresh), {"x-upheld-policy": "block"}, True)
    assert "Elm" not in reply.text
    assert "Your delivery" not in str(reply.upheld)
    assert reply.text.startswith("Held back: ")
    assert "14 Oak Street" in reply.text
    assert reply.calls == []
    assert reply.ended in REFUSED
    assert (reply.upheld["action"], reply.upheld["reasons"]) == ("block", ["superseded"])
    assert between.turns(reply.upheld["conversation"])[-1][1:] == ("assistant", reply.text)


@pytest.mark.parametrize("voice", STREAMED)
def test_a_blocked_stream_gives_what_stood_before_and_nothing_after(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """C-41: a stream whose second sentence is stale ends after the first, and is well formed."""
    upstream.says(Answer(parts=[OPENING + STALE + LATER, CALL]))
    reply = STREAMED[voice](between.url, talk(fresh), {"x-upheld-policy": "block"}, True)
    assert reply.text == OPENING
    assert reply.calls == []
    assert reply.ended in REFUSED
    assert between.turns(reply.upheld["conversation"])[-1][1:] == ("assistant", OPENING)


@every_voice
def test_under_retry_the_reason_is_sent_once_and_the_second_answer_passes(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """Our promise: once, with the reason as a further message; what comes then is let through with its marks."""
    upstream.says(Answer(parts=[STALE]), Answer(parts=[SOUND]))
    reply = VOICES[voice](between.url, talk(fresh), {"x-upheld-policy": "retry"}, False)
    assert reply.text == SOUND
    assert (reply.upheld["action"], reply.upheld["attempts"]) == ("pass", 2)
    first, second = upstream.asked
    assert "does not stand as it is" not in first.raw.decode()
    assert "does not stand as it is" in second.raw.decode()
    assert between.turns(reply.upheld["conversation"])[-1][1:] == ("assistant", SOUND)

    upstream.says(Answer(parts=[STALE]), Answer(parts=[STALE]), Answer(parts=[SOUND]))
    again = VOICES[voice](between.url, talk(f"{fresh} Again."), {"x-upheld-policy": "retry"}, False)
    assert (again.text, again.upheld["action"], again.upheld["attempts"]) == (STALE, "annotate", 2)
    assert len(upstream.asked) == 2


@every_voice
def test_observing_changes_neither_the_request_nor_the_answer(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """Our promise: who observes is told in headers and the log alone."""
    upstream.says(Answer(parts=[STALE]))
    messages = talk(fresh)
    reply = VOICES[voice](between.url, messages, {"x-upheld-policy": "observe"}, False)
    assert (reply.text, reply.upheld) == (STALE, {})
    sent = upstream.asked[0].body
    assert sent.get("messages", sent.get("input")) == messages
    assert "14 Oak" not in str({**sent, "messages": "", "input": ""})


@every_voice
def test_what_stands_is_told_to_the_language_model_and_old_values_as_replaced(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """Our promise: the standing goes along as instructions, quoted, and nobody's messages are touched."""
    upstream.says(Answer(parts=[SOUND]))
    messages = talk(fresh)
    VOICES[voice](between.url, messages, {}, False)
    sent = upstream.asked[0].body
    told = sent.get("instructions") or sent.get("system") or sent["messages"][0]["content"]
    assert "the delivery goes to 14 Oak Street" in told or '"The delivery goes to 14 Oak Street' in told
    assert '"The delivery goes to 12 Elm Street."; superseded' in told
    kept = [each for each in sent.get("messages", sent.get("input", [])) if each["role"] != "system"]
    assert kept == messages


@pytest.mark.parametrize("voice", WHOLE)
def test_nothing_is_added_where_nothing_stands(stand: Stand, upstream: Upstream, fresh: str, voice: str) -> None:
    """Our promise: an empty record costs no token; and none where the setting says so."""
    bare = stand(standing_tokens=0)
    for where, messages in ((bare, talk(fresh)), (bare, [{"role": "user", "content": "Hello!"}])):
        upstream.says(Answer(parts=["Hello, what can I do?"]))
        WHOLE[voice](where.url, messages, {}, False)
        sent = upstream.asked[0].body
        assert "system" not in sent
        assert "instructions" not in sent
        assert len(sent.get("messages", sent.get("input", []))) == len(messages)
