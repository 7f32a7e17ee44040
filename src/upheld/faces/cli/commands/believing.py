"""Questions about knowledge and belief: ``believe``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer

from upheld.conversation.asking.attitudes import Attitudes, attitudes
from upheld.conversation.asking.questions import Questions
from upheld.faces.cli.commands.asking import require_agent
from upheld.faces.cli.console import note, say_json, say_lines
from upheld.faces.cli.options import GROUNDED, AsJson, At, FileName, FileOptions, Interpreter, Reading, command
from upheld.faces.cli.sources import snapshot_of
from upheld.faces.report.wording import name_of
from upheld.faces.trees import Tree
from upheld.logic.language.identities import AgentId

FormulaText = Annotated[
    str, typer.Argument(metavar="FORMULA", help="A claim's id, or a formula: 'h1 & ~h2', 'B_alice h2'.")
]
Believer = Annotated[
    str,
    typer.Option("--agent", metavar="AGENT", help="Whose belief; everybody's, without it.", show_default=False),
]
Given = Annotated[
    str,
    typer.Option(
        "--given", metavar="FORMULA", help="How things are, where an answer depends on it.", show_default=False
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class BelieveOptions(FileOptions):
    """What ``believe`` takes."""

    file: FileName
    formula: FormulaText
    agent: Believer = ""
    given: Given = ""
    at: At = ""
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@command(
    "believe",
    "Say who believes or knows what.",
    "upheld believe talk.yaml h2 --at T6",
    "upheld believe talk.yaml 'h1 & ~h2' --agent carol",
    "upheld believe talk.yaml 'K_alice K_bob o8 & ~C h2'",
    "upheld believe puzzle.yaml 'K_alice m_a' --given 'm_a & m_b & ~m_c'",
)
def believe(options: BelieveOptions) -> int:
    """Say who believes and knows a formula, or whether a formula about belief and knowledge holds.

    Without --agent, a formula that names no agent is asked of everybody. Knowledge about knowledge, common knowledge
    (C) and what a group knows together (D) need the extra 'epistemic'.
    """
    snapshot = snapshot_of(options.file, at=options.at, reading=options.interpreter, options=options)
    if options.agent:
        require_agent(snapshot, AgentId(options.agent))
    found = attitudes(snapshot, options.formula, agent=options.agent, given=options.given)
    if found.unknown:
        note(f"nobody introduced {', '.join(found.unknown)}: nothing is believed of it")
    if options.as_json:
        say_json(_tree(options, found))
        return GROUNDED
    say_lines(_belief_lines(snapshot, options.formula, found))
    return GROUNDED


def _tree(options: BelieveOptions, found: Attitudes) -> Tree:
    asked: Tree = {"formula": options.formula, "agent": options.agent, "given": options.given, "at": options.at}
    if found.holds is not None:
        return {**asked, "holds": found.holds}
    answers = {each.agent: {"believes": each.believes, "knows": each.knows} for each in found.of}
    return {**asked, **(answers.get(AgentId(options.agent)) or {"agents": answers})}


def _belief_lines(snapshot: Questions, formula: str, found: Attitudes) -> Iterator[str]:
    if found.holds is not None:
        yield f"{formula} {'holds' if found.holds else 'does not hold'}"
    for each in found.of:
        who = name_of(snapshot.state, each.agent)
        for verb, bare, yes in (("believes", "believe", each.believes), ("knows", "know", each.knows)):
            yield f"{who} {verb if yes else f'does not {bare}'} {formula}"
