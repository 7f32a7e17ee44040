"""``upheld amend``: a turn that was misread gets another interpretation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, cast

import typer

from upheld.conversation.checking.replaying import loaded
from upheld.errors import MalformedInput, UnknownReference
from upheld.faces.cli.console import note, say_raw
from upheld.faces.cli.files import refuse_overwriting, write_whole
from upheld.faces.cli.options import GROUNDED, FileName, FileOptions, Force, command
from upheld.faces.cli.sources import StoreAddress, transcript_of
from upheld.logic.language.operations import Operation
from upheld.logic.language.plain import read_operation
from upheld.speech.formats.documents import json_tree
from upheld.speech.formats.reading import parse_transcript
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writing import write_transcript

_PLACE = "--operations"

TurnName = Annotated[str, typer.Argument(metavar="TURN", help="The turn to interpret anew.", show_default=False)]
Operations = Annotated[
    str,
    typer.Option(
        "--operations", metavar="JSON", help="A list of operations in JSON, or @FILE; [] if the turn only acknowledges."
    ),
]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who says so.", show_default=False)]
Why = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.", show_default=False)]
AmendedOut = Annotated[
    str,
    typer.Option(
        "--out", metavar="OUT", help="The new file (- for standard output); not for a store.", show_default=False
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendOptions(FileOptions):
    """What ``amend`` takes."""

    file: FileName
    turn: TurnName
    operations: Operations
    by: By = ""
    reason: Why = ""
    out: AmendedOut = ""
    is_forced: Force = False


@command(
    "amend",
    "Give a turn another meaning, and keep the one it had.",
    "upheld amend talk.yaml T4 --operations @meaning.json --by ana --out talk-2.yaml",
    "upheld amend sqlite:///incident.db#night T8 --operations '[]' --by ana --reason 'only an aside'",
)
def amend(options: AmendOptions) -> int:
    """Give a turn another meaning, and keep the one it had.

    A store gets one more entry, and keeps the older ones. A file is left as it is: the amended transcript goes to
    --out, in the form of its ending, with a note of who amended what.
    """
    operations = _operations(options.operations)
    address = StoreAddress.read(options.file, tenant=options.tenant)
    if address is None:
        _amend_file(options, operations)
        return GROUNDED
    if options.out:
        raise MalformedInput("a store keeps the amendment itself: leave --out away", key="--out")
    conversation = address.opened()
    try:
        conversation.amend(options.turn, operations, by=options.by or None, reason=options.reason)
    finally:
        conversation.close()
    note(f"amended {options.turn} of {conversation.id}")
    return GROUNDED


def _operations(text: str) -> tuple[Operation, ...]:
    source = _PLACE
    if text.startswith("@"):
        source = text.removeprefix("@")
        try:
            text = Path(source).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise MalformedInput(f"cannot be read: {error}", source=source) from error
    try:
        return _read(json_tree(text))
    except MalformedInput as error:
        raise MalformedInput(error.message, source=source, line=error.line, key=error.key) from error


def _read(tree: object) -> tuple[Operation, ...]:
    if not isinstance(tree, list):
        raise MalformedInput("expected a list of operations")
    items = cast("list[object]", tree)
    return tuple(read_operation(item, key=f"[{place}]") for place, item in enumerate(items))


def _amend_file(options: AmendOptions, operations: tuple[Operation, ...]) -> None:
    if not options.out:
        raise MalformedInput("say where the amended transcript goes (- for standard output)", key="--out")
    transcript = _amended(transcript_of(options.file, options), options, operations)
    form = "json" if options.out.endswith(".json") else "yaml"
    text = write_transcript(transcript, form=form)
    # Read back as a stranger would, so that a reference to what the turn no longer introduces is refused here.
    loaded(parse_transcript(text, source=f"{options.file} with {options.turn} amended", form=form))
    if options.out == "-":
        say_raw(text)
        return
    refuse_overwriting(Path(options.out), is_forced=options.is_forced)
    write_whole({Path(options.out): text})


def _amended(transcript: Transcript, options: AmendOptions, operations: tuple[Operation, ...]) -> Transcript:
    if options.turn not in {turn.id for turn in transcript.turns}:
        raise UnknownReference(options.turn, where=f"turns of {options.file}")
    turns = tuple(
        replace(turn, operations=operations) if turn.id == options.turn else turn for turn in transcript.turns
    )
    by = f" by {options.by}" if options.by else ""
    said = f"{options.turn} amended{by}{f': {options.reason}' if options.reason else ''}"
    return replace(transcript, turns=turns, is_annotated=True, notes=(*transcript.notes, said))
