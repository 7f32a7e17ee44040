"""The report as a file: whole, closed to the network, and safe with whatever was said."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import UnknownReference
from upheld.faces.report.contents import (
    CheckedClaim,
    ExplanationLine,
    Report,
    ReportChange,
    ReportEdge,
    ReportProposition,
    ReportTurn,
    ReportVerdict,
    StandingState,
)
from upheld.faces.report.payload import report_json, report_tree
from upheld.faces.report.report import render_report
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import literal
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.rendering.picture import EdgeKind

HOSTILE = "</script><script>alert(1)</script><!--<script> {{data}} {{script}} \u2028\u2029 &amp; \ud800 🔥 \" '"


class Elements(HTMLParser):
    """What a browser would take for elements, with the raw text of scripts and styles."""

    def __init__(self) -> None:
        """Start with nothing read."""
        super().__init__(convert_charrefs=True)
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.metas: list[dict[str, str | None]] = []
        self.addresses: list[str] = []
        self.title = ""
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note scripts, styles, metas and every attribute that fetches something."""
        named = dict(attrs)
        self._open = tag
        if tag == "script":
            self.scripts.append((named, ""))
        elif tag == "style":
            self.styles.append("")
        elif tag == "meta":
            self.metas.append(named)
        self.addresses += [named[name] or "" for name in ("src", "href", "action", "data", "srcset") if name in named]

    def handle_endtag(self, tag: str) -> None:
        """Close whatever was open."""
        self._open = ""

    def handle_data(self, data: str) -> None:
        """Add text to the element that is open."""
        if self._open == "script":
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)
        elif self._open == "style":
            self.styles[-1] += data
        elif self._open == "title":
            self.title += data


def elements(page: str) -> Elements:
    """Parse a page."""
    parser = Elements()
    parser.feed(page)
    parser.close()
    return parser


def hostile_report(text: str = HOSTILE) -> Report:
    """Give a report with ``text`` wherever text can stand."""
    alice, first, claim = AgentId("alice"), TurnId("T1"), PropositionId("o1")
    return Report(
        title=text,
        agents=(Agent(id=alice, name=text, role=text),),
        turns=(
            ReportTurn(
                id=first,
                speaker=alice,
                text=text,
                session=text,
                at=text,
                operations=({"op": "observe", "id": "o1", "text": text, "depends_on": [text]},),
                findings=(text,),
            ),
        ),
        propositions=(ReportProposition(id=claim, text=text, kind=Kind.OBSERVATION, turn=first, speaker=alice),),
        edges=(ReportEdge(source=claim, target=claim, kind=EdgeKind.ATTACK, turn=first),),
        changes=(
            ReportChange(turn=first, states={claim: StandingState(label=Label.IN, lifecycle=Lifecycle.STANDING)}),
        ),
        explanations={claim: (ExplanationLine(depth=0, id=literal("~o1"), text=text, turn=first),)},
        verdicts=(
            ReportVerdict(
                turn=first,
                text=text,
                outcome=Outcome.UNGROUNDED,
                reason=Reason.ABANDONED,
                summary=text,
                because=(claim,),
                claims=(
                    CheckedClaim(
                        start=0,
                        end=4,
                        text=text,
                        literals=(literal("~o1"),),
                        outcome=Outcome.UNGROUNDED,
                        reason=Reason.ABANDONED,
                    ),
                ),
            ),
        ),
    )


def test_the_payload_has_the_shape_that_the_page_reads() -> None:
    """The report's contract: plain JSON, enums by their values, literals in their notation."""
    tree = json.loads(report_json(hostile_report("x")))
    assert tree == {
        "title": "x",
        "agents": [{"id": "alice", "name": "x", "role": "x", "kind": "person"}],
        "turns": [
            {
                "id": "T1",
                "speaker": "alice",
                "text": "x",
                "session": "x",
                "at": "x",
                "operations": [{"op": "observe", "id": "o1", "text": "x", "depends_on": ["x"]}],
                "findings": ["x"],
            }
        ],
        "propositions": {"o1": {"text": "x", "kind": "observation", "turn": "T1", "speaker": "alice"}},
        "edges": [{"source": "o1", "target": "o1", "kind": "attack", "turn": "T1"}],
        "changes": [{"turn": "T1", "states": {"o1": {"label": "in", "lifecycle": "standing"}}}],
        "explanations": {"o1": [{"depth": 0, "id": "~o1", "text": "x", "turn": "T1"}]},
        "verdicts": [
            {
                "turn": "T1",
                "text": "x",
                "outcome": "ungrounded",
                "reason": "abandoned",
                "summary": "x",
                "because": ["o1"],
                "claims": [
                    {
                        "start": 0,
                        "end": 4,
                        "text": "x",
                        "literals": ["~o1"],
                        "outcome": "ungrounded",
                        "reason": "abandoned",
                    }
                ],
            }
        ],
    }


def test_a_hostile_text_stays_data() -> None:
    """The HTML standard, "restrictions for contents of script elements": ``</script`` and ``<!--`` end or hide one."""
    page = elements(render_report(hostile_report()))
    assert [attributes.get("type") for attributes, _ in page.scripts] == ["application/json", None]
    assert json.loads(page.scripts[0][1]) == report_tree(hostile_report())
    assert page.title == HOSTILE


@given(st.text())
def test_any_text_round_trips_through_the_page(text: str) -> None:
    """Our promise: what was said is shown as it was said, surrogates and separators included."""
    written = report_json(hostile_report(text))
    assert json.loads(written) == report_tree(hostile_report(text))
    assert not re.search("[<>&\u2028\u2029]", written)
    written.encode()


def test_the_page_lets_only_its_own_script_run() -> None:
    """Content Security Policy Level 3, section 2.3.1: a hash source matches the element's exact text."""
    page = elements(render_report(hostile_report()))
    policy = next(meta["content"] or "" for meta in page.metas if meta.get("http-equiv") == "Content-Security-Policy")
    directives: Mapping[str, str] = dict(part.split(" ", 1) for part in policy.split("; "))

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == source(page.scripts[1][1])
    assert directives["style-src"] == source(page.styles[0])


def test_the_page_needs_no_network() -> None:
    """The issue's words: the HTML report is one file that needs no network."""
    text = render_report(hostile_report("x"))
    assert elements(text).addresses == []
    assert set(re.findall(r"\w+://[^\s\"'`)]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\((?!#)|fetch\(|XMLHttpRequest|WebSocket|\beval\(|new Function|innerHTML", text)


def test_equal_reports_give_equal_pages() -> None:
    """Our promise: a report under version control changes only when the record does."""
    assert render_report(hostile_report()) == render_report(hostile_report())


def test_an_empty_report_is_a_page() -> None:
    """Our promise: nothing said yet is a state, not a failure."""
    assert json.loads(elements(render_report(Report(title=""))).scripts[0][1])["turns"] == []


NOWHERE_TURN, NOWHERE_ID = TurnId("T9"), PropositionId("p9")
ONE_EDGE = ReportEdge(source=PropositionId("o1"), target=NOWHERE_ID, kind=EdgeKind.PREMISE, turn=TurnId("T1"))


@pytest.mark.parametrize(
    ("part", "value", "named"),
    [
        ("edges", (ONE_EDGE,), NOWHERE_ID),
        ("edges", (replace(ONE_EDGE, target=PropositionId("o1"), turn=NOWHERE_TURN),), NOWHERE_TURN),
        ("changes", (ReportChange(turn=NOWHERE_TURN, states={}),), NOWHERE_TURN),
        ("verdicts", (ReportVerdict(turn=NOWHERE_TURN, text="", outcome=Outcome.ABSTAIN),), NOWHERE_TURN),
        ("explanations", {NOWHERE_ID: ()}, NOWHERE_ID),
    ],
)
def test_a_report_refuses_what_points_nowhere(part: str, value: object, named: str) -> None:
    """Our promise: nothing is left out silently."""
    with pytest.raises(UnknownReference) as refusal:
        replace(hostile_report("x"), **{part: value})
    assert refusal.value.reference == named


def scripts() -> list[Path]:
    """List the page's script files."""
    folder = resources.files("upheld.faces.report")
    return sorted(Path(str(item)) for item in folder.iterdir() if item.name.endswith(".js"))


@pytest.mark.parametrize("script", scripts(), ids=lambda path: path.name)
def test_each_script_parses(script: Path) -> None:
    """A file that does not parse would leave the page empty."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    subprocess.run([node, "--check", str(script)], check=True, capture_output=True)


def test_every_script_and_style_of_the_folder_is_in_the_page() -> None:
    """A file that nobody inlines is dead."""
    page = render_report(Report(title=""))
    folder = resources.files("upheld.faces.report")
    sources = [item for item in folder.iterdir() if item.name.endswith((".js", ".css"))]
    assert len(sources) > 8
    assert [item.name for item in sources if item.read_text(encoding="utf-8") not in page] == []
