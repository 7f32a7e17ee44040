"""Chats and plain text: who said what, whatever the keys are called."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedInput
from upheld.logic.language.agents import AgentKind
from upheld.speech.formats.plain.speakers import kind_of_role
from upheld.speech.formats.reading import parse_transcript
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writing import write_transcript


def said(transcript: Transcript) -> list[tuple[str, str]]:
    """Give speaker and text of each turn."""
    return [(turn.speaker, turn.text) for turn in transcript.turns]


@pytest.mark.parametrize("who", ["role", "speaker", "name", "author"])
@pytest.mark.parametrize("what", ["content", "text", "message"])
def test_a_chat_is_read_whatever_its_keys_are_called(who: str, what: str) -> None:
    """Our promise: plain chat JSON of the common shapes."""
    messages = [{who: "user", what: "Hi."}, {who: "assistant", what: "Hello.", "id": 7}]
    for tree in (messages, {"messages": messages, "model": "x"}):
        transcript = parse_transcript(json.dumps(tree), source="chat.json")
        assert said(transcript) == [("user", "Hi."), ("assistant", "Hello.")]
        assert [agent.kind for agent in transcript.agents] == [AgentKind.PERSON, AgentKind.ASSISTANT]
        assert not transcript.is_annotated


def test_parts_with_text_are_joined_and_others_say_nothing() -> None:
    """Our promise: content may be a list of parts."""
    parts = [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": "x"}, "this."]
    tree = [{"role": "user", "content": parts}, {"role": "assistant", "content": None}]
    assert said(parse_transcript(json.dumps(tree), source="c.json")) == [("user", "See\nthis."), ("assistant", "")]


def test_an_assistant_that_takes_a_persons_name_is_another_agent() -> None:
    """Source: semantics, section 10: an assistant is no source, so its words must not pass for a person's."""
    tree = [
        {"role": "user", "name": "Ava", "content": "I live in Graz."},
        {"role": "assistant", "name": "Ava", "content": "You live in Linz."},
    ]
    transcript = parse_transcript(json.dumps(tree), source="c.json")
    assert [(agent.id, agent.kind) for agent in transcript.agents] == [
        ("ava", AgentKind.PERSON),
        ("ava.assistant", AgentKind.ASSISTANT),
    ]


@pytest.mark.parametrize(
    ("role", "kind"),
    [
        ("Human", AgentKind.PERSON),
        ("ai", AgentKind.ASSISTANT),
        ("gpt-4o", AgentKind.ASSISTANT),
        ("ChatGPT", AgentKind.ASSISTANT),
        ("claude-3", AgentKind.ASSISTANT),
        ("Claudette", AgentKind.PERSON),
        ("function", AgentKind.TOOL),
        ("system", AgentKind.TOOL),
        ("Ines", AgentKind.PERSON),
    ],
)
def test_roles_name_kinds_of_agents(role: str, kind: AgentKind) -> None:
    """Our promise: user, assistant and tool roles under their usual names; a model's name is an assistant's."""
    assert kind_of_role(role) is kind


def test_jsonl_is_one_message_a_line() -> None:
    """Our promise: JSONL of the same shape, found by its ending or by its look."""
    text = '{"role": "user", "content": "a"}\n\n{"role": "bot", "content": "b"}\n'
    for source in ("chat.jsonl", "chat"):
        assert said(parse_transcript(text, source=source)) == [("user", "a"), ("bot", "b")]


def test_text_turns_keep_their_continuation_lines() -> None:
    """Our promise: lines after ``Name:`` belong to the turn, and blanks are tolerated."""
    text = "# Rain\n\nAnn Lee: It rains.\n\nAnd it is cold.\n\n\n"
    text += "Bob:  Note: see http://x.org\nNote: mine too\n  Ann: quoted\n"
    transcript = parse_transcript(text, source="talk.txt")
    assert transcript.title == "Rain"
    assert said(transcript) == [
        ("ann_lee", "It rains.\n\nAnd it is cold."),
        ("bob", "Note: see http://x.org\nNote: mine too\nAnn: quoted"),
    ]


def test_a_fenced_log_opens_no_turns() -> None:
    """Our promise: pasted output stays in the turn that pasted it."""
    text = "Ann: look\n```\nWorker: died\n```\nBob: ok\n"
    assert said(parse_transcript(text, source="talk.txt")) == [("ann", "look\n```\nWorker: died\n```"), ("bob", "ok")]


def test_something_said_by_nobody_is_refused() -> None:
    """Our promise: nothing is dropped silently."""
    with pytest.raises(MalformedInput) as caught:
        parse_transcript("It rains.\nAnn: yes\n", source="talk.txt")
    assert caught.value.line == 1


_LINE = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=30).map(str.strip)
_SAID = st.lists(_LINE.filter(lambda line: "```" not in line), min_size=1, max_size=3).map("\n".join)


@given(st.lists(st.tuples(st.sampled_from(["Ann", "Bob", "Assistant"]), _SAID), min_size=1, max_size=5))
def test_words_survive_each_plain_form(turns: list[tuple[str, str]]) -> None:
    """Our promise: a plain transcript out reads back with the same words from the same speakers."""
    tree = [{"role": name, "content": text.strip("\n")} for name, text in turns]
    transcript = parse_transcript(json.dumps(tree), source="c.json")
    for form, ending in (("chat", "json"), ("jsonl", "jsonl"), ("text", "txt"), ("yaml", "yaml"), ("json", "json")):
        again = parse_transcript(write_transcript(transcript, form=form), source=f"c.{ending}")
        assert said(again) == said(transcript)
