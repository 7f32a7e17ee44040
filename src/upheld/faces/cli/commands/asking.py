"""Questions to one state: ``verify``, ``status`` and ``explain``."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

import typer

from upheld.conversation.asking.questions import Questions, Snapshot
from upheld.conversation.checking.claims import Checked, check_candidates, check_text
from upheld.conversation.checking.readers import least_sure, matcher
from upheld.errors import MalformedInput
from upheld.faces.cli.commands.check import fails
from upheld.faces.cli.console import is_ascii_only, say, say_json, say_lines
from upheld.faces.cli.language_models import Asked, LlmOptions, asked_model
from upheld.faces.cli.options import (
    GROUNDED,
    UNGROUNDED,
    AsJson,
    At,
    ClaimId,
    FailOn,
    FailOns,
    FileName,
    FileOptions,
    Interpreter,
    Reading,
    command,
)
from upheld.faces.cli.rendering.answers import explanation_lines, section, status_table
from upheld.faces.cli.rendering.replies import verdict_text
from upheld.faces.cli.sources import conversation_of, snapshot_at, snapshot_of
from upheld.faces.trees import checked_tree, plain
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import literal
from upheld.logic.language.verdicts import Candidate, Modality


class VerifyMatching(StrEnum):
    """How the claims of a text are found."""

    AUTO = "auto"
    TEXT = "text"
    LOCAL = "local"
    NLI = "nli"
    LLM = "llm"
    MIXED = "mixed"


Text = Annotated[
    str,
    typer.Argument(
        metavar="TEXT", help="What would be said: words, or the id of a claim (~id denies it).", show_default=False
    ),
]
Speaker = Annotated[
    str, typer.Option("--speaker", metavar="AGENT", help="Who would say it: what they were never told is out of view.")
]
AsModality = Annotated[Modality, typer.Option("--modality", help="As what an id is put forward.")]
Ids = Annotated[
    list[str], typer.Argument(metavar="[ID]...", help="Claims to show; all, if none is named.", show_default=False)
]
Viewer = Annotated[
    str, typer.Option("--agent", metavar="AGENT", help="Only what this agent was told.", show_default=False)
]
Depth = Annotated[int, typer.Option("--depth", min=1, help="Levels of the tree.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions(LlmOptions):
    """What ``verify`` takes."""

    file: FileName
    text: Text
    at: At = ""
    speaker: Speaker = ""
    modality: AsModality = Modality.FACT
    fail_on: FailOns = field(default_factory=list[FailOn])
    interpreter: Interpreter = Reading.AUTO
    matching: Annotated[
        VerifyMatching,
        typer.Option(
            "--matching",
            help="How claims are found: by words alone, with the trained network, with your own (nli: "
            "UPHELD_NLI_PATH), a language model, or words and that.",
        ),
    ] = VerifyMatching.AUTO
    as_json: AsJson = False


@command(
    "verify",
    "Say whether a text or a claim may be said now.",
    'upheld verify talk.yaml "The Redis failure causes the auth failures." --at T13',
    "upheld verify talk.yaml h2 --modality hypothesis",
    'upheld verify sqlite:///incident.db#night "We roll back." --speaker assistant --json',
)
def verify(options: VerifyOptions) -> int:
    """Say whether a text, or a claim by its id, may be said now.

    Ends with status 1 when it is ungrounded. A text that could not be checked is neither grounded nor ungrounded:
    add --fail-on ungrounded --fail-on abstain where that must not pass.
    """
    with asked_model(options) as asked:
        conversation = conversation_of(options.file, options.interpreter, options=options, llm=asked.llm)
        snapshot = snapshot_at(conversation, options.at)
        checked = _checked(snapshot, options, asked, read_by=least_sure(conversation.readers()))
    if asked.is_export:
        return GROUNDED
    if options.as_json:
        say_json({"text": options.text, "at": options.at or snapshot.state.last_turn, **checked_tree(checked)})
    else:
        say_lines(verdict_text(snapshot.state, checked).split("\n"))
    return UNGROUNDED if fails(checked, options.fail_on) else GROUNDED


def _checked(snapshot: Snapshot, options: VerifyOptions, asked: Asked, *, read_by: str) -> Checked:
    state = snapshot.state
    speaker = AgentId(options.speaker) if options.speaker else None
    if speaker is not None:
        require_agent(snapshot, speaker)
    if options.text.removeprefix("~") in state.propositions:
        candidate = Candidate(literal=literal(options.text), modality=options.modality)
        return check_candidates(state, options.text, [candidate], matcher="by id", speaker=speaker)
    name = options.matching.value
    if options.matching is VerifyMatching.AUTO:
        name = "text" if asked.llm is None else "llm"
    return check_text(state, options.text, matcher(name, llm=asked.llm, interpreter=read_by), speaker=speaker)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusOptions(FileOptions):
    """What ``status`` takes."""

    file: FileName
    ids: Ids = field(default_factory=list[str])
    at: At = ""
    agent: Viewer = ""
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@command(
    "status",
    "List claims: what was done with them, whether they hold.",
    "upheld status talk.yaml",
    "upheld status talk.yaml h1 h2 --at T9",
    "upheld status sqlite:///incident.db#night --agent assistant --json",
)
def status(options: StatusOptions) -> int:
    """List claims with what was done with them (lifecycle) and whether they hold (standing)."""
    conversation = conversation_of(options.file, options.interpreter, options=options)
    snapshot: Questions = conversation.at(options.at) if options.at else conversation
    if options.agent:
        require_agent(conversation, AgentId(options.agent))
        upto = TurnId(options.at) if options.at else None
        snapshot = Snapshot(conversation.timeline.for_agent(AgentId(options.agent), upto=upto))
    named = [PropositionId(id) for id in options.ids] or [each.id for each in snapshot.propositions]
    for id in named:
        snapshot.state.proposition(id)
    statuses = [snapshot.status(id) for id in named]
    questions = () if options.ids else snapshot.open_questions()
    if options.as_json:
        texts = {id: snapshot.state.proposition(id) for id in named}
        claims = [{**plain(each), "text": texts[each.id].text, "kind": texts[each.id].kind.value} for each in statuses]
        say_json({"at": options.at or snapshot.state.last_turn, "claims": claims, "open_questions": list(questions)})
        return GROUNDED
    say(status_table(snapshot, statuses))
    if questions:
        say_lines(section("open questions", questions))
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainOptions(FileOptions):
    """What ``explain`` takes."""

    file: FileName
    id: ClaimId
    at: At = ""
    depth: Depth = 12
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@command(
    "explain",
    "Show why a claim stands, and what would break it.",
    "upheld explain talk.yaml h4",
    "upheld explain talk.yaml h4 --at T9 --json",
)
def explain(options: ExplainOptions) -> int:
    """Show why a claim stands, down to the turns, what is held against it, and what would break it."""
    snapshot = snapshot_of(options.file, at=options.at, reading=options.interpreter, options=options)
    told = snapshot.explain(options.id)
    if options.as_json:
        say_json(plain(told))
        return GROUNDED
    say_lines(explanation_lines(snapshot.state, told, depth=options.depth, is_ascii=is_ascii_only()))
    return GROUNDED


def require_agent(questions: Questions, agent: AgentId) -> None:
    """Refuse an agent who takes no part.

    Raises:
        MalformedInput: there is nobody of that name; those who take part are listed.
    """
    present = sorted(questions.state.agents)
    if agent not in present:
        raise MalformedInput(f"nobody called {agent!r} takes part; there are {', '.join(present)}")
