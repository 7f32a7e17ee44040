"""Answers that come whole, through the vendors' own clients, under each policy."""

from __future__ import annotations

from typing import Any

from .conftest import SOUND, STALE, Between, talk
from .upstream import Upstream


def chat(between: Between, messages: Any, **more: Any) -> Any:
    """Ask for a chat completion."""
    with between.openai() as client:
        return client.chat.completions.create(model="scripted", messages=messages, **more)


def test_a_sound_answer_passes_and_both_sides_are_on_record(between: Between, upstream: Upstream, fresh: str) -> None:
    """Our promise: a base URL is all that changes."""
    upstream.says(SOUND)
    answer = chat(between, talk(fresh))
    assert answer.choices[0].message.content == SOUND
    assert (answer.upheld["action"], answer.upheld["outcome"], answer.upheld["reasons"]) == ("pass", "grounded", [])
    told = between.turns(answer.upheld["conversation"])
    assert told[-1] == ("M6", "assistant", SOUND)
    assert [speaker for _, speaker, _ in told] == ["user", "assistant", "user", "assistant", "user", "assistant"]


def test_a_stale_answer_is_marked_with_its_reason(between: Between, upstream: Upstream, fresh: str) -> None:
    """Our promise: by default an answer passes, and what was found stands beside it and in the headers."""
    upstream.says(STALE)
    got = between.post("chat/completions", {"model": "scripted", "messages": talk(fresh)})
    assert got.tree["choices"][0]["message"]["content"] == STALE
    assert (got.headers["x-upheld-outcome"], got.headers["x-upheld-reasons"]) == ("ungrounded", "superseded")
    concern = got.tree["upheld"]["concerns"][0]
    assert (concern["text"], concern["reason"]) == (STALE.rstrip("."), "superseded") or concern["text"] == STALE
    assert "14 Oak Street" in concern["stands"][0]["text"]
