"""What is taken back, verified, supposed and explained over HTTP: the answers are those of the library."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from upheld import Conversation
from upheld.conversation.wiring import opened_store

from .conftest import Client, Start, garden, observe

RETRACT: dict[str, Any] = {"act": "retract", "target": "o1"}


def test_each_way_of_taking_back_says_what_fell_was_thinned_and_came_back(client: Client) -> None:
    """Semantics, section 2: retract, falsify, withdraw and supersede are four acts, each on record."""
    path = garden(client, "retracting")
    told = client.post(f"{path}/retractions", {"change": RETRACT, "by": "ann", "reason": "a broken gauge"})
    assert told.status == 201
    delta = told.tree["delta"]
    assert delta["lost"] == [{"id": "h1", "effect": "lost", "path": ["o1", "h1"]}]
    assert [each["id"] for each in delta["thinned"]] == ["c1"]
    withdrawn = client.post(f"{path}/retractions", {"change": {"act": "withdraw", "source": "T2"}}).tree
    assert [each["id"] for each in withdrawn["delta"]["lost"]] == ["c1"]
    client.tell(path, "ann", observe("o3"), observe("o4"))
    replaced = client.post(f"{path}/retractions", {"change": {"act": "supersede", "older": "o3", "newer": "o4"}})
    denied = client.post(f"{path}/retractions", {"change": {"act": "falsify", "target": "o4"}})
    assert (replaced.status, denied.status) == (201, 201)
    claims = {each["id"]: each["lifecycle"] for each in client.get(f"{path}/claims").tree["claims"]}
    assert (claims["o1"], claims["o3"]) == ("retracted", "superseded")


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        ({"change": {"act": "retract", "target": "x9"}}, 404, "unknown-reference"),
        ({"change": {"act": "withdraw", "source": "T99"}}, 404, "unknown-reference"),
        ({"change": {"act": "forget", "target": "o1"}}, 422, "malformed-input"),
        ({"change": {"act": "retract", "older": "o1"}}, 422, "malformed-input"),
        ({"change": RETRACT, "expected_version": 3}, 409, "version-conflict"),
        ({}, 422, "malformed-input"),
    ],
)
def test_a_retraction_of_nothing_is_refused(client: Client, name: str, body: object, status: int, problem: str) -> None:
    """Our promise: a refused act leaves no entry."""
    path = garden(client, name)
    told = client.post(f"{path}/retractions", body)
    assert (told.status, told.problem, client.get(path).tree["version"]) == (status, problem, 9)


def test_a_text_is_verified_claim_by_claim_with_its_place_and_what_would_restore_it(client: Client) -> None:
    """Semantics, section 11: spans, reasons, grounds down to the turns."""
    path = garden(client, "verifying")
    said = "The soil of the left bed is dry. The soil of the right bed is dry."
    good = client.post(f"{path}/verify", {"text": said, "speaker": "bot"}).tree
    assert (good["outcome"], good["version"]) == ("grounded", 9)
    assert [said[slice(*each["span"])] for each in good["claims"]] == [said[:32], said[33:]]
    assert good["claims"][0]["findings"][0]["grounds"][0]["turn"] == "T1"
    client.post(f"{path}/retractions", {"change": RETRACT})
    bad = client.post(f"{path}/verify", {"text": said, "speaker": "bot"}).tree
    assert (bad["outcome"], bad["reasons"]) == ("ungrounded", ["retracted"])
    assert bad["claims"][0]["findings"][0]["restored_if"]
    earlier = client.post(f"{path}/verify", {"text": said, "at": "T4"}).tree
    assert earlier["outcome"] == "grounded"


def test_what_could_not_be_checked_is_an_outcome_of_its_own(client: Client) -> None:
    """Semantics, section 11: never silently grounded, and no error either."""
    path = garden(client, "abstaining")
    told = client.post(f"{path}/verify", {"text": "Hm, well. Thanks a lot!"}).tree
    assert (told["outcome"], told["reasons"]) == ("abstain", [])
    assert told["abstained"]


def test_claims_are_verified_by_their_ids_each_with_a_finding(client: Client) -> None:
    """Semantics, section 6: stance and modality are the caller's; what nobody said is unknown."""
    path = garden(client, "literals")
    claims = [{"literal": "o1"}, {"literal": "~o2", "stance": "denies"}, {"literal": "h1"}, {"literal": "x9"}]
    told = client.post(f"{path}/verify", {"claims": claims}).tree
    assert told["outcome"] == "ungrounded"
    assert [each["reason"] for each in told["claims"]] == [None, "contradicted", "overclaimed", "unknown"]
    guess = client.post(f"{path}/verify", {"claims": [{"literal": "h1", "modality": "hypothesis"}]}).tree
    assert guess["outcome"] == "grounded"


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        ({}, 422, "malformed-input"),
        ({"text": "It rains.", "claims": [{"literal": "o1"}]}, 422, "malformed-input"),
        ({"text": ""}, 422, "malformed-input"),
        ({"claims": [{"literal": "o 1"}]}, 422, "malformed-input"),
        ({"text": "It rains.", "speaker": "zoe"}, 404, "unknown-reference"),
        ({"text": "It rains.", "at": "T99"}, 404, "unknown-reference"),
    ],
)
def test_a_verification_that_cannot_be_asked_is_refused(
    client: Client, name: str, body: object, status: int, problem: str
) -> None:
    """Our promise: bad input is no verdict."""
    path = client.begin(name, {"id": "ann"})
    told = client.post(f"{path}/verify", body)
    assert (told.status, told.problem) == (status, problem)


def test_every_question_gets_the_answer_that_the_library_gives(start: Start) -> None:
    """Our promise: HTTP adds nothing and leaves nothing out; and nothing that is asked is recorded."""
    running = start()
    client = running.client()
    path = garden(client, "asked")
    affected = client.post(f"{path}/affected", {"change": RETRACT}).tree
    short = client.post(f"{path}/affected", {"change": RETRACT, "limit": 1}).tree
    changes = [RETRACT, {"act": "falsify", "target": "o2"}]
    supposed = client.post(f"{path}/what-if", {"changes": changes}).tree
    asked = client.post(f"{path}/what-if", {"changes": changes, "ask": ["c1"]}).tree
    review = client.get(f"{path}/review?claim=o1").tree
    explained = client.get(f"{path}/explain?claim=h1").tree
    brief = client.post(f"{path}/brief", {"change": RETRACT}).tree
    believed = client.post(f"{path}/believe", {"formula": "o1 & o2", "agent": "ann"}).tree
    of_all = client.post(f"{path}/believe", {"formula": "o1"}).tree
    assert client.get(path).tree["version"] == 9
    with opened_store(running.house.settings.store, is_read_only=True) as store:
        talk = Conversation(id="asked", store=store, snapshot_every=0)
        delta = talk.affected("o1")
        assert [each["id"] for each in affected["delta"]["lost"]] == [each.id for each in delta.lost]
        assert (affected["left_off"], short["left_off"]) == (0, 0)
        branch = talk.what_if().retract("o1").falsify("o2")
        assert {each["claim"]: each["after"]["standing"] for each in supposed["moved"]} == {
            id: branch.status(id).standing for id in ("o1", "o2", "h1", "c1")
        }
        assert asked["asked"][0]["before"]["verdict"]["outcome"] == talk.verify("c1").outcome
        assert asked["asked"][0]["after"]["verdict"]["outcome"] == branch.verify("c1").outcome
        assert review["claims"] == list(talk.review("o1"))
        assert [each["literal"] for each in explained["nodes"]] == [str(e.literal) for e in talk.explain("h1").nodes]
        assert explained["roots"] == [list(root) for root in sorted(talk.explain("h1").roots)]
        assert brief["change"] == RETRACT
        assert believed == {"holds": None, "of": [{"agent": "ann", "believes": True, "knows": True}], "unknown": []}
        assert [each["agent"] for each in of_all["of"]] == ["ann", "ben", "bot"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "problem"),
    [
        ("POST", "affected", {"change": {"act": "retract", "target": "x9"}}, 404, "unknown-reference"),
        ("POST", "affected", {"change": RETRACT, "at": "T99"}, 404, "unknown-reference"),
        ("POST", "what-if", {"changes": []}, 422, "malformed-input"),
        ("POST", "what-if", {"changes": [RETRACT], "ask": ["x9"]}, 404, "unknown-reference"),
        ("POST", "brief", {"change": {"act": "retract", "target": "x9"}}, 404, "unknown-reference"),
        ("POST", "believe", {"formula": "((o1"}, 422, "malformed-input"),
        ("POST", "believe", {"formula": "o1", "agent": "zoe"}, 404, "unknown-reference"),
        ("POST", "believe", {"formula": "o1", "given": "o2"}, 422, "malformed-input"),
        ("GET", "review?claim=x9", None, 404, "unknown-reference"),
        ("GET", "explain?claim=x9", None, 404, "unknown-reference"),
        ("GET", "explain", None, 422, "malformed-input"),
    ],
)
def test_a_question_about_what_is_not_there_is_refused(
    client: Client, method: str, path: str, body: object, status: int, problem: str
) -> None:
    """Our promise: an unknown id is told by its name, and a mistake by its place."""
    there = "/v1/conversations/bad-questions"
    if client.get(there).status == 404:
        garden(client, "bad-questions")
    told = client.ask(method, f"{there}/{path}", body)
    assert (told.status, told.problem) == (status, problem)


def test_a_question_about_two_agents_says_what_it_needs(client: Client) -> None:
    """Our promise: a statement about several agents is answered, or names the extra that would."""
    path = garden(client, "nested")
    told = client.post(f"{path}/believe", {"formula": "K_ann K_ben o1"})
    if importlib.util.find_spec("oxidd") is None:
        assert (told.status, told.problem, told.tree["extra"]) == (501, "missing-extra", "epistemic")
    else:
        assert (told.status, told.tree["holds"]) == (200, True)
        open_question = client.post(f"{path}/believe", {"formula": "K_ann K_ben o1 & x7"})
        assert open_question.problem == "could-not-check"
