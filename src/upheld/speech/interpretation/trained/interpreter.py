"""An interpreter by the trained network: each clause beside what is on the table, with the rules of values first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Operation, Support, Undermine
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.cues import UNCUED, kinds_of, tool_output, unreadable
from upheld.speech.interpretation.interpreter import Interpreted
from upheld.speech.interpretation.lookup import Lookup
from upheld.speech.interpretation.remembering import Remembered
from upheld.speech.interpretation.trained.deciding import Bars, Speaking, certainty, done
from upheld.speech.interpretation.trained.reading import MovesReading
from upheld.speech.interpretation.trained.showing import Surroundings, shown
from upheld.speech.matching.clauses import Span, clauses, sentences
from upheld.speech.matching.cues import is_small_talk
from upheld.speech.trained.inputs import TURNS
from upheld.speech.trained.moves import ClauseMoves, MoveReader
from upheld.speech.view import Known, Situation, View

ABOUT = 0.3
"""Least cosine with which a question that flags something is about it."""

TOGETHER = 8
"""Most clauses that are read together; of a longer turn, so many at a time."""


class TrainedInterpreter:
    """Operations from a small network that reads a turn clause by clause, beside what is on the table.

    Rules go first where they are surer than any network: values that replace others, and slots that hold one value.
    A ground comes from a spoken reason and never from nearness; a tool's output is one observation, which may speak for
    or against what is open, and does nothing else. Covers English. One interpreter serves one conversation and one
    thread at a time.
    """

    version = "1"

    def __init__(
        self, network: MoveReader, surroundings: Surroundings, bars: Bars, agents: Iterable[Agent] = ()
    ) -> None:
        """Read by this network; ``agents``, and those that a view tells of, have known kinds, others are persons."""
        self._network = network
        self._surroundings = surroundings
        self._bars = bars
        self._kinds = {agent.id: agent.kind for agent in agents}
        self._remembered = Remembered()

    @property
    def sure_at(self) -> float:
        """Certainty from which a reading need not be passed on."""
        return self._bars.sure_at

    @property
    def name(self) -> str:
        """The method, and the weights down to their digest."""
        return f"trained({self._network.name})"

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read a turn. Cost: a search a clause, and a pass of the network for every eight clauses."""
        interpreter = f"{self.name}@{self.version}"
        kinds = kinds_of(view, self._kinds)
        reason = unreadable(turn, kinds)
        if reason:
            return Interpreted(operations=(), interpreter=interpreter, abstained=reason, certainty=0.0)
        speaking = Speaking(speaker=turn.speaker, kinds=kinds)
        if speaking.kind is AgentKind.TOOL:
            return self._tool_output(turn, view, speaking, interpreter)
        self._remembered.update(view)
        assistants = frozenset(agent for agent, kind in kinds.items() if kind is AgentKind.ASSISTANT)
        reading = MovesReading(
            turn=turn,
            lookup=Lookup(view, self._remembered, assistants),
            is_assistant=turn.speaker in assistants,
            earlier=view.earlier(TURNS) if isinstance(view, Situation) else (),
        )
        parted = [(sentence, _parts(sentence)) for sentence in _texts(turn.text, sentences(turn.text))]
        read = list(
            read_parts([part for _, parts in parted for part in parts], turn, view, self._network, self._surroundings)
        )
        rest = iter(read)
        for sentence, parts in parted:
            found = list(islice(rest, len(parts)))
            if reading.has_corrected(sentence):
                continue
            for part, own in zip(parts, found, strict=True):
                if own is None:
                    reading.by_cues(part)
                else:
                    reading.perform(part, done(own.clause, own.moves, own.beside, speaking, self._bars), own.nearest)
        return Interpreted(operations=tuple(reading.operations), interpreter=interpreter, certainty=_certainty(read))

    def _tool_output(self, turn: Turn, view: View, speaking: Speaking, interpreter: str) -> Interpreted:
        """Read a tool's output as one observation, with what it speaks for and against."""
        observed = tool_output(turn)
        if observed is None:
            return Interpreted(operations=(), interpreter=interpreter)
        operations: list[Operation] = [observed]
        read = list(read_parts(parts_of(observed.text), turn, view, self._network, self._surroundings))
        said: dict[tuple[str, PropositionId], Known] = {}
        for own in filter(None, read):
            for act, known in done(own.clause, own.moves, own.beside, speaking, self._bars).on.items():
                said.setdefault((act, known.proposition.id), known)
        for act, target in said:
            made = Support if act == "support" else Undermine
            operations.append(made(target=target, evidence=(Literal(observed.id),)))
        return Interpreted(operations=tuple(operations), interpreter=interpreter, certainty=_certainty(read))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPart:
    """One clause with its moves, and the propositions that it was read beside, with the cosine of each."""

    clause: str
    moves: ClauseMoves
    beside: tuple[Known, ...]
    nearness: tuple[float, ...]

    @property
    def nearest(self) -> Known | None:
        """What the clause is about, if anything is near enough."""
        nearest = max(self.nearness, default=0.0)
        return self.beside[self.nearness.index(nearest)] if nearest >= ABOUT else None


def read_parts(
    parts: Sequence[str], turn: Turn, view: View, network: MoveReader, surroundings: Surroundings
) -> Iterator[ReadPart | None]:
    """Have the clauses of a turn read, so many together as fit; ``None`` for one that is too long to be read whole.

    Bars are chosen on what this same function gives.
    """
    for group in _groups(parts, network):
        if not network.reads_turn(group):
            yield None
            continue
        around = shown(turn, group, view, surroundings)
        nearness = around.talk.nearness or ((),) * len(group)
        for part, moves, near in zip(group, network.moves(around.talk), nearness, strict=True):
            yield ReadPart(clause=part, moves=moves, beside=around.propositions, nearness=near)


def _groups(parts: Sequence[str], network: MoveReader) -> Iterator[list[str]]:
    """Give the clauses in order, in groups that are read whole; what does not fit stands alone."""
    group: list[str] = []
    for part in parts:
        if group and (len(group) == TOGETHER or not network.reads_turn([*group, part])):
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _certainty(read: Sequence[ReadPart | None]) -> float:
    """Give how sure a reading is; a clause that only cues could read may mean more."""
    least = certainty([each.moves for each in read if each is not None])
    return min(least, UNCUED) if None in read else least


def _texts(text: str, spans: Iterable[Span]) -> Iterator[str]:
    return (text[start:end] for start, end in spans)


def parts_of(text: str) -> list[str]:
    """Give the clauses of a turn that may do something, in order."""
    return [part for sentence in _texts(text, sentences(text)) for part in _parts(sentence)]


def _parts(sentence: str) -> list[str]:
    """Give the clauses of a sentence that may do something."""
    parts = _texts(sentence, clauses(sentence, (0, len(sentence))))
    return [part for part in parts if not is_small_talk(part)]
