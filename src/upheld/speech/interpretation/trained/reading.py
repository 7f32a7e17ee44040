"""One turn read by the moves of its clauses: the operations that they come to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Question,
    Resolve,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.propositions import TENTATIVE, Kind
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.moves import Cued, Move, cued
from upheld.speech.interpretation.reading import TurnReading
from upheld.speech.interpretation.trained.deciding import Done
from upheld.speech.matching.clauses import sentences
from upheld.speech.matching.tokens import frame
from upheld.speech.view import Known

SHORT_ANSWER = 3
"""Most words with a meaning of their own in an answer that cannot be understood without its question."""

_GIVES_REASON = re.compile(
    r"\b(?:because|since|so|therefore|thus|hence|then|given|due to|that's why|which means|as)\b", re.IGNORECASE
)


@dataclass(slots=True)
class MovesReading(TurnReading):
    """A turn being read; ``earlier`` are the turns before it, for answers that need their question."""

    earlier: Sequence[Turn] = field(default_factory=tuple[Turn, ...])
    settled: set[tuple[str, PropositionId]] = field(default_factory=set[tuple[str, PropositionId]])

    def has_corrected(self, sentence: str) -> bool:
        """Put new values in the places of known ones, by the rules; tell whether the sentence did."""
        return self._correct(sentence)

    def by_cues(self, clause: str) -> None:
        """Add what a clause does by its cue words."""
        self._add(cued(clause))

    def perform(self, clause: str, done: Done, nearest: Known | None = None) -> None:
        """Add what a clause does; ``nearest`` is what it is about, if it flags something as unexplained."""
        if cued(clause).move is Move.STOP and "revise" not in done.on:
            self.by_cues(clause)
            return
        if done.asks or clause.rstrip().endswith("?"):
            self._asked(clause, nearest)
        new = self._introduced(clause, done)
        older = done.on.get("revise")
        if older is not None and self._is_first("revise", older.proposition.id):
            new = self._revised(clause, older, new)
        for act, made in (("support", Support), ("undermine", Undermine)):
            known = done.on.get(act)
            if known is None or not self._is_first(act, known.proposition.id):
                continue
            if new is None:
                text = self._in_full(_whole(clause))
                self.operations.append(made(target=known.proposition.id, id=self._new_id(), text=text))
            elif not self.is_assistant:
                # What an assistant reports does not stand by itself, so that nothing is more or less likely for it.
                self.operations.append(made(target=known.proposition.id, evidence=(Literal(new),)))
        settled = done.on.get("resolve")
        if settled is not None and self._is_first("resolve", settled.proposition.id):
            self.operations.append(Resolve(target=Literal(settled.proposition.id)))

    def _revised(self, clause: str, older: Known, new: PropositionId | None) -> PropositionId | None:
        """Give something up: a report for a new value, a guess because of what is said; whose it is needs no reason."""
        if new is None and older.speaker != self.turn.speaker:
            new = self._observe(_whole(clause), ())
        is_guess = older.proposition.kind in TENTATIVE
        because = (Literal(new),) if is_guess and new is not None else ()
        self.operations.append(
            Revise(target=older.proposition.id, replacement=None if is_guess else new, because=because)
        )
        return new

    def _is_first(self, act: str, target: PropositionId) -> bool:
        """Tell whether the turn does this to a proposition for the first time: to do it twice says no more."""
        is_first = (act, target) not in self.settled
        self.settled.add((act, target))
        return is_first

    def _asked(self, clause: str, nearest: Known | None) -> None:
        if clause.rstrip().endswith("?"):
            self._ask(Cued(move=Move.ASK, content=clause.strip()))
        elif nearest is not None:
            about = (nearest.proposition.id,)
            self.operations.append(Question(text=clause.strip(), id=self._new_id(), about=about))

    def _introduced(self, clause: str, done: Done) -> PropositionId | None:
        """Put forward what a clause says; give its id where it is a report."""
        if clause.rstrip().endswith("?") and done.introduces != "hypothesize":
            return None
        content = cued(clause)
        grounds = self._grounds(clause, done)
        # Whoever says "maybe" has not reported it, however sure the network is: a guess never becomes a fact.
        is_hedged = content.move in (Move.SUPPOSE, Move.PROPOSE)
        match "hypothesize" if is_hedged and done.introduces == "observe" else done.introduces:
            case "observe":
                return self._reported(content, clause, done, grounds)
            case "hypothesize":
                self._supposed(content, clause, grounds)
            case "expand_awareness":
                self.operations.append(ExpandAwareness(id=self._new_id(), text=self._in_full(_whole(clause))))
            case _:
                pass
        return None

    def _reported(self, content: Cued, clause: str, done: Done, grounds: tuple[Literal, ...]) -> PropositionId | None:
        older = done.on.get("revise")
        if older is not None:
            replaced = () if older.proposition.kind in TENTATIVE else (older.proposition.id,)
            return self._observe(_whole(clause), grounds, supersedes=replaced)
        if grounds:
            return self._observe(_whole(clause), grounds)
        before = len(self.operations)
        said = content if content.move is Move.CORRECT else Cued(move=Move.STATE, content=_whole(clause))
        self._state(said)
        new = [each for each in self.operations[before:] if isinstance(each, Observe)]
        return new[-1].id if new else None

    def _supposed(self, content: Cued, clause: str, grounds: tuple[Literal, ...]) -> None:
        is_headed = content.move in (Move.SUPPOSE, Move.PROPOSE)
        issue = self.lookup.open_issue()
        is_proposal = content.move is Move.PROPOSE and issue is not None
        self.operations.append(
            Hypothesize(
                id=self._new_id(),
                text=self._in_full(content.content if is_headed else _whole(clause)),
                kind=Kind.POSITION if is_proposal else Kind.HYPOTHESIS,
                depends_on=grounds,
                on=issue,
            )
        )

    def _grounds(self, clause: str, done: Done) -> tuple[Literal, ...]:
        """Give what the speaker says that it rests on: a word of reason, and a proposition that is meant; else none."""
        if not _GIVES_REASON.search(clause):
            return ()
        acted_on = {known.proposition.id for known in done.on.values()}
        return tuple(Literal(known.proposition.id) for known in done.rests_on if known.proposition.id not in acted_on)

    def _in_full(self, content: str, *, is_asked: bool = False) -> str:
        """Give the clause so that it can be understood alone: a short answer with the question that it answers."""
        question = self._open_question()
        if question and len(frame(content).terms) <= SHORT_ANSWER:
            return f'{self.turn.speaker}, asked "{question}", says: {content}'
        # The class is remade to have slots, which an argumentless super() does not survive.
        return TurnReading._in_full(self, content, is_asked=is_asked)

    def _is_vague(self, content: str) -> bool:
        return not self._open_question() and TurnReading._is_vague(self, content)

    def _open_question(self) -> str:
        """Give the question with which the turn before ended, if another asked it."""
        if not self.earlier or self.earlier[-1].speaker == self.turn.speaker:
            return ""
        last = self.earlier[-1].text
        ends = [last[start:end] for start, end in sentences(last)]
        return ends[-1] if ends and ends[-1].endswith("?") else ""


def _whole(clause: str) -> str:
    clause = clause.strip().rstrip(",;").strip()
    return clause[:1].upper() + clause[1:]
