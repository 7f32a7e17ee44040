"""A conversation followed live: every entry once, in order, and soon."""

from __future__ import annotations

import json
import threading
import time
from itertools import islice
from typing import Any

from upheld import Conversation
from upheld.conversation.wiring import opened_store

from .conftest import Client, Start, garden, observe


def data(event: dict[str, str]) -> Any:
    """What an event tells."""
    return json.loads(event["data"])


def test_every_entry_is_an_event_and_a_turn_tells_what_it_did(client: Client) -> None:
    """Our promise: the id is the entry's number, and what fell stands with the act that made it fall."""
    path = garden(client, "told")
    client.tell(path, "ann", {"op": "revise", "target": "o1", "because": ["o2"]})
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o2"}, "by": "ben"})
    with client.stream(f"{path}/events") as events:
        seen = list(islice(events, 12))
    assert [int(each["id"]) for each in seen] == list(range(1, 13))
    assert [each["event"] for each in seen] == ["opening", *["words", "meaning"] * 5, "retraction"]
    revised, retracted = data(seen[10]), data(seen[11])
    assert (revised["turn"], revised["effects"]["given_up"], revised["effects"]["lost"]) == ("T5", ["o1"], ["h1"])
    assert revised["effects"]["thinned"] == ["c1"]
    assert (retracted["speaker"], retracted["effects"]["lost"]) == ("ben", ["c1"])
    assert data(seen[9])["speaker"] == "ann"


def test_a_stream_resumes_after_the_last_event_without_gap_or_repeat(client: Client) -> None:
    """HTML, server-sent events: Last-Event-ID; also between the words of a turn and their meaning."""
    path = garden(client, "resumed")
    seen: list[dict[str, str]] = []
    last = "0"
    for count in (1, 2, 3, 1, 2):
        with client.stream(f"{path}/events?after=7", last_event_id=last) as events:
            seen += islice(events, count)
            last = seen[-1]["id"]
    assert [int(each["id"]) for each in seen] == list(range(1, 10))
    meanings = [data(each) for each in seen if each["event"] == "meaning"]
    assert [each["turn"] for each in meanings] == ["T1", "T2", "T3", "T4"]
    assert all(each["effects"] is not None for each in meanings)
    with client.stream(f"{path}/events?after=8") as events:
        assert next(events)["id"] == "9"


def test_a_turn_is_seen_within_a_second_whoever_wrote_it(start: Start) -> None:
    """Our promise: also when another process wrote it."""
    running = start()
    client = running.client()
    path = garden(client, "soon")
    with client.stream(f"{path}/events?after=9") as events:
        begun = time.monotonic()
        client.tell(path, "ann", observe("o8"))
        assert [next(events)["event"], next(events)["event"]] == ["words", "meaning"]
        assert time.monotonic() - begun < 1
        with opened_store(running.house.settings.store) as store:
            begun = time.monotonic()
            Conversation(id="soon", store=store).observe("ben", "o9", "It rains elsewhere.")
            assert data(next(events))["speaker"] == "ben"
            assert time.monotonic() - begun < 1


def test_an_amendment_and_an_erasure_are_events_that_say_ask_again(client: Client) -> None:
    """Our promise: of these no effects are told, since what came after may stand otherwise too."""
    path = garden(client, "amended")
    client.post(f"{path}/turns/T4/amendments", {"operations": []})
    client.post(f"{path}/turns/T3/erasure", {"reason": "asked for"})
    with client.stream(f"{path}/events?after=9") as events:
        seen = list(islice(events, 2))
    assert [(each["event"], data(each)["effects"]) for each in seen] == [("amendment", None), ("erasure", None)]
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}})
    with client.stream(f"{path}/events?after=5") as events:
        seen = list(islice(events, 7))
    assert [each["event"] for each in seen][:2] == ["erased", "meaning"]
    assert data(seen[6])["effects"]["lost"] == ["h1"], "the place in the record is still known"


def test_silence_is_broken_by_a_comment_and_no_stream_outlives_its_reader(start: Start) -> None:
    """Our promise: a heartbeat keeps a connection open; a place that nobody listens at is free again."""
    running = start(heartbeat=0.6, most_live=1)
    client = running.client()
    path = client.begin("silent")
    with client.stream(f"{path}/events?after=1") as events:
        assert next(events) == {"comment": ""}
        told = client.get(f"{path}/events")
        assert (told.status, told.problem) == (503, "too-many-streams")
        assert told.headers["retry-after"] == "1"
    deadline = time.monotonic() + 5
    while running.house.audience.count:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    with client.stream(f"{path}/events") as events:
        assert next(events)["id"] == "1"


def test_streams_end_when_the_service_ends(start: Start) -> None:
    """Our promise: a listener does not hold up a stop."""
    running = start()
    client = running.client()
    path = client.begin("ending")
    with client.stream(f"{path}/events") as events:
        assert next(events)["event"] == "opening"
        begun = time.monotonic()
        stopping = threading.Thread(target=running.stop)
        stopping.start()
        assert list(events) == []
        stopping.join()
        assert time.monotonic() - begun < 5


def test_a_stream_that_cannot_begin_is_refused(client: Client) -> None:
    """Our promise: a wrong name or position is a problem, and no stream that stays silent."""
    assert client.get("/v1/conversations/nobody-began-it/events").problem == "unknown-conversation"
    path = client.begin("positions")
    assert client.get(f"{path}/events", last_event_id="x").problem == "malformed-input"
    assert client.get(f"{path}/events?after=-1").problem == "malformed-input"
    with client.stream(f"{path}/events?after=99") as events:
        client.tell(path, "ann", observe("o1"))
        assert next(events)["id"] == "2", "a position that is not there yet is the end"
