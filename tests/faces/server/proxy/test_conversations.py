"""Which conversation a request belongs to: read off its words and the record, by every process alike."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from upheld.faces.proxy.placing import links_of
from upheld.speech.formats.exports.dialogue import Said

from ..conftest import Keys, Start
from .conftest import CALL, SOUND, Between, Stand
from .upstream import Answer, Upstream

Messages = list[dict[str, Any]]


def ask(between: Between, messages: Messages, **headers: str) -> dict[str, Any]:
    """Ask, and give what the proxy says beside the answer."""
    got = between.post("chat/completions", {"model": "scripted", "messages": messages}, **headers)
    assert got.status == 200, got.body
    return got.tree["upheld"]


def user(text: str, **more: Any) -> dict[str, Any]:
    """A message of the user."""
    return {"role": "user", "content": text, **more}


def assistant(text: str) -> dict[str, Any]:
    """A message of the assistant."""
    return {"role": "assistant", "content": text}


def words(between: Between, conversation: str) -> list[str]:
    """The words on record."""
    return [text for _, _, text in between.turns(conversation)]


def test_a_history_that_grows_is_one_conversation_told_once(between: Between, upstream: Upstream, fresh: str) -> None:
    """Our promise: each request repeats all that came before, and the record has it once."""
    upstream.says("It is noted.", "So it is.", "So it is.")
    first = ask(between, [user(fresh)])
    grown = [user(fresh), assistant("It is noted."), user("The gate is shut.")]
    second = ask(between, grown)
    assert first["conversation"] == second["conversation"]
    assert words(between, first["conversation"]) == [fresh, "It is noted.", "The gate is shut.", "So it is."]
    ask(between, grown)
    assert len(words(between, first["conversation"])) == 4


def test_a_history_that_departs_is_a_branch_that_begins_with_what_is_common(
    between: Between, upstream: Upstream, fresh: str
) -> None:
    """Our promise: an edited message or another answer is another conversation; the first stays as it was."""
    upstream.says("It is noted.", "Shut.", "Open.", "Still open.", "Another note.", "Fine.")
    common = [user(fresh), assistant("It is noted.")]
    ask(between, common[:1])
    shut = ask(between, [*common, user("The gate is shut.")])
    opened = ask(between, [*common, user("The gate is open.")])
    assert opened["conversation"] != shut["conversation"]
    assert words(between, opened["conversation"]) == [fresh, "It is noted.", "The gate is open.", "Open."]
    later = [*common, user("The gate is open."), assistant("Open."), user("Is it?")]
    assert ask(between, later)["conversation"] == opened["conversation"]
    assert words(between, shut["conversation"]) == [fresh, "It is noted.", "The gate is shut.", "Shut."]

    again = ask(between, common[:1])
    assert again["conversation"] == shut["conversation"]
    regenerated = [common[0], assistant("Another note."), user("Thanks.")]
    branch = ask(between, regenerated)
    assert branch["conversation"] not in {shut["conversation"], opened["conversation"]}
    assert words(between, branch["conversation"]) == [fresh, "Another note.", "Thanks.", "Fine."]


def test_an_answer_is_held_against_what_was_said_before_it_and_not_after(
    between: Between, upstream: Upstream, fresh: str
) -> None:
    """Our promise: who goes back in a history is answered as of there, whatever was said later."""
    before = [user(fresh), assistant("Good."), user("The delivery goes to 12 Elm Street.")]
    after = [*before, assistant("Noted."), user("No wait, the delivery goes to 14 Oak Street.")]
    upstream.says("Noted.", SOUND, "The delivery goes to 12 Elm Street.", "The delivery goes to 12 Elm Street.")
    ask(between, before)
    assert ask(between, after)["outcome"] == "grounded"
    assert ask(between, before)["outcome"] == "grounded"
    assert "14 Oak" not in upstream.asked[2].raw.decode()
    assert ask(between, after)["reasons"] == ["superseded"]


def test_another_process_finds_the_same_conversations(
    stand: Stand, upstream: Upstream, tmp_path: Any, fresh: str
) -> None:
    """Our promise: nothing of it is in memory, so that workers agree, and a restart forgets nothing."""
    store = f"sqlite:///{tmp_path / 'shared.db'}"
    one, two = stand(store=store), stand(store=store)
    upstream.says("It is noted.", "Shut.", "Open.", "Yes.")
    common = [user(fresh), assistant("It is noted.")]
    root = ask(one, common[:1])["conversation"]
    assert ask(two, [*common, user("The gate is shut.")])["conversation"] == root
    branch = ask(one, [*common, user("The gate is open.")])["conversation"]
    after = [*common, user("The gate is open."), assistant("Open."), user("Sure?")]
    assert ask(two, after)["conversation"] == branch
    assert words(one, branch)[-1] == "Yes."


def test_a_conversation_that_is_named_goes_on_however_the_history_is_cut(
    between: Between, upstream: Upstream, fresh: str
) -> None:
    """Our promise: a client that drops old messages names the conversation, and loses nothing of its record."""
    name = {"x-upheld-conversation": f"named-{fresh[15:-1]}"}
    upstream.says("Noted.", "Noted, too.", SOUND)
    ask(between, [user("The delivery goes to 12 Elm Street.")], **name)
    window = [
        user("The delivery goes to 12 Elm Street."),
        assistant("Noted."),
        user("No wait, the delivery goes to 14 Oak Street."),
    ]
    ask(between, window, **name)
    cut = [*window[2:], assistant("Noted, too."), user("Where does it go?")]
    found = ask(between, cut, **name)
    assert (found["conversation"], found["outcome"]) == (name["x-upheld-conversation"], "grounded")
    told = words(between, found["conversation"])
    assert told == [*(each["content"] for each in window), "Noted, too.", "Where does it go?", SOUND]


def test_a_conversation_of_the_service_can_be_named_and_its_assistant_answers(
    between: Between, upstream: Upstream, fresh: str
) -> None:
    """Our promise: what people told over HTTP counts for what a language model says through the proxy."""
    client, name = between.running.client(), f"told-{fresh[15:-1]}"
    path = client.begin(name, {"id": "ann"}, {"id": "bot", "kind": "assistant"})
    client.tell(path, "ann", {"op": "observe", "id": "o1", "text": "The delivery goes to 12 Elm Street."})
    client.tell(
        path, "ann", {"op": "observe", "id": "o2", "text": "The delivery goes to 14 Oak Street.", "supersedes": ["o1"]}
    )
    upstream.says("The delivery goes to 12 Elm Street.")
    found = ask(between, [user("Where does it go?")], **{"x-upheld-conversation": name})
    assert (found["outcome"], found["reasons"]) == ("ungrounded", ["superseded"])
    assert [speaker for _, speaker, _ in between.turns(name)] == ["ann", "ann", "user", "bot"]

    client.begin(f"{name}-alone", {"id": "ann"})
    upstream.says("The delivery goes to 12 Elm Street.")
    alone = ask(between, [user("Where does it go?")], **{"x-upheld-conversation": f"{name}-alone"})
    assert alone["outcome"] == "could_not_check"


def test_roles_are_kept_apart_and_nobody_passes_for_a_person(between: Between, upstream: Upstream, fresh: str) -> None:
    """Our promise: instructions are no turns, results are the tool's, and an assistant with a name is an assistant."""
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Bergen"}'}}
    messages: Messages = [
        {"role": "system", "content": "You are terse. The gate is made of gold."},
        user(fresh, name="Ana"),
        {"role": "assistant", "name": "ana", "content": "I am Ana.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "It rains in Bergen."},
        user("I am the tool.", name="tool"),
    ]
    upstream.says("It rains in Bergen.")
    found = ask(between, messages)
    told = between.turns(found["conversation"])
    assert [speaker for _, speaker, _ in told] == ["ana", "assistant", "assistant", "tool", "tool.person", "assistant"]
    assert told[2][2] == '{"name": "weather", "arguments": {"city": "Bergen"}}'
    assert all("gold" not in text for _, _, text in told)
    kinds = {
        each["id"]: each["kind"]
        for each in between.running.client().get(f"/v1/conversations/{found['conversation']}").tree["agents"]
    }
    assert (kinds["assistant"], kinds["tool"], kinds["ana"], kinds["tool.person"]) == (
        "assistant",
        "tool",
        "person",
        "person",
    )
    assert found["outcome"] == "grounded"


def test_a_call_comes_back_in_the_history_as_it_was_told(between: Between, upstream: Upstream, fresh: str) -> None:
    """Our promise: in every interface what a client sends back is what it got, and no branch."""
    upstream.says(Answer(parts=["I will ask.", CALL]), "It is under way.")
    with between.anthropic() as client:
        given = {"model": "scripted", "max_tokens": 9}
        first = client.messages.create(messages=[user(fresh)], **given)
        result = {"type": "tool_result", "tool_use_id": first.content[1].id, "content": "Shipped."}
        answered = {"role": "assistant", "content": first.content}
        messages = [user(fresh), answered, {"role": "user", "content": [result]}]
        second = client.messages.create(messages=messages, **given)
    assert first.upheld["conversation"] == second.upheld["conversation"]
    speakers = [speaker for _, speaker, _ in between.turns(second.upheld["conversation"])]
    assert speakers == ["user", "assistant", "assistant", "tool", "assistant"]


def test_responses_go_on_from_the_one_that_they_name(between: Between, upstream: Upstream, fresh: str) -> None:
    """Our promise: where the upstream keeps the history, the proxy knows it by the id of the response."""
    upstream.says("The delivery goes to Oslo.", "As you say.", "Noted.")
    with between.openai() as client:
        first = client.responses.create(model="scripted", input=fresh)
        second = client.responses.create(model="scripted", input="Where does it go?", previous_response_id=first.id)
        third = client.responses.create(model="scripted", input=fresh, conversation="conv_1")
    assert first.upheld["conversation"] == second.upheld["conversation"]
    assert words(between, second.upheld["conversation"])[2:] == ["Where does it go?", "As you say."]
    assert third.upheld["conversation"] != first.upheld["conversation"]


def test_tenants_share_no_conversation_although_they_say_the_same(
    start: Start, upstream: Upstream, keys: Keys, fresh: str
) -> None:
    """Our promise: a ledger of its own for each tenant, and names that tell nobody what was said elsewhere."""
    addresses = {"upstream_openai": f"{upstream.address}/v1", "upstream_anthropic": upstream.address}
    between = Between(running=start(tenants=True, keys=keys.path, **addresses))
    upstream.says("Noted.", "Noted.")
    names = [
        ask(between, [user(fresh)], **{"x-upheld-key": keys.texts[f"{tenant}/writer"]})["conversation"]
        for tenant in ("acme", "globex")
    ]
    assert names[0] != names[1]
    acme = between.running.client(keys.texts["acme/reader"])
    assert acme.get(f"/v1/conversations/{names[0]}").status == 200
    assert acme.get(f"/v1/conversations/{names[1]}").status == 404


said = st.builds(Said, speaker=st.text(max_size=3), role=st.sampled_from(["user", "tool"]), text=st.text(max_size=5))


@given(st.lists(said, max_size=6), st.lists(said, max_size=6))
def test_links_agree_exactly_as_far_as_histories_do(one: list[Said], two: list[Said]) -> None:
    """A law: a link stands for a message and all before it, and for nothing else."""
    same = [
        (a.role, a.speaker, a.text.strip()) == (b.role, b.speaker, b.text.strip())
        for a, b in zip(one, two, strict=False)
    ]
    shared = same.index(False) if False in same else len(same)
    links = [a == b for a, b in zip(links_of("t", one), links_of("t", two), strict=False)]
    assert links == [place < shared for place in range(len(links))]
    assert not set(links_of("t", one)) & set(links_of("u", one))
