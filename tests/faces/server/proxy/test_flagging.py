"""What the proxy and the guardrail of a gateway put before a person, and to whom their verdicts are told."""

from __future__ import annotations

from typing import Any

import pytest

from ..conftest import Start
from ..test_guardrail import CORRECTED, answered, sent
from ..test_telemetry import Collector, attributes, collector, numbers
from .conftest import CALL, SOUND, STALE, Between, Stand, talk
from .upstream import Answer, Upstream
from .voices import REFUSED, VOICES, Reply

__all__ = ["collector"]

every_voice = pytest.mark.parametrize("voice", VOICES)


def queue(between: Between, conversation: str) -> list[Any]:
    """The flags of one conversation, as reviewers see them."""
    flags = between.running.client().get("/v1/queue?limit=1000").tree["flags"]
    return [each for each in flags if each["conversation"] == conversation]


@every_voice
def test_under_queue_a_stale_answer_is_held_back_and_waits_for_a_person_once(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """Issue 6, section 2: the answer does not leave, nor its calls, and reviewers see it with what was found."""

    def asked() -> Reply:
        upstream.says(Answer(parts=[STALE, CALL]))
        return VOICES[voice](between.url, talk(fresh), {"x-upheld-policy": "queue"}, True)

    replies = [asked() for _ in range(2)]
    for reply in replies:
        assert reply.text.startswith("Held back: ")
        assert "A person will look at it (F1)" in reply.text
        assert (reply.calls, reply.ended in REFUSED) == ([], True)
        assert (reply.upheld["action"], reply.upheld["flag"]) == ("queue", "F1")
    (flagged,) = queue(between, replies[0].upheld["conversation"])
    assert (flagged["id"], flagged["outcome"], flagged["reasons"]) == ("F1", "ungrounded", ["superseded"])
    got = between.running.client().get(f"/v1/conversations/{flagged['conversation']}/flags/F1").tree
    assert (got["text"].strip(), got["speaker"], got["by"]) == (STALE, "assistant", "proxy")
    assert [got["text"][slice(*claim["span"])] for claim in got["claims"]] == [STALE]


@every_voice
def test_a_wish_to_flag_holds_nothing_back(between: Between, upstream: Upstream, fresh: str, voice: str) -> None:
    """Issue 6, section 2: under annotate an ungrounded answer leaves, and is filed where that is wished."""
    for text, flag in ((SOUND, None), (STALE, "F1")):
        upstream.says(Answer(parts=[text]))
        reply = VOICES[voice](between.url, talk(f"{fresh} {flag}"), {"x-upheld-flag": "true"}, False)
        assert (reply.text, reply.upheld["flag"]) == (text, flag)
        assert [each["id"] for each in queue(between, reply.upheld["conversation"])] == ([flag] if flag else [])
        assert between.turns(reply.upheld["conversation"])[-1][1:] == ("assistant", text)


def test_the_flag_is_in_a_header_and_the_setting_is_for_all_requests(
    stand: Stand, upstream: Upstream, fresh: str
) -> None:
    """Our promise: the header of a request goes before the setting, and means true or false."""
    between = stand(proxy_flags=True)
    for headers, flag in (({}, "F1"), ({"x-upheld-flag": "false"}, None), ({"x-upheld-policy": "observe"}, "F1")):
        upstream.says(Answer(parts=[STALE]))
        messages = [{"role": "user", "content": f"{fresh} {headers}"}, *talk(fresh)]
        got = between.post("chat/completions", {"model": "m", "messages": messages}, **headers)
        assert (got.status, got.headers.get("x-upheld-flag")) == (200, flag)
    refused = between.post("chat/completions", {"model": "m", "messages": talk(fresh)}, **{"x-upheld-flag": "maybe"})
    assert (refused.status, "true or false" in refused.tree["error"]["message"]) == (400, True)


def test_a_span_in_a_flagged_stream_is_a_place_in_the_whole_text(
    between: Between, upstream: Upstream, fresh: str
) -> None:
    """Our promise: sentences are judged one by one, and reviewers see them where they stand."""
    upstream.says(Answer(parts=[f"{SOUND} {STALE} It comes on Monday."]))
    reply = VOICES["chat streamed"](between.url, talk(fresh), {"x-upheld-policy": "queue"}, False)
    assert reply.text.strip() == SOUND
    got = between.running.client().get(f"/v1/conversations/{reply.upheld['conversation']}/flags/F1").tree
    assert got["text"].strip() == f"{SOUND} {STALE}"
    assert [got["text"][slice(*claim["span"])].strip() for claim in got["claims"]] == [SOUND, STALE]


@every_voice
def test_verdicts_of_the_proxy_are_counted_and_told_to_whoever_listens(
    between: Between, upstream: Upstream, fresh: str, voice: str
) -> None:
    """Our promise (docs/how-to/operate-the-service.md): verdicts are counted wherever they are given."""
    client = between.running.client()
    name, counted = f"listened-{voice.replace(' ', '-')}", 'upheld_verdicts_total{outcome="ungrounded",reason='
    upstream.says(Answer(parts=[SOUND]), Answer(parts=[STALE]), Answer(parts=[SOUND]))
    headers = {"x-upheld-conversation": name}
    VOICES[voice](between.url, talk(fresh), headers, False)
    before = numbers(client.get("/metrics")).get(f'{counted}"superseded"}}', 0)
    with client.stream(f"/v1/conversations/{name}/events") as events:
        next(events)
        VOICES[voice](between.url, talk(fresh), headers | {"x-upheld-policy": "retry"}, False)
        told = [next(each for each in events if each.get("event") == "verdict")["data"] for _ in range(2)]
    assert ['"ungrounded"' in each for each in told] == [True, False], "that which was asked for again is told, too"
    assert numbers(client.get("/metrics"))[f'{counted}"superseded"}}'] == before + 1


def test_a_collector_is_told_the_id_of_the_answer_that_was_judged(
    stand: Stand, upstream: Upstream, fresh: str, collector: Collector
) -> None:
    """Semantic conventions for generative AI, gen_ai.evaluation.result: gen_ai.response.id is the upstream's own."""
    between = stand(telemetry="otlp")
    ids = list[str]()
    for path, said in (("chat/completions", "messages"), ("responses", "input"), ("messages", "messages")):
        upstream.says(Answer(parts=[STALE]))
        ids.append(between.post(path, {"model": "m", "max_tokens": 9, said: talk(f"{fresh} {path}")}).tree["id"])
    told = [attributes(collector.event(place)) for place in range(3)]
    assert [each["gen_ai.response.id"] for each in told] == ids
    assert {each["gen_ai.evaluation.score.label"] for each in told} == {"ungrounded"}
    between.running.stop()
    assert not any(b"Elm" in each for each in collector.raw)


def test_a_gateway_whose_policy_asks_a_person_is_told_the_flag(start: Start) -> None:
    """Issue 6, section 2: queue as the policy of the guardrail; the same answer again waits once."""
    client = start(guardrail="ask a person").client()
    answered(client, sent("request", litellm_trace_id="night", structured_messages=CORRECTED))
    for _ in range(2):
        text = "The cause of the outage is the Redis server."
        held = answered(client, sent("response", text, litellm_trace_id="night"))
        assert (held["action"], "a person will look at it: F1" in held["blocked_reason"]) == ("BLOCKED", True)
    (flagged,) = client.get("/v1/queue").tree["flags"]
    assert (flagged["conversation"], flagged["id"], flagged["outcome"]) == ("night", "F1", "ungrounded")
    seen = numbers(client.get("/metrics"))
    assert sum(count for name, count in seen.items() if 'verdicts_total{outcome="ungrounded"' in name) == 2
