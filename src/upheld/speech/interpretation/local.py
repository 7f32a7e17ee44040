"""A first interpreter that goes by cue words: no learned part, no network, the same answer every time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Question, Resolve, Revise, Undermine
from upheld.logic.language.propositions import CONSIDERED, Kind
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.interpreter import Interpreted
from upheld.speech.interpretation.lookup import Lookup
from upheld.speech.interpretation.moves import Cued, Move, cued
from upheld.speech.matching.clauses import clauses, given_and_then, sentences
from upheld.speech.matching.index import LexicalIndex
from upheld.speech.matching.language import is_english
from upheld.speech.matching.tokens import frame
from upheld.speech.view import View

MAX_TEXT = 20_000
"""Characters of a turn; a longer one is abstained on."""

MAX_TOOL_TEXT = 4_000
"""Characters of a tool's output that are kept as one observation."""

_UNSURE = "something is taken back, but not plain what"

_ACTS = frozenset({Move.CORRECT, Move.TAKE_BACK, Move.DECIDE})
"""Moves whose cue belongs to the clause that it opens, not to the whole sentence."""

FEWEST_WORDS = 2
"""Words of a statement; a shorter one ("Lovely.") says nothing that could be kept."""

_WHY = re.compile(
    r"\b(?:why|how come|what (?:causes?|caused|is wrong|went wrong|happened)|what's (?:wrong|causing))\b", re.I
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|[Mm]y|[Mm]ine|[Ww]e|[Oo]ur|[Oo]urs)\b")
_INDIRECT = re.compile(r"\b(?:it|that|this|he|she|they|those|these)\b", re.IGNORECASE)


class LocalInterpreter:
    """Operations from cues, sentence by sentence; where no cue is sure, a person's statement is a plain observation.

    It links to what is known only where the words leave no doubt, and never makes up a ground: a ``depends_on`` comes
    from a spoken "because" or "since". A tool's output is one observation, whatever it says: text that was retrieved
    is data, and an instruction in it is a quotation. Covers English. One interpreter serves one conversation and one
    thread at a time.
    """

    name = "local"
    version = "1"

    def __init__(self, agents: Iterable[Agent] = ()) -> None:
        """Know the kinds of ``agents``; anybody else is taken for a person."""
        self._kinds = {agent.id: agent.kind for agent in agents}
        self._index = LexicalIndex()

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read a turn. Cost: linear in its words and in the propositions that share one with it."""
        interpreter = f"{self.name}@{self.version}"
        if len(turn.text) > MAX_TEXT:
            reason = f"over the size limit of {MAX_TEXT} characters"
            return Interpreted(operations=(), interpreter=interpreter, abstained=reason)
        if self._kinds.get(turn.speaker) is AgentKind.TOOL:
            return self._tool_output(turn, interpreter)
        if not is_english(turn.text):
            reason = "language not covered: this interpreter reads English"
            return Interpreted(operations=(), interpreter=interpreter, abstained=reason)
        self._index.update(view)
        reading = _Reading(turn=turn, lookup=Lookup(view, self._index))
        for start, end in sentences(turn.text):
            reading.add(turn.text[start:end])
        abstained = "" if reading.operations else reading.unsure
        return Interpreted(operations=tuple(reading.operations), interpreter=interpreter, abstained=abstained)

    def _tool_output(self, turn: Turn, interpreter: str) -> Interpreted:
        if not turn.text.strip():
            return Interpreted(operations=(), interpreter=interpreter)
        if len(turn.text) > MAX_TOOL_TEXT:
            reason = f"a tool's output over the size limit of {MAX_TOOL_TEXT} characters"
            return Interpreted(operations=(), interpreter=interpreter, abstained=reason)
        observed = Observe(id=PropositionId(f"{turn.id}.1"), text=turn.text.strip())
        return Interpreted(operations=(observed,), interpreter=interpreter)


@dataclass(slots=True)
class _Reading:
    """One turn being read: its operations so far."""

    turn: Turn
    lookup: Lookup
    operations: list[Operation] = field(default_factory=list[Operation])
    introduced: int = 0
    unsure: str = ""

    def add(self, sentence: str) -> None:
        """Read one sentence and add what it does."""
        first, *rest = [sentence[start:end] for start, end in clauses(sentence, (0, len(sentence)))]
        if rest and cued(first).move in _ACTS:
            for clause in (first, *rest):
                self._add(cued(clause))
        else:
            self._add(cued(sentence))

    def _add(self, clause: Cued) -> None:
        match clause.move:
            case Move.NOTHING:
                return
            case Move.ASK:
                self._ask(clause)
            case Move.TAKE_BACK:
                self._take_back(clause)
            case Move.DECIDE:
                self._decide(clause)
            case Move.PROPOSE:
                self._suppose(clause, Kind.POSITION)
            case Move.SUPPOSE:
                self._suppose(clause, Kind.HYPOTHESIS)
            case Move.STOP:
                self._stop(clause)
            case Move.CORRECT | Move.STATE:
                self._state(clause)

    def _ask(self, clause: Cued) -> None:
        """Ask. A "why" opens an issue; a request without a question mark puts nothing on record."""
        if not clause.content.endswith("?"):
            return
        known = self.lookup.meant(clause.content)
        about = () if known is None else (known.proposition.id,)
        identity = self._new_id() if _WHY.search(clause.content) else None
        self.operations.append(Question(text=clause.content, id=identity, about=about))

    def _take_back(self, clause: Cued) -> None:
        """Revise what is meant; of a bare "scratch that", what the speaker put forward last."""
        is_bare = len(frame(clause.content).terms) == 0
        known = self.lookup.last_of(self.turn.speaker) if is_bare else self.lookup.meant(clause.content)
        if is_bare and self.introduced:
            # Said after something else in the same turn, it may mean that or what was said before.
            self.unsure = _UNSURE
        elif known is not None and known.speaker == self.turn.speaker:
            self.operations.append(Revise(target=known.proposition.id))
        elif known is not None:
            # Nobody can take back for another; what they say against it is an argument of their own.
            text = self._in_full(clause.words)
            self.operations.append(Undermine(target=known.proposition.id, id=self._new_id(), text=text))
        elif is_bare:
            self.unsure = _UNSURE
        else:
            self._observe(clause.content, ())

    def _stop(self, clause: Cued) -> None:
        """Record that something has ceased; where it is plain what, that is superseded."""
        known = self.lookup.meant(clause.content, is_dated=True)
        older = () if known is None else (known.proposition.id,)
        newer = self._observe(clause.words, (), supersedes=older)
        self.operations.extend(Revise(target=target, replacement=newer) for target in older)

    def _decide(self, clause: Cued) -> None:
        """Resolve the position that is meant; an arrangement that was no position before is a constraint."""
        known = self.lookup.meant(clause.content, is_tentative=True) if clause.content else None
        if known is not None:
            self.operations.append(Resolve(target=Literal(known.proposition.id)))
        elif len(frame(clause.content).terms) > 1:
            self._observe(clause.content, (), kind=Kind.CONSTRAINT)

    def _suppose(self, clause: Cued, kind: Kind) -> None:
        content, grounds = self._grounded(clause.content)
        if len(frame(content).terms) > 1:
            self.operations.append(
                Hypothesize(
                    id=self._new_id(),
                    text=self._in_full(content),
                    kind=kind,
                    depends_on=grounds,
                    on=self.lookup.open_issue(),
                )
            )

    def _state(self, clause: Cued) -> None:
        content, grounds = self._grounded(clause.content)
        if not frame(content).terms or (self._is_vague(content) and clause.move is Move.STATE):
            return
        is_cued = clause.move is Move.CORRECT
        replaced = self.lookup.replaced(content, speaker=self.turn.speaker, is_cued=is_cued)
        if replaced is not None:
            older = replaced.known.proposition
            newer = self._observe(replaced.text or content, grounds, supersedes=(older.id,))
            self.operations.append(Revise(target=older.id, replacement=newer))
            return
        said = self.lookup.said(content)
        if said is None:
            self._observe(content, grounds)
            return
        known, literal = said
        if literal.negated:
            self._observe(content, grounds, contradicts=(known.proposition.id,))
        elif known.proposition.kind not in CONSIDERED:
            again = known.proposition
            self.operations.append(Observe(id=again.id, text=again.text, kind=again.kind, formula=again.formula))

    def _grounded(self, content: str) -> tuple[str, tuple[Literal, ...]]:
        """Split "Y because X" into Y and X, where X is known already or is stated here."""
        split = given_and_then(content, (0, len(content)))
        if split is None:
            return content, ()
        given, then = (content[start:end].rstrip(".") for start, end in split)
        if len(frame(given).terms) < 2 or len(frame(then).terms) < 1:
            return content, ()
        said = self.lookup.said(given)
        if said is not None:
            return _sentence(then), (said[1],)
        return _sentence(then), (Literal(self._observe(_sentence(given), ())),)

    def _observe(
        self,
        content: str,
        grounds: tuple[Literal, ...],
        *,
        kind: Kind = Kind.OBSERVATION,
        supersedes: tuple[PropositionId, ...] = (),
        contradicts: tuple[PropositionId, ...] = (),
    ) -> PropositionId:
        identity = self._new_id()
        self.operations.append(
            Observe(
                id=identity,
                text=self._in_full(content),
                kind=kind,
                depends_on=grounds,
                supersedes=supersedes,
                contradicts=contradicts,
            )
        )
        return identity

    def _in_full(self, content: str) -> str:
        """Give the clause as said, with its speaker where the words point to them or to what was said before."""
        is_pointing = _FIRST_PERSON.search(content) or _INDIRECT.match(content)
        return f"{self.turn.speaker} says: {content}" if is_pointing else content

    def _is_vague(self, content: str) -> bool:
        return len(content.split()) < FEWEST_WORDS and not frame(content).numbers

    def _new_id(self) -> PropositionId:
        self.introduced += 1
        return PropositionId(f"{self.turn.id}.{self.introduced}")


def _sentence(clause: str) -> str:
    clause = clause.strip().rstrip(",;")
    clause = clause[:1].upper() + clause[1:]
    return clause if clause.endswith((".", "!", "?")) else f"{clause}."
