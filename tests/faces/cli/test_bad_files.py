"""Files that cannot mean anything: refused with a place, nothing printed as an answer, nothing written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]


def annotated(*operations: dict[str, Any], **more: Any) -> str:
    """Give the text of a transcript of one turn, an operation a line."""
    head = '{"format": "upheld/annotated-transcript@1", "id": "t",\n "agents": [{"id": "ana", "kind": "person"}],\n'
    listed = ",\n".join(json.dumps(each) for each in operations)
    turn = f' "turns": [{{"id": "T1", "speaker": "ana", "text": "Hm.", "operations": [\n{listed}\n]}}]'
    return head + turn + "".join(f',\n "{key}": {json.dumps(value)}' for key, value in more.items()) + "}\n"


OBSERVE = {"op": "observe", "id": "o1", "text": "It rains."}
BAD = {
    "unknown operation": (annotated({"op": "shout", "id": "o1"}), "bad.json:4: turns[0].operations[0].op: unknown"),
    "dangling id": (
        annotated(OBSERVE, {"op": "revise", "target": "o2"}),
        "bad.json:5: turns[0].operations[1].target: nobody introduced 'o2'",
    ),
    "repeated id": (annotated(OBSERVE, {**OBSERVE, "text": "It pours."}), "bad.json:5: turns[0].operations[1].id: "),
    "self-support": (annotated({**OBSERVE, "depends_on": ["o1"]}), "bad.json:4: turns[0].operations[0].depends_on"),
    "wrong type": (annotated({**OBSERVE, "text": 5}), "bad.json:4: turns[0].operations[0].text: expected text"),
    "unknown key": (annotated({**OBSERVE, "colour": "red"}), "bad.json:4: turns[0].operations[0].colour: unknown key"),
    "empty": ("  \n", "bad.json: empty"),
    "no JSON": ('{"format": \n nothing}', "bad.json:2: no JSON"),
    "a key twice": ('{"format": "x",\n "format": "y"}', "bad.json:2: the key 'format' occurs twice"),
    "another format": ('{"format": "upheld/annotated-transcript@9", "turns": []}', "bad.json:1: format: expected"),
    "a speaker that nobody is": (
        annotated(OBSERVE).replace('"speaker": "ana"', '"speaker": "ben"'),
        "bad.json:3: turns[0].speaker",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_refused_with_file_line_and_key(upheld: Program, kind: str) -> None:
    """The issue: bad files give a typed error with file, line and key, status 2, nothing written."""
    text, message = BAD[kind]
    Path("bad.json").write_text(text, "utf-8")
    ended = upheld("check", "bad.json", "--html", "r.html", "--junit", "j.xml", "--sarif", "s.sarif")
    assert ended.status == 2
    assert ended.out == ""
    assert ended.err.startswith(f"upheld: {message}")
    assert len(ended.err.splitlines()) == 1
    assert [path.name for path in Path().iterdir()] == ["bad.json"]


def test_a_line_of_fifty_megabytes_is_refused_as_too_large(upheld: Program) -> None:
    """The issue: a 50 MB line."""
    with Path("long.jsonl").open("w", encoding="utf-8") as file:
        file.write('{"role": "user", "content": "')
        for _ in range(50):
            file.write("a" * 1024 * 1024)
        file.write('"}\n')
    ended = upheld("check", "long.jsonl", "--html", "r.html")
    assert ended.status == 2
    assert ended.err.startswith("upheld: long.jsonl:1: a line of more than ")
    assert not Path("r.html").exists()


@pytest.mark.parametrize("name", ["bad.yaml", "-"])
def test_a_file_that_is_not_utf_8_is_refused_with_its_line(upheld: Program, name: str) -> None:
    """The issue: not UTF-8."""
    content = b"Ana: Hello.\nBen: caf\xe9\n"
    Path("bad.yaml").write_bytes(content)
    ended = upheld("status", name, stdin=content)
    assert (ended.status, ended.out) == (2, "")
    assert ":2: not in UTF-8" in ended.err


def test_one_bad_file_among_several_stops_them_all(upheld: Program, outage: Path) -> None:
    """Our promise: a pipeline never sees half a report."""
    Path("bad.json").write_text("[]", "utf-8")
    ended = upheld("check", outage, "bad.json", "--junit", "j.xml")
    assert (ended.status, ended.out) == (2, "")
    assert not Path("j.xml").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"],
        ["verify", "x"],
        ["explain", "o1"],
        ["affected", "o1"],
        ["review", "o1"],
        ["brief", "o1"],
        ["believe", "o1", "--agent", "ana"],
        ["replay"],
        ["whatif", "--retract", "o1"],
        ["score"],
        ["convert", "--to", "yaml"],
        ["export"],
    ],
)
def test_every_command_refuses_a_bad_file_alike(upheld: Program, arguments: list[str]) -> None:
    """Our promise (docs/reference/cli.md, Exit status)."""
    Path("bad.json").write_text(BAD["unknown operation"][0], "utf-8")
    command, *rest = arguments
    ended = upheld(command, "bad.json", *rest)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("upheld: bad.json:4: turns[0].operations[0].op")


def test_text_of_a_stranger_moves_no_cursor(upheld: Program) -> None:
    """Our promise: what was said is data; an escape sequence in it never reaches the terminal."""
    hostile = "It rains.\u001b[2J\u001b]0;title\u0007 \u202egnp [red]x[/red]"
    Path("t.json").write_text(annotated({**OBSERVE, "text": hostile}), "utf-8")
    for arguments in (["status"], ["explain", "o1"], ["replay"], ["affected", "o1"], ["verify", "~o1"]):
        command, *rest = arguments
        out = upheld(command, "t.json", *rest).out
        assert not set("\u001b\u0007\u202e") & set(out)
    assert "[red]x[/red]" in upheld("status", "t.json").out


def test_a_fault_of_our_own_is_no_verdict(upheld: Program, outage: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise (docs/reference/cli.md): status 3, since Python's own 1 would read as ungrounded."""

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something impossible")

    monkeypatch.setattr("upheld.faces.cli.commands.check.check_replies", broken)
    ended = upheld("check", outage)
    assert ended.status == 3
    assert "a fault of upheld itself" in ended.err
