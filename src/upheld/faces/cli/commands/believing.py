"""Questions about knowledge and belief: ``believe``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from upheld.conversation.asking.questions import Questions
from upheld.errors import MalformedInput
from upheld.faces.cli.commands.asking import require_agent
from upheld.faces.cli.console import note, say_json, say_lines
from upheld.faces.cli.options import GROUNDED, AsJson, At, FileName, FileOptions, Interpreter, Reading, command
from upheld.faces.cli.sources import snapshot_of
from upheld.faces.report.wording import name_of
from upheld.logic.language.formulas import atoms_of, is_propositional
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.notation import parse_formula

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
    formula = parse_formula(options.formula)
    if options.agent:
        require_agent(snapshot, AgentId(options.agent))
    is_of_somebody = bool(options.agent) or is_propositional(formula)
    believers = ([options.agent] if options.agent else sorted(snapshot.state.agents)) if is_of_somebody else []
    answers: dict[str, Any] = {
        agent: {"believes": snapshot.believes(agent, formula), "knows": snapshot.knows(agent, formula)}
        for agent in believers
    }
    if not is_of_somebody:
        answers = {"holds": snapshot.holds(formula, given=options.given or None)}
    elif options.given:
        raise MalformedInput("only a formula that names its agents can depend on how things are", key="--given")
    unknown = [name for name in sorted(atoms_of(formula)) if not _is_known(snapshot, name)]
    if unknown:
        note(f"nobody introduced {', '.join(unknown)}: nothing is believed of it")
    if options.as_json:
        asked = {"formula": options.formula, "agent": options.agent, "given": options.given, "at": options.at}
        say_json({**asked, **(answers.get(options.agent) or (answers if believers == [] else {"agents": answers}))})
        return GROUNDED
    say_lines(_belief_lines(snapshot, options.formula, answers))
    return GROUNDED


def _belief_lines(snapshot: Questions, formula: str, answers: dict[str, Any]) -> Iterator[str]:
    if "holds" in answers:
        yield f"{formula} {'holds' if answers['holds'] else 'does not hold'}"
        return
    verbs = {"believes": "believe", "knows": "know"}
    for agent, found in answers.items():
        who = name_of(snapshot.state, AgentId(agent))
        yield from (f"{who} {verb if yes else f'does not {verbs[verb]}'} {formula}" for verb, yes in found.items())


def _is_known(snapshot: Questions, name: str) -> bool:
    state = snapshot.state
    return PropositionId(name) in state.propositions or name in state.atoms
