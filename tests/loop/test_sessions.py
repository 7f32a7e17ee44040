"""Further ways to read over HTTP: a session with one call, two interpreters in a row, several samples, many threads."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from upheld import Conversation
from upheld.conversation.checking.readers import interpreter_for
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.standing import Lifecycle
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.interpretation.llm.escalation import EscalatingInterpreter
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.interpretation.llm.requesting import Asking, Dependencies
from upheld.speech.models.metering import MeteredModel
from upheld.speech.models.reply import Usage
from upheld.testing.scripted_acts import EchoesSchema, Fails
from upheld.testing.scripted_server import Line, ScriptedServer

Tree = Mapping[str, Any]
FIRST_ALONE = Asking(has_second_look=False, has_retrospect=False)

SESSION = (
    Turn(id=TurnId("A1"), speaker=AgentId("ann"), text="The hall is free on Friday.", session="s1"),
    Turn(
        id=TurnId("A2"),
        speaker=AgentId("ann"),
        text="Between us: the hall costs 400.",
        session="s1",
        audience=frozenset({AgentId("bob")}),
    ),
    Turn(id=TurnId("A3"), speaker=AgentId("bob"), text="Then we take it for 400.", session="s1"),
    Turn(id=TurnId("A4"), speaker=AgentId("cid"), text="Friday suits me.", session="s1"),
)
READ: tuple[tuple[str, list[Tree]], ...] = (
    ("A1", [{"op": "observe", "id": "n1", "text": "The hall is free on Friday."}]),
    ("A2", [{"op": "observe", "id": "n2", "text": "The hall costs 400."}]),
    ("A3", [{"op": "observe", "id": "n3", "text": "The hall is taken for 400.", "depends_on": ["n1", "n2"]}]),
    ("A4", [{"op": "support", "target": "n1", "id": "n4", "text": "Friday suits Cid."}]),
)


def whole(**instead: list[Tree]) -> Tree:
    """Give the reading of the session, with other operations for some turns."""
    return {"turns": [{"turn": turn, "operations": instead.get(turn, list(read))} for turn, read in READ]}


def heard(loop: Any, *lines: Line) -> tuple[Conversation, Any, ScriptedServer]:
    """Give a conversation that was told the session, what was told, and the server."""
    with ScriptedServer(list(lines)) as server:
        talk = Conversation(interpreter=LlmInterpreter(loop.gateway(server), asking=FIRST_ALONE))
        return talk, talk.hear_session(SESSION), server


def test_a_session_is_one_call_with_its_order_and_audiences(loop: Any) -> None:
    """Issue 4, section 1: one call for a whole session, order and audiences kept."""
    talk, told, server = heard(loop, whole())
    (asked,) = (loop.words_shown(body) for body in server.bodies)
    places = [asked.index(f'<turn id="{turn.id}"') for turn in SESSION]
    assert places == sorted(places)
    assert '<turn id="A2" speaker="ann" heard-by="ann bob">' in asked
    assert [each.id for each in talk.propositions] == ["A1.1", "A2.1", "A3.1", "A4.1"]
    assert "A2.1" not in {each.id for each in talk.for_agent("cid").propositions}
    assert {"A1.1", "A4.1"} <= {each.id for each in talk.for_agent("cid").propositions}
    assert loop.cost(told) == server.usage == told[0].usage


def test_a_turn_of_a_session_that_refers_to_what_its_speaker_never_heard_is_unread(loop: Any) -> None:
    """Semantics, section 8, and the order of gate 1: one repair for the whole, then that turn alone is unread."""
    leak: Line = whole(A4=[{"op": "support", "target": "n2", "id": "n4", "text": "400 suits Cid."}])
    talk, told, server = heard(loop, leak, leak)
    assert [each.turn for each in told if each.abstained] == ["A4"]
    assert "never told" in told[3].abstained
    assert [each.id for each in talk.propositions] == ["A1.1", "A2.1", "A3.1"]
    assert (
        loop.cost(told)
        == server.usage
        == Usage(calls=2) + Usage(input_tokens=server.usage.input_tokens, output_tokens=server.usage.output_tokens)
    )


def test_a_turn_of_a_session_that_the_engine_refuses_is_asked_about_alone(loop: Any) -> None:
    """Issue 4, section 1: the objection goes to the one turn; the others are not asked for again."""
    novel = {"op": "observe", "id": "n4", "text": "Friday is a holiday.", "novel": True}
    mended = {"op": "expand_awareness", "id": "n1", "text": "Friday is a holiday."}
    talk, told, server = heard(loop, whole(A4=[novel]), {"operations": [mended]})
    assert [[each.failure for each in one.objections] for one in told] == [[], [], [], ["use_expand_awareness"]]
    shown = loop.words_shown(server.bodies[1])
    assert (shown.count("<turn-to-read>"), shown.count("<turns-to-read>")) == (1, 0)
    assert loop.text(talk, "A4.1") == "Friday is a holiday."
    assert loop.cost(told) == server.usage


def test_where_an_objection_gets_no_answer_the_rest_of_a_session_keeps_what_it_leans_on(loop: Any) -> None:
    """Decision 0008: later readings refer to this one, so that the refused operation alone is dropped, and named."""
    fine, novel = READ[0][1][0], {"op": "observe", "id": "n5", "text": "Friday is a holiday.", "novel": True}
    talk, told, server = heard(loop, whole(A1=[fine, novel]), *[Fails(status=500)] * 3)
    assert [[each.failure.name for each in one.findings] for one in told] == [["use_expand_awareness"], [], [], []]
    assert [each.failure for each in told[0].objections] == ["use_expand_awareness"]
    assert [each.id for each in talk.propositions] == ["A1.1", "A2.1", "A3.1", "A4.1"]
    assert loop.cost(told) == server.usage


NO_TURNS: Line = {"turns": list[Tree]()}
OUT_OF_ORDER: Line = {"turns": [*whole()["turns"]][::-1]}


@pytest.mark.parametrize(
    "lines",
    [[EchoesSchema()] * 2, [NO_TURNS] * 2, [Fails(status=500)] * 3, [OUT_OF_ORDER] * 2],
    ids=["echo", "no turns", "broken", "out of order"],
)
def test_where_the_one_call_gives_nothing_the_session_is_unread_and_can_be_read_later(
    loop: Any, lines: list[Line]
) -> None:
    """Issue 4, gate 1: nothing is half-read; each turn can be read alone afterwards."""
    later: list[Line] = [{"operations": []}] * len(SESSION)
    with ScriptedServer([*lines, *later]) as server:
        talk = Conversation(interpreter=LlmInterpreter(loop.gateway(server), asking=FIRST_ALONE))
        told = talk.hear_session(SESSION)
        assert (talk.propositions, len(talk.unread())) == ((), len(SESSION))
        told += talk.read_again()
        assert talk.unread() == ()
    assert loop.cost(told) == server.usage


def test_a_missed_revision_is_found_at_the_second_look(loop: Any) -> None:
    """Issue 4, section 1: the revise-targeted second look adds what the first reading passed over."""
    script = loop.script({6: [{"operations": [loop.read[5][0]]}]})

    def found(body: Any) -> Line:
        if loop.shape_of(body) == "second_look" and "T6" in loop.words_shown(body):
            given_up = {"why": "drop what I said", "claim": "T4.1", "because": ["n1"], "withdrawn": False}
            return {"given_up": [{**given_up, "replaced_by": None}]}
        return script(body)

    with ScriptedServer(found) as server:
        told = loop.tell(talk := loop.conversation(loop.gateway(server)), slice(0, 6))
    assert talk.status("T4.1").lifecycle is Lifecycle.ABANDONED
    assert told[-1].usage.calls == 2
    with ScriptedServer(loop.script({6: [{"operations": [loop.read[5][0]]}]})) as server:
        loop.tell(unfound := loop.conversation(loop.gateway(server)), slice(0, 6))
    assert unfound.status("T4.1").lifecycle is Lifecycle.ACTIVE


def test_only_what_the_cues_are_unsure_of_is_asked_and_the_share_is_known(loop: Any) -> None:
    """Issue 4, section 1, escalation: the share asked is what the server was asked for."""
    turns = [turn for turn in SESSION if turn.audience is None]
    with ScriptedServer(lambda _: {"operations": []}) as server:
        llm = loop.gateway(server)
        both = EscalatingInterpreter(CueInterpreter(), LlmInterpreter(llm, asking=FIRST_ALONE))
        talk = Conversation(interpreter=both)
        told = [talk.hear(turn) for turn in turns]
        told += [talk.say("ann", "Thanks!"), talk.say("ann", "Ja, das passt mir auch sehr gut.")]
    assert both.seen == len(told)
    assert both.asked == len(server.bodies) == sum(each.usage.calls for each in told)
    assert both.share == 4 / 5
    assert [each.usage.calls for each in told[-2:]] == [0, 1]


def test_samples_are_voted_on_and_each_is_paid_for(loop: Any) -> None:
    """Issue 4, section 1, self-consistency: five calls for a turn, the majority is read, the rest costs and is gone."""
    right: Line = {"operations": [{"op": "observe", "id": "n1", "text": "The hall is free on Friday."}]}
    wrong: Line = {"operations": [{"op": "observe", "id": "n1", "text": "The hall burnt down."}]}
    with ScriptedServer([right, wrong, right, right, wrong]) as server:
        asking = Asking(dependencies=Dependencies.SELF_CONSISTENCY, has_second_look=False, has_retrospect=False)
        talk = Conversation(interpreter=LlmInterpreter(loop.gateway(server), asking=asking))
        told = talk.hear(SESSION[0])
    assert [each.text for each in talk.propositions] == ["The hall is free on Friday."]
    assert told.usage == server.usage
    assert [body["temperature"] for body in server.bodies] == [0.7] * 5


def test_eight_conversations_share_one_server_and_each_keeps_its_order(loop: Any) -> None:
    """Issue 4, section 1: concurrency across conversations, order within one."""
    with ScriptedServer(loop.script()) as server:
        llm = MeteredModel(loop.gateway(server))

        def run(number: int) -> tuple[Conversation, Any]:
            talk = loop.conversation(llm, id=f"talk-{number}")
            return talk, loop.tell(talk)

        with ThreadPoolExecutor(max_workers=8) as pool:
            found = list(pool.map(run, range(8)))
    assert len({loop.known(talk) for talk, _ in found}) == 1
    assert all(talk.timeline.turns == tuple(f"T{place}" for place in range(1, 11)) for talk, _ in found)
    assert loop.cost([told for _, one in found for told in one]) == server.usage == llm.bill.usage


def test_an_interpreter_by_name_adapts_to_the_kind_and_asks_the_same_server(loop: Any) -> None:
    """Issue 4, section 1, paradigm: told from the opening turns, without a call of its own."""
    with ScriptedServer(loop.script()) as server:
        interpreter = interpreter_for("llm", Transcript(id="x", agents=loop.agents, turns=()), llm=loop.gateway(server))
        talk = Conversation(loop.agents, interpreter=interpreter)
        told = loop.tell(talk)
    assert loop.cost(told) == server.usage
    assert {body["response_format"]["json_schema"]["name"] for body in server.bodies} == {"reading", "second_look"}
    assert not any(each.abstained for each in told)
