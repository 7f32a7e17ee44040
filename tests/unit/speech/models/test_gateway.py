"""The gateway over real HTTP on loopback: every misbehaviour ends in the stated way, and costs what the server says."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from upheld.errors import MalformedInput, ModelFailure, ModelUnreachable, UnusableReply
from upheld.speech.models.gateway.asking import Gateway, Pacing
from upheld.speech.models.providers import language_model
from upheld.speech.models.reply import Finish, Level, Reply, Usage, usage_of
from upheld.speech.models.request import Message, Request, Role, Shape
from upheld.speech.models.structured import ask_for
from upheld.testing.language_model_contract import SCHEMA, asked
from upheld.testing.scripted_acts import Act, EchoesSchema, Fails, Hangs, NoChoices, Raw, Says, Waits
from upheld.testing.scripted_server import Line, ScriptedServer

SHAPED = asked("When does it leave?", shape=Shape(name="answer", schema={**SCHEMA, "title": "Answer"}))
FREE = asked("When does it leave?")
KEY = "sk-test-0123456789abcdef"
GOOD = '{"answer": "at 9:40"}'


class Naps:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.taken: list[float] = []

    @property
    def pacing(self) -> Pacing:
        """What the gateway takes."""
        return Pacing(clock=lambda: sum(self.taken), sleep=self.taken.append)


@pytest.fixture
def naps() -> Naps:
    """Give a new time."""
    return Naps()


@pytest.fixture(autouse=True, scope="module")
def nothing_is_left_open() -> Iterator[None]:
    """A connection that is not closed warns when it is collected, and a warning is an error."""
    yield
    gc.collect()


def reached(server: ScriptedServer, naps: Naps, *, timeout: float = 20.0, api_key: str = "") -> Gateway:
    """Give the language model of a server, with four retries and 180 s."""
    return language_model("scripted", base_url=server.base_url, timeout=timeout, api_key=api_key, pacing=naps.pacing)


def failed(llm: Gateway, request: Request = FREE) -> ModelFailure:
    """Give the failure that a request ends in."""
    with pytest.raises(ModelFailure) as caught:
        llm.ask(request)
    return caught.value


def answer_of(tree: object) -> str:
    """Read the one field, as a room would."""
    if not isinstance(tree, dict) or "answer" not in tree:
        raise MalformedInput("is missing", key="answer")
    return str(tree["answer"])  # pyright: ignore[reportUnknownArgumentType]


def test_a_request_becomes_a_chat_completion(naps: Naps) -> None:
    """C-37 (graphiti #1746): chat completions are enough; nothing else is asked of the server."""
    with ScriptedServer([GOOD]) as server:
        reply = reached(server, naps).ask(SHAPED)
    (body,) = server.bodies
    assert body["model"] == "scripted"
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"] == "Answer briefly."
    assert body["temperature"] == 0.0
    assert body["max_tokens"] == 4_096
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert reply == Reply(text=GOOD, answered_by="scripted", usage=server.usage, level=Level.SCHEMA)


def test_an_exchange_keeps_its_order_and_its_roles(naps: Naps) -> None:
    """Our promise: a repair is sent as further messages, after what was asked and answered."""
    messages = [(Role.SYSTEM, "a"), (Role.SYSTEM, "b"), (Role.USER, "c"), (Role.ASSISTANT, "d"), (Role.USER, "e")]
    request = Request(prompt="t@1", messages=tuple(Message(role=role, text=text) for role, text in messages))
    with ScriptedServer(["f"]) as server:
        reached(server, naps).ask(request)
    sent = [(message["role"], message["content"]) for message in server.bodies[0]["messages"]]
    assert sent == [("system", "a\n\nb"), ("user", "c"), ("assistant", "d"), ("user", "e")]


TRANSIENT: list[Act] = [
    Fails(status=429),
    Fails(status=500),
    Fails(status=503),
    Fails(status=408),
    Hangs(),
    Says(text="a long answer that breaks off", cut_after=0.5),
    Raw(b"<html>Bad gateway</html>"),
    Raw(b'{"choices": [', content_type="application/json"),
    Raw(b"", content_type="application/json"),
    Raw(b"[]", content_type="application/json"),
    NoChoices(),
]


@pytest.mark.parametrize("act", TRANSIENT, ids=lambda act: repr(act)[:40])
def test_what_may_pass_is_tried_again(act: Act, naps: Naps) -> None:
    """The issue, section 6.1: 429, cut connections, answers that are none; and the cost is the server's count."""
    with ScriptedServer([act, act, GOOD]) as server:
        reply = reached(server, naps).ask(FREE)
    assert reply.text == GOOD
    assert reply.usage == server.usage
    assert reply.usage.calls == 3
    assert len(naps.taken) == 2


@pytest.mark.parametrize("act", TRANSIENT, ids=lambda act: repr(act)[:40])
def test_what_does_not_pass_is_unreachable_and_says_what_to_do(act: Act, naps: Naps) -> None:
    """The issue, section 6.1: it ends as a typed failure, after one attempt and four retries, with its cost."""
    with ScriptedServer([act] * 9) as server:
        failure = failed(reached(server, naps))
    assert isinstance(failure, ModelUnreachable)
    assert "after 5 attempts" in str(failure)
    assert usage_of(failure) == server.usage
    assert failure.calls == 5
    assert len(naps.taken) == 4


def test_the_server_says_how_long_to_wait(naps: Naps) -> None:
    """Demanded by RFC 9110, section 10.2.3: Retry-After holds, whatever we would have waited."""
    with ScriptedServer([Fails(status=429, headers={"Retry-After": "7"}), GOOD]) as server:
        reached(server, naps).ask(FREE)
    assert naps.taken == [7.0]


def test_a_wait_beyond_the_deadline_is_not_begun(naps: Naps) -> None:
    """Our promise: who asks hears at once that it will be too late, instead of when it is."""
    with ScriptedServer([Fails(status=429, headers={"Retry-After": "3600"}), GOOD]) as server:
        failure = failed(reached(server, naps))
    assert naps.taken == []
    assert "3600" in str(failure)
    assert failure.calls == 1


def test_waits_grow_and_end_with_the_deadline(naps: Naps) -> None:
    """Our promise: capped exponential waits, and no call after the deadline however many retries are allowed."""
    with ScriptedServer(lambda _: Fails(status=503)) as server:
        llm = language_model("scripted", base_url=server.base_url, retries=99, deadline=100, pacing=naps.pacing)
        failure = failed(llm)
    assert naps.taken[1] == pytest.approx(2 * naps.taken[0])
    assert max(naps.taken) <= 30 * 1.25
    assert sum(naps.taken) < 100
    assert failure.calls == len(server.received) == len(naps.taken) + 1


def test_a_slow_answer_is_given_up_and_asked_for_again(naps: Naps) -> None:
    """The issue, section 6.1: slow. The attempt was sent, so it counts."""
    with ScriptedServer([Waits(seconds=30, then=Says(text="late")), GOOD]) as server:
        reply = reached(server, naps, timeout=0.2).ask(FREE)
    assert reply.text == GOOD
    assert reply.usage == server.usage


def test_an_answer_that_trickles_has_the_same_limit(naps: Naps) -> None:
    """Our promise: the limit holds for the whole answer, not for the pause between two bytes of it."""
    with ScriptedServer(lambda _: Says(text="too slowly", pause=0.05)) as server:
        llm = language_model("scripted", base_url=server.base_url, timeout=0.3, retries=0, pacing=naps.pacing)
        failure = failed(llm)
    assert "no reply within 0.3 s" in str(failure)
    assert failure.calls == 1


FINAL: list[tuple[Act, str]] = [
    (Fails(status=401, message="Incorrect API key"), "key"),
    (Fails(status=403, message="not for you"), "key"),
    (Fails(status=404, message="no such model", code="model_not_found"), "name"),
    (Fails(status=429, message="You exceeded your current quota", code="insufficient_quota"), "credit"),
    (Fails(status=400, message="maximum context length", code="context_length_exceeded"), "longer"),
    (Fails(status=400, message="no"), "does not take"),
]


@pytest.mark.parametrize(("act", "advice"), FINAL, ids=lambda each: repr(each)[:40])
def test_what_cannot_pass_is_not_tried_again(act: Act, advice: str, naps: Naps) -> None:
    """Our promise: a wrong key costs one call, and the message says what a person can do."""
    with ScriptedServer([act, GOOD]) as server:
        failure = failed(reached(server, naps))
    assert isinstance(failure, ModelUnreachable)
    assert advice in str(failure)
    assert usage_of(failure) == server.usage == Usage(calls=1)


def test_where_nobody_listens_no_call_is_counted(naps: Naps) -> None:
    """Our promise: a call counts when it has left this process, and not before."""
    with ScriptedServer() as server:
        address = server.base_url
    failure = failed(language_model("scripted", base_url=address, retries=1, pacing=naps.pacing))
    assert failure.calls == 0
    assert "is the server running" in str(failure)


@pytest.mark.parametrize("status", [400, 404, 422])
@pytest.mark.parametrize(
    ("refuses", "level"), [(["json_schema"], Level.JSON), (["json_schema", "json_object"], Level.TEXT)]
)
def test_a_refused_response_format_is_asked_for_in_words(
    refuses: list[str], level: Level, status: int, naps: Naps
) -> None:
    """The issue, section 1: from JSON Schema to JSON mode to text; and it is refused once, not every time."""
    with ScriptedServer(lambda _: GOOD, refuses=refuses, refusal_status=status) as server:
        llm = reached(server, naps)
        first, second = llm.ask(SHAPED), llm.ask(SHAPED)
    assert first.level == second.level == llm.level == level
    assert first.usage.calls == len(refuses) + 1
    assert second.usage.calls == 1
    assert first.usage + second.usage == server.usage
    assert "JSON Schema" in server.bodies[-1]["messages"][0]["content"]
    assert server.bodies[-1].get("response_format", {}).get("type") == ("json_object" if level is Level.JSON else None)
    assert naps.taken == []


def test_a_refusal_without_a_reason_costs_every_level_and_tells_the_first(naps: Naps) -> None:
    """Our promise: some servers refuse without saying what; when words do not help either, it was something else."""
    with ScriptedServer([Fails(status=422, message=f"refusal {place}") for place in range(5)]) as server:
        failure = failed(reached(server, naps), SHAPED)
    assert failure.calls == len(server.received) == 3
    assert "refusal 0" in str(failure)


def test_fields_that_a_server_does_not_know_are_taken_back(naps: Naps) -> None:
    """Our promise: what the limit is called, and whether a temperature may be set, is learned from the refusal."""
    with ScriptedServer(lambda _: GOOD, refuses=["temperature", "max_tokens"]) as server:
        llm = reached(server, naps)
        first, second = llm.ask(FREE), llm.ask(FREE)
    assert first.usage.calls == 3
    assert second.usage.calls == 1
    assert server.bodies[-1]["max_completion_tokens"] == FREE.limit
    assert "temperature" not in server.bodies[-1]


@pytest.mark.parametrize(
    ("finish", "expected"), [("length", Finish.LENGTH), ("content_filter", Finish.FILTERED), ("stop", Finish.STOP)]
)
def test_a_reply_says_why_it_ended(finish: str, expected: Finish, naps: Naps) -> None:
    """The issue, section 6.1: half an answer is told from a whole one."""
    with ScriptedServer([Says(text="so far", finish=finish)]) as server:
        reply = reached(server, naps).ask(FREE)
    assert reply.finish is expected
    assert reply.usage == server.usage


REPAIRED: list[Line] = [
    EchoesSchema(),
    "I would rather not.",
    "",
    '{"answer": "one"} or {"answer": "two"}',
    '{"answers": "a wrong field"}',
    Says(text='{"answer": "at', finish="length"),
    '{"answer": "at',
]


@pytest.mark.parametrize("bad", REPAIRED, ids=lambda each: repr(each)[:40])
@pytest.mark.parametrize("refuses", [[], ["json_schema", "json_object"]], ids=["schema", "text"])
def test_a_bad_answer_is_repaired_once(bad: Line, refuses: list[str], naps: Naps) -> None:
    """C-36 and the issue, section 1: one repair, with the exact complaint; both calls are in the cost."""
    with ScriptedServer([bad, f"Here it is: ```json\n{GOOD}\n```"], refuses=refuses) as server:
        answered = ask_for(reached(server, naps), SHAPED, answer_of)
    assert answered.value == "at 9:40"
    assert answered.repairs == 1
    assert answered.usage == server.usage
    assert server.bodies[-1]["messages"][-1]["role"] == "user"


@pytest.mark.parametrize("bad", REPAIRED, ids=lambda each: repr(each)[:40])
def test_a_second_bad_answer_is_a_typed_failure(bad: Line, naps: Naps) -> None:
    """C-36: rejected, one repair, then a typed failure; and what both took is known."""
    with ScriptedServer([bad, bad, GOOD]) as server, pytest.raises(UnusableReply) as caught:
        ask_for(reached(server, naps), SHAPED, answer_of)
    assert usage_of(caught.value) == server.usage
    assert caught.value.calls == 2


def test_a_failure_during_the_repair_counts_the_first_answer_too(naps: Naps) -> None:
    """The issue, section 6.1: the cost report equals the server's count, wherever it ends."""
    with ScriptedServer(["no JSON", *[Fails(status=500)] * 5]) as server, pytest.raises(ModelUnreachable) as caught:
        ask_for(reached(server, naps), SHAPED, answer_of)
    assert usage_of(caught.value) == server.usage
    assert caught.value.calls == 6


def test_costs_add_up_over_threads_and_every_misbehaviour(naps: Naps) -> None:
    """The issue, section 6.1: whatever happens to forty requests at once, both sides count the same."""
    turn = threading.Lock()
    acts = iter([*TRANSIENT, EchoesSchema(), Says(text=GOOD, finish="length")] * 3)

    def script(body: object) -> Line:
        with turn:
            return next(acts, Says(text=GOOD))

    def spent(place: int) -> Usage:
        request = asked(f"number {place}", shape=SHAPED.shape)
        try:
            return ask_for(llm, request, answer_of).usage
        except ModelFailure as failure:
            return usage_of(failure)

    with ScriptedServer(script) as server:
        llm = language_model("scripted", base_url=server.base_url, deadline=1e9, pacing=naps.pacing)
        with ThreadPoolExecutor(8) as pool:
            total = sum(pool.map(spent, range(40)), Usage())
    assert total == server.usage
    assert total.calls > 60


def test_it_works_in_a_script_in_two_loops_and_in_threads(naps: Naps) -> None:
    """C-33 (Memori #11, nexent #787): made in one place, used in all the others."""
    with ScriptedServer(lambda _: GOOD) as server:

        async def made_and_asked() -> Reply:
            return reached(server, naps).ask(FREE)

        llm = reached(server, naps)
        replies = [llm.ask(FREE), asyncio.run(made_and_asked()), asyncio.run(made_and_asked())]
        thread = threading.Thread(target=lambda: replies.append(llm.ask(FREE)))
        thread.start()
        thread.join()
    assert [reply.text for reply in replies] == [GOOD] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_it_works_in_a_forked_child() -> None:
    """Our promise: an evaluation that forks its workers does not hang on a loop that stayed with the parent."""
    program = """
import os, sys
from upheld.speech.models.providers import language_model
from upheld.testing.language_model_contract import asked
from upheld.testing.scripted_server import ScriptedServer
with ScriptedServer(lambda _: "yes") as server:
    language_model("scripted", base_url=server.base_url).ask(asked("before"))
    child = os.fork()
    if not child:
        reply = language_model("scripted", base_url=server.base_url, deadline=10).ask(asked("after"))
        os._exit(0 if reply.text == "yes" else 1)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0


def test_no_key_is_in_an_error_a_log_or_a_repr(
    naps: Naps, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our promise: a key that a server quotes, or that stands in the environment, is in nothing that we say."""
    monkeypatch.setenv("OPENAI_API_KEY", "another-secret-value")
    quoting = Fails(status=401, message=f"bad key {KEY}, or another-secret-value, or Bearer {KEY}")
    with caplog.at_level(logging.DEBUG), ScriptedServer([quoting, GOOD]) as server:
        llm = reached(server, naps, api_key=KEY)
        failure = failed(llm)
        llm.ask(FREE)
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
    told = "\n".join([str(failure), repr(failure), repr(llm), repr(vars(llm)), caplog.text])
    assert KEY not in told
    assert "another-secret-value" not in told
    assert failure.__cause__ is None
    assert failure.__context__ is None


def test_a_key_of_openai_is_not_sent_to_another_server(naps: Naps, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a base URL that was given no key gets none, whatever stands in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ScriptedServer([GOOD]) as server:
        reached(server, naps).ask(FREE)
    assert KEY not in str(server.received[0].headers)


def test_a_name_says_where_it_is_asked() -> None:
    """Our promise: one name on two servers may be two things, and a cache keeps them apart."""
    named = language_model("openai:qwen3:8b", base_url="http://localhost:11434/v1/").name
    assert named == "openai:qwen3:8b@localhost:11434/v1"
    assert language_model("openai:gpt-4o", api_key=KEY).name == "openai:gpt-4o"
    assert language_model("anthropic:claude-sonnet-4-5", api_key=KEY).name == "anthropic:claude-sonnet-4-5"


@pytest.mark.parametrize("name", ["nonsense:x", "gpt", ""])
def test_a_name_that_means_nothing_is_refused(name: str) -> None:
    """C-37: a wrong setting raises; it is not ignored."""
    with pytest.raises(MalformedInput):
        language_model(name)


def test_a_provider_without_its_key_says_which_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the first error that most people will see names the variable to set."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ModelUnreachable, match="OPENAI_API_KEY"):
        language_model("openai:gpt-4o")


def test_importing_upheld_does_not_import_pydantic_ai() -> None:
    """Our promise (README): a language model is optional, and so is what it takes to ask one."""
    program = (
        "import sys, upheld, upheld.speech.models.providers, upheld.speech.models.structured;"
        "import upheld.speech.models.batches, upheld.testing.scripted_server;"
        "sys.exit(any(name.split('.')[0] in {'pydantic_ai', 'pydantic', 'openai', 'httpx2'} for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0


def test_one_module_knows_pydantic_ai(root: Path) -> None:
    """Our promise (docs/architecture.md): what is foreign stands behind one door."""
    importing = re.compile(r"^\s*(import|from) pydantic_ai\b", re.MULTILINE)
    files = [path for path in (root / "src").rglob("*.py") if importing.search(path.read_text("utf-8"))]
    assert [path.name for path in files] == ["chat.py"]


def test_without_the_extra_the_install_line_is_told() -> None:
    """Our promise: an absent part names its extra."""
    program = """
import sys
sys.modules["pydantic_ai"] = None
from upheld.errors import MissingExtra
from upheld.speech.models.providers import language_model
try:
    language_model("openai:gpt-4o", api_key="unused")
except MissingExtra as missing:
    sys.exit(0 if "upheld[llm]" in str(missing) else 2)
sys.exit(1)
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
