"""``upheld check``: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from upheld.faces.cli.options import FailOn
from upheld.faces.cli.places import lines_of
from upheld.logic.language.identities import TurnId
from upheld.logic.language.verdicts import Reason
from upheld.speech.formats.reading import read_transcript

Program = Callable[..., Any]


def test_the_first_page_is_what_the_program_prints(upheld: Program, outage: Path) -> None:
    """The issue: each reply judged against the state before it, in a table."""
    ended = upheld("check", outage)
    assert ended.status == 1
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    assert lines[0] == "turn speaker says verdict"
    assert lines[1] == "T14 Assistant Move auth to in-process JWT so that it ✗ ungrounded: abandoned"
    text = " ".join(lines)
    assert 'h2 "The Redis failure causes the auth failures."' in text
    assert "was given up at T9 by Alice because of o9" in text
    assert "would be grounded if: somebody takes h2 up again with new" in text
    assert "✓ grounded h4 ← h3 ← o5 (T2), o6 (T2), o9 (T7)" in text
    assert re.fullmatch(r"2 replies checked: 1 grounded, 1 ungrounded, 0 abstained · \d+ ms", lines[-1])


def test_json_says_the_same_as_the_table(upheld: Program, outage: Path) -> None:
    """The issue: every command takes --json."""
    ended = upheld("check", outage, "--json")
    assert ended.status == 1
    tree = ended.tree
    assert tree["replies"] == {"grounded": 1, "ungrounded": 1, "abstain": 0}
    assert tree["status"] == 1
    first, second = tree["files"][0]["replies"]
    assert (first["turn"], first["outcome"], first["reasons"]) == ("T14", "ungrounded", ["abandoned"])
    finding = first["claims"][0]["findings"][0]
    assert (finding["literal"], finding["by"], finding["turn"]) == ("h2", "alice", "T9")
    assert finding["because"] == ["o9"]
    assert second["outcome"] == "grounded"
    assert {ground["turn"] for ground in second["claims"][0]["findings"][0]["grounds"]} >= {"T2", "T7"}


@pytest.mark.parametrize(
    ("restriction", "status"),
    [
        ([], 1),
        (["--fail-on", "abandoned"], 1),
        (["--fail-on", "superseded"], 0),
        (["--fail-on", "superseded", "--fail-on", "abandoned"], 1),
        (["--fail-on", "ungrounded"], 1),
        (["--fail-on", "abstain"], 0),
    ],
)
def test_fail_on_restricts_what_counts(upheld: Program, outage: Path, restriction: list[str], status: int) -> None:
    """The issue: ``--fail-on REASON``."""
    assert upheld("check", outage, *restriction).status == status


def test_what_could_not_be_checked_fails_only_when_asked(upheld: Program) -> None:
    """The semantics, section 11: could not check is neither grounded nor ungrounded."""
    chat = Path("chat.jsonl")
    chat.write_text(
        '{"role": "user", "content": "Hello."}\n{"role": "assistant", "content": "Purple weather sings."}\n'
    )
    assert upheld("check", chat).status == 0
    assert upheld("check", chat, "--fail-on", "abstain").status == 1


def test_every_reason_can_be_named_in_fail_on() -> None:
    """Our promise: the list of --fail-on is the list of reasons, and two words for groups of them."""
    assert {each.value for each in FailOn} == {each.value for each in Reason} | {"ungrounded", "abstain"}


def test_without_an_assistant_everything_said_is_judged(upheld: Program, root: Path) -> None:
    """Our promise: no reply to judge is no silent pass."""
    ended = upheld("check", root / "examples" / "standup.txt")
    assert "no assistant takes part" in ended.err
    assert "10 replies checked" in ended.out


def test_a_named_speaker_is_judged_instead_of_the_assistants(upheld: Program, outage: Path) -> None:
    """Our promise (help of --speaker); a name that nobody has is refused, not ignored."""
    tree = upheld("check", outage, "--speaker", "bob", "--json").tree
    assert {reply["speaker"] for reply in tree["files"][0]["replies"]} == {"bob"}
    ended = upheld("check", outage, "--speaker", "nobody")
    assert ended.status == 2
    assert "there are alice, assistant, bob, carol" in ended.err


def test_an_export_is_read_from_standard_input(upheld: Program, root: Path) -> None:
    """The issue: FILE may be ``-``; the old address is noticed in a plain chat, by words alone."""
    chat = (root / "examples" / "support-chat.jsonl").read_text("utf-8")
    ended = upheld("check", "-", "--json", stdin=chat)
    assert ended.status == 1
    replies = {reply["turn"]: reply for reply in ended.tree["files"][0]["replies"]}
    assert replies["T10"]["reasons"] == ["superseded"]


def test_junit_has_a_case_for_each_reply(upheld: Program, outage: Path, root: Path) -> None:
    """The issue: JUnit XML, so that a pipeline can fail on it. Neither ungrounded nor abstained passes."""
    chat = root / "examples" / "support-chat.json"
    tree = upheld("check", outage, chat, "--junit", "build/j.xml", "--json").tree
    suites = Xml.parse("build/j.xml").getroot()
    assert [len(suite) for suite in suites] == [2, 6]
    for suite, file in zip(suites, tree["files"], strict=True):
        for case, reply in zip(suite, file["replies"], strict=True):
            inside = {"grounded": [], "ungrounded": ["failure"], "abstain": ["skipped"]}[reply["outcome"]]
            assert [child.tag for child in case] == inside
            assert case.get("name", "").startswith(reply["turn"])
    assert suites.get("tests") == "8"
    assert suites.get("failures") == str(tree["replies"]["ungrounded"])
    assert suites.get("skipped") == str(tree["replies"]["abstain"])
    failure = suites.find(".//failure")
    assert failure is not None
    assert failure.get("type") == "abandoned"


def test_words_that_xml_cannot_carry_do_not_break_junit(upheld: Program) -> None:
    """Our promise: a stranger's text never makes the file unreadable."""
    said = {"role": "assistant", "content": "Bell \u0007 and </failure> & <b>."}
    Path("chat.json").write_text(json.dumps([{"role": "user", "content": "Hi."}, said]), "utf-8")
    assert upheld("check", "chat.json", "--junit", "j.xml").status == 0
    assert "</failure> & <b>" in (Xml.parse("j.xml").getroot()[0][0].get("name") or "")


def sarif_of(path: str) -> dict[str, Any]:
    """Read a SARIF log and hold it against the parts of the schema that readers rely on."""
    log = json.loads(Path(path).read_text("utf-8"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == {f"upheld/{reason.value}" for reason in Reason}
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        (location,) = result["locations"]
        assert not location["physicalLocation"]["artifactLocation"]["uri"].startswith("/")
        assert location["physicalLocation"].get("region", {"startLine": 1})["startLine"] >= 1
    return run


@pytest.mark.parametrize(
    ("example", "turn", "shown"),
    [
        ("checkout-outage.json", "T14", '"T14"'),
        ("support-chat.json", "T10", "14 Quay Street on Thursday"),
        ("support-chat.jsonl", "T10", "14 Quay Street on Thursday"),
    ],
)
def test_sarif_points_at_the_line_of_the_turn(upheld: Program, root: Path, example: str, turn: str, shown: str) -> None:
    """The issue: SARIF; OASIS SARIF 2.1.0, section 3.30: a region is counted in lines from 1."""
    text = (root / "examples" / example).read_text("utf-8")
    Path(example).write_text(text, "utf-8")
    assert upheld("check", example, "--sarif", "s.sarif").status == 1
    (result,) = sarif_of("s.sarif")["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == example
    assert shown in text.splitlines()[physical["region"]["startLine"] - 1]
    assert result["locations"][0]["logicalLocations"][0]["name"] == turn


def test_a_yaml_or_text_turn_has_its_line_too(upheld: Program, outage: Path) -> None:
    """Our promise (docs/how-to/check-an-export-in-ci.md): at the turn that made the claim, in every form."""
    upheld("convert", outage, "--to", "yaml", "--out", "talk.yaml")
    upheld("check", "talk.yaml", "--sarif", "s.sarif")
    (result,) = sarif_of("s.sarif")["results"]
    line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert Path("talk.yaml").read_text("utf-8").splitlines()[line - 1] == "- id: T14"


def test_a_turn_of_plain_text_has_the_line_that_opens_it(tmp_path: Path) -> None:
    """Our promise (docs/how-to/check-an-export-in-ci.md): in every form."""
    talk = tmp_path / "talk.txt"
    talk.write_text("# Title\n\nAna: Hello.\n  And more.\n\nBen: Hello.\nAna: Bye.\n", "utf-8")
    wanted = {TurnId("T1"), TurnId("T2"), TurnId("T3")}
    assert lines_of(talk, read_transcript(talk), wanted) == {"T1": 3, "T2": 6, "T3": 7}


def test_several_files_have_their_reports_in_one_folder(upheld: Program, outage: Path, root: Path) -> None:
    """Our promise (help of --html)."""
    ended = upheld("check", outage, root / "examples" / "support-chat.json", "--html", "out")
    assert "report: out" in ended.out
    assert sorted(path.name for path in Path("out").iterdir()) == ["checkout-outage.html", "support-chat.html"]


def test_two_files_of_one_name_do_not_overwrite_each_others_report(upheld: Program, outage: Path) -> None:
    """Our promise: nothing is lost without a word."""
    Path("other").mkdir()
    Path("other/checkout-outage.json").write_text(outage.read_text("utf-8"), "utf-8")
    ended = upheld("check", outage, "other/checkout-outage.json", "--html", "out")
    assert ended.status == 2
    assert not Path("out").exists()


def test_a_report_that_cannot_be_written_leaves_the_others_unwritten(upheld: Program, outage: Path) -> None:
    """Our promise: files are written whole or not at all."""
    Path("taken").write_text("a file, no folder", "utf-8")
    ended = upheld("check", outage, "--junit", "j.xml", "--html", "taken/report.html")
    assert ended.status == 2
    assert "cannot be written" in ended.err
    assert [path.name for path in Path().iterdir()] == ["taken"]
