"""A server that misbehaves at one turn of a conversation: that turn alone fails, and all that it cost is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from upheld.errors import BudgetSpent, MalformedInput
from upheld.logic.language.standing import Label
from upheld.speech.models.budget import BudgetedModel
from upheld.speech.models.metering import MeteredModel
from upheld.speech.models.reply import Usage
from upheld.testing.scripted_acts import Act, EchoesSchema, Fails, Hangs, NoChoices, Raw, Says, Waits
from upheld.testing.scripted_server import Line, ScriptedServer

HYPOTHESIS: Mapping[str, Any] = {
    "op": "hypothesize",
    "id": "n1",
    "text": "A valve is stuck open.",
    "explains": ["T1.1"],
}
GONE = "The valve of the humidifier is stuck open."
GOOD: Line = {"operations": [{**HYPOTHESIS, "text": GONE, "depends_on": ["T3.1"]}]}
TIMEOUT = 0.15
FOURTH = 4
RETRIES = 2
BUSY = Fails(status=429, message="slow down", headers={"Retry-After": "1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Misbehaviour:
    """What the server does at the fourth turn, how often it is asked until that is given up, and what is then said."""

    act: Callable[[], Line]
    calls: int
    says: str


def always(act: Act) -> Callable[[], Line]:
    """Give an act, each time anew."""
    return lambda: act


def replies(*operations: Mapping[str, Any]) -> Callable[[], Line]:
    """Give a reading."""
    return lambda: {"operations": list(operations)}


UNUSABLE = {
    "schema echo": Misbehaviour(act=always(EchoesSchema()), calls=2, says="that is the JSON Schema itself"),
    "missing list": Misbehaviour(act=lambda: {"reading": []}, calls=2, says="operations: missing"),
    "missing field": Misbehaviour(
        act=replies({"op": "hypothesize", "id": "n1", "explains": ["T1.1"]}), calls=2, says="operations[0].text"
    ),
    "unknown id": Misbehaviour(
        act=replies({**HYPOTHESIS, "depends_on": ["T9.9"]}), calls=2, says="nobody introduced 'T9.9'"
    ),
    "unknown operation": Misbehaviour(
        act=replies({"op": "delete", "target": "T1.1"}), calls=2, says="unknown operation"
    ),
    "prose": Misbehaviour(act=lambda: "Gladly! It is a hypothesis.", calls=2, says="there is no JSON object"),
    "half an object": Misbehaviour(act=lambda: '{"operations": [', calls=2, says="broken or incomplete"),
    "cut off at the limit": Misbehaviour(
        act=always(Says(text='{"operations": []}', finish="length")), calls=2, says="cut off at the limit"
    ),
    "half a character": Misbehaviour(
        act=replies({**HYPOTHESIS, "text": "\ud800"}), calls=1, says="a lone surrogate ('\\ud800') is no text"
    ),
    "nothing at all": Misbehaviour(act=lambda: "", calls=2, says="there is no JSON object"),
}
"""Replies that hold no reading: one repair is asked for, then the turn is unread.

Half a character is JSON and yet no text: it cannot be sent back with a complaint either.
"""

UNANSWERED = {
    "too many requests": Misbehaviour(act=always(BUSY), calls=1 + RETRIES, says="429 slow down"),
    "broken server": Misbehaviour(act=always(Fails(status=500)), calls=1 + RETRIES, says="500"),
    "bad gateway": Misbehaviour(act=always(Fails(status=502)), calls=1 + RETRIES, says="502"),
    "empty choices": Misbehaviour(act=always(NoChoices()), calls=1 + RETRIES, says="no chat completion"),
    "cut body": Misbehaviour(
        act=always(Says(text='{"operations": []}', cut_after=0.5)), calls=1 + RETRIES, says="gave no reply"
    ),
    "closed connection": Misbehaviour(act=always(Hangs()), calls=1 + RETRIES, says="gave no reply"),
    "a page of a proxy": Misbehaviour(
        act=always(Raw(b"<html>Sign in</html>")), calls=1 + RETRIES, says="no chat completion"
    ),
    "wrong content type": Misbehaviour(
        act=always(Raw(b'{"operations": []}', content_type="text/plain")), calls=1 + RETRIES, says="gave no reply"
    ),
    "refused": Misbehaviour(act=always(Fails(status=403, message="not for you")), calls=1, says="403 not for you"),
    "silence": Misbehaviour(
        act=always(Waits(seconds=30, then=Says(text="late"))), calls=1 + RETRIES, says=f"no reply within {TIMEOUT} s"
    ),
}
"""Answers that do not come, or are none: they are tried again where that may help, then the turn is unread."""

EVERY = {**UNUSABLE, **UNANSWERED}


@pytest.fixture(params=EVERY.values(), ids=list(EVERY))
def misbehaviour(request: pytest.FixtureRequest) -> Misbehaviour:
    """Give each of them."""
    return request.param


def test_the_turn_fails_alone_and_the_bill_is_the_servers(loop: Any, misbehaviour: Misbehaviour) -> None:
    """Issue 4, gate 1: it ends in the stated way, the state is not half-changed, the cost is the server's count."""
    script = loop.script({FOURTH: [misbehaviour.act() for _ in range(misbehaviour.calls)]})
    with ScriptedServer(script) as server:
        timeout = TIMEOUT if "within" in misbehaviour.says else 20.0
        llm = MeteredModel(loop.gateway(server, retries=RETRIES, timeout=timeout))
        talk = loop.conversation(llm)
        told = loop.tell(talk, slice(0, 3))
        before, so_far = loop.known(talk), len(server.bodies)
        told += loop.tell(talk, slice(3, 4))
        assert loop.known(talk) == before
        assert len(server.bodies) == so_far + misbehaviour.calls
        told += loop.tell(talk, slice(4, 5))
    assert [each.turn for each in told if each.abstained] == ["T4"]
    assert told[3].abstained.startswith(("it could not be read: ", "its reading could not be applied: "))
    assert misbehaviour.says in told[3].abstained
    assert (told[3].operations, told[3].findings) == ((), ())
    assert [type(each).__name__ for each in told[4].operations] == ["ExpandAwareness"]
    assert loop.cost(told) == llm.bill.usage == server.usage


@pytest.mark.parametrize("name", [name for name, each in EVERY.items() if each.calls > 1])
def test_what_failed_once_and_is_mended_leaves_no_trace(loop: Any, name: str) -> None:
    """Issue 4, section 1: one repair, and retries. The counterpart: the same act once, and the turn is read."""
    misbehaviour = EVERY[name]
    timeout = TIMEOUT if "within" in misbehaviour.says else 20.0
    with ScriptedServer(loop.script({FOURTH: [misbehaviour.act(), GOOD]})) as server:
        talk = loop.conversation(loop.gateway(server, retries=RETRIES, timeout=timeout))
        told = loop.tell(talk, slice(0, 4))
    assert (told[3].abstained, talk.unread()) == ("", ())
    assert loop.text(talk, "T4.1") == GONE
    assert told[3].usage.calls == 2
    assert loop.cost(told) == server.usage


def test_a_turn_that_failed_is_read_again_alone_as_it_would_have_been(loop: Any) -> None:
    """C-38 (graphiti #879) over HTTP: the rerun asks about that turn alone, with the request that it had at first."""
    with ScriptedServer(loop.script({FOURTH: [Fails(status=403)]})) as server:
        talk = loop.conversation(loop.gateway(server))
        told = loop.tell(talk, slice(0, 5))
        failing = next(place for place, body in enumerate(server.bodies) if "T4" in loop.words_shown(body))
        asked = len(server.bodies)
        told += talk.read_again()
        fresh = server.bodies[asked:]
        assert [each.turn for each in told if each.abstained] == ["T4"]
        assert (told[-1].turn, told[-1].abstained, talk.unread()) == ("T4", "", ())
        assert fresh == (server.bodies[failing],)
        assert talk.read_again() == ()
    assert talk.status("T4.1").standing is Label.IN
    assert loop.cost(told) == server.usage


def test_a_failure_while_asking_again_leaves_nothing_of_the_refused_reading(loop: Any) -> None:
    """Issue 4, section 1: what fails, fails that turn; a part of a refused reading would pass for the whole of it."""
    refused: Line = {"operations": [loop.reinterpreted, {"op": "observe", "id": "n2", "text": "The labels are old."}]}
    with ScriptedServer(loop.script({5: [refused, *[Fails(status=500)] * 3]})) as server:
        talk = loop.conversation(loop.gateway(server))
        told = loop.tell(talk, slice(0, 5))
        before = loop.known(talk)
        assert told[-1].abstained.startswith("it was objected to (use_expand_awareness), and not read again: ")
        assert [each.failure for each in told[-1].objections] == ["use_expand_awareness"]
        assert talk.unread() == ("T5",)
        told += talk.read_again()
    assert "drain pump" not in before
    assert loop.text(talk, "T5.1") == loop.widened["text"]
    assert loop.cost(told) == server.usage


def test_a_failure_at_a_second_look_leaves_nothing_of_the_first_reading(loop: Any) -> None:
    """Issue 4, section 1: a turn is one reading; a first reading whose second look failed is none."""
    script = loop.script()

    def failing(body: Any) -> Line:
        return Fails(status=500) if loop.shape_of(body) == "second_look" else script(body)

    with ScriptedServer(failing) as server:
        talk = loop.conversation(loop.gateway(server))
        told = loop.tell(talk, slice(0, 2))
    assert (told[1].operations, talk.unread()) == ((), ("T2",))
    assert [each.id for each in talk.propositions] == ["T1.1"]
    assert loop.cost(told) == server.usage


def test_a_spent_budget_stops_before_anything_is_sent(loop: Any) -> None:
    """Issue 4, section 1: a budget in calls, stopping cleanly; the turns after it are unread, and cost nothing."""
    with ScriptedServer(loop.script()) as server:
        llm = BudgetedModel(loop.gateway(server), calls=4)
        talk = loop.conversation(llm)
        told = loop.tell(talk)
    assert [each.turn for each in told if each.abstained] == ["T4", "T5", "T6", "T7", "T8", "T9", "T10"]
    assert "all 4 calls are spent" in told[3].abstained
    assert len(server.bodies) == 4
    assert loop.cost(told[3:]) == Usage()
    assert loop.cost(told) == llm.spent == server.usage
    with pytest.raises(BudgetSpent):
        llm.ask(None)  # pyright: ignore[reportArgumentType] - it is refused unread


def test_words_that_are_no_text_are_refused_before_anybody_is_asked(loop: Any) -> None:
    """Our promise: nothing is paid for what cannot be put on record."""
    with ScriptedServer(loop.script()) as server:
        talk = loop.conversation(loop.gateway(server))
        with pytest.raises(MalformedInput, match="lone surrogate"):
            talk.say("mara", "It is \ud800 wet.")
    assert (server.bodies, talk.unread()) == ((), ())
