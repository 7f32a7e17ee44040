"""``upheld replay``: what each turn of a conversation changed."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.text import Text

from upheld.conversation.asking.picturing import Standing, changes, standing_in, steps
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Event, Took
from upheld.errors import UnknownReference
from upheld.faces.cli.console import say_json, say_lines
from upheld.faces.cli.options import GROUNDED, AsJson, FileName, FileOptions, Interpreter, Reading, command
from upheld.faces.cli.rendering.answers import moved_words
from upheld.faces.cli.sources import conversation_of
from upheld.faces.report.building import note_of
from upheld.faces.report.wording import QUOTED, name_of
from upheld.faces.trees import Tree, plain
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.plain import plain_operation
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.lines import one_line

OnlyAt = Annotated[
    str, typer.Option("--at", metavar="TURN", help="Show only what this turn changed.", show_default=False)
]
From = Annotated[str, typer.Option("--from", metavar="TURN", help="Begin with this turn.", show_default=False)]
IsStepped = Annotated[bool, typer.Option("--step", help="Wait for Enter after each turn, on a terminal.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOptions(FileOptions):
    """What ``replay`` takes."""

    file: FileName
    at: OnlyAt = ""
    begin: From = ""
    is_stepped: IsStepped = False
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One event with the states around it, and what it changed."""

    event: Event
    before: State
    after: State
    moved: dict[PropositionId, Standing]


@command(
    "replay",
    "Step through the turns: what did each change?",
    "upheld replay talk.yaml --step",
    "upheld replay talk.yaml --from T7",
    "upheld replay talk.yaml --at T9",
    "upheld replay talk.yaml --json | jq -c .changes",
)
def replay(options: ReplayOptions) -> int:
    """Step through the states of a conversation: what each turn said, and what that changed.

    With --json one object a line, a turn each.
    """
    conversation = conversation_of(options.file, options.interpreter, options=options)
    is_stepped = options.is_stepped and sys.stdin.isatty() and sys.stdout.isatty() and not options.as_json
    remarks: dict[str, list[str]] = defaultdict(list)
    for finding in conversation.timeline.findings:
        remarks[finding.turn].append(note_of(finding))
    for number, step in enumerate(_wanted(conversation, options)):
        told = remarks[step.event.id] if isinstance(step.event, Turn) else []
        if options.as_json:
            say_json(_tree(step, told), is_line=True)
            continue
        if is_stepped and number and _is_quit(sys.stdin.readline()):
            break
        say_lines(_lines(step, told))
    return GROUNDED


def _is_quit(line: str) -> bool:
    return not line or line.strip() in {"q", "quit"}


def _wanted(conversation: Conversation, options: ReplayOptions) -> Iterator[_Step]:
    for turn in filter(None, (options.at, options.begin)):
        if TurnId(turn) not in conversation.timeline.turns:
            raise UnknownReference(turn, where="turns of this conversation")
    first = options.at or options.begin
    has_begun = not first
    for event, before, after in steps(conversation.timeline):
        id = event.id if isinstance(event, Turn) else ""
        has_begun = has_begun or id == first
        if has_begun and (not options.at or id == options.at):
            moved = {id: standing for id, standing in changes(before, after, event).items() if id in after.propositions}
            yield _Step(event=event, before=before, after=after, moved=moved)


def _lines(step: _Step, remarks: list[str]) -> Iterator[Text]:
    event, after = step.event, step.after
    if isinstance(event, Turn):
        yield Text.assemble(
            (event.id, "bold cyan"), " ", (name_of(after, event.speaker), "bold"), f": {one_line(event.text)}"
        )
        yield from (Text(f"    note: {remark}", "yellow") for remark in remarks)
    else:
        yield Text(_act_words(event), "bold")
    for id, standing in step.moved.items():
        was = standing_in(step.before, id)
        words = moved_words(
            (was.lifecycle, was.label) if was is not None else None, (standing.lifecycle, standing.label)
        )
        yield Text.assemble("    ", ("+ ", "green") if was is None else "  ", f"{id}  ", words, f"  {_said(after, id)}")


def _said(state: State, id: PropositionId) -> str:
    return one_line(state.proposition(id).text, limit=QUOTED)


def _act_words(event: Event) -> str:
    if isinstance(event, Took):
        act = plain(event.retraction)
        named = " ".join(str(value) for key, value in act.items() if key != "act")
        by = f" by {event.by}" if event.by else ""
        return f"-- {act['act']} {named}{by}{f': {event.reason}' if event.reason else ''}"
    return "-- joined"


def _tree(step: _Step, remarks: list[str]) -> Tree:
    event = step.event
    moved = {
        id: {"before": plain(standing_in(step.before, id)), "after": plain(standing)}
        for id, standing in step.moved.items()
    }
    if not isinstance(event, Turn):
        return {"turn": None, "act": plain(event), "changes": moved}
    return {
        "turn": event.id,
        "speaker": event.speaker,
        "text": event.text,
        "operations": [plain_operation(operation) for operation in event.operations],
        "findings": remarks,
        "changes": moved,
    }
