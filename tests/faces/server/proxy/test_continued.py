"""Requests that name the answer before them and repeat nothing: every process knows where they go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ..conftest import Keys, Start
from .conftest import SOUND, Between, Stand
from .upstream import Upstream


def ask(between: Between, said: str, *, after: str = "", key: str = "", **more: Any) -> Any:
    """Ask, going on from an answer; give the answer."""
    headers = {"x-upheld-key": key} if key else {}
    given = {"previous_response_id": after} if after else {}
    with between.openai(default_headers=headers) as client:
        return client.responses.create(model="scripted", input=said, **given, **more)


def place(answer: Any) -> str:
    """Where an answer is on record."""
    return answer.upheld["conversation"]


def words(between: Between, conversation: str) -> list[str]:
    """The words on record."""
    return [text for _, _, text in between.turns(conversation)]


@pytest.fixture
def pair(stand: Stand, tmp_path: Path) -> tuple[Between, Between]:
    """Two services on one store, as workers are, or one service and the one that is started after it."""
    store = f"sqlite:///{tmp_path / 'shared.db'}"
    return stand(store=store), stand(store=store)


def test_a_service_that_was_started_anew_knows_which_conversation_goes_on(
    start: Start, upstream: Upstream, tmp_path: Path, fresh: str
) -> None:
    """A fault that was found: after a restart a response that was continued was taken for another conversation."""
    addresses = {"upstream_openai": f"{upstream.address}/v1", "upstream_anthropic": upstream.address}
    flags = {"store": f"sqlite:///{tmp_path / 'kept.db'}", **addresses}
    running = start(**flags)
    upstream.says("Noted.", SOUND)
    first = ask(Between(running=running), f"{fresh} The delivery goes to 14 Oak Street.")
    running.stop()
    again = Between(running=start(**flags))
    second = ask(again, "Where does it go?", after=first.id)
    assert (place(second), second.upheld["outcome"]) == (place(first), "grounded")
    assert words(again, place(first))[1:] == ["Noted.", "Where does it go?", SOUND]
    assert again.conversations() == [place(first)]


def test_workers_agree_without_talking_to_each_other(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str
) -> None:
    """Our promise: each request may come to another worker; what stands there is what was said at any."""
    one, two = pair
    upstream.says("Noted.", "Noted, too.", "Your delivery goes to 12 Elm Street.")
    first = ask(one, f"{fresh} The delivery goes to 12 Elm Street.")
    second = ask(two, "No wait, the delivery goes to 14 Oak Street.", after=first.id)
    third = ask(one, "Where does it go?", after=second.id)
    assert place(first) == place(second) == place(third)
    assert third.upheld["reasons"] == ["superseded"]
    assert len(words(two, place(first))) == 6


def test_who_goes_on_from_an_earlier_answer_is_on_a_branch_that_begins_with_what_is_common(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str
) -> None:
    """Our promise: the words tell where a history departs, here as anywhere; a branch goes on from its own answers."""
    one, two = pair
    upstream.says("Noted.", "Shut.", "Open.", "Still open.", "Still shut.")
    first = ask(one, fresh)
    shut = ask(one, "The gate is shut.", after=first.id)
    opened = ask(two, "The gate is open.", after=first.id)
    assert place(opened) != place(shut) == place(first)
    assert words(one, place(opened)) == [fresh, "Noted.", "The gate is open.", "Open."]
    assert place(ask(one, "Is it?", after=opened.id)) == place(opened)
    assert place(ask(two, "Is it?", after=shut.id)) == place(shut)
    assert words(one, place(shut))[2:] == ["The gate is shut.", "Shut.", "Is it?", "Still shut."]


def test_the_same_answer_under_two_ids_is_found_by_both(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str
) -> None:
    """Our promise: a request that was sent twice may go on from either answer."""
    one, two = pair
    upstream.says("Noted.", "Noted.", "Yes.", "Yes.")
    answers = [ask(one, fresh), ask(one, fresh)]
    assert answers[0].id != answers[1].id
    assert {place(ask(two, "Sure?", after=each.id)) for each in answers} == {place(answers[0])}
    assert words(one, place(answers[0])) == [fresh, "Noted.", "Sure?", "Yes."]


@pytest.mark.parametrize("policy", ["annotate", "block"])
def test_an_answer_that_came_as_a_stream_is_gone_on_from(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str, policy: str
) -> None:
    """Our promise: the place is kept before the last event leaves, so that no client is quicker."""
    one, two = pair
    upstream.says("Noted.", "So it is.")
    with one.openai(default_headers={"x-upheld-policy": policy}) as client:
        events = list(client.responses.create(model="scripted", input=fresh, stream=True))
    last = events[-1].response
    assert place(ask(two, "Is it?", after=last.id)) == last.upheld["conversation"]


def test_a_client_may_send_its_history_again_where_it_had_named_an_answer(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str
) -> None:
    """Our promise: both ways lead to one conversation."""
    one, two = pair
    upstream.says("Noted.", "Shut.", "Yes.")
    shut = ask(two, "The gate is shut.", after=ask(one, fresh).id)
    told = (("user", fresh), ("assistant", "Noted."), ("user", "The gate is shut."), ("assistant", "Shut."))
    history: Any = [{"role": role, "content": text} for role, text in (*told, ("user", "Is it?"))]
    assert place(ask(one, history)) == place(shut)
    assert words(one, place(shut))[-2:] == ["Is it?", "Yes."]


def test_an_answer_that_nobody_here_has_seen_begins_a_conversation_of_its_own(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str
) -> None:
    """Our promise: what is called by an id that is not known is named for that id, by every process alike."""
    one, two = pair
    upstream.says("Yes.", "No.", "Noted.")
    strange = f"resp_{fresh[15:-1]}"
    places = {place(ask(each, "Is it?", after=strange)) for each in pair}
    assert len(places) == 1
    assert words(two, places.pop()) == ["Is it?", "Yes.", "No."]
    assert len(one.conversations()) == 1
    named = ask(one, "Is it?", after=strange, extra_headers={"x-upheld-conversation": "own"})
    assert place(named) == "own"


def test_a_conversation_that_was_named_once_goes_on_by_the_id_alone(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str
) -> None:
    """Our promise: the name holds for what goes on from its answers, in another process too."""
    one, two = pair
    upstream.says("Noted.", "Shut.", "Yes.")
    first = ask(one, fresh, extra_headers={"x-upheld-conversation": "own"})
    one.running.client().tell("/v1/conversations/own", "ann", text="I look after it.")
    second = ask(two, "The gate is shut.", after=first.id)
    assert place(second) == "own"
    assert place(ask(one, "Is it?", after=second.id)) == "own"
    told = [fresh, "Noted.", "I look after it.", "The gate is shut.", "Shut.", "Is it?", "Yes."]
    assert words(two, "own") == told


def test_what_was_redacted_or_erased_does_not_come_back_with_a_branch(
    stand: Stand, upstream: Upstream, tmp_path: Path, fresh: str
) -> None:
    """Our promise: a branch begins with what is on record, and not with what was taken out of it."""
    store = f"sqlite:///{tmp_path / 'kept.db'}"
    one, two = (stand(store=store, redact=True) for _ in range(2))
    upstream.says("Noted.", "Fine.", "Shut.", "Open.")
    first = ask(one, f"{fresh} My address is ann@example.org.")
    second = ask(two, "The code is four two.", after=first.id)
    got = one.running.client().post(
        f"/v1/conversations/{place(first)}/turns/M3/erasure", {"reason": "asked for", "meaning": True}
    )
    assert got.status == 200, got.body
    shut = ask(two, "The gate is shut.", after=second.id)
    assert place(shut) == place(first)
    opened = ask(one, "The gate is open.", after=second.id)
    assert place(opened) != place(first)
    branch = words(two, place(opened))
    assert branch[1:] == ["Noted.", "", "Fine.", "The gate is open.", "Open."]
    assert "ann@example.org" not in branch[0]
    assert branch[0].startswith(fresh)


def test_what_was_dropped_is_gone_on_from_as_what_nobody_knows(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str
) -> None:
    """Our promise: nothing of a conversation that was dropped leads back to it."""
    one, two = pair
    upstream.says("Noted.", "Yes.")
    first = ask(one, fresh)
    one.running.house.tenancy.host("default").drop(place(first), reason="asked for")
    second = ask(two, "Is it?", after=first.id)
    assert (place(second) != place(first), words(two, place(second))) == (True, ["Is it?", "Yes."])


def test_what_the_upstream_does_not_keep_is_not_looked_for(
    pair: tuple[Between, Between], upstream: Upstream, fresh: str
) -> None:
    """OpenAI API reference, *Conversation state*: with ``store`` false no request can go on from an answer."""
    one, two = pair
    upstream.says("Noted.", "Yes.")
    first = ask(one, fresh, store=False)
    assert words(one, place(first)) == [fresh, "Noted."]
    assert place(ask(two, "Is it?", after=first.id)) != place(first)


def test_an_answer_that_could_not_be_put_on_record_is_remembered_while_the_process_runs(
    between: Between, upstream: Upstream, fresh: str
) -> None:
    """Our promise: here no assistant takes part; the next request finds its conversation all the same."""
    name = f"alone-{fresh[15:-1]}"
    between.running.client().begin(name, {"id": "ann"})
    upstream.says("Noted.", "Yes.")
    first = ask(between, fresh, extra_headers={"x-upheld-conversation": name})
    assert words(between, name) == [fresh]
    second = ask(between, "Is it?", after=first.id)
    assert (second.upheld["outcome"], place(second)) == ("could_not_check", "")
    assert words(between, name) == [fresh], "the history has an answer that cannot be told there"


@pytest.fixture(scope="module")
def tenants(start: Start, upstream: Upstream, keys: Keys) -> Between:
    """A service of several tenants."""
    addresses = {"upstream_openai": f"{upstream.address}/v1", "upstream_anthropic": upstream.address}
    return Between(running=start(tenants=True, keys=keys.path, **addresses))


def test_no_tenant_goes_on_from_an_answer_to_another(
    tenants: Between, upstream: Upstream, keys: Keys, fresh: str
) -> None:
    """Our promise: an id that somebody else was given leads nowhere."""
    upstream.says("Noted.", "Yes.", "Yes.")
    acme, globex = (keys.texts[f"{tenant}/writer"] for tenant in ("acme", "globex"))
    first = ask(tenants, fresh, key=acme)
    theirs = ask(tenants, "Is it?", after=first.id, key=globex)
    assert place(theirs) != place(first)
    assert place(ask(tenants, "Is it?", after=first.id, key=acme)) == place(first)
