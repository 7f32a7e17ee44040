"""The page in a browser, driven by its address and read back as the elements that it drew."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from upheld.faces.report.contents import (
    CheckedClaim,
    Report,
    ReportChange,
    ReportEdge,
    ReportProposition,
    ReportTurn,
    ReportVerdict,
    StandingState,
)
from upheld.faces.report.report import render_report
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import literal
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.rendering.picture import EdgeKind

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=3000",
    "--window-size=1280,800",
)
MARKUP = "<img src=x onerror=\"document.title='broken'\"> & <b>bold</b>"


def drawn(page: str, address: str, folder: Path) -> str:
    """Give the document that a browser made of ``page`` at ``#address``."""
    browser = next((path for path in map(shutil.which, NAMES) if path), None)
    if browser is None:
        pytest.skip("no Chromium is installed")
    file = folder / "report.html"
    file.write_text(page, encoding="utf-8")
    command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--dump-dom", f"{file.as_uri()}#{address}"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=120)
    assert "</body>" in done.stdout, done.stderr
    return done.stdout


def part(document: str, opening: str, tag: str) -> str:
    """Cut out the first element that begins with ``opening``, up to its closing tag of the same depth."""
    start = document.index(opening)
    depth = 0
    place = start
    while True:
        closes = document.find(f"</{tag}>", place)
        opens = document.find(f"<{tag}", place)
        if opens != -1 and opens < closes:
            depth, place = depth + 1, opens + 1
            continue
        depth, place = depth - 1, closes + 1
        if depth == 0:
            return document[start : closes + len(tag) + 3]


def words(element: str) -> str:
    """Give the text of an element without its tags."""
    return " ".join(" ".join(Xml.fromstring(element).itertext()).split())


def incident() -> Report:
    """Give a short conversation: a hypothesis on o8 is given up because of o9, and a reply still rests on it."""
    carol, alice = AgentId("carol"), AgentId("alice")
    first, second, third = TurnId("T1"), TurnId("T2"), TurnId("T3")
    o8, h2, o9, end = (PropositionId(id) for id in ("o8", "h2", "o9", "h2@T3"))
    standing = StandingState(label=Label.IN, lifecycle=Lifecycle.STANDING)
    reply = "🔥 Restart Redis and sign-in works."
    return Report(
        title="Outage",
        agents=(Agent(id=carol, name="Carol", role="SRE"), Agent(id=alice, name="Alice")),
        turns=(
            ReportTurn(id=first, speaker=alice, text=MARKUP, operations=({"op": "observe", "id": "o8", "text": "t"},)),
            ReportTurn(
                id=second,
                speaker=carol,
                text="Redis breaks auth?",
                operations=({"op": "hypothesize", "id": "h2", "text": "t", "depends_on": ["o8"]},),
            ),
            ReportTurn(
                id=third,
                speaker=alice,
                text="No: token expired.",
                operations=(
                    {"op": "observe", "id": "o9", "text": "t"},
                    {"op": "revise", "target": "h2", "because": ["o9"]},
                ),
            ),
        ),
        propositions=(
            ReportProposition(id=o8, text=MARKUP, kind=Kind.OBSERVATION, turn=first, speaker=alice),
            ReportProposition(id=h2, text="Redis makes auth fail.", kind=Kind.HYPOTHESIS, turn=second, speaker=carol),
            ReportProposition(id=o9, text="The tokens expired.", kind=Kind.OBSERVATION, turn=third, speaker=alice),
            ReportProposition(id=end, text="Alice gives h2 up.", kind=Kind.ARGUMENT, turn=third, speaker=alice),
        ),
        edges=(
            ReportEdge(source=o8, target=h2, kind=EdgeKind.PREMISE, turn=second),
            ReportEdge(source=o9, target=end, kind=EdgeKind.PREMISE, turn=third),
            ReportEdge(source=end, target=h2, kind=EdgeKind.ATTACK, turn=third),
        ),
        changes=(
            ReportChange(turn=first, states={o8: standing}),
            ReportChange(turn=second, states={h2: StandingState(label=Label.IN, lifecycle=Lifecycle.ACTIVE)}),
            ReportChange(
                turn=third,
                states={
                    o9: standing,
                    end: standing,
                    h2: StandingState(label=Label.OUT, lifecycle=Lifecycle.ABANDONED),
                },
            ),
        ),
        verdicts=(
            ReportVerdict(
                turn=third,
                text=reply,
                outcome=Outcome.UNGROUNDED,
                reason=Reason.ABANDONED,
                summary="It rests on h2.",
                because=(o9,),
                claims=(
                    CheckedClaim(
                        start=2,
                        end=len(reply) - 1,
                        text="Redis makes auth fail.",
                        literals=(literal("h2"),),
                        outcome=Outcome.UNGROUNDED,
                        reason=Reason.ABANDONED,
                    ),
                ),
            ),
        ),
    )


def test_a_claim_that_fell_says_why_and_is_struck_everywhere(tmp_path: Path) -> None:
    """The issue's words: a click on a claim shows why it stands or fell and what rests on it."""
    document = drawn(render_report(incident()), "turn=T3&claim=h2", tmp_path)
    panel = words(part(document, "<aside", "aside"))
    assert "✕ given up as of T3" in panel
    assert "Why it does not stand ● h2@T3 Alice gives h2 up. T3 ● o9 The tokens expired. T3" in panel
    assert "What it rests on ● o8" in panel
    assert document.count("claim is-gone selected") == 2
    assert 'class="node is-gone kind-hypothesis selected"' in document
    reply = part(document, '<section class="reply"', "section")
    assert words(reply).startswith("reply checked ✗ ungrounded: abandoned 🔥 Restart Redis and sign-in works ✗ .")
    assert 'class="checked is-ungrounded" role="button" tabindex="0" data-claim="h2"' in reply
    assert ">Restart Redis and sign-in works<sup>✗</sup></span>." in reply


def test_an_earlier_turn_shows_what_was_so_then(tmp_path: Path) -> None:
    """The semantics, section 1: every query answers as of a turn."""
    document = drawn(render_report(incident()), "turn=T2&claim=h2", tmp_path)
    panel = words(part(document, "<aside", "aside"))
    assert "◌ live hypothesis as of T2" in panel
    assert "Why it stands ● o8" in panel
    assert "claim is-live selected" in document
    assert 'class="turn by-person later" id="turn-T3"' in document
    assert "o9" not in part(document, '<svg id="graph"', "svg")
    assert words(part(document, "<output", "output")) == "T2 of 3 · Carol"


def test_markup_in_a_text_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    """Our promise: a stranger's text is data, in the page as everywhere."""
    document = drawn(render_report(incident()), "turn=T1&claim=o8&all", tmp_path)
    assert "<title>Outage</title>" in document
    assert "<img" not in document.partition("<noscript>")[0]
    assert MARKUP in words(part(document, '<article class="turn by-person" id="turn-T1"', "article"))


def test_a_long_conversation_is_filled_in_to_its_end(tmp_path: Path) -> None:
    """The page's design: long records stay usable, and the browser's own search finds everything."""
    alice = AgentId("alice")
    turns = tuple(ReportTurn(id=TurnId(f"T{index}"), speaker=alice, text=f"words {index}.") for index in range(1, 701))
    document = drawn(render_report(Report(title="Long", turns=turns)), "turn=T600", tmp_path)
    assert all(f"words {index}." in document.partition("<noscript>")[0] for index in range(1, 701))


def test_an_empty_record_is_said_to_be_empty(tmp_path: Path) -> None:
    """Our promise: nothing said yet is a state of the page."""
    document = drawn(render_report(Report(title="Empty")), "", tmp_path)
    assert words(part(document, '<div id="turns"', "div")) == "Nothing was said yet."
