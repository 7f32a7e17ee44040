"""The whole loop over real HTTP: read, objected to, read again, applied, shown, and a reply held against it."""

from __future__ import annotations

from typing import Any

import pytest

from upheld.conversation.answering.context import ConversationContext
from upheld.conversation.guard.guard import Guard
from upheld.conversation.guard.policy import Action
from upheld.logic.language.operations import ExpandAwareness
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.verdicts import Reason
from upheld.speech.matching.llm.matcher import LlmMatcher
from upheld.speech.models.metering import MeteredModel
from upheld.testing.scripted_server import ScriptedServer


def test_ten_turns_are_read_into_what_stands_at_the_end(loop: Any) -> None:
    """Issue 4, purpose: interpret, check, apply; a guess is given up, a value replaced, a cause settled."""
    with ScriptedServer(loop.script()) as server:
        talk = loop.conversation(loop.gateway(server))
        told = loop.tell(talk)
    assert not any(each.abstained or each.findings for each in told)
    assert talk.unread() == ()
    assert talk.status("T4.1").lifecycle is Lifecycle.ABANDONED
    assert talk.status("T2.1").lifecycle is Lifecycle.SUPERSEDED
    assert talk.status("T7.2").lifecycle is Lifecycle.RESOLVED
    assert talk.status("T8.1").standing is Label.IN
    assert loop.cost(told) == server.usage


def test_what_the_engine_refuses_is_asked_about_again_with_the_name_of_what_failed(loop: Any) -> None:
    """Issue 4, gate 2: the second request holds the refused reading and the failing precondition, and is accepted."""
    with ScriptedServer(loop.script()) as server:
        talk = loop.conversation(loop.gateway(server))
        told = loop.tell(talk, slice(0, 5))[-1]
    assert [type(each) for each in told.operations] == [ExpandAwareness]
    assert [each.failure for each in told.objections] == ["use_expand_awareness"]
    asked = next(body for body in server.bodies if "<objection" in body["messages"][-1]["content"])
    refused, objection = asked["messages"][-2:]
    assert (refused["role"], '"op": "observe"' in refused["content"]) == ("assistant", True)
    assert '<objection name="use_expand_awareness" operation="1">' in objection["content"]


def test_the_next_turn_sees_the_engines_state_and_not_the_raw_history(loop: Any) -> None:
    """Issue 4, purpose: the next turn sees the engine's state, not raw history."""
    with ScriptedServer(loop.script()) as server:
        loop.tell(loop.conversation(loop.gateway(server)))
        last = loop.words_shown(server.bodies[-1])
    assert 'lifecycle="abandoned" standing="out" rests-on="T3.1">The valve of the humidifier is stuck open.' in last
    assert 'lifecycle="superseded" standing="out" replaced-by="T8.1">The loan agreement allows 55 percent' in last
    older, recent = [words for _, words in loop.said[:7]], [words for _, words in loop.said[7:]]
    assert [words for words in older if words in last] == []
    assert all(words in last for words in recent)


def test_a_page_for_the_assistant_holds_what_stands_and_marks_what_was_replaced(loop: Any) -> None:
    """Issue 4, section 4: only what stands, superseded values marked, and the abandoned guess is not there."""
    with ScriptedServer(loop.script()) as server:
        talk = loop.conversation(loop.gateway(server))
        context = ConversationContext(talk)
        before: str = context.render().text
        loop.tell(talk)
    page = context.render()
    assert "Rain comes in" not in before
    assert '"The loan agreement allows 60 percent humidity."' in page.text
    assert (
        'was T2.1 T2 Mara, constraint: "The loan agreement allows 55 percent humidity."; superseded at T8' in page.text
    )
    assert "stuck open" not in page.text
    assert page.tokens <= 1_500


def test_a_stale_reply_is_held_back_and_the_retry_leaves(loop: Any) -> None:
    """Issue 4, section 3: claim by claim before it leaves, with a reason that the assistant can use."""
    with ScriptedServer(loop.script()) as server:
        llm = MeteredModel(loop.gateway(server))
        talk = loop.conversation(llm)
        guard = Guard(talk, matcher=LlmMatcher(llm))
        told = [guard.said(speaker, words).told for speaker, words in loop.said]
        first = guard.check_now(loop.stale)
        second = guard.check_now(loop.sound)
    assert first.action is Action.RETRY
    assert first.reasons == (Reason.ABANDONED, Reason.SUPERSEDED)
    assert "The loan agreement allows 60 percent humidity." in first.for_model()
    assert (second.action, second.reasons) == (Action.PASS, ())
    assert second.checked.passes
    assert loop.cost([*told, first, second]) == server.usage == llm.bill.usage


def test_a_reply_about_the_stale_state_before_it_was_stale_passes(loop: Any) -> None:
    """The counterpart: the same words before T6 and T8 are not held back, so that it is the state that decides."""
    with ScriptedServer(loop.script()) as server:
        llm = loop.gateway(server)
        guard = Guard(loop.conversation(llm), matcher=LlmMatcher(llm))
        for speaker, words in loop.said[:5]:
            guard.said(speaker, words)
        verdict = guard.check_now(loop.stale)
    assert verdict.reasons == (Reason.OVERCLAIMED,)
    assert verdict.action is Action.WARN


@pytest.mark.parametrize("refused", [("json_schema",), ("json_schema", "json_object")], ids=["json", "text"])
def test_the_loop_runs_where_the_server_holds_no_reply_to_a_schema(loop: Any, refused: tuple[str, ...]) -> None:
    """Issue 4, section 1, and C-37: degrading from JSON Schema to JSON mode to text, on chat completions alone."""
    script = loop.script()

    def without_schema(body: Any) -> Any:
        named = script.shape_in_words(body)
        return script({**body, "response_format": {"json_schema": {"name": named}}})

    with ScriptedServer(without_schema, refuses=refused) as server:
        told = loop.tell(talk := loop.conversation(loop.gateway(server)))
    with ScriptedServer(loop.script()) as other:
        loop.tell(usual := loop.conversation(loop.gateway(other)))
    assert loop.known(talk) == loop.known(usual)
    assert loop.cost(told) == server.usage
    # Refused once for each level, and remembered.
    assert len(server.bodies) == len(other.bodies) + len(refused)
