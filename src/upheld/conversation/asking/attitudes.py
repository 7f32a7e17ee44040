"""Who believes and knows a formula: one answer for each agent, or one for a formula that names its agents itself."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.conversation.asking.questions import Questions
from upheld.errors import MalformedInput
from upheld.logic.language.formulas import Formula, atoms_of, is_propositional
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.notation import parse_formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Attitude:
    """What one agent makes of a formula."""

    agent: AgentId
    believes: bool
    knows: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Attitudes:
    """The answer about a formula.

    Either ``holds`` says whether it does, or ``of`` has each agent that was asked. Nobody introduced what is
    ``unknown``, so that nothing is believed of it.
    """

    of: tuple[Attitude, ...] = ()
    holds: bool | None = None
    unknown: tuple[str, ...] = ()


def attitudes(questions: Questions, formula: str, *, agent: str = "", given: str = "") -> Attitudes:
    """Say who believes and knows a formula; without an ``agent`` a formula that names none is asked of everybody.

    ``given`` says how things are, for a formula that names its agents and depends on it.

    Raises:
        MalformedFormula: it does not parse.
        MalformedInput: ``given`` for what cannot depend on it.
        UnknownReference: an agent who does not take part.
        CouldNotCheck: it depends on how things are, and nobody said.
        MissingExtra: a statement about several agents needs ``upheld[epistemic]``.
    """
    asked = parse_formula(formula)
    unknown = tuple(name for name in sorted(atoms_of(asked)) if not _is_known(questions, name))
    if not agent and not is_propositional(asked):
        return Attitudes(holds=questions.holds(asked, given=given or None), unknown=unknown)
    if given:
        raise MalformedInput("only a formula that names its agents can depend on how things are", key="given")
    believers = [AgentId(agent)] if agent else sorted(questions.state.agents)
    return Attitudes(of=tuple(_attitude(questions, each, asked) for each in believers), unknown=unknown)


def _attitude(questions: Questions, agent: AgentId, formula: Formula) -> Attitude:
    return Attitude(agent=agent, believes=questions.believes(agent, formula), knows=questions.knows(agent, formula))


def _is_known(questions: Questions, name: str) -> bool:
    state = questions.state
    return PropositionId(name) in state.propositions or name in state.atoms
