"""``check``, ``verify``, ``score`` and ``ask`` with a scripted server, or by files that go out and come back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")

from upheld.testing.scripted_acts import EchoesSchema, Fails
from upheld.testing.scripted_server import ScriptedServer

pytestmark = pytest.mark.usefixtures("nothing_from_outside")

Program = Callable[..., Any]
Tree = Mapping[str, Any]

LABELLED = """format: upheld/annotated-transcript@1
id: trip
agents: [{id: ann, name: Ann}, {id: bot, name: Bot, kind: assistant}]
turns:
- {id: T1, speaker: ann, text: Two nights., operations: [{op: observe, id: o1, text: The hotel has two free nights.}]}
- id: T2
  speaker: ann
  text: Three now.
  operations:
  - {op: observe, id: o2, text: The hotel has three free nights., supersedes: [o1]}
  - {op: revise, target: o1, replacement: o2}
- {id: T3, speaker: bot, text: Then you may stay for two., operations: []}
gold:
  verify:
  - {id: v1, at: T2, text: Ann may stay three times., label: grounded, category: actual, rests_on: [o2]}
  - {id: v2, at: T2, text: Ann may stay two times., label: ungrounded, category: superseded, rests_on: [o1]}
"""
WITHOUT_LABELS = LABELLED.partition("gold:")[0]
PLAIN = re.sub(
    r"\n  operations:\n(  - .*\n)+", "\n", re.sub(r", operations: \[.*?\]}$", "}", WITHOUT_LABELS, flags=re.MULTILINE)
)
READ: Mapping[str, Sequence[Tree]] = {
    "T1": [{"op": "observe", "id": "n1", "text": "The hotel has two free nights."}],
    "T2": [
        {"op": "observe", "id": "n1", "text": "The hotel has three free nights.", "supersedes": ["T1.1"]},
        {"op": "revise", "target": "T1.1", "replacement": "n1"},
    ],
    "T3": [],
}


def answered(body: Tree) -> Tree:
    """Answer a request as the scripted language model does: whoever says two means two, and three means three."""
    shape = body["response_format"]["json_schema"]["name"]
    words: str = body["messages"][1]["content"]
    if shape == "reading":
        (turn,) = re.findall(r'<turn id="(\w+)"', words.rsplit("<turn-to-read>", 1)[1])
        return {"operations": READ[turn]}
    if shape == "second_look":
        return {"given_up": []}
    if shape == "answer":
        cited = re.findall(r"^(\S+) T2 ", words, re.MULTILINE)
        return {"answer": "Three.", "rests_on": cited[:1], "reports": [], "abstains": False, "missing": ""}
    material = json.loads(words)
    number = "three" if "three" in material["reply"] else "two"
    links = [
        {"id": each["id"], "relation": "supported_by"} for each in material["propositions"] if number in each["text"]
    ]
    claim = {"text": material["reply"], "stance": "asserts", "modality": "fact", "links": links, "new": not links}
    return {"claims": [claim], "no_claim": []}


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """A file with operations and two candidates; the assistant falls back on the old value."""
    path = tmp_path / "trip.yaml"
    path.write_text(LABELLED, "utf-8")
    return path


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """The same words alone."""
    path = tmp_path / "words.yaml"
    path.write_text(PLAIN, "utf-8")
    return path


def at(server: ScriptedServer) -> tuple[str, ...]:
    """Give the options that name a server."""
    return "--model", "scripted", "--base-url", server.base_url


def total(ended: Any) -> str:
    """Give the last line of the bill."""
    return " ".join(next(line for line in ended.err.splitlines() if line.startswith("note: all")).split())


def bill(server: ScriptedServer) -> str:
    """Give what that line must be."""
    usage = server.usage
    return f"note: all {usage.calls} calls {usage.input_tokens} in {usage.output_tokens} out 0 reused unknown"


def test_check_reads_and_judges_a_plain_chat(upheld: Program, plain: Path) -> None:
    """Issue 4, purpose: the way that nearly every user will run; the bill is the server's count."""
    with ScriptedServer(answered) as server:
        ended = upheld("check", plain, *at(server), "--json")
    (file,) = ended.tree["files"]
    assert ended.status == 1
    assert [reply["turn"] for reply in file["replies"]] == ["T3"]
    assert json.dumps(file["replies"]).count('"superseded"') >= 1
    assert file["interpreter"].startswith("llm(openai:scripted@127.0.0.1")
    assert file["matcher"].startswith("llm(openai:scripted@127.0.0.1")
    assert total(ended) == bill(server)


def test_check_names_the_turns_that_it_could_not_read(upheld: Program, plain: Path) -> None:
    """Issue 4, gate 1: what a turn changed is not known, and that is said; the reply is not grounded by it."""

    def failing(body: Tree) -> Any:
        return EchoesSchema() if '"T2"' in body["messages"][1]["content"].rsplit("to-read>")[-2] else answered(body)

    with ScriptedServer(failing) as server:
        ended = upheld("check", plain, *at(server), "--json")
        text = upheld("check", plain, *at(server))
    assert [each["turn"] for each in ended.tree["files"][0]["unread"]] == ["T2"]
    assert "1 turns could not be read" in text.err


@pytest.mark.parametrize(
    ("text", "status", "outcome"),
    [("They may stay three times.", 0, "grounded"), ("They may stay two times.", 1, "ungrounded")],
)
def test_verify_by_a_language_model(upheld: Program, labelled: Path, text: str, status: int, outcome: str) -> None:
    """Issue 4, section 2: words that share little with what was said, judged by what stands."""
    with ScriptedServer(answered) as server:
        ended = upheld("verify", labelled, text, *at(server), "--json")
    assert (ended.status, ended.tree["outcome"]) == (status, outcome)
    assert total(ended) == bill(server)
    assert upheld("verify", labelled, text, "--json").tree["outcome"] == "abstain"


def test_verify_abstains_where_the_language_model_fails_and_can_be_told_to_fail_then(
    upheld: Program, labelled: Path
) -> None:
    """Our promise: a language model's absence is never a pass, and its status is there to be chosen."""
    text = "They may stay three times."
    with ScriptedServer(lambda _: Fails(status=500)) as server:
        ended = upheld("verify", labelled, text, *at(server))
        strict = upheld("verify", labelled, text, *at(server), "--fail-on", "abstain")
    assert (ended.status, strict.status) == (0, 1)
    assert "the language model gave nothing to go by" in " ".join(ended.out.split())
    assert "is busy or broken" in " ".join(ended.out.split())


def test_score_with_a_language_model_for_matching_and_for_reading(upheld: Program, labelled: Path) -> None:
    """Issue 4, section 5: verify by gold state and fully automatic, by one command."""
    with ScriptedServer(answered) as server:
        gold = upheld("score", labelled, "--matching", "llm", *at(server), "--json")
        assert total(gold) == bill(server)
    with ScriptedServer(answered) as server:
        automatic = upheld("score", labelled, "--matching", "llm", "--interpreter", "llm", *at(server), "--json")
        assert total(automatic) == bill(server)
    for ended in (gold, automatic):
        assert ended.status == 0
        assert (ended.tree["verify"]["right"], ended.tree["verify"]["of"]) == (2, 2)
    assert automatic.tree["operations"]["type_f1"] == 1.0


def test_ask_answers_from_what_stands(upheld: Program, labelled: Path) -> None:
    """Issue 4, section 4: an answer with provenance, held against the record like any other reply."""
    with ScriptedServer(answered) as server:
        ended = upheld("ask", labelled, "How many nights are free?", *at(server), "--json")
    assert (ended.status, ended.tree["outcome"]) == (0, "grounded")
    assert [ground["literal"] for ground in ended.tree["grounds"]] == ["o2"]
    assert ended.tree["usage"]["calls"] == len(server.bodies) == 1


@pytest.mark.parametrize(
    ("arguments", "requests"),
    [
        (("score", "trip.yaml", "--matching", "llm", "--json"), 2),
        (("check", "trip.yaml", "--matching", "llm", "--json"), 1),
        (("verify", "trip.yaml", "They may stay three times.", "--matching", "llm", "--json"), 1),
        (("ask", "trip.yaml", "How many nights are free?", "--json"), 1),
    ],
    ids=["score", "check", "verify", "ask"],
)
def test_a_batch_gives_what_a_live_run_gives(
    upheld: Program, labelled: Path, arguments: Sequence[str], requests: int, come_back: Any
) -> None:
    """Issue 4, section 1: the same for verify and score; one round, since labels give the state."""
    folder = labelled.parent
    sent = upheld(*arguments, "--model", "openai:scripted", "--export-requests", "batch.jsonl")
    assert (sent.status, sent.out) == (0, "")
    assert len(come_back(folder / "batch.jsonl", folder / "output.jsonl", answered)) == requests
    offline = upheld(*arguments, "--import-responses", "output.jsonl")
    with ScriptedServer(answered) as server:
        live = upheld(*arguments, *at(server))
    assert offline.status == live.status
    assert without_names(offline.tree) == without_names(live.tree)


def without_names(tree: Any) -> Any:
    """Give an output without who was asked, and what that cost."""
    if isinstance(tree, dict):
        kept = cast("dict[str, Any]", tree)
        return {name: without_names(each) for name, each in kept.items() if name not in ("matcher", "usage", "by")}
    return [without_names(each) for each in cast("list[Any]", tree)] if isinstance(tree, list) else tree


def test_an_import_that_lacks_a_reply_is_no_verdict(upheld: Program, labelled: Path) -> None:
    """Our promise: what has no recording could not be checked; it is never taken for another request's."""
    (labelled.parent / "none.jsonl").write_text("", "utf-8")
    ended = upheld(
        "verify",
        labelled,
        "They stay.",
        "--matching",
        "llm",
        "--import-responses",
        "none.jsonl",
        "--fail-on",
        "abstain",
    )
    assert ended.status == 1
    assert "no reply was recorded for request" in " ".join(ended.out.split())
    asked = upheld("ask", labelled, "How many nights?", "--import-responses", "none.jsonl")
    assert (asked.status, asked.out) == (2, "")


@pytest.mark.parametrize("command", [("check",), ("verify", "They stay."), ("ask", "Who?")], ids=lambda one: one[0])
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--base-url", "http://localhost:1/v1"), "name the language model as well"),
        (("--model", "openai:gpt-4o"), "set UPHELD_API_KEY or OPENAI_API_KEY"),
        (("--import-responses", "missing.jsonl"), "missing.jsonl"),
    ],
)
def test_every_command_refuses_alike(
    upheld: Program, labelled: Path, command: Sequence[str], options: Sequence[str], says: str
) -> None:
    """Our promise: the options mean the same everywhere, and their errors say what to do."""
    name, *texts = command
    ended = upheld(name, labelled, *texts, *options)
    assert (ended.status, ended.out) == (2, "")
    assert says in " ".join(ended.err.split())


def test_a_language_model_that_only_the_environment_names_is_asked(
    upheld: Program, labelled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our promise: UPHELD_MODEL and UPHELD_BASE_URL stand for the options; a misspelt one is refused (C-37)."""
    with ScriptedServer(answered) as server:
        monkeypatch.setenv("UPHELD_MODEL", "scripted")
        monkeypatch.setenv("UPHELD_BASE_URL", server.base_url)
        ended = upheld("verify", labelled, "They may stay three times.")
        assert (ended.status, len(server.bodies)) == (0, 1)
    monkeypatch.setenv("UPHELD_MODELS", "x")
    refused = upheld("verify", labelled, "They may stay three times.")
    assert (refused.status, "UPHELD_MODELS: unknown setting" in refused.err) == (2, True)
