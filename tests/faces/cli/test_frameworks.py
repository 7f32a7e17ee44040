"""``upheld af``: run as the script of a competition runs a solver."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from upheld.logic.argumentation.formats.reading import Form, framework_from

Program = Callable[..., Any]


@pytest.fixture
def frameworks(root: Path) -> Path:
    """The folder of the examples."""
    return root / "examples" / "frameworks"


@pytest.mark.parametrize(
    ("task", "name", "expected"),
    [
        ("DC-CO", "1", "YES\nw 1 4 6 8\n"),
        ("DC-CO", "3", "NO\n"),
        ("DS-PR", "4", "YES\n"),
        ("DS-PR", "1", "NO\nw 2 4 6 8\n"),
        ("SE-PR", "", "w 1 4 6 8\n"),
        ("SE-ID", "", "w 4 6 8\n"),
        ("EE-ST", "", "w 1 4 6 8\nw 2 4 6 8\n"),
        ("CE-CO", "", "3\n"),
    ],
)
def test_a_competition_of_2023_gets_its_answer_and_nothing_else(
    upheld: Program, frameworks: Path, task: str, name: str, expected: str
) -> None:
    """ICCMA 2023 and 2025, solver interface: ``-p task -f file -a argument``, and the output format."""
    asked = ["-a", name] if name else []
    ended = upheld("af", "solve", "-p", task, "-f", frameworks / "rollback.af", *asked)
    assert (ended.status, ended.out, ended.err) == (0, expected, "")


@pytest.mark.parametrize(
    ("task", "name", "expected"),
    [
        ("DC-CO", "rollback", "YES\n"),
        ("DS-PR", "rollback", "NO\n"),
        ("SE-GR", "", "[snapshot,restored,covered]\n"),
        ("EE-PR", "", "[[rollback,snapshot,restored,covered],[hotfix,snapshot,restored,covered]]\n"),
    ],
)
def test_an_older_competition_gets_brackets(
    upheld: Program, frameworks: Path, task: str, name: str, expected: str
) -> None:
    """ICCMA 2015 to 2021, solver interface: ``-p task -f file -fo format -a argument``, and the output format."""
    asked = ["-a", name] if name else []
    ended = upheld("af", "solve", "-p", task, "-f", frameworks / "rollback.apx", "-fo", "apx", *asked)
    assert (ended.status, ended.out, ended.err) == (0, expected, "")


def test_the_style_can_be_asked_for(upheld: Program, frameworks: Path) -> None:
    """Our promise (help): either style for either format."""
    arguments = ["af", "solve", frameworks / "three-reports.tgf", "--task", "SE-GR", "--style"]
    assert upheld(*arguments, "witness").out == "w\n"
    assert upheld(*arguments, "brackets").out == "[]\n"


def test_a_process_of_its_own_prints_the_answer_alone(root: Path, frameworks: Path) -> None:
    """ICCMA 2023, output format: "no additional output is allowed"."""
    ended = subprocess.run(
        [sys.executable, "-m", "upheld.faces.cli", "af", "solve", "-p", "DS-ST", "-f", "-", "-a", "logbook"],
        input=(frameworks / "three-reports.tgf").read_bytes(),
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"YES\n", b"")


def test_the_tasks_are_listed(upheld: Program) -> None:
    """ICCMA 2015 to 2025, solver interface: ``--problems``."""
    ended = upheld("af", "solve", "--problems")
    assert ended.status == 0
    assert ended.out.startswith("[DC-CO,")
    assert {"DS-PR", "SE-SST", "EE-STG", "CE-ST"} <= set(ended.out.strip("[]\n").split(","))


def test_without_a_proof_nothing_is_printed_and_the_status_says_so(upheld: Program, frameworks: Path) -> None:
    """Our promise (help): status 4; a set is shown on request, and then called what it is."""
    arguments = ["af", "solve", frameworks / "rollback.af", "--conflicts", "0", "-p"]
    ended = upheld(*arguments, "SE-PR")
    assert (ended.status, ended.out) == (4, "")
    assert ended.err == "upheld: SE-PR: not proved within the conflicts allowed\n"
    best = upheld(*arguments, "SE-PR", "--anytime")
    assert (best.status, best.out, best.err) == (4, "w 4 6 8\n", "upheld: SE-PR: not proved maximal\n")
    for task, name in (("DC-ST", "1"), ("DS-PR", "1"), ("CE-PR", ""), ("SE-ST", "")):
        ended = upheld(*arguments, task, "--anytime", *(["-a", name] if name else []))
        assert (ended.status, ended.out) == (4, "")
    assert upheld(*arguments, "SE-GR").status == 0
    assert upheld(*arguments, "DC-PR", "-a", "4").status == 4, "its witness would have to be proved preferred"


def test_an_answer_is_given_before_the_first_edit_and_after_each(upheld: Program, frameworks: Path) -> None:
    """ICCMA 2019, dynamic track: a framework, a file of modifications (``-m``), as many answers and one."""
    arguments = ["af", "solve", "-f", frameworks / "rollback.apx", "-m", frameworks / "rollback.apxm", "-p"]
    assert upheld(*arguments, "DS-PR", "-a", "rollback").out == "NO\nNO\nNO\nYES\n"
    extensions = upheld(*arguments, "SE-ID").out.splitlines()
    assert extensions[0] == "[snapshot,restored,covered]"
    assert extensions[1] == "[covered]" or extensions[1] == "[hotfix,migrated,stale,covered]"
    assert extensions[3] == "[rollback,snapshot,untested,unfounded,checked]"
    ended = upheld(*arguments, "SE-PR", "--json")
    assert [line.count('"is_proved": true') for line in ended.out.splitlines()] == [1, 1, 1, 1]


def test_an_edit_that_cannot_be_made_is_named_after_the_answers_before_it(upheld: Program, frameworks: Path) -> None:
    """Our promise: file and line; an answer never stands in the place of another."""
    Path("edits").write_text("+ 8 2\n\n- 1 8\n+ 2 7\n", "utf-8")
    ended = upheld("af", "solve", "-f", frameworks / "rollback.af", "-p", "DC-CO", "-a", "2", "--edits", "edits")
    assert ended.status == 2
    assert ended.out == "YES\nw 2 4 6 8\nNO\n"
    assert "edits:3: " in ended.err
    assert "1 attacks 8" in ended.err


def test_an_answer_that_is_not_proved_ends_the_answers(upheld: Program, frameworks: Path) -> None:
    """Our promise: the third answer is never read as the second."""
    Path("edits").write_text("- 1 2\n", "utf-8")
    arguments = ["af", "solve", "-f", frameworks / "rollback.af", "-p", "SE-PR", "--edits", "edits", "--conflicts", "0"]
    ended = upheld(*arguments)
    assert (ended.status, ended.out) == (4, "")
    ended = upheld(*arguments, "--anytime")
    assert (ended.status, ended.out.splitlines()[1]) == (4, "w 2 4 6 8"), "without that attack no circle is left"


def test_an_answer_in_json_says_what_it_is(upheld: Program, frameworks: Path) -> None:
    """Our promise: the same answer as data."""
    tree = upheld("af", "solve", frameworks / "rollback.apx", "--task", "DS-PR", "--argument", "hotfix", "--json").tree
    assert tree == {
        "task": "DS-PR",
        "argument": "hotfix",
        "edits": 0,
        "is_proved": True,
        "is_accepted": False,
        "extensions": [["rollback", "snapshot", "restored", "covered"]],
        "count": None,
    }
    ended = upheld("af", "solve", frameworks / "rollback.apx", "-p", "SE-PR", "--json", "--conflicts", "0")
    assert (ended.status, ended.tree["is_proved"], ended.tree["extensions"]) == (4, False, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "SE-XY", "-f", "x.af"], "no task 'SE-XY'; there are DC-CO"),
        (["-f", "x.af"], "no task ''; there are DC-CO"),
        (["-p", "SE-PR"], "name one FILE"),
        (["-p", "SE-PR", "-f", "x.af", "x.af"], "name one FILE"),
        (["-p", "SE-PR", "-f", "none.af"], "none.af: cannot be read"),
        (["-p", "SE-PR", "-f", "."], ".: cannot be read"),
        (["-p", "SE-PR", "-f", "x.af", "-a", "1"], "SE-PR is about no argument"),
        (["-p", "DC-PR", "-f", "x.af"], "DC-PR is about an argument"),
        (["-p", "DC-PR", "-f", "x.af", "-a", "3"], "nobody introduced '3'"),
        (["-p", "SE-PR", "-f", "x.af", "-fo", "tgf"], "x.af:1: no argument: 'p af 2'"),
        (["-p", "SE-PR", "-f", "bad.af"], "bad.af:2: no attack: '1'"),
        (["-p", "SE-PR", "-f", "bytes.af"], "bytes.af:2: not in UTF-8"),
        (["-p", "SE-PR", "-f", "x.af", "-m", "bad.af"], "bad.af:1: no edit: 'p af 2'"),
    ],
)
def test_what_cannot_be_answered_is_refused_on_one_line(upheld: Program, arguments: list[str], message: str) -> None:
    """Our promise: status 2, nothing on standard output, the place is named."""
    Path("x.af").write_text("p af 2\n1 2\n", "utf-8")
    Path("bad.af").write_text("p af 2\n1\n", "utf-8")
    Path("bytes.af").write_bytes(b"p af 2\n# \xff\n")
    ended = upheld("af", "solve", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"upheld: {message}")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("suffix", list(Form))
def test_a_framework_is_converted_and_means_the_same(upheld: Program, frameworks: Path, suffix: Form) -> None:
    """Our promise: the examples are one framework; af has numbers for names."""
    target = Path(f"copy.{suffix}")
    assert upheld("af", "convert", frameworks / "rollback.apx", target).status == 0
    copy = framework_from(target.read_text("utf-8"), name=target.name)
    original = framework_from((frameworks / "rollback.apx").read_text("utf-8"), name="rollback.apx")
    number = {name: str(place) for place, name in enumerate(original.arguments, start=1)}
    if suffix is Form.AF:
        assert target.read_text("utf-8") == (frameworks / "rollback.af").read_text("utf-8")
        assert copy.attacks == {(number[attacker], number[victim]) for attacker, victim in original.attacks}
    else:
        assert copy == original


def test_a_conversion_overwrites_nothing_and_needs_to_know_the_format(upheld: Program, frameworks: Path) -> None:
    """Our promise: as every command that writes."""
    source = frameworks / "rollback.af"
    Path("mine.tgf").write_text("mine", "utf-8")
    ended = upheld("af", "convert", source, "mine.tgf")
    assert (ended.status, Path("mine.tgf").read_text("utf-8")) == (2, "mine")
    assert upheld("af", "convert", source, "mine.tgf", "--force").status == 0
    ended = upheld("af", "convert", source, "mine")
    assert (ended.status, ended.err) == (2, "upheld: mine has no suffix of a framework: say --to af, apx, tgf\n")
    ended = upheld("af", "convert", "-", "-", "--to", "apx", stdin="p af 2\n2 1\n")
    assert ended.out == "arg(1).\narg(2).\natt(2,1).\n"


def test_why_an_argument_is_accepted_is_told_by_what_defeats_each_attacker(upheld: Program, frameworks: Path) -> None:
    """Our promise (help): step by step, down to what nothing attacks."""
    assert upheld("af", "why", frameworks / "rollback.apx", "-a", "snapshot").out.splitlines() == [
        "snapshot is in: what attacks it is out: stale",
        "stale is out: restored attacks it and is in",
        "restored is in: nothing attacks it",
    ]
    tree = upheld("af", "why", frameworks / "rollback.apx", "-a", "restored", "--json").tree
    assert (tree["is_accepted"], len(tree["steps"])) == (True, 1)


@pytest.mark.parametrize(
    ("file", "name", "semantics", "lines"),
    [
        (
            "rollback.apx",
            "stale",
            "preferred",
            ["stale is out: restored attacks it and is in", "restored is in: nothing attacks it"],
        ),
        (
            "rollback.apx",
            "rollback",
            "grounded",
            [
                "rollback is undecided: hotfix attacks it and is undecided",
                "hotfix is undecided: rollback attacks it and is undecided",
                "nothing outside settles the circle: rollback, hotfix",
            ],
        ),
        (
            "rollback.apx",
            "rollback",
            "preferred",
            ["a preferred extension without rollback, which is out by it: covered, hotfix, restored, snapshot"],
        ),
        (
            "three-reports.tgf",
            "board",
            "preferred",
            ["no admissible set has board: none can answer phone"],
        ),
        ("pair.tgf", "a", "stable", ["there is no stable extension at all"]),
        ("pair.tgf", "a", "preferred", ["a is in: nothing attacks it"]),
        ("float.tgf", "d", "preferred", ["d: in every extension (preferred)"]),
        ("float.tgf", "d", "admissible", ["d: an admissible set has it (admissible)"]),
    ],
)
def test_why_an_argument_falls_is_told_by_what_fells_it(
    upheld: Program, frameworks: Path, file: str, name: str, semantics: str, lines: list[str]
) -> None:
    """Our promise (help): a derivation, a circle, an extension without it, or attackers that nothing answers."""
    Path("pair.tgf").write_text("a\nb\n#\nb b\n", "utf-8")
    Path("float.tgf").write_text("a\nb\nc\nd\n#\na b\nb a\na c\nb c\nc d\n", "utf-8")
    path = Path(file) if Path(file).exists() else frameworks / file
    ended = upheld("af", "why", path, "--argument", name, "--semantics", semantics)
    assert (ended.status, ended.out.splitlines()) == (0, lines)


def test_a_reason_that_could_not_be_found_in_time_is_none(upheld: Program, frameworks: Path) -> None:
    """Our promise (help): status 4, and nothing on standard output."""
    arguments = ["af", "why", frameworks / "rollback.apx", "-a", "rollback", "--semantics", "preferred"]
    ended = upheld(*arguments, "--conflicts", "0")
    assert (ended.status, ended.out) == (4, "")
    assert ended.err == "upheld: rollback: not settled within the conflicts allowed\n"
    assert upheld(*arguments, "--conflicts", "0", "--json").tree["is_accepted"] is None
    tree = upheld(*arguments, "--json").tree
    assert (tree["is_accepted"], tree["cause"]) == (False, "omitted")
    assert tree["extension"] == ["covered", "hotfix", "restored", "snapshot"]


def test_a_question_why_names_an_argument_that_there_is(upheld: Program, frameworks: Path) -> None:
    """Our promise: status 2."""
    assert "nobody introduced 'nobody'" in upheld("af", "why", frameworks / "rollback.apx", "-a", "nobody").err
    ended = upheld("af", "why", frameworks / "rollback.apx")
    assert (ended.status, ended.err) == (2, "upheld: --argument: name the argument that is asked about\n")


def test_a_chain_of_any_length_is_told(upheld: Program) -> None:
    """Our promise: nothing recurses over what a user gives."""
    count = 3_000
    Path("long.af").write_text(f"p af {count}\n" + "".join(f"{n} {n + 1}\n" for n in range(1, count)), "utf-8")
    assert len(upheld("af", "why", "long.af", "-a", str(count)).out.splitlines()) == count
    assert upheld("af", "solve", "long.af", "-p", "DC-PR", "-a", str(count)).out == "NO\n"
