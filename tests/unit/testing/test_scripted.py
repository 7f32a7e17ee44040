"""The scripted language model and the scripted server keep to their scripts."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from upheld.errors import UnusableReply
from upheld.speech.models.reply import Reply, Usage
from upheld.testing.language_model_contract import REQUESTS
from upheld.testing.scripted_acts import Fails, Hangs, Says, Waits
from upheld.testing.scripted_model import ScriptedModel
from upheld.testing.scripted_server import ScriptedServer


def posted(server: ScriptedServer, **body: Any) -> bytes:
    """Send a request with nothing but the standard library, and give what comes."""
    body = {"model": "m", "messages": [{"role": "user", "content": "two words"}], **body}
    request = urllib.request.Request(
        f"{server.base_url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.read()


def test_a_scripted_model_says_its_lines_in_order() -> None:
    """Our promise: a text, an object, a whole reply, a failure."""
    llm = ScriptedModel(["one", {"a": 1}, Reply(text="three", answered_by="x"), UnusableReply("four")])
    assert [llm.ask(request).text for request in REQUESTS[:3]] == ["one", '{"a": 1}', "three"]
    with pytest.raises(UnusableReply):
        llm.ask(REQUESTS[3])
    with pytest.raises(AssertionError, match="4 lines"):
        llm.ask(REQUESTS[4])
    assert llm.asked == REQUESTS[:5]


def test_a_completion_and_a_stream_say_the_same() -> None:
    """Demanded by the OpenAI chat protocol: the pieces of a stream make up the text, and [DONE] ends it."""
    text = " two  spaces\n and 🚆 "
    with ScriptedServer(lambda _: text) as server:
        whole = json.loads(posted(server))
        streamed = posted(server, stream=True, stream_options={"include_usage": True}).decode()
        events = [line.removeprefix("data: ") for line in streamed.split("\n\n") if line]
    assert whole["choices"][0]["message"]["content"] == text
    assert events[-1] == "[DONE]"
    chunks = [json.loads(event) for event in events[:-1]]
    pieces = [choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"]]
    assert "".join(pieces) == text
    assert chunks[-1]["usage"] == whole["usage"]
    assert server.usage == Usage(calls=2, input_tokens=4, output_tokens=8)


@pytest.mark.parametrize("stream", [False, True])
def test_a_cut_answer_is_no_whole_one_and_its_tokens_are_not_reported(stream: bool) -> None:
    """The issue, section 6.1: cut stream. A client can tell, since the protocol says how much is to come."""
    with ScriptedServer([Says(text="some words that break off", cut_after=0.5)]) as server:
        with pytest.raises(http.client.IncompleteRead):
            posted(server, stream=stream)
        assert server.usage == Usage(calls=1)


def test_the_server_lists_its_language_model() -> None:
    """Demanded by the OpenAI protocol: clients look here to see whether anybody is there."""
    with ScriptedServer() as server, urllib.request.urlopen(f"{server.base_url}/models", timeout=10) as response:
        assert json.loads(response.read())["data"][0]["id"] == "scripted"


@pytest.mark.parametrize("path", ["/v1/responses", "/chat/completions"])
def test_nothing_else_is_there(path: str) -> None:
    """C-37: a server that offers chat completions only."""
    with ScriptedServer(["x"]) as server:
        address = server.base_url.removesuffix("/v1") + path
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(urllib.request.Request(address, b"{}"), timeout=10)
        caught.value.close()
    assert caught.value.code == 404
    assert server.received == ()


def test_a_script_that_is_used_up_says_so() -> None:
    """Our promise: a test that asks too often hears of it, and not as something that may pass."""
    with ScriptedServer(["x"]) as server:
        posted(server)
        with pytest.raises(urllib.error.HTTPError) as caught:
            posted(server)
        caught.value.close()
    assert caught.value.code == 403


def test_an_error_carries_its_headers() -> None:
    """The issue, section 6.1: 429 with Retry-After."""
    with ScriptedServer([Fails(status=429, headers={"Retry-After": "2"})]) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            posted(server)
        caught.value.close()
    assert caught.value.headers["Retry-After"] == "2"


def test_closing_does_not_wait_for_the_slow() -> None:
    """Our promise: a test that has seen enough ends at once, whoever is still being answered."""
    with ThreadPoolExecutor(1) as pool:
        with ScriptedServer([Waits(seconds=3600, then=Hangs())]) as server:
            waiting = pool.submit(posted, server)
            while not server.received:
                pass
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            waiting.result(timeout=10)


def test_lines_are_used_once_over_all_threads() -> None:
    """Our promise: requests at once get different lines, and all are counted."""
    with ScriptedServer([str(place) for place in range(20)]) as server:
        with ThreadPoolExecutor(8) as pool:
            answers = list(map(json.loads, pool.map(posted, [server] * 20)))
        said = {answer["choices"][0]["message"]["content"] for answer in answers}
    assert said == {str(place) for place in range(20)}
    assert server.usage == Usage(calls=20, input_tokens=40, output_tokens=20)
