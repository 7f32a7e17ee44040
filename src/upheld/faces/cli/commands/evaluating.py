"""``upheld eval``: measure upheld; the harness is a distribution of its own, loaded when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from upheld.errors import UpheldError
from upheld.faces.cli.console import note, say, say_json, say_lines
from upheld.faces.cli.files import write_whole
from upheld.faces.cli.language_models import BaseUrl, Calls, LlmName, Requests, Tokens
from upheld.faces.cli.options import GROUNDED, NOT_PROVED, AsJson, command

HARNESS = "upheld_evals"
"""The package of the harness."""

Suites = Annotated[
    list[str],
    typer.Argument(metavar="SUITE...", help="A suite, or a group such as paper; list shows all.", show_default=False),
]
Data = Annotated[
    list[Path],
    typer.Option(
        "--data", metavar="PATH", help="Files or folders to read instead of $UPHELD_SHARED.", show_default=False
    ),
]
Interpreters = Annotated[
    list[str],
    typer.Option(
        "--interpreter", metavar="NAME", help="Whose operations are measured; may be repeated.", show_default="cues"
    ),
]
Matchers = Annotated[
    list[str],
    typer.Option(
        "--matcher",
        metavar="NAME",
        help="Who finds the claims of a reply, in suites that check replies; may be repeated.",
        show_default="text",
    ),
]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write one page with tables and plots.", show_default=False),
]
Recordings = Annotated[
    list[Path],
    typer.Option(
        "--recordings",
        metavar="PATH",
        help="Answer from recorded replies: a file, or a folder of them; may be repeated.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Keep journals here, so as to go on later.", show_default=False),
]


def _only_cues() -> list[str]:
    return ["cues"]


def _only_text() -> list[str]:
    return ["text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOptions:
    """What ``eval`` takes."""

    suites: Suites
    data: Data = field(default_factory=list[Path])
    interpreters: Interpreters = field(default_factory=_only_cues)
    matchers: Matchers = field(default_factory=_only_text)
    llm: LlmName = ""
    base_url: BaseUrl = ""
    recordings: Recordings = field(default_factory=list[Path])
    export_requests: Requests = None
    calls: Calls = 0
    tokens: Tokens = 0
    limit: Annotated[int, typer.Option("--limit", help="The first items of a suite only; 0 for all.", min=0)] = 0
    repeats: Annotated[
        int, typer.Option("--repeats", help="Ask everything so often; from the second time on at temperature 1.", min=1)
    ] = 1
    seed: Annotated[int, typer.Option("--seed", help="Seed of the intervals.")] = 0
    concurrency: Annotated[int, typer.Option("--concurrency", help="Conversations at a time.", min=1)] = 1
    out: Out = None
    html: Html = None
    as_json: AsJson = False


@command(
    "eval",
    "Measure upheld, and the paper's tables.",
    "upheld eval list",
    "upheld eval verify --data tests/conversations/dev --html report.html",
    "upheld eval paper e2 --model openai:gpt-4o --calls 200 --out build/eval",
)
def evaluate(options: EvalOptions) -> int:
    """Run suites, each with its baseline, and print every number with its n.

    With --out a run that stopped goes on where it was. The status is 0 whatever the numbers say, and 4 when the calls
    or tokens that were allowed ran out before the end.
    """
    harness = _harness()
    if options.suites == ["list"]:
        say_lines(f"{each.name:<20}  {each.about} (reads {each.data})" for each in harness.SUITES)
        return GROUNDED
    plan = harness.planned(options)
    if options.export_requests is not None:
        count = harness.export(plan, options.export_requests)
        note(f"{count} requests are in {options.export_requests}; none was sent")
        return GROUNDED
    reports: list[Any] = []
    for report in harness.run(plan):
        reports.append(report)
        if not options.as_json:
            say(*harness.shown(report))
    if options.as_json:
        say_json([harness.as_tree(each) for each in reports])
    if options.html is not None:
        write_whole({options.html: harness.page_of(reports)})
    return GROUNDED if all(each.run.is_complete for each in reports) else NOT_PROVED


def _harness() -> Any:
    try:
        return import_module(f"{HARNESS}.command")
    except ModuleNotFoundError as missing:
        if missing.name != HARNESS:
            raise
        raise UpheldError("the harness is a package of its own: in a checkout, pip install -e evals") from missing
