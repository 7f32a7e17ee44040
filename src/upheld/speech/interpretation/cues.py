"""A first interpreter that goes by cue words: no learned part, no network, the same answer every time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.operations import Observe, Operation
from upheld.logic.language.propositions import Kind
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.interpreter import Interpreted
from upheld.speech.interpretation.lookup import Lookup
from upheld.speech.interpretation.reading import TurnReading
from upheld.speech.interpretation.remembering import Remembered
from upheld.speech.matching.clauses import sentences
from upheld.speech.matching.language import is_english
from upheld.speech.view import Situation, View

MAX_TEXT = 20_000
"""Characters of a turn; a longer one is abstained on."""

MAX_TOOL_TEXT = 4_000
"""Characters of a tool's output that are kept as one observation."""

UNCUED = 0.5
"""Certainty of a reading with a statement that no cue told from a plain report. Not measured: it says "may be more"."""


class CueInterpreter:
    """Operations from cues, sentence by sentence; where no cue is sure, a person's statement is a plain observation.

    It links to what is known only where the words leave no doubt, and never makes up a ground: a ``depends_on`` comes
    from a spoken "because" or "since". A tool's output is one observation, whatever it says: text that was retrieved
    is data, and an instruction in it is a quotation. Covers English. One interpreter serves one conversation and one
    thread at a time.
    """

    name = "cues"
    version = "1"

    def __init__(self, agents: Iterable[Agent] = ()) -> None:
        """Know the kinds of ``agents``, and of those that a view tells of; anybody else is taken for a person."""
        self._kinds = {agent.id: agent.kind for agent in agents}
        self._remembered = Remembered()

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read a turn. Cost: linear in its words and in the propositions that share one with it."""
        interpreter = f"{self.name}@{self.version}"
        kinds = kinds_of(view, self._kinds)
        reason = unreadable(turn, kinds)
        if reason:
            return Interpreted(operations=(), interpreter=interpreter, abstained=reason, certainty=0.0)
        if kinds.get(turn.speaker) is AgentKind.TOOL:
            observed = tool_output(turn)
            return Interpreted(operations=() if observed is None else (observed,), interpreter=interpreter)
        self._remembered.update(view)
        assistants = frozenset(agent for agent, kind in kinds.items() if kind is AgentKind.ASSISTANT)
        reading = TurnReading(
            turn=turn, lookup=Lookup(view, self._remembered, assistants), is_assistant=turn.speaker in assistants
        )
        for start, end in sentences(turn.text):
            reading.add(turn.text[start:end])
        abstained = "" if reading.operations else reading.unsure
        return Interpreted(
            operations=tuple(reading.operations),
            interpreter=interpreter,
            abstained=abstained,
            certainty=0.0 if abstained else _certainty(reading.operations),
        )


def kinds_of(view: View, known: Mapping[AgentId, AgentKind]) -> Mapping[AgentId, AgentKind]:
    """Give the kinds of those who take part: those that are ``known``, and those that a view tells of."""
    told = {agent.id: agent.kind for agent in view.agents()} if isinstance(view, Situation) else {}
    return {**told, **known}


def unreadable(turn: Turn, kinds: Mapping[AgentId, AgentKind]) -> str:
    """Give why a turn is not read by an interpreter of English words, or an empty text when it is."""
    if len(turn.text) > MAX_TEXT:
        return f"over the size limit of {MAX_TEXT} characters"
    if kinds.get(turn.speaker) is AgentKind.TOOL:
        is_long = len(turn.text) > MAX_TOOL_TEXT
        return f"a tool's output over the size limit of {MAX_TOOL_TEXT} characters" if is_long else ""
    return "" if is_english(turn.text) else "language not covered: this interpreter reads English"


def tool_output(turn: Turn) -> Observe | None:
    """Give a tool's output as one observation: text that was retrieved is data, and its instructions are quotations."""
    text = turn.text.strip()
    return Observe(id=PropositionId(f"{turn.id}.1"), text=text) if text else None


def _certainty(operations: Iterable[Operation]) -> float:
    """Give how sure it is that nothing else was meant; a plain report is what is left when no cue was found."""
    is_uncued = any(
        isinstance(operation, Observe)
        and operation.kind is Kind.OBSERVATION
        and not (operation.supersedes or operation.contradicts or operation.depends_on)
        for operation in operations
    )
    return UNCUED if is_uncued else 1.0
