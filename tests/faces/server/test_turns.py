"""Turns over HTTP: told once, in order, all or none; amended; erased."""

from __future__ import annotations

import pytest

from .conftest import Client, Start, garden, observe


def test_a_turn_says_what_it_did_to_earlier_claims(client: Client) -> None:
    """Our promise: the answer comes when the turn is on the disk, and tells what became of what was there."""
    path = garden(client, "effects")
    told = client.tell(path, "ann", {"op": "revise", "target": "o1", "because": ["o2"]}, text="I misread the gauge.")
    assert told.status == 201
    assert (told.tree["turn"], told.tree["version"], told.tree["is_repeated"]) == ("T5", 11, False)
    assert told.tree["operations"] == [{"op": "revise", "target": "o1", "because": ["o2"]}]
    effects = {name: ids for name, ids in told.tree["effects"].items() if ids}
    assert effects == {"given_up": ["o1"], "lost": ["h1"], "thinned": ["c1"]}


def test_words_without_operations_are_read_and_an_empty_list_only_acknowledges(client: Client) -> None:
    """Our promise: the interpreter of the settings reads what comes as words alone."""
    path = client.begin("words")
    read = client.post(f"{path}/turns", {"speaker": "ann", "text": "The valve leaks."}).tree
    assert read["operations"] == [{"op": "observe", "id": "T1.1", "text": "The valve leaks."}]
    silent = client.post(f"{path}/turns", {"speaker": "ann", "text": "The valve leaks.", "operations": []}).tree
    assert silent["operations"] == []


def test_a_key_makes_a_retry_safe_and_is_good_for_one_turn_only(client: Client) -> None:
    """Our promise: the same key again is answered as the first time, whatever version was expected."""
    path = client.begin("keyed")
    sent = {"speaker": "ann", "operations": [observe("o1")], "expected_version": 1}
    first = client.post(f"{path}/turns", sent, idempotency_key="k1")
    again = client.post(f"{path}/turns", sent, idempotency_key="k1")
    assert (first.status, again.status, again.tree["is_repeated"]) == (201, 200, True)
    assert (first.tree["turn"], first.tree["version"]) == (again.tree["turn"], again.tree["version"])
    other = client.post(f"{path}/turns", sent | {"text": "Something else."}, idempotency_key="k1")
    assert (other.status, other.problem) == (409, "repeated-identity")
    assert len(client.get(f"{path}/turns").tree["turns"]) == 1


def test_a_version_that_is_not_the_one_found_is_a_conflict(client: Client) -> None:
    """RFC 9110, 409: the answer says which version was found, so that a client can read on from there."""
    path = client.begin("versions")
    assert client.tell(path, "ann", observe("o1"), expected_version=1).status == 201
    told = client.tell(path, "ben", observe("o2"), expected_version=1)
    assert (told.status, told.problem) == (409, "version-conflict")
    assert (told.tree["expected"], told.tree["found"]) == (1, 4)
    assert client.tell(path, "ben", observe("o2"), expected_version=4).status == 201


@pytest.mark.parametrize(
    ("wrong", "status", "problem", "key"),
    [
        ({"operations": [{"op": "sing"}]}, 422, "malformed-input", "operations[0].op"),
        ({"operations": [observe("o 1")]}, 422, "malformed-input", "operations[0].id"),
        ({"operations": [observe("o1", colour="red")]}, 422, "malformed-input", "operations[0].colour"),
        ({"operations": [{"op": "support", "target": "x9"}]}, 404, "unknown-reference", ""),
        ({"operations": [observe("o1", depends_on=["o1"])]}, 422, "self-support", ""),
        ({"speaker": ""}, 422, "malformed-input", ""),
        ({"text": 5}, 422, "malformed-input", ""),
        ({"text": "half \ud800 a sign"}, 422, "malformed-input", ""),
        ({"audience": "ben"}, 422, "malformed-input", ""),
        ({"mood": "bad"}, 422, "malformed-input", ""),
    ],
)
def test_a_turn_that_is_refused_changes_nothing(
    client: Client, name: str, wrong: dict[str, object], status: int, problem: str, key: str
) -> None:
    """Our promise: all of a turn or none, and the place of the mistake in the body."""
    path = client.begin(name)
    told = client.post(f"{path}/turns", {"speaker": "ann", **wrong})
    assert (told.status, told.problem, told.tree.get("key", "")) == (status, problem, key)
    assert client.get(path).tree["version"] == 1


def test_a_precondition_that_fails_is_named_with_its_operation(client: Client) -> None:
    """Semantics, section 4: the name of what failed is stable, and an interpreter is asked again with it."""
    path = client.begin("refusals")
    told = client.tell(path, "ann", observe("o1"), observe("o2", novel=True))
    assert (told.status, told.problem, told.tree["operation"]) == (422, "refused-turn", 1)
    assert told.tree["failure"] == "use_expand_awareness"


def test_a_batch_is_told_in_order_and_ends_where_a_turn_is_refused(client: Client) -> None:
    """Our promise: each turn has its result, and the first failure is said with how many were left."""
    path = client.begin("batch")
    turns = [
        {"speaker": "ann", "operations": [observe("o1")]},
        {"speaker": "ben", "operations": [{"op": "support", "target": "x9"}]},
        {"speaker": "ann", "operations": [observe("o3")]},
    ]
    told = client.post(f"{path}/turns/batch", {"turns": turns}, idempotency_key="b1").tree
    assert ([each["turn"] for each in told["turns"]], told["left"]) == (["T1"], 2)
    assert told["failure"]["type"] == "urn:upheld:problem:unknown-reference"
    turns[1] = {"speaker": "ben", "operations": [observe("o2")]}
    again = client.post(f"{path}/turns/batch", {"turns": turns}, idempotency_key="b1").tree
    assert [(each["turn"], each["is_repeated"]) for each in again["turns"]] == [
        ("T1", True),
        ("T2", False),
        ("T3", False),
    ]
    assert (again["failure"], again["left"], client.get(path).tree["turns"]) == (None, 0, 3)
    late = client.post(f"{path}/turns/batch", {"turns": turns, "expected_version": 1})
    assert late.problem == "version-conflict"
    assert client.post(f"{path}/turns/batch", {"turns": []}).problem == "malformed-input"


def test_turns_are_read_after_a_position_without_gap_or_repeat(client: Client) -> None:
    """Our promise: pages of turns in the order of the record, with their meaning of now."""
    path = garden(client, "reading")
    seen: list[tuple[int, str]] = []
    after = 0
    while page := client.get(f"{path}/turns?after={after}&limit=3").tree:
        seen += [(each["position"], each["id"]) for each in page["turns"]]
        if after == page["next"]:
            break
        after = page["next"]
    assert seen == [(2, "T1"), (4, "T2"), (6, "T3"), (8, "T4")]
    assert client.get(f"{path}/turns?after=-1").problem == "malformed-input"


def test_a_turn_may_have_a_name_of_the_callers_own(client: Client) -> None:
    """Our promise: a message's id in another system is a turn's id here, and is not given twice."""
    path = client.begin("named")
    assert client.tell(path, "ann", observe("o1"), id="msg-71").tree["turn"] == "msg-71"
    assert client.tell(path, "ann", observe("o2"), id="msg-71").problem == "repeated-identity"
    assert client.tell(path, "ann", observe("o2"), id="m 72").problem == "malformed-input"


def test_a_turn_is_given_another_meaning_unless_a_later_one_builds_on_the_first(client: Client) -> None:
    """Semantics, section 1: the newest interpretation counts, and the earlier one stays in the record."""
    path = garden(client, "amending")
    meant = {"operations": [observe("o9", "The left bed is wet.")], "by": "ann", "reason": "misheard"}
    held = client.post(f"{path}/turns/T2/amendments", {"operations": []})
    assert (held.status, held.problem, held.tree["reference"]) == (404, "unknown-reference", "o2"), "c1 rests on it"
    told = client.post(f"{path}/turns/T4/amendments", meant)
    assert (told.status, told.tree["operations"]) == (201, [meant["operations"][0]])
    turns = client.get(f"{path}/turns").tree["turns"]
    assert turns[3]["operations"] == meant["operations"]
    assert client.post(f"{path}/turns/T99/amendments", meant).problem == "unknown-reference"
    assert client.post(f"{path}/turns/T4/amendments", meant | {"expected_version": 2}).problem == "version-conflict"


def test_words_are_erased_with_a_reason_and_meaning_only_where_nothing_builds_on_it(client: Client) -> None:
    """Our promise: who spoke stays, the words are gone, and a conversation is never left that means nothing."""
    path = garden(client, "erasing")
    client.tell(path, "ann", observe("o5", "My number is 555."), text="My number is 555.")
    told = client.post(f"{path}/turns/T5/erasure", {"reason": "asked for", "by": "ann"})
    assert (told.status, told.tree["epoch"]) == (200, 12)
    turn = client.get(f"{path}/turns").tree["turns"][4]
    assert (turn["text"], turn["is_erased"], turn["speaker"]) == ("", True, "ann")
    assert client.post(f"{path}/turns/T5/erasure", {"reason": "again"}).tree["epoch"] is None
    assert client.post(f"{path}/turns/T5/erasure", {"reason": ""}).problem == "malformed-input"
    held = client.post(f"{path}/turns/T1/erasure", {"reason": "why not", "meaning": True})
    assert (held.status, held.problem) == (409, "still-needed")
    gone = client.post(f"{path}/turns/T5/erasure", {"reason": "asked for", "meaning": True})
    assert gone.status == 200
    assert b"555" not in client.get(f"{path}/turns").body + client.get(f"{path}/claims").body


def test_limits_of_a_turn_and_of_a_batch_are_those_of_the_settings(start: Start) -> None:
    """Our promise: over a stated limit is refused whole, and says which."""
    client = start(text_characters=10, operations_a_turn=2, turns_a_batch=2).client()
    path = client.begin("limits")
    for body in (
        {"speaker": "ann", "text": "x" * 11},
        {"speaker": "ann", "operations": [observe(f"o{number}") for number in range(3)]},
    ):
        told = client.post(f"{path}/turns", body)
        assert (told.status, told.problem) == (413, "limit-exceeded")
    batch = client.post(f"{path}/turns/batch", {"turns": [{"speaker": "ann"}] * 3})
    assert (batch.status, client.get(path).tree["turns"]) == (413, 0)
    assert client.post(f"{path}/verify", {"text": "x" * 11}).problem == "limit-exceeded"
