"""``upheld score``: how well the answers agree with the labels of annotated files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from upheld.conversation.scoring.score import Miss, score
from upheld.errors import MalformedInput
from upheld.faces.cli.console import progress, say, say_json, say_lines
from upheld.faces.cli.language_models import Asked, LlmOptions, asked_model
from upheld.faces.cli.options import GROUNDED, AsJson, command
from upheld.faces.cli.sources import files_under, transcript_of
from upheld.faces.trees import plain
from upheld.speech.formats.transcript import Transcript


class ScoredReading(StrEnum):
    """Whose operations are scored."""

    ANNOTATED = "annotated"
    CUES = "cues"
    LOCAL = "local"
    LLM = "llm"
    MIXED = "mixed"


class ScoredMatching(StrEnum):
    """How a candidate's claims are found."""

    GOLD = "gold"
    TEXT = "text"
    LOCAL = "local"
    NLI = "nli"
    LLM = "llm"
    MIXED = "mixed"


Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH...", help="Annotated files, or folders of them.", show_default=False),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions(LlmOptions):
    """What ``score`` takes."""

    paths: Paths
    interpreter: Annotated[ScoredReading, typer.Option("--interpreter", help="Whose operations are scored.")] = (
        ScoredReading.ANNOTATED
    )
    matching: Annotated[ScoredMatching, typer.Option("--matching", help="How a candidate's claims are found.")] = (
        ScoredMatching.GOLD
    )
    has_misses: Annotated[bool, typer.Option("--misses", help="List every answer that differs from its label.")] = False
    as_json: AsJson = False


@command(
    "score",
    "Score the engine against labelled files.",
    "upheld score tests/conversations",
    "upheld score talk.yaml --misses",
    "upheld score talks/ --matching text --interpreter cues --json",
)
def score_files(options: ScoreOptions) -> int:
    """Score the engine against the labels of annotated files.

    Files without labels are counted, and change no score. The status is 0 whatever the score.
    """
    files = files_under(options.paths)
    transcripts = [(str(path), _annotated(path, options)) for path in files]
    with asked_model(options) as asked, progress("scoring") as advance:
        found = score(
            _counted(transcripts, advance, options, asked),
            interpreter=options.interpreter.value,
            matching=options.matching.value,
            llm=asked.llm,
        )
    if asked.is_export:
        return GROUNDED
    tree = found.as_tree()
    if options.as_json:
        say_json({**tree, "misses": plain(found.misses)} if options.has_misses else tree)
        return GROUNDED
    say(_table(tree))
    if options.has_misses:
        say_lines(_miss_line(miss) for miss in found.misses)
    return GROUNDED


def _annotated(path: Path, options: ScoreOptions) -> Transcript:
    transcript = transcript_of(str(path), options)
    if not transcript.is_annotated:
        raise MalformedInput("no annotated transcript: there is nothing to score against", source=str(path))
    return transcript


def _counted(
    transcripts: list[tuple[str, Transcript]], advance: Any, options: ScoreOptions, asked: Asked
) -> Iterator[tuple[str, Transcript]]:
    is_chain = options.interpreter in (ScoredReading.LLM, ScoredReading.MIXED)
    total = sum(len(transcript.turns) for _, transcript in transcripts)
    done = 0
    for name, transcript in transcripts:
        asked.label(transcript.id, chain=transcript.id if is_chain else "")
        yield name, transcript
        done += len(transcript.turns)
        if advance is not None:
            advance(done, total)


def _table(tree: dict[str, Any]) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 1))
    table.add_column("measure")
    table.add_column("right", justify="right")
    table.add_column("of", justify="right")
    table.add_column("share", justify="right")
    for name in ("status", "affected", "reopens", "reasons", "worlds", "beliefs", "verify"):
        _add_ratio(table, name, tree[name])
    for name, ratio in tree["verify"]["by_category"].items():
        _add_ratio(table, f"  {name}", ratio)
    for name in ("false_grounded", "false_ungrounded", "abstained"):
        table.add_row(f"  {name.replace('_', ' ')}", str(tree["verify"][name]), "", "")
    for name in ("precision", "recall", "f1"):
        table.add_row(f"dependencies {name}", "", "", _share(tree["dependencies"][name]))
    table.add_row("operations f1 by type", "", "", _share(tree["operations"]["type_f1"]))
    table.add_row("operations exact", "", "", _share(tree["operations"]["exact"]))
    table.caption = f"{tree['files']} files, {tree['turns']} turns"
    table.caption_justify = "left"
    return table


def _add_ratio(table: Table, name: str, ratio: dict[str, int] | None) -> None:
    if ratio is not None and ratio["of"]:
        table.add_row(name, str(ratio["right"]), str(ratio["of"]), _share(ratio["right"] / ratio["of"]))


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _miss_line(miss: Miss) -> Text:
    return Text.assemble(
        (f"{miss.file} ", "dim"), f"{miss.kind} {miss.item}: expected {miss.expected}, found {miss.found}"
    )
