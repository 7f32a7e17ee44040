"""The client of the service, sync and async, against the real service."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import aclosing, closing, contextmanager
from typing import Any, cast

import pytest

from upheld.errors import (
    LimitExceeded,
    MalformedInput,
    RefusedTurn,
    RepeatedIdentity,
    SelfSupport,
    ServiceError,
    StillNeeded,
    UnknownConversation,
    UnknownReference,
    UpheldError,
    VersionConflict,
)
from upheld.faces.client import AsyncClient, Client
from upheld.faces.client.problems import error_of
from upheld.faces.server.models.conversations import Receipt
from upheld.faces.server.models.events import VerdictEvent
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Hypothesize, Observe
from upheld.logic.language.turns import Falsify

from .conftest import PATIENCE, Keys, Running, Start, observe


@pytest.fixture(scope="module")
def service(start: Start) -> Running:
    """One service that the tests of this module share."""
    return start(text_characters=1000)


@pytest.fixture
def client(service: Running) -> Client:
    """A client of it."""
    return Client(f"http://127.0.0.1:{service.port}")


STEPS: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("begin", (), {"agents": [{"id": "ann"}, {"id": "ben"}], "title": "Beds"}),
    ("tell", ("ann", "It is dry.", [Observe(id=PropositionId("o1"), text="The left bed is dry.")]), {}),
    ("tell_all", ([{"speaker": "ben", "operations": [observe("o2")]}, {"speaker": "ann", "text": "Hm."}],), {}),
    ("tell", ("ben",), {"operations": [{"op": "hypothesize", "id": "h1", "text": "A leak.", "depends_on": ["o1"]}]}),
    ("turns", (), {"after": 1, "limit": 2}),
    ("claims", (), {"standing": "in", "agent": "ann"}),
    ("verify", ("The left bed is dry.",), {"speaker": "ann"}),
    ("verify", (), {"claims": ["h1", {"literal": "~o2", "modality": "hypothesis"}]}),
    ("affected", ("o1",), {"limit": 1}),
    ("what_if", (["o1", Falsify(target=PropositionId("o2"))],), {"ask": ["h1"]}),
    ("review", ("o1",), {}),
    ("explain", ("h1",), {"at": "T4"}),
    ("brief", ({"act": "retract", "target": "o1"},), {}),
    ("believe", ("o1 & h1",), {"agent": "ben"}),
    ("amend", ("T3", [observe("o5")]), {"by": "ann", "reason": "read again"}),
    ("retract", (Falsify(target=PropositionId("o1")),), {"by": "ben", "reason": "the gauge was broken"}),
    ("erase", ("T1",), {"reason": "asked for"}),
    ("export", (), {"form": "text"}),
    ("status", (), {}),
    ("flag", ("The left bed is dry.",), {"speaker": "ann", "note": "doubtful"}),
    ("flagged", ("F1",), {}),
    ("assign", ("F1", "ben"), {"by": "ann"}),
    ("assign", ("F1", None), {}),
    ("comment", ("F1", "The gauge was broken."), {"by": "ben"}),
    ("decide", ("F1", "ungrounded"), {"by": "ben", "reason": "see T4"}),
    ("verify", ("The left bed is dry.",), {"flag": True, "response": "r-1"}),
    ("history", (), {"after": 1}),
    ("compare", ("T1", "T4"), {}),
    ("claim", ("o2",), {}),
)
"""What is done in both tests of the whole, one after the other; the name of the conversation comes first."""


def without_times(answer: Any, name: str) -> Any:
    """An answer as it would be in any conversation."""
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.+]+", "THEN", str(answer).replace(name, "NAME"))


def test_both_clients_ask_everything_and_are_answered_alike(client: Client, service: Running) -> None:
    """Our promise: one table of calls and two senders; what one can do, the other can."""
    there = AsyncClient(f"http://127.0.0.1:{service.port}")

    async def awaited() -> list[Any]:
        async with there:
            calls = (getattr(there, step)("later", *args, **more) for step, args, more in STEPS)
            return [await each for each in calls]

    with client:
        answers = [getattr(client, step)("sooner", *args, **more) for step, args, more in STEPS]
    others = asyncio.run(awaited())
    for (step, _, _), one, other in zip(STEPS, answers, others, strict=True):
        assert without_times(one, "sooner") == without_times(other, "later"), step
    of_all = {"conversations", "search", "queue", "labels", "import_", "drop", "follow", "send", "close"}
    public = {name for name in vars(Client) if not name.startswith("_")}
    assert {step for step, _, _ in STEPS} | of_all == public
    assert {name for name in vars(Client) if not name.startswith("_")} == {
        name for name in vars(AsyncClient) if not name.startswith("_")
    }


def test_the_queue_is_asked_over_all_conversations(client: Client, service: Running, name: str) -> None:
    """Our promise: what is flagged anywhere is found in one place, and left there once it is decided."""
    client.begin(name, agents=[{"id": "ann"}])
    client.tell(name, "ann", operations=[observe("o1", "The gate is shut.")])
    filed = client.flag(name, "The gate is open.", speaker="ann", by="ben")
    waiting = [each for each in client.queue().flags if each.conversation == name]
    assert [each.id for each in client.queue(conversation=name).flags] == [filed.id]
    assert client.queue(conversation="nobody").flags == []
    assert [(each.id, each.status.value) for each in waiting] == [(filed.id, "open")]
    client.decide(name, filed.id, "ungrounded", by="ben", reason="Seen.\u2028Twice.")
    assert name not in [each.conversation for each in client.queue().flags]
    assert name in [each.conversation for each in client.queue(status="decided").flags]
    labels = [each for each in client.labels() if each["conversation"] == name]
    assert [(each["label"], each["why"]) for each in labels] == [("ungrounded", "Seen.\u2028Twice.")]
    awaited = asyncio.run(cast("Any", AsyncClient(f"http://127.0.0.1:{service.port}").labels()))
    assert [each for each in awaited if each["conversation"] == name] == labels


def test_a_conversation_is_dropped_by_both_and_a_second_time_is_told(client: Client, service: Running) -> None:
    """Our promise: the receipt as a value; who sends it again learns that it is gone."""
    client.begin("sooner gone", agents=[{"id": "ann"}])
    client.begin("later gone")
    with pytest.raises(VersionConflict):
        client.drop("sooner gone", reason="the house rule", expected_version=2)
    one = client.drop("sooner gone", reason="the house rule", by="ann", expected_version=1)

    async def awaited() -> Receipt:
        return await AsyncClient(f"http://127.0.0.1:{service.port}").drop("later gone", reason="over")

    other = asyncio.run(awaited())
    assert [(each.conversation, each.entries, each.by, each.reason) for each in (one, other)] == [
        ("sooner gone", 1, "ann", "the house rule"),
        ("later gone", 1, None, "over"),
    ]
    with pytest.raises(UnknownConversation):
        client.drop("sooner gone", reason="the house rule")


def test_a_verdict_that_is_told_meanwhile_is_no_entry_and_ends_no_listening(client: Client, name: str) -> None:
    """Our promise: who follows hears entries, whatever else the stream tells."""
    client.begin(name, agents=[{"id": "ann"}])
    with closing(client.follow(name)) as events:
        assert next(events).kind == "opening"
        client.verify(name, "The gate is open.", speaker="ann")
        client.tell(name, "ann", operations=[observe("o1")])
        assert [next(events).kind for _ in range(2)] == ["words", "meaning"]


def test_a_listener_who_asks_for_verdicts_hears_them_between_the_entries(client: Client, name: str) -> None:
    """Our promise: a verdict is told as it is given, and whoever comes later hears entries alone."""
    client.begin(name, agents=[{"id": "ann"}])
    with closing(client.follow(name, has_verdicts=True)) as events:
        assert next(events).kind == "opening"
        client.verify(name, "The gate is open.", speaker="ann")
        heard = next(events)
        assert isinstance(heard, VerdictEvent)
        assert (heard.version, heard.speaker, heard.outcome.value) == (1, "ann", "abstain")
        client.tell(name, "ann", operations=[observe("o1")])
        assert [next(events).kind for _ in range(2)] == ["words", "meaning"]
    with closing(client.follow(name, has_verdicts=True)) as later:
        assert [next(later).kind for _ in range(3)] == ["opening", "words", "meaning"]


def test_verdicts_are_heard_awaited_as_well(service: Running, name: str) -> None:
    """Our promise: what one client can do, the other can."""

    async def heard() -> list[str]:
        client = AsyncClient(f"http://127.0.0.1:{service.port}")
        await client.begin(name, agents=[{"id": "ann"}])
        async with aclosing(client.follow(name, has_verdicts=True)) as events:
            kinds = [(await anext(events)).kind]
            await client.verify(name, "The gate is open.", speaker="ann")
            await client.tell(name, "ann", operations=[observe("o1")])
            kinds += [(await anext(events)).kind for _ in range(3)]
        return kinds

    kinds = asyncio.run(heard())
    assert kinds[0] == "opening"
    # A verdict waits for a place between two pages of entries.
    assert sorted(kinds[1:]) == ["meaning", "verdict", "words"]


def test_answers_are_values_with_types(client: Client) -> None:
    """Our promise: an editor knows what comes back."""
    client.begin("typed", agents=[{"id": "ann"}])
    told = client.tell("typed", "ann", operations=[Observe(id=PropositionId("o1"), text="The Redis server is down.")])
    assert (told.turn, told.version, told.is_repeated) == ("T1", 3, False)
    client.tell(
        "typed",
        "ann",
        operations=[Hypothesize(id=PropositionId("h1"), text="Somebody is in.", novel=True)],
        expected_version=told.version,
    )
    assert client.verify("typed", "The Redis server is down.").outcome.value == "grounded"
    assert [each.id for each in client.claims("typed").claims] == ["o1", "h1"]
    assert "typed" in {each.id for each in client.conversations().conversations}
    assert [hit.id for hit in client.search("redis", conversation="typed").hits] == ["o1"]
    exported = client.export("typed")
    assert exported.left_out == 0
    taken = client.import_(exported.text, id="typed again")
    assert (taken.id, taken.turns, client.status("typed again").turns) == ("typed again", 2, 2)


def test_refusals_are_raised_as_the_library_raises_them(client: Client) -> None:
    """Our promise: whoever moves from the library to the service keeps their ``except`` clauses."""
    client.begin("refused", agents=[{"id": "ann"}])
    client.tell("refused", "ann", operations=[observe("o1")], key="k")
    client.tell("refused", "ann", operations=[{"op": "support", "target": "o1", "id": "a1", "text": "Seen."}])
    expected: list[tuple[type[UpheldError], Callable[[], object], dict[str, object]]] = [
        (UnknownConversation, lambda: client.status("nobody"), {}),
        (UnknownReference, lambda: client.explain("refused", "x9"), {"reference": "x9"}),
        (
            VersionConflict,
            lambda: client.tell("refused", "ann", "Hm.", expected_version=1),
            {"conversation": "refused", "expected": 1, "found": 5},
        ),
        (
            MalformedInput,
            lambda: client.tell("refused", "ann", operations=[observe("o 2")]),
            {"key": "operations[0].id"},
        ),
        (MalformedInput, lambda: client.tell("refused", "ann", **cast("Any", {"mood": "bad"})), {"key": "mood"}),
        (
            RefusedTurn,
            lambda: client.tell("refused", "ann", operations=[observe("o2", novel=True)]),
            {"failure": "use_expand_awareness", "operation": 0},
        ),
        (SelfSupport, lambda: client.tell("refused", "ann", operations=[observe("o3", depends_on=["o3"])]), {}),
        (RepeatedIdentity, lambda: client.tell("refused", "ann", "Something else.", key="k"), {}),
        (StillNeeded, lambda: client.erase("refused", "T1", reason="asked for", meaning=True), {}),
        (LimitExceeded, lambda: client.verify("refused", "x" * 1001), {}),
    ]
    for kind, ask, told in expected:
        with pytest.raises(kind) as caught:
            ask()
        assert type(caught.value) is kind
        assert {name: getattr(caught.value, name) for name in told} == told
    with pytest.raises(MalformedInput, match=r"^operations\[0\]\.id: 'o 2' is no id"):
        client.tell("refused", "ann", operations=[observe("o 2")])
    with pytest.raises(RefusedTurn) as caught:
        client.tell("refused", "ann", operations=[observe("o2", novel=True)])
    assert caught.value.reason in str(caught.value)
    assert "use_expand_awareness" not in caught.value.reason


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b'{"type": "urn:upheld:problem:version-conflict", "detail": "x"}',
        b'{"type": "urn:upheld:problem:malformed-input"}',
        b'{"type": "urn:upheld:problem:malformed-input", "detail": "x", "errors": [5]}',
        b'{"type": "urn:upheld:problem:of-tomorrow", "detail": "x"}',
        b'{"type": 5, "title": "I am a teapot"}',
    ],
)
def test_what_is_no_problem_that_is_known_is_told_as_it_came(body: bytes) -> None:
    """Our promise: a refusal of a proxy, or of a newer service, is still one exception of this library."""
    error = error_of(418, body)
    assert isinstance(error, ServiceError)
    assert (error.status, "418" in str(error)) == (418, True)


def test_a_wrong_key_an_address_that_is_none_and_one_where_nobody_is_are_told(start: Start, keys: Keys) -> None:
    """Our promise: each of the three is one exception that says what is wrong."""
    guarded = start(keys=keys.path, tenants=True)
    with pytest.raises(ServiceError) as caught:
        Client(f"http://127.0.0.1:{guarded.port}", key="upheld_acme_wrong").conversations()
    assert caught.value.status == 401
    held = Client(f"http://127.0.0.1:{guarded.port}/", key=keys.texts["acme/reader"])
    assert held.conversations().conversations == []
    for url in ("upheld.example", "ftp://upheld.example", "http://", "http://[::1"):
        with pytest.raises(MalformedInput, match="url"):
            Client(url)
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(ServiceError, match="cannot be reached, tried 2 times"):
            Client(f"http://127.0.0.1:{taken.getsockname()[1]}", retries=1).conversations()


def test_one_async_client_serves_several_loops_and_threads(service: Running) -> None:
    """C-33: in a script, in ``asyncio.run`` twice, and in threads that have loops of their own."""
    client = AsyncClient(f"http://127.0.0.1:{service.port}")
    asyncio.run(cast("Any", client.begin("loops", agents=[{"id": "ann"}])))

    async def told(text: str) -> str:
        return (await client.tell("loops", "ann", text)).turn

    assert asyncio.run(told("One.")) == "T1"
    assert asyncio.run(told("Two.")) == "T2"
    turns: list[str] = []
    threads = [threading.Thread(target=lambda: turns.append(asyncio.run(told("Three.")))) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert sorted(turns) == ["T3", "T4", "T5", "T6"]

    async def at_once() -> list[str]:
        async with client:
            return await asyncio.gather(*(told("Four.") for _ in range(5)))

    assert len(set(asyncio.run(at_once()))) == 5


@contextmanager
def losing_answers(port: int, *, lost: int) -> Generator[int]:
    """A way to the service on which the first answers are lost after they were given."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def carry() -> None:
            for number in range(lost + 1):
                came, _ = server.accept()
                with came, socket.create_connection(("127.0.0.1", port)) as there:
                    came.settimeout(PATIENCE)
                    request = came.recv(65536)
                    head, _, body = request.partition(b"\r\n\r\n")
                    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
                    while len(body) < length:
                        body += came.recv(65536)
                    there.sendall(head + b"\r\nconnection: close\r\n\r\n" + body)
                    answer = b""
                    while chunk := there.recv(65536):
                        answer += chunk
                    if number == lost:
                        came.sendall(answer)

        thread = threading.Thread(target=carry)
        thread.start()
        yield server.getsockname()[1]
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_turn_whose_answer_was_lost_is_sent_again_and_told_once(client: Client, service: Running) -> None:
    """Our promise: every request that writes has a key, so that trying again is safe."""
    client.begin("lost", agents=[{"id": "ann"}])
    with losing_answers(service.port, lost=2) as port:
        told = Client(f"http://127.0.0.1:{port}").tell("lost", "ann", "It rains.")
    assert (told.turn, told.is_repeated, client.status("lost").turns) == ("T1", True, 1)

    async def retracted(port: int) -> bool:
        return (await AsyncClient(f"http://127.0.0.1:{port}").retract("lost", "T1.1")).is_repeated

    with losing_answers(service.port, lost=1) as port:
        assert asyncio.run(retracted(port))


def test_a_service_that_is_busy_is_waited_for_as_long_as_it_says(start: Start) -> None:
    """RFC 9110, 10.2.3: Retry-After is what the client waits."""
    busy = start(requests_a_minute=60)
    client = Client(f"http://127.0.0.1:{busy.port}")
    with client:
        for _ in range(62):
            client.conversations()
    # The bucket is empty now, and fills with one request a second.
    hasty = Client(f"http://127.0.0.1:{busy.port}", retries=0)
    with pytest.raises(ServiceError) as caught:
        _ = [hasty.conversations() for _ in range(5)]
    assert caught.value.status == 429


def test_a_listener_goes_on_where_it_was_when_the_service_is_started_anew(
    start: Start, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Our promise: no entry twice, and none missed, across connections."""
    store = f"sqlite:///{tmp_path_factory.mktemp('followed')}/t.db"
    first = start(store=store)
    client = Client(f"http://127.0.0.1:{first.port}", retries=20)
    client.begin("followed", agents=[{"id": "ann"}])
    client.tell("followed", "ann", operations=[observe("o1")])
    with closing(client.follow("followed")) as events:
        seen = [next(events).epoch for _ in range(3)]
        first.stop()
        second = start(store=store, port=first.port)
        client.tell("followed", "ann", operations=[observe("o2")])
        seen += [next(events).epoch for _ in range(2)]
    assert seen == [1, 2, 3, 4, 5]

    async def later() -> list[str]:
        async with aclosing(AsyncClient(f"http://127.0.0.1:{second.port}").follow("followed", after=3)) as events:
            return [(await anext(events)).kind for _ in range(2)]

    assert asyncio.run(later()) == ["words", "meaning"]
    with pytest.raises(UnknownConversation):
        next(client.follow("nobody"))


def test_an_answer_that_is_none_of_the_service_is_told() -> None:
    """Our promise: another program behind the address is one exception, and no trace of a parser."""
    answer = b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>"
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            for _ in range(2):
                came, _ = server.accept()
                with came:
                    came.recv(65536)
                    came.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        stranger = Client(f"http://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(ServiceError, match="what is no ConversationList"):
            stranger.conversations()
        with pytest.raises(ServiceError, match="what are no labels"):
            stranger.labels()
        thread.join(PATIENCE)


def test_the_client_loads_nothing_of_the_server() -> None:
    """Our promise: a program that only asks needs no HTTP framework."""
    program = (
        "import sys, upheld.faces.client\n"
        "print([name for name in ('fastapi', 'starlette', 'uvicorn', 'typer') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


def test_calls_of_both_have_types_that_can_be_awaited_or_not(service: Running) -> None:
    """The two differ in nothing but the waiting."""
    call = AsyncClient(f"http://127.0.0.1:{service.port}").conversations()
    assert isinstance(call, Awaitable)
    assert asyncio.run(cast("Any", call)).conversations
