"""How answers are written: once, in the thread that found them, with the status that the endpoint chose."""

from __future__ import annotations

import gzip
import threading

import pytest
from fastapi import APIRouter, FastAPI, Response
from pydantic import BaseModel
from starlette.testclient import TestClient

from upheld.faces.server.answering import COMPRESSED_FROM, Route
from upheld.faces.server.models.verdicts import VerifyAnswer

from .conftest import Client, garden, observe


class Found(BaseModel):
    """An answer that names the thread that found it."""

    thread: int


def test_an_answer_keeps_its_model_in_the_description_and_its_status() -> None:
    """Our promise: whoever generates a client sees the same as before, and a chosen status counts."""
    router = APIRouter(route_class=Route)

    @router.post("/found", status_code=201)
    def found(response: Response, *, again: bool = False) -> Found:
        if again:
            response.status_code = 200
        return Found(thread=threading.get_ident())

    @router.get("/here")
    async def here() -> Found:
        return Found(thread=threading.get_ident())

    app = FastAPI()
    app.include_router(router)
    # One loop for all of it: the name of a thread that ended may be given to the next one.
    with TestClient(app) as client:
        first, second = client.post("/found"), client.post("/found?again=true")
        threads = {client.get("/here").json()["thread"] for _ in range(3)}
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.headers["content-type"] == "application/json"
    assert len(threads) == 1
    assert first.json()["thread"] not in threads
    described = app.openapi()["paths"]["/found"]["post"]["responses"]["201"]
    assert described["content"]["application/json"]["schema"]["$ref"].endswith("/Found")


def test_what_is_written_from_the_tree_fits_the_model(client: Client, name: str) -> None:
    """Our promise: the quick way through `verify` gives what is described, by ids and by words."""
    path = garden(client, name)
    by_id = client.post(f"{path}/verify", {"claims": [{"literal": "h1"}, {"literal": "~o1"}], "speaker": "bot"})
    by_words = client.post(f"{path}/verify", {"text": "The pump is off.", "speaker": "bot"})
    for told in (by_id, by_words):
        assert VerifyAnswer.model_validate_json(told.body).version == by_id.tree["version"]


def test_a_claim_is_judged_while_somebody_is_in_the_conversation(client: Client, name: str) -> None:
    """Our promise: the quick way is taken only where nothing is waited for; else the question waits its turn."""
    path = garden(client, name)
    answers: list[int] = []
    asking = [
        threading.Thread(
            target=lambda: answers.append(client.post(f"{path}/verify", {"claims": [{"literal": "h1"}]}).status)
        )
        for _ in range(8)
    ]
    telling = threading.Thread(
        target=lambda: [
            client.tell(path, "ann", {"op": "observe", "id": f"n{number}", "text": f"Bed {number} is dry."})
            for number in range(8)
        ]
    )
    for each in (telling, *asking):
        each.start()
    for each in (telling, *asking):
        each.join()
    assert answers == [200] * 8


def long_talk(client: Client, name: str) -> str:
    """A conversation whose answers are long; give its path."""
    path = client.begin(name, {"id": "ann"})
    spoken = [{"speaker": "ann", "operations": [observe(f"o{n}", f"Bed {n} is dry.")]} for n in range(40)]
    assert client.post(f"{path}/turns/batch", {"turns": spoken}).tree["left"] == 0
    return path


@pytest.mark.parametrize("what", ["history", "claims", "turns", "export"])
def test_a_long_answer_is_compressed_for_whoever_takes_it(client: Client, name: str, what: str) -> None:
    """Our promise: less on the way, and the same in the end."""
    path = long_talk(client, name)
    plain = client.get(f"{path}/{what}")
    compressed = client.get(f"{path}/{what}", accept_encoding="br, gzip")
    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(compressed.body) == plain.body
    assert len(compressed.body) < len(plain.body) / 2
    assert compressed.headers["content-type"] == plain.headers["content-type"]
    for told in (plain, compressed):
        assert (told.status, int(told.headers["content-length"])) == (200, len(told.body))
        assert "accept-encoding" in told.headers["vary"].lower()


def test_a_short_answer_and_one_to_what_was_sent_are_left_as_they_are(client: Client, name: str) -> None:
    """Our promise: compression costs a verdict nothing, however long it is, and a short answer is not made longer."""
    path = long_talk(client, name)
    short = client.get(f"{path}/history?after=40", accept_encoding="gzip")
    claims = [{"literal": f"o{n}"} for n in range(40)]
    judged = client.post(f"{path}/verify", {"claims": claims}, accept_encoding="gzip")
    assert len(short.body) < COMPRESSED_FROM < len(judged.body)
    for told in (short, judged):
        assert told.status == 200
        assert not {"content-encoding", "vary"} & told.headers.keys()
        assert told.tree


def test_a_stream_is_compressed_for_nobody(client: Client, name: str) -> None:
    """Our promise: an event arrives when it happens, whatever its listener takes."""
    path = long_talk(client, name)
    with client.stream(f"{path}/events", accept_encoding="gzip") as events:
        assert [next(events)["event"] for _ in range(3)] == ["opening", "words", "meaning"]
        client.tell(path, "ann", observe("o99"))
        heard = [next(events)["id"] for _ in range(80)]
    assert heard[-1] == "83"
