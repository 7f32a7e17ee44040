"""``upheld check``: each reply of a conversation judged against the state before it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from upheld.conversation.checking.claims import Checked
from upheld.conversation.checking.replaying import CheckReport, check_replies
from upheld.errors import MalformedInput
from upheld.faces.cli.console import note, progress, say, say_json
from upheld.faces.cli.files import write_whole
from upheld.faces.cli.junit import junit
from upheld.faces.cli.language_models import Asked, LlmOptions, asked_model
from upheld.faces.cli.options import (
    GROUNDED,
    UNGROUNDED,
    AsJson,
    FailOn,
    FailOns,
    Interpreter,
    Matching,
    Reading,
    command,
)
from upheld.faces.cli.places import lines_of
from upheld.faces.cli.rendering.replies import counts_line, counts_of, replies_table, reply_tree
from upheld.faces.cli.sarif import Located, sarif
from upheld.faces.cli.sources import STDIN, transcript_of
from upheld.faces.report.building import note_of, report_of
from upheld.faces.report.report import render_report
from upheld.faces.report.wording import reasons_of
from upheld.faces.trees import Tree, plain
from upheld.logic.language.identities import TurnId
from upheld.logic.language.verdicts import Outcome
from upheld.speech.formats.transcript import Transcript

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="Transcripts (YAML, JSON, JSON lines or text); - for standard input.",
        show_default=False,
    ),
]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="OUT",
        help="Write a report that needs no network: one file, or for several FILEs a folder.",
        show_default=False,
    ),
]
JUnit = Annotated[
    Path | None,
    typer.Option("--junit", metavar="OUT", help="Write JUnit XML, a test case a reply.", show_default=False),
]
Sarif = Annotated[
    Path | None,
    typer.Option("--sarif", metavar="OUT", help="Write SARIF 2.1.0, a result a claim.", show_default=False),
]
MatchingBy = Annotated[
    Matching,
    typer.Option(
        "--matching",
        help="How claims are found: by the file's labels, by words alone, by the trained network besides (local), by "
        "your own network besides (nli: UPHELD_NLI_PATH), by a language model, or by words and a language model "
        "(mixed).",
    ),
]
Speakers = Annotated[
    list[str],
    typer.Option(
        "--speaker",
        metavar="AGENT",
        help="Judge what this agent says instead of the assistants; may be repeated.",
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions(LlmOptions):
    """What ``check`` takes."""

    files: Files
    html: Html = None
    junit: JUnit = None
    sarif: Sarif = None
    as_json: AsJson = False
    fail_on: FailOns = field(default_factory=list[FailOn])
    speakers: Speakers = field(default_factory=list[str])
    interpreter: Interpreter = Reading.AUTO
    matching: MatchingBy = Matching.AUTO


@command(
    "check",
    "Judge each reply against what stood before it.",
    "upheld check talk.yaml",
    "upheld check talk.json --html build/report.html",
    "upheld check talks/*.yaml --junit build/upheld.xml --sarif build/upheld.sarif",
    "upheld check talk.yaml --fail-on superseded --fail-on abandoned",
    "cat export.jsonl | upheld check - --json",
    "upheld check talk.json --model openai:gpt-4o --calls 200",
)
def check(options: CheckOptions) -> int:
    """Judge each reply of a conversation against what stood before it was said.

    A reply is what an assistant says; where no assistant takes part, everything that is said is judged. Ends with
    status 1 when a reply is ungrounded; what could not be checked is neither grounded nor ungrounded.
    """
    begun = time.perf_counter()
    transcripts = [(name, transcript_of(name, options)) for name in options.files]
    with asked_model(options) as asked:
        reports = [(name, _checked(transcript, options, asked)) for name, transcript in transcripts]
    if asked.is_export:
        return GROUNDED
    elapsed = round((time.perf_counter() - begun) * 1000)
    write_whole(_contents(options, transcripts, reports))
    outcomes = [reply.checked for _, report in reports for reply in report.replies]
    status = UNGROUNDED if any(fails(one, options.fail_on) for one in outcomes) else GROUNDED
    if options.as_json:
        say_json(_tree(reports, status))
        return status
    for name, report in reports:
        if len(reports) > 1:
            say(name)
        _show(report)
    wrote = f" · report: {options.html}" if options.html is not None else ""
    say(f" {counts_line([one.outcome for one in outcomes])} · {elapsed} ms{wrote}")
    return status


def fails(checked: Checked, fail_on: Sequence[FailOn]) -> bool:
    """Tell whether a verdict makes the command end with status 1; without a restriction, any ungrounded one does."""
    named = set(fail_on) or {FailOn.UNGROUNDED}
    if checked.outcome is Outcome.ABSTAIN:
        return FailOn.ABSTAIN in named
    if checked.outcome is Outcome.GROUNDED:
        return False
    return FailOn.UNGROUNDED in named or any(FailOn(reason.value) in named for reason in reasons_of(checked))


def _checked(transcript: Transcript, options: CheckOptions, asked: Asked) -> CheckReport:
    known = {agent.id for agent in transcript.agents}
    for speaker in options.speakers:
        if speaker not in known:
            raise MalformedInput(f"nobody called {speaker!r} takes part; there are {', '.join(sorted(known))}")
    is_labelled = options.interpreter is Reading.ANNOTATED or (
        options.interpreter is Reading.AUTO and transcript.is_annotated
    )
    # A turn is read against what the replies before it came to, so that only the first of them can be asked beforehand.
    asked.label(transcript.id, chain="" if is_labelled else transcript.id)
    with progress("checking") as advance:
        return check_replies(
            transcript,
            interpreter=options.interpreter.name_of_interpreter,
            matching=options.matching.name_of_matching,
            speakers=options.speakers,
            llm=asked.llm,
            progress=advance,
        )


def _contents(
    options: CheckOptions, transcripts: list[tuple[str, Transcript]], reports: list[tuple[str, CheckReport]]
) -> dict[Path, str]:
    """Give the files to write, all of them before the first is."""
    contents: dict[Path, str] = {}
    if options.html is not None:
        for name, report in reports:
            target = options.html if len(reports) == 1 else options.html / f"{_stem(name)}.html"
            if target in contents:
                raise MalformedInput(f"two files of the name {_stem(name)!r} would have one report: check them apart")
            contents[target] = render_report(report_of(report.conversation, check=report))
    if options.junit is not None:
        contents[options.junit] = junit(reports)
    if options.sarif is not None:
        contents[options.sarif] = sarif(
            [
                Located(file=name, report=report, lines=_lines(name, transcript, report))
                for (name, transcript), (_, report) in zip(transcripts, reports, strict=True)
            ]
        )
    return contents


def _stem(name: str) -> str:
    return "stdin" if name == STDIN else Path(name).stem


def _lines(name: str, transcript: Transcript, report: CheckReport) -> Mapping[TurnId, int]:
    failing = {reply.turn for reply in report.replies if reply.checked.outcome is Outcome.UNGROUNDED}
    return {} if name == STDIN else lines_of(Path(name), transcript, failing)


def _tree(reports: list[tuple[str, CheckReport]], status: int) -> Tree:
    outcomes = [reply.checked.outcome for _, report in reports for reply in report.replies]
    return {
        "files": [
            {
                "file": name,
                "title": report.title,
                "interpreter": report.interpreter,
                "matcher": report.matcher,
                "judges_everybody": report.has_replies_of_all,
                "replies": [reply_tree(reply) for reply in report.replies],
                "findings": [{"turn": finding.turn, "finding": note_of(finding)} for finding in report.findings],
                "unread": [{"turn": turn, "reason": reason} for turn, reason in report.unread],
            }
            for name, report in reports
        ],
        "replies": plain(counts_of(outcomes)),
        "status": status,
    }


def _show(report: CheckReport) -> None:
    if report.has_replies_of_all:
        note("no assistant takes part, so everything that is said is judged")
    if report.unread:
        note(f"{len(report.unread)} turns could not be read by {report.interpreter}; --json lists them")
    if report.findings:
        note(f"{len(report.findings)} operations do not meet their preconditions; --json and --html list them")
    say(replies_table(report))
