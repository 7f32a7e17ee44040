"""What goes to the upstream, what comes back untouched, and what becomes of failures on either side."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import openai
import pytest

from upheld.errors import StoreError
from upheld.faces.server.house import House

from ..conftest import Keys, Start
from .conftest import SOUND, STALE, TALK, Between, Stand, talk
from .upstream import Answer, Upstream, events_in
from .voices import STREAMED, VOICES, WHOLE

ASKED: dict[str, Any] = {"model": "scripted", "messages": [{"role": "user", "content": "Is it?"}]}
PATHS = ("chat/completions", "responses", "messages")

every_path = pytest.mark.parametrize("path", PATHS)


def body_of(path: str, **more: Any) -> dict[str, Any]:
    """A request of each interface."""
    name = "input" if path == "responses" else "messages"
    return {"model": "scripted", name: ASKED["messages"], **more}


def test_any_other_path_goes_through_untouched(between: Between, upstream: Upstream) -> None:
    """Our promise: bytes, query and headers of other paths are the upstream's own, both ways."""
    upstream.says(
        Answer(status=201, body=b"\x00raw", headers={"Content-Type": "audio/mpeg", "X-Request-Id": "r1"}),
        Answer(body=b'{"data": []}'),
        Answer(body=b'{"data": []}'),
        Answer(body=b'{"input_tokens": 3}'),
        Answer(body=b'{"deleted": true}'),
    )
    got = between.post("audio/speech?a=%2F&b", b"\x01\x02", content_type="application/x-own", x_own="kept")
    assert (got.status, got.body, got.headers["content-type"]) == (201, b"\x00raw", "audio/mpeg")
    assert got.headers["x-request-id"] == "r1"
    with between.openai() as client:
        assert client.models.list().data == []
    with between.anthropic() as client:
        assert client.models.list().data == []
        counted = client.messages.count_tokens(model="scripted", messages=ASKED["messages"])
        assert counted.input_tokens == 3
    with between.openai() as client:
        client.files.delete("file/1")
    first, models, others, tokens, deleted = upstream.asked
    assert (first.path, first.raw) == ("/v1/audio/speech?a=%2F&b", b"\x01\x02")
    assert (first.headers["content-type"], first.headers["x-own"]) == ("application/x-own", "kept")
    assert (models.path, models.headers["authorization"]) == ("/v1/models", "Bearer sk-vendor")
    assert (others.path, "anthropic-version" in others.headers) == ("/v1/models", True)
    assert tokens.path == "/v1/messages/count_tokens"
    assert (deleted.method, deleted.path) == ("DELETE", "/v1/files/file%2F1")


@every_path
def test_what_the_proxy_cannot_read_is_the_upstreams_to_refuse(between: Between, upstream: Upstream, path: str) -> None:
    """Our promise: a body that is none goes on as it is."""
    upstream.says(Answer(status=400, body=b"no"))
    got = between.post(path, b"{nonsense", content_type="application/json")
    assert (got.status, got.body, upstream.asked[0].raw) == (400, b"no", b"{nonsense")


def test_the_keys_of_the_service_go_no_further_and_those_of_the_vendor_do(
    start: Start, upstream: Upstream, keys: Keys, caplog: pytest.LogCaptureFixture
) -> None:
    """Our promise: one key opens the service, another the upstream, and the log has neither."""
    addresses = {"upstream_openai": f"{upstream.address}/v1", "upstream_anthropic": upstream.address}
    between = Between(running=start(tenants=True, keys=keys.path, **addresses))
    own = keys.texts["acme/writer"]
    upstream.says("Fine.", "Fine.", "Fine.", Answer(body=b"{}"))
    with caplog.at_level(logging.DEBUG, "upheld"):
        with between.openai(default_headers={"x-upheld-key": own}) as client:
            client.chat.completions.create(**ASKED)
        both = {"authorization": f"Bearer {own}", "x_api_key": "sk-vendor"}
        assert between.post("messages", body_of("messages", max_tokens=9), **both).status == 200
        assert between.post("chat/completions", ASKED, authorization=f"Bearer {own}").status == 200
        assert between.post("embeddings", {"input": "a"}, x_upheld_key=own, x_api_key=own).status == 200
    first, second, third, fourth = upstream.asked
    assert first.headers["authorization"] == "Bearer sk-vendor"
    assert second.headers["x-api-key"] == "sk-vendor"
    for each in (first, second, third, fourth):
        assert own not in str(each.headers)
        assert not [name for name in each.headers if name.startswith("x-upheld")]
    assert own not in caplog.text
    assert "sk-vendor" not in caplog.text

    with between.openai() as client, pytest.raises(openai.AuthenticationError):
        client.chat.completions.create(**ASKED)
    refused = between.post("chat/completions", ASKED, x_upheld_key=keys.texts["acme/reader"])
    assert refused.status == 403
    assert between.post("chat/completions", ASKED, x_upheld_key="upheld_acme_guess").status == 401
    assert len(upstream.asked) == 4


@pytest.mark.parametrize("voice", VOICES)
def test_a_refusal_of_the_upstream_reaches_the_client_as_it_is(
    between: Between, upstream: Upstream, voice: str
) -> None:
    """Our promise: status, body and headers of an error are the vendor's, so that clients raise what they always do."""
    error = {"type": "error", "error": {"type": "rate_limit_error", "message": "slowly", "code": "rate"}}
    upstream.says(Answer(status=429, body=json.dumps(error).encode(), headers={"Retry-After": "7"}))
    with pytest.raises((openai.RateLimitError, anthropic.RateLimitError)) as caught:
        VOICES[voice](between.url, ASKED["messages"], {}, False)
    raised: Any = caught.value
    assert (raised.response.headers["retry-after"], raised.response.status_code) == ("7", 429)
    assert raised.response.json() == error


@every_path
def test_an_upstream_that_is_away_or_silent_is_told_in_the_words_of_the_interface(
    stand: Stand, upstream: Upstream, path: str
) -> None:
    """Our promise: 502 and 504, in the form that the client knows."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        away = f"http://127.0.0.1:{closed.getsockname()[1]}"
    nowhere = stand(upstream_openai=away, upstream_anthropic=away)
    silent = stand(upstream_seconds=0.2)
    upstream.says(Answer(is_silent=True), Answer(is_silent=True))
    for where, status in ((nowhere, 502), (silent, 504)):
        for more in ({}, {"stream": True}):
            got = where.post(path, body_of(path, **more))
            assert got.status == status
            assert got.tree["error"]["message"].startswith("the upstream ")
            assert got.tree.get("type") == ("error" if path == "messages" else None)
    assert nowhere.post("embeddings", {}).status == 502


@pytest.mark.parametrize("policy", ["annotate", "block"])
@every_path
def test_a_stream_that_breaks_off_ends_with_an_error(
    between: Between, upstream: Upstream, path: str, policy: str
) -> None:
    """Our promise: a stream that is not whole does not look as if it were."""
    upstream.says(Answer(parts=["The parcel is packed. It is on its way. " * 3], breaks=9))
    got = between.post(path, body_of(path, stream=True), x_upheld_policy=policy)
    name, last = events_in(got.body)[-1]
    assert got.status == 200
    if path == "chat/completions":
        assert "error" in last
    else:
        assert (name, last["type"]) == ("error", "error")
    assert "[DONE]" not in got.body.decode()


@pytest.mark.parametrize("voice", STREAMED)
def test_an_error_in_a_stream_is_raised_by_the_client(between: Between, upstream: Upstream, voice: str) -> None:
    """Our promise: the error that we write is one that the vendor's client knows."""
    upstream.says(Answer(parts=["The parcel is packed. It is on its way. " * 3], breaks=9))
    with pytest.raises((openai.APIError, anthropic.APIError, RuntimeError)):
        STREAMED[voice](between.url, ASKED["messages"], {"x-upheld-policy": "block"}, False)


def test_a_client_that_goes_ends_the_request_to_the_upstream(between: Between, upstream: Upstream) -> None:
    """Our promise: nobody pays for an answer that nobody waits for; whole and streamed, held back or not."""
    for more, answer in (
        ({}, Answer(is_silent=True)),
        ({"stream": True}, Answer(parts=["The parcel is packed. " * 9], hangs=12)),
    ):
        for policy in ("annotate", "block", "retry"):
            upstream.says(answer)
            connection = http.client.HTTPConnection("127.0.0.1", between.running.port, timeout=5)
            headers = {"content-type": "application/json", "x-upheld-policy": policy}
            connection.request("POST", "/proxy/v1/chat/completions", json.dumps({**ASKED, **more}), headers)
            assert connection.sock is not None
            if more and policy != "retry":
                connection.getresponse().read(20)
            else:
                wait_for(lambda: bool(upstream.asked))
            connection.sock.shutdown(socket.SHUT_RDWR)
            connection.close()
            assert upstream.gone.wait(5), (more, policy)


def test_a_sentence_leaves_as_soon_as_the_next_one_begins(between: Between, upstream: Upstream) -> None:
    """Our promise: no more is held back than one sentence; under annotate nothing is."""
    text = "The parcel is packed. It is on its way. " * 3
    for policy, least in (("block", "The parcel is packed. "), ("annotate", "The parcel is packed. It i")):
        upstream.says(Answer(parts=[text], hangs=6))
        connection = http.client.HTTPConnection("127.0.0.1", between.running.port, timeout=5)
        headers = {"content-type": "application/json", "x-upheld-policy": policy}
        body = json.dumps({**ASKED, "stream": True})
        connection.request("POST", "/proxy/v1/chat/completions", body, headers)
        response = connection.getresponse()
        seen = ""
        while not seen.startswith(least):
            line = response.readline().decode().removeprefix("data: ").strip()
            seen += json.loads(line)["choices"][0]["delta"].get("content") or "" if line else ""
        connection.close()
        assert upstream.gone.wait(5)


@pytest.fixture(scope="module")
def broken(stand: Stand) -> Iterator[tuple[Between, Between]]:
    """Two services whose store is gone: one lets pass what it could not check, one refuses it."""
    away = StoreError("the disk is gone")
    both = stand(), stand(when_unchecked="block")
    with pytest.MonkeyPatch.context() as patch:
        for each in both:
            break_store(each.running.house, away, patch)
        yield both


@pytest.mark.parametrize("voice", VOICES)
def test_what_could_not_be_checked_passes_and_says_so_or_is_refused(
    broken: tuple[Between, Between], upstream: Upstream, voice: str
) -> None:
    """Our promise: a fault of ours costs nobody an answer, unless the settings say that it shall."""
    lenient, strict = broken
    upstream.says(SOUND, SOUND, SOUND)
    passed = VOICES[voice](lenient.url, list(TALK), {"x-upheld-policy": "block"}, False)
    assert (passed.text, passed.upheld["outcome"]) == (SOUND, "could_not_check")
    assert passed.upheld["could_not_check"] == "StoreError"
    annotated = VOICES[voice](strict.url, list(TALK), {"x-upheld-policy": "annotate"}, False)
    assert (annotated.text, annotated.upheld["outcome"]) == (SOUND, "could_not_check")
    refused = VOICES[voice](strict.url, list(TALK), {"x-upheld-policy": "block"}, False)
    assert refused.text == "Held back: this answer could not be checked against the conversation."


def break_store(house: House, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a service's conversations fail as they do when the store is gone."""

    def failing(_: str) -> Any:
        raise error

    monkeypatch.setattr(house.tenancy, "host", failing)


def test_each_of_several_choices_is_judged(between: Between, upstream: Upstream, fresh: str) -> None:
    """Our promise: n above 1 is no way around; which choice was taken is told by the next request."""
    answer = Answer(choices=[STALE, SOUND])
    for policy in ("block", "annotate"):
        upstream.says(answer, answer)
        given = {"model": "scripted", "n": 2, "messages": talk(f"{fresh} {policy}")}
        with between.openai(default_headers={"x-upheld-policy": policy}) as client:
            whole = client.chat.completions.create(**given)
            texts = ["", ""]
            ends: list[str | None] = [None, None]
            for chunk in client.chat.completions.create(stream=True, **given):
                for choice in chunk.choices:
                    texts[choice.index] += choice.delta.content or ""
                    ends[choice.index] = choice.finish_reason or ends[choice.index]
        assert [each.message.content for each in whole.choices][1] == SOUND == texts[1]
        if policy == "block":
            assert whole.choices[0].message.content.startswith("Held back: ")
            assert texts[0].startswith("Held back: ")
            assert ends == ["content_filter", "stop"]
        else:
            assert (texts, ends) == ([STALE, SOUND], ["stop", "stop"])
        assert "superseded" in whole.upheld["reasons"]
        assert len(between.turns(whole.upheld["conversation"])) == 5


def test_the_log_has_a_line_for_each_answer_and_nothing_of_what_was_said(
    between: Between, upstream: Upstream, fresh: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Our promise: whoever observes finds conversation, outcome and reasons in the log, and no word of anybody."""
    upstream.says(STALE)
    headers = {"x_upheld_policy": "observe"}
    with caplog.at_level(logging.INFO, "upheld.server.proxy"):
        got = between.post("chat/completions", {"model": "scripted", "messages": talk(fresh)}, **headers)
    lines = [each.getMessage() for each in caplog.records if each.name == "upheld.server.proxy"]
    conversation = got.headers["x-upheld-conversation"]
    assert lines == [
        f"conversation={conversation} policy=observe action=observe outcome=ungrounded reasons=superseded attempts=1"
    ]
    assert "Street" not in caplog.text


def test_a_policy_that_there_is_not_is_refused_before_anything_is_sent(between: Between, upstream: Upstream) -> None:
    """Our promise: a typing error must not turn a check off."""
    upstream.says()
    got = between.post("messages", body_of("messages"), x_upheld_policy="blok")
    assert (got.status, got.tree["error"]["type"]) == (400, "invalid_request_error")
    assert between.post("responses", body_of("responses"), x_upheld_conversation="n" * 201).status == 400
    assert upstream.asked == []


@pytest.mark.parametrize("voice", WHOLE)
def test_a_long_history_with_parts_that_are_no_words_passes(between: Between, upstream: Upstream, voice: str) -> None:
    """Our promise: pictures are nobody's claims, and go on as they are."""
    kinds = {"messages": "image", "async": "image", "responses": "input_image", "chat": "image_url"}
    source = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
    value: Any = {"image": source, "input_image": "data:,", "image_url": {"url": "data:,"}}[kinds[voice]]
    name = "source" if kinds[voice] == "image" else "image_url"
    kind = "input_text" if voice == "responses" else "text"
    content = [{"type": kind, "text": "What is this?"}, {"type": kinds[voice], name: value}]
    upstream.says("A picture.")
    reply = WHOLE[voice](between.url, [{"role": "user", "content": content}], {}, False)
    assert (reply.text, reply.upheld["action"]) == ("A picture.", "pass")
    sent = upstream.asked[0].body
    assert sent.get("messages", sent.get("input", []))[-1]["content"] == content


def wait_for(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    for _ in range(500):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError
