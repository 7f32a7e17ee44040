"""``upheld interpret``: words read with a scripted server, or by files that go out and come back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")

from upheld.errors import MissingExtra
from upheld.speech.formats.reading import read_transcript
from upheld.speech.models import choosing
from upheld.testing.scripted_acts import Act, EchoesSchema, Fails
from upheld.testing.scripted_server import ScriptedServer

pytestmark = pytest.mark.usefixtures("nothing_from_outside")

Program = Callable[..., Any]
Tree = Mapping[str, Any]

CHAT = """format: upheld/annotated-transcript@1
id: parcel
agents: [{id: ann, name: Ann, role: customer}, {id: bob, name: Bob, role: clerk, authority: true}]
turns:
- {id: T1, speaker: ann, session: s1, text: Please send the parcel to 12 Elm Street.}
- {id: T2, speaker: ann, session: s1, text: 'Oh no, 14 Oak Street it is.'}
- {id: T3, speaker: bob, session: s2, text: 'Actually, it printed nothing. Is the machine broken, or out of paper?'}
- {id: T4, speaker: bob, session: s2, text: 'It is the machine, we are agreed.'}
"""
READ: Mapping[str, Sequence[Tree]] = {
    "T1": [{"op": "observe", "id": "n1", "text": "The parcel goes to 12 Elm Street."}],
    "T2": [
        {"op": "observe", "id": "n1", "text": "The parcel goes to 14 Oak Street.", "supersedes": ["T1.1"]},
        {"op": "revise", "target": "T1.1", "replacement": "n1"},
    ],
    "T3": [
        {"op": "observe", "id": "n1", "text": "The label machine printed nothing."},
        {"op": "hypothesize", "id": "n2", "text": "The label machine is broken.", "explains": ["n1"]},
        {"op": "hypothesize", "id": "n3", "text": "The label machine is out of paper.", "explains": ["n1"]},
    ],
    "T4": [{"op": "resolve", "target": "T3.2", "mode": "consensual"}],
}
IN_SESSIONS: Mapping[str, Mapping[str, str]] = {
    "T2": {"n1": "n2", "T1.1": "n1"},
    "T4": {"T3.2": "n2"},
}
"""Names that run through a session, in place of those that a turn read alone would have."""


def answered(body: Tree) -> Tree:
    """Answer a request as the scripted language model does."""
    shape = body["response_format"]["json_schema"]["name"]
    words = "\n".join(each["content"] for each in body["messages"] if each["role"] == "user")
    if shape == "reading":
        (turn,) = re.findall(r'<turn id="(\w+)"', words.rsplit("<turn-to-read>", 1)[1])
        return {"operations": READ[turn]}
    if shape == "session_reading":
        turns = re.findall(r'<turn id="(\w+)"', words.rsplit("<turns-to-read>", 1)[1])
        read = {turn: renamed(READ[turn], IN_SESSIONS.get(turn, {})) for turn in turns}
        return {"turns": [{"turn": turn, "operations": operations} for turn, operations in read.items()]}
    nothing: Mapping[str, Tree] = {
        "second_look": {"given_up": []},
        "retrospective": {"explained": [], "grounds": []},
    }
    return nothing[shape]


def renamed(operations: Sequence[Tree], names: Mapping[str, str]) -> Any:
    """Give operations with other names."""
    text = re.sub(r'"(n\d|T\d\.\d)"', lambda found: f'"{names.get(found[1], found[1])}"', json.dumps(operations))
    return json.loads(text)


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    """A conversation of two sessions, with no operations."""
    path = tmp_path / "parcel.yaml"
    path.write_text(CHAT, "utf-8")
    return path


def at(server: ScriptedServer) -> tuple[str, ...]:
    """Give the options that name a server."""
    return "--model", "scripted", "--base-url", server.base_url


def said(text: str) -> str:
    """Give a text on one line."""
    return " ".join(text.split())


def test_the_words_become_an_annotated_transcript_and_the_bill_is_the_servers(upheld: Program, chat: Path) -> None:
    """Issue 4, section 1: words in, operations out, and what it cost."""
    with ScriptedServer(answered) as server:
        ended = upheld("interpret", chat, *at(server), "--out", "read.yaml")
    assert ended.status == 0, ended.err
    assert "T2 observe, revise" in said(ended.out)
    written = read_transcript(chat.parent / "read.yaml")
    assert written.is_annotated
    assert [len(turn.operations) for turn in written.turns] == [1, 2, 3, 1]
    assert [turn.session for turn in written.turns] == ["s1", "s1", "s2", "s2"]
    usage = server.usage
    total = f"{usage.calls} calls {usage.input_tokens} in {usage.output_tokens} out 0 reused"
    assert total in said(ended.err).rpartition("note: all ")[2]


def test_json_tells_each_turn_with_its_cost(upheld: Program, chat: Path) -> None:
    """Our promise: every command takes --json; the costs of the turns add up to the server's count."""
    with ScriptedServer(answered) as server:
        tree = upheld("interpret", chat, *at(server), "--json").tree
    assert [each["turn"] for each in tree] == ["T1", "T2", "T3", "T4"]
    assert tree[1]["operations"][1] == {**tree[1]["operations"][1], "op": "revise", "target": "T1.1"}
    for part in ("calls", "input_tokens", "output_tokens"):
        assert sum(each["usage"][part] for each in tree) == getattr(server.usage, part)


def test_a_turn_that_cannot_be_read_is_named_and_the_status_is_1(upheld: Program, chat: Path) -> None:
    """Issue 4, gate 1: it fails alone; the others are read, and written."""

    def failing(body: Tree) -> Tree | Act:
        is_second = "T2" in body["messages"][1]["content"].rsplit("<turn-to-read>", 1)[-1]
        return EchoesSchema() if is_second else answered(body)

    with ScriptedServer(failing) as server:
        ended = upheld("interpret", chat, *at(server), "--out", "read.yaml", "--first-readings")
    assert ended.status == 1
    assert "could not be read: that is the JSON Schema itself" in said(ended.out)
    assert [len(turn.operations) for turn in read_transcript(chat.parent / "read.yaml").turns] == [1, 0, 3, 1]


def test_a_session_is_one_call(upheld: Program, chat: Path) -> None:
    """Issue 4, section 1, session-batched: two sessions, two calls, the same transcript."""
    with ScriptedServer(answered) as server:
        one = upheld("interpret", chat, *at(server), "--out", "one.yaml", "--first-readings", "--by-session")
        assert len(server.bodies) == 2
        upheld("interpret", chat, *at(server), "--out", "two.yaml", "--first-readings")
        assert len(server.bodies) == 6
    assert one.status == 0, one.out
    assert (chat.parent / "one.yaml").read_bytes() == (chat.parent / "two.yaml").read_bytes()


def test_first_readings_leave_the_further_calls_out(upheld: Program, chat: Path) -> None:
    """Our promise: the option does what its help says."""
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server))
        shapes = [body["response_format"]["json_schema"]["name"] for body in server.bodies]
    assert set(shapes) == {"reading", "second_look", "retrospective"}
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server), "--first-readings")
        assert [body["response_format"]["json_schema"]["name"] for body in server.bodies] == ["reading"] * 4


@pytest.mark.parametrize(
    ("options", "seen"),
    [
        (("--condition", "minimal"), "Classify one turn"),
        (("--depends-on", "chain_of_thought"), '"reasoning"'),
        (("--paradigm", "diagnostic"), "cause"),
    ],
)
def test_how_it_is_asked_can_be_chosen(upheld: Program, chat: Path, options: Sequence[str], seen: str) -> None:
    """Issue 4, section 1: conditions, variants of depends_on, paradigms."""
    with ScriptedServer(answered) as server:
        assert upheld("interpret", chat, *at(server), *options).status == 0
        usual = json.dumps(server.bodies[0])
    assert seen in usual
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server))
        assert json.dumps(server.bodies[0]) != usual


def test_samples_are_five_calls_a_turn(upheld: Program, chat: Path) -> None:
    """Issue 4, section 1, self-consistency."""
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server), "--depends-on", "self_consistency", "--first-readings")
    assert len(server.bodies) == 20


def test_the_cues_read_without_a_language_model_and_both_together_ask_no_more(upheld: Program, chat: Path) -> None:
    """Issue 4, section 1, escalation: --interpreter cues asks nobody, mixed no more than llm."""
    local = upheld("interpret", chat)
    assert (local.status, local.err) == (0, "")
    with ScriptedServer(lambda _: {"operations": []}) as server:
        mixed = upheld("interpret", chat, *at(server), "--interpreter", "mixed", "--first-readings", "--json")
    assert mixed.status == 0, mixed.out
    asked = [each["turn"] for each in mixed.tree if each["usage"]["calls"]]
    assert 0 < len(asked) <= 4
    assert len(server.bodies) == len(asked)


def test_secrets_are_neither_sent_nor_written(upheld: Program, tmp_path: Path) -> None:
    """Issue 4, section 1, redaction: before anything is stored or sent."""
    path = tmp_path / "secret.yaml"
    path.write_text(CHAT.replace("12 Elm Street.", "ann.lee@example.org."), "utf-8")
    with ScriptedServer(answered) as server:
        upheld("interpret", path, *at(server), "--redact", "--out", "read.yaml")
        sent = json.dumps(server.bodies)
    assert "ann.lee" not in sent + (tmp_path / "read.yaml").read_text("utf-8")
    with ScriptedServer(answered) as server:
        upheld("interpret", path, *at(server))
        assert "ann.lee" in json.dumps(server.bodies)


def test_turns_are_read_against_the_labels_each_alone(upheld: Program, chat: Path) -> None:
    """Issue 4, section 1, given state: what is sent for one turn does not depend on the readings before it."""
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server), "--out", "read.yaml", "--first-readings")
    labelled = ("interpret", "read.yaml", "--against-labels", "--first-readings")
    with ScriptedServer(lambda _: {"operations": []}) as other:
        ended = upheld(*labelled, *at(other), "--json")
    assert [len(each["operations"]) for each in ended.tree] == [0] * 4
    assert [body["messages"] for body in other.bodies] == [body["messages"] for body in server.bodies]
    refused = upheld("interpret", chat, "--against-labels", *at(other))
    assert (refused.status, "no labels to read against" in refused.err) == (2, True)


# --- budgets, caches, recordings ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", ["--cache", "--record"])
def test_a_spent_budget_ends_cleanly_and_the_next_run_goes_on(upheld: Program, chat: Path, kept: str) -> None:
    """Issue 4, section 1: stopping cleanly and resuming; in the end the same file, byte for byte."""
    whole = ("interpret", chat, "--out", "whole.yaml")
    with ScriptedServer(answered) as server:
        upheld(*whole, *at(server))
        calls = len(server.bodies)
        expected = (chat.parent / "whole.yaml").read_bytes()
        stopped = upheld("interpret", chat, *at(server), "--calls", "2", kept, "kept", "--out", "part.yaml")
        assert len(server.bodies) == calls + 2
        resumed = upheld("interpret", chat, *at(server), kept, "kept", "--out", "part.yaml", "--force")
        assert len(server.bodies) == 2 * calls
    assert (stopped.status, resumed.status) == (1, 0)
    assert "all 2 calls are spent; allow more, and it goes on from here" in said(stopped.out)
    assert "2 reused" in said(resumed.err)
    assert (chat.parent / "part.yaml").read_bytes() == expected


def test_a_recording_replays_byte_for_byte_without_a_server(upheld: Program, chat: Path) -> None:
    """Issue 4, section 1: recorded replies replay byte for byte; what a cache gave is in the recording as well."""
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server), "--cache", "kept.db", "--calls", "2")
        upheld("interpret", chat, *at(server), "--cache", "kept.db", "--record", "replies.jsonl", "--out", "live.yaml")
    replayed = upheld("interpret", chat, "--import-responses", "replies.jsonl", "--out", "replayed.yaml")
    assert (replayed.status, replayed.err) == (0, "note: wrote replayed.yaml\n")
    assert (chat.parent / "replayed.yaml").read_bytes() == (chat.parent / "live.yaml").read_bytes()


# --- batches ------------------------------------------------------------------------------------------------------


def test_a_batch_goes_out_and_comes_back_round_by_round(upheld: Program, chat: Path, come_back: Any) -> None:
    """Issue 4, section 1, offline batches: each round asks for what follows from the replies so far, and nothing else.

    Four rounds here: session 1, session 2, a second look there, and the retrospect of what was settled.
    """
    folder = chat.parent
    (folder / "all.jsonl").write_text("", "utf-8")
    export = ("interpret", chat, "--by-session", "--model", "openai:scripted")
    names: list[str] = []
    for _ in range(8):
        known = ("--import-responses", "all.jsonl") if names else ()
        ended = upheld(*export, "--export-requests", "batch.jsonl", *known)
        assert (ended.status, ended.out) == (0, "")
        fresh = come_back(folder / "batch.jsonl", folder / "output.jsonl", answered)
        assert f"{len(fresh)} requests are in batch.jsonl; none was sent" in ended.err
        if not fresh:
            break
        names += fresh
        with (folder / "all.jsonl").open("a", encoding="utf-8") as replies:
            replies.write((folder / "output.jsonl").read_text("utf-8"))
    assert len(names) == len(set(names))
    assert [name.rpartition("-")[0] for name in names] == ["parcel-s1", *["parcel-s2"] * 3]
    done = upheld("interpret", chat, "--by-session", "--import-responses", "all.jsonl", "--out", "batch.yaml")
    assert (done.status, done.err) == (0, "note: wrote batch.yaml\n")
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, "--by-session", *at(server), "--out", "live.yaml")
        assert len(server.bodies) == len(names)
    assert (folder / "batch.yaml").read_bytes() == (folder / "live.yaml").read_bytes()


def test_the_requests_of_a_batch_are_those_that_would_have_been_sent(upheld: Program, chat: Path) -> None:
    """Our promise: a batch measures what a live run measures."""
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server), "--by-session", "--first-readings")
    upheld("interpret", chat, "--model", "openai:x", "--by-session", "--first-readings", "--export-requests", "b.jsonl")
    (line,) = map(json.loads, (chat.parent / "b.jsonl").read_text("utf-8").splitlines())
    assert line["body"]["messages"] == server.bodies[0]["messages"]
    live = server.bodies[0]["response_format"]["json_schema"]["schema"]
    assert line["body"]["response_format"]["json_schema"]["schema"].keys() == live.keys()
    assert line["body"]["model"] == "x"


def test_against_labels_all_requests_go_out_at_once(upheld: Program, chat: Path, come_back: Any) -> None:
    """Issue 4, section 1: single turns from gold state; one round for as many turns as there are."""
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server), "--out", "read.yaml", "--first-readings")
    options = ("interpret", "read.yaml", "--against-labels", "--first-readings")
    upheld(*options, "--model", "x", "--export-requests", "batch.jsonl")
    names = come_back(chat.parent / "batch.jsonl", chat.parent / "output.jsonl", answered)
    assert [name.rpartition("-")[0] for name in names] == [f"parcel-T{place}" for place in range(1, 5)]
    ended = upheld(*options, "--import-responses", "output.jsonl", "--json")
    assert (ended.status, [len(each["operations"]) for each in ended.tree]) == (0, [1, 2, 3, 1])
    assert [each["usage"]["reused"] for each in ended.tree] == [1] * 4


def test_a_line_that_came_back_without_a_reply_is_told_and_its_turn_is_unread(
    upheld: Program, chat: Path, come_back: Any
) -> None:
    """Issue 4, gate 1 for batches: a failed line is named with its reason, and spoils nothing else."""
    with ScriptedServer(answered) as server:
        upheld("interpret", chat, *at(server), "--out", "read.yaml", "--first-readings")
    options = ("interpret", "read.yaml", "--against-labels", "--first-readings")
    upheld(*options, "--model", "x", "--export-requests", "batch.jsonl")
    names = come_back(chat.parent / "batch.jsonl", chat.parent / "output.jsonl", answered, without=[2])
    ended = upheld(*options, "--import-responses", "output.jsonl", "--json")
    assert ended.status == 1
    assert f"no reply in line 2: {names[2]}: status 500: overloaded" in said(ended.err)
    assert [bool(each["abstained"]) for each in ended.tree] == [False, False, True, False]
    again = upheld(*options, "--import-responses", "output.jsonl", "--model", "x", "--export-requests", "rest.jsonl")
    assert again.status == 0
    assert come_back(chat.parent / "rest.jsonl", chat.parent / "rest_output.jsonl", answered) == [names[2]]


@pytest.mark.parametrize(
    ("name", "address", "called"),
    [
        ("openai:gpt-4o", (), "gpt-4o"),
        ("gpt-4o", (), "gpt-4o"),
        ("openai:ft:gpt-4o:acme::7", (), "ft:gpt-4o:acme::7"),
        ("llama3.1:8b", ("--base-url", "http://localhost:11434/v1"), "llama3.1:8b"),
        ("openai:llama3.1:8b", ("--base-url", "http://localhost:11434/v1"), "llama3.1:8b"),
    ],
)
def test_a_batch_names_the_language_model_as_its_server_does(
    upheld: Program, chat: Path, name: str, address: Sequence[str], called: str
) -> None:
    """Our promise: a name that holds colons is not cut."""
    upheld("interpret", chat, "--model", name, *address, "--export-requests", "batch.jsonl")
    (line,) = map(json.loads, (chat.parent / "batch.jsonl").read_text("utf-8").splitlines())
    assert line["body"]["model"] == called


# --- what goes wrong, and what is said ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--interpreter", "llm"), "none is named: --model, or UPHELD_MODEL"),
        (("--export-requests", "batch.jsonl"), "name the language model as well, such as openai:gpt-4o"),
        (("--record", "replies.jsonl"), "name the language model as well"),
        (("--base-url", "http://localhost:1/v1"), "name the language model as well"),
        (("--model", "nobody:x"), "write provider:name, such as openai:gpt-4o"),
        (("--model", "x", "--base-url", "localhost"), "must be an address such as http://localhost:8000/v1"),
        (("--model", "openai:gpt-4o"), "set UPHELD_API_KEY or OPENAI_API_KEY"),
        (("--import-responses", "nothing.jsonl"), "nothing.jsonl"),
        (("--model", "x", "--base-url", "http://localhost:1/v1", "--condition", "all"), "one of minimal, definitions"),
        (("--model", "x", "--base-url", "http://localhost:1/v1", "--depends-on", "me"), "one of baseline"),
        (("--model", "x", "--base-url", "http://localhost:1/v1", "--paradigm", "chess"), "one of diagnostic"),
    ],
)
def test_what_does_not_go_together_ends_with_status_2_and_says_what_to_do(
    upheld: Program, chat: Path, options: Sequence[str], says: str
) -> None:
    """Our promise: an error names the remedy, on one line, and nothing is written."""
    ended = upheld("interpret", chat, *options, "--out", "read.yaml")
    assert (ended.status, ended.out) == (2, "")
    assert says in said(ended.err)
    assert len(ended.err.splitlines()) == 1
    assert not (chat.parent / "read.yaml").exists()


def test_a_server_that_is_not_there_is_said_for_each_turn(upheld: Program, chat: Path) -> None:
    """Issue 4, gate 1: unreachable, so that nothing was read; the status is that of unread turns."""
    with ScriptedServer() as server:
        address = server.base_url
    ended = upheld("interpret", chat, "--model", "x", "--base-url", address)
    assert ended.status == 1
    assert said(ended.out).count("is the server running, and is the base URL right?") == 4


def test_a_refusal_does_not_show_the_key(upheld: Program, chat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: no key in an output, though a server quotes it."""
    monkeypatch.setenv("UPHELD_API_KEY", "sk-test-0123456789abcdef")
    with ScriptedServer(lambda _: Fails(status=401, message="bad key sk-test-0123456789abcdef")) as server:
        ended = upheld("interpret", chat, *at(server))
        assert server.received[0].headers["authorization"].endswith("abcdef")
    assert ended.status == 1
    assert "check the key" in said(ended.out)
    assert "0123456789" not in ended.out + ended.err


def test_an_extra_that_is_not_installed_is_named(upheld: Program, chat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the message is the line that installs it."""

    def absent(*_: object, **__: object) -> None:
        raise MissingExtra("llm", needed_for="asking a language model")

    monkeypatch.setattr(choosing, "gateway", absent)
    ended = upheld("interpret", chat, "--model", "openai:gpt-4o")
    assert (ended.status, ended.out) == (2, "")
    assert "pip install 'upheld[llm]'" in ended.err


def test_a_file_that_is_there_is_not_overwritten_before_anybody_is_asked(upheld: Program, chat: Path) -> None:
    """Our promise: nothing is paid for and then thrown away."""
    with ScriptedServer(answered) as server:
        ended = upheld("interpret", chat, *at(server), "--out", chat)
    assert (ended.status, server.bodies) == (2, ())
    assert chat.read_text("utf-8") == CHAT
