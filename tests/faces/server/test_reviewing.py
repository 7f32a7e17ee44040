"""The review queue over HTTP: what is flagged, decided, spoken about, erased and exported."""

from __future__ import annotations

import json
import threading
from typing import Any

from upheld.speech.formats.gold_tree import read_gold

from .conftest import Client, Keys, Start, garden, observe

DRY = "The soil of the left bed is dry."


def taken_back(client: Client, name: str) -> str:
    """Begin a talk in which o1 was taken back, and give its path."""
    path = garden(client, name)
    revise = {"op": "revise", "target": "o1", "because": ["o3"], "withdrawn": True}
    told = client.tell(path, "ben", observe("o3", "The probe of the left bed was broken."), revise)
    assert told.status == 201, told.body
    return path


def flag(client: Client, path: str, text: str = DRY, **more: Any) -> Any:
    """Flag a reply of the assistant, and give the answer's tree."""
    answer = client.post(f"{path}/flags", {"text": text, "speaker": "bot", **more})
    assert answer.status == 201, answer.body
    return answer.tree


def test_a_flag_has_what_was_found_and_the_two_turns_that_matter(client: Client, name: str) -> None:
    """Issue 6, section 2: the reply with its claims and spans, the reason in a line, and what it rests on."""
    path = taken_back(client, name)
    found = flag(client, path, note="A gardener asked.", by="ann")
    assert (found["id"], found["outcome"], found["reasons"]) == ("F1", "ungrounded", ["retracted"])
    assert (found["status"], found["assignee"], found["decision"]) == ("open", None, None)
    assert (found["turn"], found["version"], found["note"], found["by"]) == ("T5", 1, "A gardener asked.", "ann")
    assert DRY in found["line"]
    assert "T5" in found["line"]
    assert (found["rests_on"]["turn"], found["rests_on"]["speaker"]) == ("T1", "ann")
    assert found["rests_on"]["text"] == DRY
    assert (found["ended_by"]["turn"], found["ended_by"]["speaker"]) == ("T5", "ben")
    (claim,) = found["claims"]
    assert found["text"][slice(*claim["span"])] == claim["text"]
    assert claim["findings"][0]["literal"] == "o1"
    assert claim["findings"][0]["now"]["reason"] == claim["findings"][0]["reason"] == "retracted"
    assert client.get(f"{path}/flags/F1").tree == found


def test_what_was_judged_stays_when_the_talk_goes_on(client: Client, name: str) -> None:
    """Issue 6, section 2: as judged then, and how the literals stand now."""
    path = garden(client, name)
    found = flag(client, path)
    assert (found["outcome"], found["claims"][0]["findings"][0]["now"]["outcome"]) == ("grounded", "grounded")
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}, "by": "ann"})
    later = client.get(f"{path}/flags/F1").tree
    finding = later["claims"][0]["findings"][0]
    assert (later["outcome"], finding["outcome"], finding["now"]["reason"]) == ("grounded", "grounded", "retracted")
    assert (later["rests_on"]["turn"], later["ended_by"]) == ("T1", None)


def test_the_queue_is_of_all_conversations_with_the_worst_first(start: Start) -> None:
    """Issue 6, section 2: worst and newest first, in pages, by status and by assignee."""
    client = start().client()
    one, other = taken_back(client, "one"), taken_back(client, "other")
    flag(client, one, "Windmills are tall and lovely, are they not?")
    flag(client, one)
    flag(client, other)
    flag(client, one, "The soil of the right bed is dry.")
    listed = client.get("/v1/queue").tree
    assert [(each["conversation"], each["id"]) for each in listed["flags"]] == [
        ("other", "F1"), ("one", "F2"), ("one", "F1"), ("one", "F3"),
    ]  # fmt: skip
    assert listed["next"] is None
    paged, after = list[Any](), ""
    while after is not None:
        page = client.get(f"/v1/queue?limit=1&after={after}").tree
        paged, after = paged + page["flags"], page["next"]
    assert paged == listed["flags"]
    assert client.get("/v1/queue?after=nowhere").problem == "malformed-input"
    client.post(f"{one}/flags/F2/assignment", {"to": "carla", "by": "ann"})
    (hers,) = client.get("/v1/queue?assignee=carla").tree["flags"]
    assert (hers["id"], hers["status"], hers["assignee"]) == ("F2", "assigned", "carla")
    client.post(f"{one}/flags/F2/decision", {"outcome": "ungrounded", "by": "carla", "reason": "It is wet."})
    assert [each["decided"] for each in client.get("/v1/queue?status=decided").tree["flags"]] == ["ungrounded"]
    of_one = client.get(f"/v1/queue?status=all&conversation={listed['flags'][0]['conversation']}").tree["flags"]
    assert {each["conversation"] for each in of_one} == {listed["flags"][0]["conversation"]}
    assert client.get("/v1/queue?status=all&conversation=nobody-began-this").tree["flags"] == []
    assert len(client.get("/v1/queue").tree["flags"]) == 3
    assert len(client.get("/v1/queue?status=all").tree["flags"]) == 4


def test_a_decision_is_made_once_unless_the_version_that_was_seen_is_named(client: Client, name: str) -> None:
    """Issue 6, section 2: both decisions stay on record, and the later one counts."""
    path = taken_back(client, name)
    flag(client, path)
    decision = f"{path}/flags/F1/decision"
    first = client.post(decision, {"outcome": "ungrounded", "by": "ann"}).tree
    again = client.post(decision, {"outcome": "grounded", "by": "ben"})
    assert (again.status, again.problem, again.tree["found"]) == (409, "version-conflict", 2)
    late = client.post(decision, {"outcome": "grounded", "by": "ben", "expected_version": 1})
    assert late.problem == "version-conflict"
    claims = [{"span": [0, 31], "literals": ["o2"], "outcome": "grounded"}]
    body = {"outcome": "grounded", "by": "ben", "reason": "Both were meant.", "claims": claims}
    second = client.post(decision, {**body, "expected_version": first["version"]}).tree
    assert (second["decision"]["outcome"], second["decision"]["claims"][0]["literals"]) == ("grounded", ["o2"])
    assert [step["outcome"] for step in second["history"] if step["kind"] == "decision"] == ["ungrounded", "grounded"]


def test_a_correction_names_what_is_there(client: Client, name: str) -> None:
    """Our promise: bad input loses nothing, and the message says where it is."""
    path = taken_back(client, name)
    flag(client, path)
    decision = f"{path}/flags/F1/decision"
    for claim, problem, key in (
        ({"span": [0, 500], "literals": []}, "malformed-input", "claims[0].span"),
        ({"span": [5, 5], "literals": []}, "malformed-input", "claims[0].span"),
        ({"span": [0, 5], "literals": ["o99"]}, "unknown-reference", None),
    ):
        body = {"outcome": "grounded", "by": "ben", "claims": [{**claim, "outcome": "grounded"}]}
        refused = client.post(decision, body)
        assert (refused.problem, refused.tree.get("key")) == (problem, key)
    assert client.post(decision, {"outcome": "perhaps", "by": "ben"}).status == 422
    assert client.post(decision, {"outcome": "grounded", "by": "  "}).problem == "malformed-input"
    assert client.get(f"{path}/flags/F9").problem == "unknown-reference"
    assert client.post(f"{path}/flags/F9/comments", {"by": "ann", "text": "?"}).problem == "unknown-reference"
    assert client.post(f"{path}/flags", {"text": DRY, "speaker": "nobody"}).problem == "unknown-reference"
    assert client.get(f"{path}/flags/F1").tree["version"] == 1


def test_of_two_reviewers_at_once_one_is_told_that_the_other_was_first(client: Client, name: str) -> None:
    """Issue 6, section 2: nothing is decided twice in silence."""
    path = taken_back(client, name)
    flag(client, path)
    barrier, statuses = threading.Barrier(6), list[int]()

    def decide(number: int) -> None:
        barrier.wait()
        body = {"outcome": "ungrounded", "by": f"r{number}", "expected_version": 1}
        statuses.append(client.post(f"{path}/flags/F1/decision", body).status)

    threads = [threading.Thread(target=decide, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [201, *[409] * 5]
    assert client.get(f"{path}/flags/F1").tree["version"] == 2


def test_a_retry_by_its_key_is_the_first_try_again(client: Client, name: str) -> None:
    """Our promise: whoever got no answer sends the same again, and nothing is twice on record."""
    path = taken_back(client, name)
    body = {"text": DRY, "speaker": "bot"}
    first = client.post(f"{path}/flags", body, idempotency_key="a").tree
    client.tell(path, "ann", observe("o7"))
    assert client.post(f"{path}/flags", body, idempotency_key="a").tree == first
    assert (
        client.post(f"{path}/flags", {"text": "The pump is off."}, idempotency_key="a").problem == "repeated-identity"
    )
    for _ in range(2):
        said = client.post(f"{path}/flags/F1/comments", {"by": "ann", "text": "Look."}, idempotency_key="b").tree
        assert [step["text"] for step in said["comments"]] == ["Look."]
    other = client.post(f"{path}/flags/F1/comments", {"by": "ann", "text": "Other."}, idempotency_key="b")
    assert other.problem == "repeated-identity"
    for _ in range(2):
        assert (
            client.post(f"{path}/flags/F1/decision", {"outcome": "grounded", "by": "ann"}, idempotency_key="c").status
            == 201
        )
    assert client.get(f"{path}/flags/F1").tree["version"] == 3


def test_flags_change_no_claim_and_no_search(client: Client, name: str) -> None:
    """Issue 6, section 2: what people do about a reply is on record, and says nothing in the conversation."""
    path = taken_back(client, name)
    before = client.get(path).tree
    turns = client.get(f"{path}/turns").tree["turns"]
    found = client.get(f"/v1/search?words=soil&conversation={name}").tree
    assert found["hits"]
    flag(client, path)
    client.post(f"{path}/flags/F1/comments", {"by": "carla", "text": "The soil is wet."})
    after = client.get(path).tree
    assert after.pop("version") == before.pop("version") + 2
    assert after == before
    assert client.get(f"{path}/turns").tree["turns"] == turns
    assert client.get(f"/v1/search?words=soil&conversation={name}").tree == found
    assert client.tell(path, "ann", observe("o9")).tree["turn"] == "T6"


def test_verify_puts_what_is_not_grounded_before_a_person_where_it_is_asked_to(start: Start, keys: Keys) -> None:
    """Issue 6, section 2: a writer's key is needed, for something is put on record."""
    running = start(keys=str(keys.path), tenants=True)
    writer, reader = (running.client(keys.texts[f"acme/{role}"]) for role in ("writer", "reader"))
    path = taken_back(writer, "night")
    body = {"text": DRY, "speaker": "bot", "flag": True}
    refused = reader.post(f"{path}/verify", body)
    assert (refused.status, "writer" in refused.tree["detail"]) == (403, True)
    judged = writer.post(f"{path}/verify", body, idempotency_key="x").tree
    assert (judged["outcome"], judged["flag"]) == ("ungrounded", "F1")
    assert writer.post(f"{path}/verify", body, idempotency_key="x").tree["flag"] == "F1"
    shown = reader.get(f"{path}/flags/F1").tree
    assert [claim["span"] for claim in shown["claims"]] == [claim["span"] for claim in judged["claims"]]
    fine = writer.post(f"{path}/verify", {"text": "The soil of the right bed is dry.", "flag": True}).tree
    assert (fine["outcome"], fine["flag"]) == ("grounded", None)
    assert reader.post(f"{path}/verify", {"text": DRY}).tree["flag"] is None
    assert writer.post(f"{path}/verify", {"claims": [{"literal": "o1"}], "flag": True}).problem == "malformed-input"
    assert reader.post(f"{path}/flags/F1/comments", {"by": "ann", "text": "?"}).status == 403
    assert running.client(keys.texts["globex/reader"]).get("/v1/queue").tree["flags"] == []
    assert len(reader.get("/v1/queue").tree["flags"]) == 1


def test_the_words_of_a_flag_are_erased_and_its_decision_stays(start: Start) -> None:
    """Issue 6, section 2: a reply's text is what somebody said."""
    running = start()
    client = running.client()
    path = taken_back(client, "night")
    flag(client, path, note="secret note")
    client.post(f"{path}/flags/F1/comments", {"by": "carla", "text": "secret remark"})
    client.post(f"{path}/flags/F1/decision", {"outcome": "ungrounded", "by": "carla", "reason": "secret reason"})
    assert client.post(f"{path}/flags/F9/erasure", {"reason": "asked for"}).problem == "unknown-reference"
    done = client.post(f"{path}/flags/F1/erasure", {"reason": "asked for", "by": "carla"}).tree
    assert done["epoch"] == done["version"]
    assert client.post(f"{path}/flags/F1/erasure", {"reason": "asked for"}).tree["epoch"] is None
    shown = client.get(f"{path}/flags/F1").tree
    assert (shown["text"], shown["is_erased"], shown["decided"]) == ("", True, "ungrounded")
    assert shown["reasons"] == ["retracted"]
    assert "secret" not in json.dumps(shown)
    assert client.get("/v1/queue?status=decided").tree["flags"][0]["text"] == ""
    assert client.get("/v1/queue/export").body == b""
    assert client.get("/v1/search?words=soil").tree["unsearched"] == []
    assert client.tell(path, "ann", observe("o9")).status == 201


def test_what_people_decided_is_a_file_of_labels(start: Start) -> None:
    """Issue 6, section 2: gold items, that the readers of annotated transcripts take."""
    client = start().client()
    path = taken_back(client, "night")
    for _ in range(4):
        flag(client, path)
    decide = "{path}/flags/F{n}/decision"
    first_decision = {"outcome": "ungrounded", "by": "ann", "reason": "The probe was broken."}
    client.post(decide.format(path=path, n=1), first_decision)
    claims = [{"span": [0, 31], "literals": ["o2"], "outcome": "grounded", "stance": "reports"}]
    client.post(decide.format(path=path, n=2), {"outcome": "grounded", "by": "ben", "claims": claims})
    client.post(decide.format(path=path, n=3), {"outcome": "could_not_tell", "by": "ben"})
    answer = client.get("/v1/queue/export")
    assert answer.headers["content-type"].startswith("application/jsonl")
    items = {item["id"]: item for item in map(json.loads, answer.body.decode().splitlines())}
    assert {id: item["label"] for id, item in items.items()} == {
        "night/F1": "ungrounded", "night/F2": "grounded", "night/F3": "abstain",
    }  # fmt: skip
    first, second = items["night/F1"], items["night/F2"]
    assert (first["text"], first["at"], first["speaker"], first["rests_on"]) == (DRY, "T5", "bot", ["o1"])
    assert (first["why"], first["claims"][0]["outcome"]) == ("The probe was broken.", "ungrounded")
    assert (second["rests_on"], second["stance"]) == (["o2"], "reports")
    gold = read_gold({"verify": list(items.values())})
    assert [item.label.value for item in gold.verify] == [item["label"] for item in items.values()]


def test_a_page_that_follows_is_told_of_every_step(client: Client, name: str) -> None:
    """Issue 6, section 2: a live page sees what others do about a flag."""
    path = taken_back(client, name)
    version = client.get(path).tree["version"]
    flag(client, path, by="ann")
    client.post(f"{path}/flags/F1/assignment", {"to": "carla", "by": "ann"})
    client.post(f"{path}/flags/F1/comments", {"by": "carla", "text": "Hm."})
    client.post(f"{path}/flags/F1/decision", {"outcome": "ungrounded", "by": "carla"})
    with client.stream(f"{path}/events?after={version}") as events:
        told = [json.loads(next(events)["data"]) for _ in range(4)]
    assert [(each["kind"], each["speaker"], each["effects"]) for each in told] == [
        ("flag", "ann", None), ("assignment", "ann", None), ("comment", "carla", None), ("decision", "carla", None),
    ]  # fmt: skip


def test_secrets_are_taken_out_before_a_flag_is_filed(start: Start) -> None:
    """Our promise: the reply's text is redacted like turns, and its claims are found in what is left."""
    client = start(redact=True).client()
    path = taken_back(client, "night")
    found = flag(client, path, f"Write to ann@example.org. {DRY}", note="from ann@example.org")
    said = client.post(f"{path}/flags/F1/comments", {"by": "ann", "text": "ann@example.org asked"}).tree
    assert "example.org" not in json.dumps([found, said])
    claim = next(claim for claim in found["claims"] if claim["findings"])
    start_at, end = claim["span"]
    assert found["text"][start_at:end] == claim["text"]
