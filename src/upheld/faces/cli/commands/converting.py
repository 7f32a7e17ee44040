"""Into other forms: ``convert`` for the conversation, ``export`` for its graph."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from upheld.conversation.asking.picturing import picture_of
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.wiring import without_password
from upheld.errors import MalformedInput, StoreError, VersionConflict
from upheld.faces.cli.console import note, progress, say_raw
from upheld.faces.cli.files import refuse_overwriting, write_whole
from upheld.faces.cli.options import GROUNDED, At, FileName, FileOptions, Force, Interpreter, Reading, command
from upheld.faces.cli.sources import StoreAddress, conversation_of, snapshot_of, transcript_of, transcript_told
from upheld.faces.trees import plain
from upheld.logic.reasoning.answers.framing import apx_of_state
from upheld.logic.reasoning.state import State
from upheld.record.stores.tenants import DEFAULT
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writing import write_transcript
from upheld.speech.rendering.picture import Picture
from upheld.speech.rendering.writers import PICTURE_WRITERS

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="OUT", help="Write here instead of to standard output.", show_default=False),
]
Target = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="FORM",
        help="yaml, json, chat, jsonl, text, openai, responses, anthropic, sharegpt, ag-ui, otlp, "
        "or sqlite:///x.db#conversation (or the same of postgresql://user@host/database).",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions(FileOptions):
    """What ``convert`` takes."""

    file: FileName
    to: Target
    out: Out = None
    is_forced: Force = False
    interpreter: Interpreter = Reading.AUTO


@command(
    "convert",
    "Write a conversation in another form, or into a store.",
    "upheld convert talk.yaml --to json --out talk.json",
    "upheld convert talk.yaml --to sqlite:///incident.db#night",
    "upheld convert sqlite:///incident.db#night --to yaml",
    "upheld convert standup.txt --to yaml --interpreter cues",
    "upheld convert conversations.json#6f1c --to yaml --out talk.yaml",
    "upheld convert slack.zip --conversation general --to openai",
    "upheld convert talk.yaml --to otlp --out trace.json",
)
def convert(options: ConvertOptions) -> int:
    """Write a conversation in another form, or into a store.

    yaml and json keep everything; chat, jsonl and text keep the words only; openai, responses, anthropic, sharegpt,
    ag-ui and otlp have calls and results of tools as well. With --interpreter cues the operations are read from the
    words and written down.
    """
    is_into = StoreAddress.read(options.to) is not None and StoreAddress.read(options.file) is None
    # Of a file the tenant is whose store it goes into.
    transcript = _transcript(replace(options, tenant=DEFAULT) if is_into else options)
    target = StoreAddress.read(options.to, tenant=options.tenant)
    if target is not None:
        _save(transcript, target, options)
        return GROUNDED
    _deliver(write_transcript(transcript, form=options.to), options.out, is_forced=options.is_forced)
    return GROUNDED


def _transcript(options: ConvertOptions) -> Transcript:
    if StoreAddress.read(options.file) is not None or options.interpreter in (Reading.CUES, Reading.LOCAL):
        return transcript_told(conversation_of(options.file, options.interpreter, options=options))
    return transcript_of(options.file, options)


def _save(transcript: Transcript, target: StoreAddress, options: ConvertOptions) -> None:
    if options.out is not None:
        raise MalformedInput("a store is written where it is: leave --out away", key="--out")
    named = replace(transcript, id=target.id or transcript.id)
    with progress("reading") as advance:
        conversation = loaded(named, interpreter=options.interpreter.name_of_interpreter, progress=advance)
    try:
        conversation.save(target.url, tenant=target.tenant)
    except VersionConflict as error:
        message = (
            f"{without_password(target.url)} has a conversation {named.id!r} already, and a ledger is never overwritten"
        )
        raise StoreError(f"{message}: name another after #") from error
    note(f"wrote {without_password(target.url)}#{named.id}")


class Format(StrEnum):
    """Formats of a graph."""

    JSON = "json"
    MERMAID = "mermaid"
    GRAPHML = "graphml"
    DOT = "dot"
    APX = "apx"
    PROV = "prov"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions(FileOptions):
    """What ``export`` takes."""

    file: FileName
    to: Annotated[Format, typer.Option("--to", help="Format of the graph; prov is PROV-JSON, apx that of ICCMA.")] = (
        Format.JSON
    )
    at: At = ""
    out: Out = None
    is_forced: Force = False
    interpreter: Interpreter = Reading.AUTO


@command(
    "export",
    "Write the graph: JSON, Mermaid, GraphML, DOT, apx, PROV-JSON.",
    "upheld export talk.yaml --to mermaid",
    "upheld export talk.yaml --to dot --at T9 | dot -Tsvg > talk.svg",
    "upheld export talk.yaml --to apx --out talk.apx",
)
def export(options: ExportOptions) -> int:
    """Write the dependency graph: what rests on what, what speaks against what, what replaced what.

    apx writes the bare argumentation framework whose grounded labelling is that of the conversation, supports said by
    attacks.
    """
    snapshot = snapshot_of(options.file, at=options.at, reading=options.interpreter, options=options)
    _deliver(_exported(snapshot.state, options), options.out, is_forced=options.is_forced)
    return GROUNDED


def _exported(state: State, options: ExportOptions) -> str:
    if options.to is Format.APX:
        return apx_of_state(state)
    picture = picture_of(state, title=f"{options.file}{f' at {options.at}' if options.at else ''}")
    writer: Callable[[Picture], str] = PICTURE_WRITERS[options.to] if options.to is not Format.JSON else _json
    return writer(picture)


def _json(picture: Picture) -> str:
    return json.dumps(plain(picture), ensure_ascii=False, indent=1) + "\n"


def _deliver(text: str, out: Path | None, *, is_forced: bool) -> None:
    if out is None or str(out) == "-":
        say_raw(text)
        return
    refuse_overwriting(out, is_forced=is_forced)
    write_whole({out: text})
