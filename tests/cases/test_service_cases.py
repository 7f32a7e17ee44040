"""Cases from public threads that a service must get right, each under its id, over HTTP and on both stores."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from threading import Barrier

import pytest

from upheld.conversation.guard.guard import Guard
from upheld.conversation.guard.policy import GuardPolicy
from upheld.conversation.guard.verdict import Blocked
from upheld.faces.server.admission.keys import Role, new_key
from upheld.logic.language.verdicts import Outcome

from ..faces.server.conftest import Answer, Client, Running, observe, running_service
from ..faces.server.processes import own_database

MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
TENANTS, TURNS, WRITERS = (100, 100, 8) if MULTIPLIER >= 10 else (6, 8, 8)
PATIENCE = 60.0
TEXT_LIMIT = 400


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """An address of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('store')}/t.db"
    else:
        with own_database(request.getfixturevalue("postgres")) as address:
            yield address


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenants:
    """A service of many tenants: a client of each, and one without a key."""

    running: Running
    clients: Mapping[str, Client]


@pytest.fixture(scope="module")
def tenants(store: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[Tenants]:
    """Serve many tenants, each with a writer's key."""
    made = {f"t{number}": new_key(f"t{number}", Role.WRITER) for number in range(TENANTS)}
    path = tmp_path_factory.mktemp("keys") / "keys.toml"
    path.write_text("\n".join(["[keys]", *(each.line for each in made.values())]), "utf-8")
    flags = {"store": store, "tenants": True, "keys": path, "requests_a_minute": 0, "text_characters": TEXT_LIMIT}
    with running_service(**flags) as running:
        clients = {name: running.client(each.text) for name, each in made.items()}
        yield Tenants(running=running, clients=clients)


numbers = count()


@pytest.fixture
def path(tenants: Tenants) -> str:
    """A conversation of the first tenant's that no other test has."""
    return tenants.clients["t0"].begin(f"case-{next(numbers)}", {"id": "ann"}, {"id": "bot", "kind": "assistant"})


def at_once(client: Client, path: str, bodies: list[dict[str, object]]) -> list[Answer]:
    """Send turns, all in the same moment."""
    barrier = Barrier(len(bodies))

    def send(body: dict[str, object]) -> Answer:
        barrier.wait(PATIENCE)
        return client.post(f"{path}/turns", body)

    with ThreadPoolExecutor(len(bodies)) as threads:
        return list(threads.map(send, bodies))


def test_c28_twenty_concurrent_identical_adds_are_one_claim_with_twenty_turns(tenants: Tenants, path: str) -> None:
    """C-28 (mem0 #6515): no check-then-insert race, whoever comes in at the same time."""
    client = tenants.clients["t0"]
    same = observe("o1", "Ann lives in Porto.")
    told = at_once(client, path, [{"speaker": f"agent{number}", "operations": [same]} for number in range(20)])
    assert {answer.status for answer in told} == {201}
    assert len({answer.tree["turn"] for answer in told}) == 20
    claims = client.get(f"{path}/claims").tree["claims"]
    assert [claim["id"] for claim in claims] == ["o1"]
    turns = client.get(f"{path}/turns?limit=1000").tree["turns"]
    assert [turn["operations"][0]["id"] for turn in turns] == ["o1"] * 20


def test_c30_of_two_writers_on_one_version_one_gets_a_quiet_typed_conflict(
    tenants: Tenants, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    """C-30 (letta #3366): 409 with both versions, retryable, and no error with a traceback in the log."""
    client = tenants.clients["t0"]
    version = client.get(path).tree["version"]
    same = {"operations": [observe("o1", "Ann lives in Porto.")], "expected_version": version}
    told = at_once(client, path, [{"speaker": speaker, **same} for speaker in ("ann", "ben")])
    assert sorted(answer.status for answer in told) == [201, 409]
    (refused,) = (answer for answer in told if answer.status == 409)
    assert refused.problem == "version-conflict"
    assert (refused.tree["expected"], refused.tree["found"] > version) == (version, True)
    again = {"speaker": "ben", **same, "expected_version": refused.tree["found"]}
    assert client.post(f"{path}/turns", again).status == 201
    assert [record for record in caplog.records if record.levelno > logging.WARNING] == []


def test_c31_two_tenants_interleaved_see_exactly_their_own_hundred(tenants: Tenants) -> None:
    """C-31 (graphiti #1676): the same names on one service; nothing of one lands with the other."""
    names = ("t1", "t2")
    paths = {name: tenants.clients[name].begin("c31") for name in names}

    async def add_all() -> list[Answer]:
        return await asyncio.gather(
            *(
                asyncio.to_thread(
                    tenants.clients[name].tell, paths[name], "ann", observe(f"o{number}", f"{name}, {number}")
                )
                for number in range(100)
                for name in names
            )
        )

    assert {answer.status for answer in asyncio.run(add_all())} == {201}
    for name in names:
        claims = tenants.clients[name].get(f"{paths[name]}/claims?limit=1000").tree["claims"]
        assert sorted(claim["text"] for claim in claims) == sorted(f"{name}, {number}" for number in range(100))


def test_c32_what_one_wrote_nobody_else_reads_and_without_a_key_nothing_is_read(tenants: Tenants) -> None:
    """C-32 (adk-python #1019, Memori #136): whose it is counts on reading as on writing, and nobody is no one."""
    alice, bob, nobody = tenants.clients["t1"], tenants.clients["t2"], tenants.running.client()
    path = alice.begin("diary")
    told = alice.tell(path, "alice", observe("o1", "The spare key is under the blue pot."))
    assert told.status == 201
    asked = (path, f"{path}/turns", f"{path}/claims", f"{path}/export?form=json", f"{path}/events")
    assert {bob.get(each).problem for each in asked} == {"unknown-conversation"}
    assert bob.get("/v1/search?words=blue").tree["hits"] == []
    assert "diary" not in [each["id"] for each in bob.get("/v1/conversations").tree["conversations"]]
    assert {nobody.get(each).problem for each in (*asked, "/v1/search?words=blue", "/v1/conversations")} == {"no-key"}
    assert nobody.tell(path, "eve", observe("o2")).problem == "no-key"
    assert alice.get(path).tree["version"] == told.tree["version"]


def test_c41_nothing_of_a_stale_third_sentence_leaves_and_no_tool_of_the_turn_is_run(store: str) -> None:
    """C-41 (openai-agents #300, #495): in a conversation of a store; whoever awaits the call is told."""
    said = ("The parcel weighs two kilos. ", "It was sent on Monday. ", "It arrives on Tuesday. ", "All is well.")
    ran: list[str] = []

    async def reply() -> AsyncIterator[str]:
        for sentence in said:
            for at in range(0, len(sentence), 7):
                yield sentence[at : at + 7]

    async def refund() -> None:
        ran.append("refund")

    async def talked(guard: Guard) -> list[str]:
        stream, left = guard.stream(reply()), list[str]()
        try:
            async for sentence in stream:
                left.append(str(sentence))
        except Blocked:
            left.append("blocked")
        with pytest.raises(Blocked):
            await stream.hold(refund)
        return left

    with Guard.open(store, conversation="c41", policy=GuardPolicy(deadline=None)) as guard:
        talk = guard.conversation
        for number, sentence in enumerate(said[:3]):
            talk.observe("user", f"o{number}", sentence.strip())
        talk.retract("o2", reason="it was lost")
        left = asyncio.run(talked(guard))
    assert left == [*said[:2], "blocked"]
    assert ran == []


def test_c57_a_text_at_its_limit_is_judged_and_one_over_it_is_refused(tenants: Tenants, path: str) -> None:
    """C-57 (Azure 2238565): never a silent pass; before and at the limit the verdict is the same."""
    client = tenants.clients["t0"]
    claim = "The soil of the left bed is dry."
    assert client.tell(path, "ann", observe("o1", claim)).status == 201
    assert client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}, "by": "ann"}).status == 201
    padded = [" " * (length - len(claim)) + claim for length in (TEXT_LIMIT - 1, TEXT_LIMIT, TEXT_LIMIT + 1)]
    told = [client.post(f"{path}/verify", {"text": text, "speaker": "bot"}) for text in padded]
    assert [answer.status for answer in told] == [200, 200, 413]
    assert [answer.tree["outcome"] for answer in told[:2]] == [Outcome.UNGROUNDED.value] * 2
    assert told[2].problem == "limit-exceeded"
    words = {"speaker": "bot", "text": padded[2]}
    assert client.post(f"{path}/turns", words).problem == "limit-exceeded"


def test_many_tenants_with_many_writers_each_read_their_own_and_nothing_else(tenants: Tenants) -> None:
    """Our promise, at its size: 100 tenants of 100 turns by 8 writers (fewer without UPHELD_EXAMPLES=10)."""
    paths = {name: client.begin("same") for name, client in tenants.clients.items()}
    with ThreadPoolExecutor(WRITERS) as threads:

        def write(place: int) -> int:
            name, number = f"t{place % TENANTS}", place // TENANTS
            turn = observe(f"o{number}", f"Item {number} belongs to {name}.")
            return tenants.clients[name].tell(paths[name], f"w{place % WRITERS}", turn).status

        assert set(threads.map(write, range(TENANTS * TURNS))) == {201}
        for name in paths:
            turns = tenants.clients[name].get(f"{paths[name]}/turns?limit=1000").tree["turns"]
            texts = sorted(turn["operations"][0]["text"] for turn in turns)
            assert texts == sorted(f"Item {number} belongs to {name}." for number in range(TURNS))
