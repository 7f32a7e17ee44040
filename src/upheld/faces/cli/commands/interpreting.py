"""``upheld interpret``: words read into operations, by cues or by a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from upheld.conversation.asking.transcribing import beginning_in
from upheld.conversation.checking.readers import interpreter_for
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.conversation.reading.against_labels import reading_against_labels
from upheld.conversation.reading.hearing import told_as
from upheld.conversation.reading.reader import Reader
from upheld.conversation.speaking import Told
from upheld.errors import MalformedInput
from upheld.faces.cli.console import note, progress, say, say_json
from upheld.faces.cli.files import refuse_overwriting, write_whole
from upheld.faces.cli.language_models import Asked, LlmOptions, asked_model
from upheld.faces.cli.options import GROUNDED, UNGROUNDED, AsJson, Force, command
from upheld.faces.cli.sources import transcript_of, transcript_told
from upheld.faces.trees import plain
from upheld.logic.language.operations import name_of
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writing import write_transcript
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.redaction.patterned import PatternRedactor

_CHAIN = "turns"
"""Each turn is read against what those before it came to."""


class WordReading(StrEnum):
    """Who reads the words."""

    AUTO = "auto"
    CUES = "cues"
    LOCAL = "local"
    LLM = "llm"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpretOptions(LlmOptions):
    """What ``interpret`` takes."""

    file: Annotated[str, typer.Argument(metavar="FILE", help="A transcript, or - for standard input.")]
    interpreter: Annotated[
        WordReading,
        typer.Option(
            "--interpreter", help="Who reads: cues, the trained network, a language model, or it where cues are unsure."
        ),
    ] = WordReading.AUTO
    condition: Annotated[
        str,
        typer.Option(
            "--condition",
            metavar="NAME",
            help="What it is told: minimal, definitions, or state_augmented.",
            show_default="state_augmented",
        ),
    ] = ""
    dependencies: Annotated[
        str,
        typer.Option(
            "--depends-on",
            metavar="NAME",
            help="How grounds are asked for: baseline, chain_of_thought, examples, or self_consistency.",
            show_default="baseline",
        ),
    ] = ""
    paradigm: Annotated[
        str,
        typer.Option(
            "--paradigm",
            metavar="NAME",
            help="Kind of conversation: diagnostic, deliberative, knowledge or assistant; else told from its turns.",
            show_default=False,
        ),
    ] = ""
    is_plain: Annotated[
        bool, typer.Option("--first-readings", help="No second look, and no retrospect after what is settled.")
    ] = False
    is_batched: Annotated[
        bool, typer.Option("--by-session", help="Read each session with one call; without sessions, the whole.")
    ] = False
    is_against_labels: Annotated[
        bool,
        typer.Option("--against-labels", help="Read each turn alone, against the state that the file's labels give."),
    ] = False
    is_redacted: Annotated[
        bool, typer.Option("--redact", help="Take secrets and personal data out before anything is sent or written.")
    ] = False
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="OUT", help="Write the annotated transcript here (YAML).", show_default=False),
    ] = None
    is_forced: Force = False
    as_json: AsJson = False


@command(
    "interpret",
    "Read words into operations, with a language model if one is named.",
    "upheld interpret chat.json --out chat.yaml",
    "upheld interpret chat.json --model openai:gpt-4o --calls 200 --cache replies.db",
    "upheld interpret chat.json --model gpt-4o --by-session --export-requests batch.jsonl",
    "upheld interpret chat.json --import-responses batch_output.jsonl --by-session --out chat.yaml",
)
def interpret(options: InterpretOptions) -> int:
    """Read the words of a transcript into operations, and say what each turn does.

    A turn whose reading the engine refuses is asked about again; a turn that cannot be read fails alone, and is named.
    Ends with status 1 when there was such a turn.
    """
    transcript = transcript_of(options.file, options)
    if options.out is not None:
        refuse_overwriting(options.out, is_forced=options.is_forced)
    with asked_model(options) as asked:
        reader = _reader(transcript, options, asked)
        with progress("reading") as advance:
            told: list[Told] = []
            conversation, readings = _begun(transcript, reader, options, asked)
            for each in readings:
                told.append(each)
                if advance is not None:
                    advance(len(told), len(transcript.turns))
    if asked.is_export:
        return GROUNDED
    if options.out is not None:
        write_whole({options.out: write_transcript(_written(transcript, conversation, told), form="yaml")})
        note(f"wrote {options.out}")
    _show(told, options)
    return UNGROUNDED if any(each.abstained for each in told) else GROUNDED


def _reader(transcript: Transcript, options: InterpretOptions, asked: Asked) -> Reader:
    name = options.interpreter.value
    if options.interpreter is WordReading.AUTO:
        name = "llm" if asked.llm is not None else "cues"
    interpreter: Interpreter = interpreter_for(name, transcript, llm=asked.llm, terms=_terms(options))
    return Reader(interpreter=interpreter, redactor=PatternRedactor() if options.is_redacted else None)


def _terms(options: InterpretOptions) -> dict[str, object]:
    named = {"condition": options.condition, "dependencies": options.dependencies, "paradigm": options.paradigm}
    follow_ups = {"has_second_look": False, "has_retrospect": False} if options.is_plain else {}
    return {**{name: value for name, value in named.items() if value}, **follow_ups}


def _begun(
    transcript: Transcript, reader: Reader, options: InterpretOptions, asked: Asked
) -> tuple[Conversation, Iterator[Told]]:
    if options.is_against_labels:
        if not transcript.is_annotated:
            raise MalformedInput("no labels to read against: leave --against-labels away", source=options.file)
        labelled = loaded(transcript)
        return labelled, _against_labels(labelled, transcript, reader, asked)
    conversation = Conversation(
        beginning_in(transcript),
        id=transcript.id or "conversation",
        policy=PEOPLE_AND_TOOLS,
        interpreter=reader,
    )
    if options.is_batched:
        return conversation, _by_session(conversation, transcript, asked)
    return conversation, _by_turn(conversation, transcript, asked)


def _by_turn(conversation: Conversation, transcript: Transcript, asked: Asked) -> Iterator[Told]:
    for turn in transcript.turns:
        asked.label(f"{transcript.id}-{turn.id}", chain=_CHAIN)
        yield conversation.hear(turn)


def _by_session(conversation: Conversation, transcript: Transcript, asked: Asked) -> Iterator[Told]:
    for session, turns in groupby(transcript.turns, key=lambda turn: turn.session):
        asked.label(f"{transcript.id}-{session or 'whole'}", chain=_CHAIN)
        yield from conversation.hear_session(tuple(turns))


def _against_labels(labelled: Conversation, transcript: Transcript, reader: Reader, asked: Asked) -> Iterator[Told]:
    for turn in labelled.timeline.turns:
        asked.label(f"{transcript.id}-{turn}")
        yield told_as(reading_against_labels(labelled.timeline, turn, reader))


def _written(transcript: Transcript, conversation: Conversation, told: Sequence[Told]) -> Transcript:
    by_turn = {each.turn: each.operations for each in told}
    whole = transcript_told(conversation)
    turns: tuple[Turn, ...] = tuple(
        replace(turn, operations=by_turn.get(turn.id, turn.operations)) for turn in whole.turns
    )
    return replace(whole, turns=turns, domain=transcript.domain, paradigm=transcript.paradigm)


def _show(told: Sequence[Told], options: InterpretOptions) -> None:
    if options.as_json:
        say_json([_tree(each) for each in told])
        return
    table = Table("turn", "does", "asked again", "could not", box=None, pad_edge=False)
    for each in told:
        did = ", ".join(name_of(operation) for operation in each.operations) or "nothing"
        again = ", ".join(objection.failure for objection in each.objections)
        refused = "; ".join(str(finding.failure.name) for finding in each.findings)
        table.add_row(each.turn, did, again, each.abstained or refused)
    say(table)


def _tree(told: Told) -> dict[str, Any]:
    return {
        "turn": told.turn,
        "operations": [{"op": name_of(operation), **plain(operation)} for operation in told.operations],
        "objections": plain(told.objections),
        "refused": [{"operation": each.operation, "failure": each.failure.name} for each in told.findings],
        "abstained": told.abstained,
        "usage": plain(told.usage),
    }
