"""One turn read sentence by sentence: the operations that its clauses perform."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Question, Resolve, Revise, Undermine
from upheld.logic.language.propositions import CONSIDERED, Kind
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.corrections import is_cued
from upheld.speech.interpretation.lookup import Lookup
from upheld.speech.interpretation.moves import EXISTS, REQUEST, SOUGHT, WISHED, Cued, Move, cued
from upheld.speech.interpretation.preferring import is_refusal
from upheld.speech.matching.clauses import clauses, given_and_then
from upheld.speech.matching.entities import affirmed, entities
from upheld.speech.matching.tokens import frame
from upheld.speech.matching.wishes.index import wished

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


@dataclass(slots=True)
class TurnReading:
    """One turn being read: its ``operations`` so far, and why nothing was made of a sentence (``unsure``)."""

    turn: Turn
    lookup: Lookup
    is_assistant: bool = False
    operations: list[Operation] = field(default_factory=list[Operation])
    introduced: int = 0
    unsure: str = ""
    is_refused: bool = False

    def add(self, sentence: str) -> None:
        """Read one sentence and add what it does."""
        first, *rest = [sentence[start:end] for start, end in clauses(sentence, (0, len(sentence)))]
        if self._correct(sentence):
            for clause in (first, *rest) if rest else ():
                if not entities(clause) and not is_cued(clause):
                    self._add(cued(clause))
        elif rest and cued(first).move in _ACTS:
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

    def _correct(self, clause: str) -> bool:
        """Put new values in the places of known ones; tell whether the clause did."""
        is_question = clause.rstrip().endswith("?")
        self.is_refused = self.is_refused or is_refusal(clause)
        if is_question and (self.is_assistant or not (WISHED.match(clause) or _is_asked_for(clause))):
            return False
        is_request = REQUEST.match(clause) is not None
        if self._reword(clause, is_wish=is_question and is_request):
            return True
        is_asked = is_question or is_request
        is_wish = is_question and is_request
        found = self.lookup.corrections(clause, speaker=self.turn.speaker, is_wish=is_wish, is_refused=self.is_refused)
        for correction in found:
            older = correction.known.proposition.id
            if correction.is_disputed:
                self._observe(clause, (), contradicts=(older,))
                continue
            targets = (older, *correction.others)
            text = correction.text or self._in_full(_sentence(clause.rstrip("?")), is_asked=is_asked)
            newer = self._observed(text, (), supersedes=targets)
            self.operations.extend(Revise(target=target, replacement=newer) for target in targets)
        return bool(found)

    def _reword(self, clause: str, *, is_wish: bool) -> bool:
        """Put new values in the places of those that this very turn has put forward; tell whether the clause did."""
        said = {
            operation.id: place for place, operation in enumerate(self.operations) if isinstance(operation, Observe)
        }
        found = self.lookup.rewordings(
            clause,
            [operation for operation in self.operations if isinstance(operation, Observe)],
            speaker=self.turn.speaker,
            is_wish=is_wish,
        )
        for correction in found:
            place = said[correction.known.proposition.id]
            operation = self.operations[place]
            if isinstance(operation, Observe):
                self.operations[place] = replace(operation, text=correction.text)
        return bool(found)

    def _ask(self, clause: Cued) -> None:
        """Ask. A "why" opens an issue; a request counts as a wish where it has values, else as nothing said."""
        if not self.is_assistant and _is_wish(clause.content):
            self._observed(self._in_full(clause.content, is_asked=True), (), kind=Kind.CONSTRAINT)
            if not SOUGHT.match(clause.content):
                return
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
        replaced = self.lookup.replaced(content, speaker=self.turn.speaker)
        if replaced is not None:
            older = replaced.proposition.id
            newer = self._observe(content, grounds, supersedes=(older,))
            self.operations.append(Revise(target=older, replacement=newer))
            return
        said = self.lookup.said(content)
        if said is None:
            self._observe(content, grounds)
            return
        known, literal = said
        if literal.negated and len(frame(content).terms) < FEWEST_WORDS:
            self._observe(content, grounds)
        elif literal.negated:
            self._observe(content, grounds, contradicts=(known.proposition.id,))
        elif self.lookup.is_in_doubt(known, content):
            # Said again after something else was wished for, it is the latest wish, and no longer the earlier one.
            self._observe(content, grounds)
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
        return self._observed(
            self._in_full(content), grounds, kind=kind, supersedes=supersedes, contradicts=contradicts
        )

    def _observed(
        self,
        text: str,
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
                text=text,
                kind=kind,
                depends_on=grounds,
                supersedes=supersedes,
                contradicts=contradicts,
            )
        )
        return identity

    def _in_full(self, content: str, *, is_asked: bool = False) -> str:
        """Give the clause as said, with its speaker where the words point to them or to what was said before."""
        if is_asked:
            return f"{self.turn.speaker} asks: {content}"
        if not self.is_assistant and REQUEST.match(content):
            return f"{self.turn.speaker} asks: {content}"
        is_pointing = _FIRST_PERSON.search(content) or _INDIRECT.match(content)
        return f"{self.turn.speaker} says: {content}" if is_pointing else content

    def _is_vague(self, content: str) -> bool:
        return len(content.split()) < FEWEST_WORDS and not frame(content).numbers

    def _new_id(self) -> PropositionId:
        self.introduced += 1
        return PropositionId(f"{self.turn.id}.{self.introduced}")


def _is_wish(clause: str) -> bool:
    """Tell whether a request or a question names what is wished for."""
    if clause.endswith("?"):
        return SOUGHT.match(clause) is not None and bool(wished(clause))
    is_deed = REQUEST.match(clause) is not None and bool(affirmed(clause))
    return is_deed or (SOUGHT.match(clause) is not None and bool(wished(clause)))


def _is_asked_for(clause: str) -> bool:
    """Tell whether a question asks to look for something; one that asks whether there is any leaves that open."""
    return SOUGHT.match(clause) is not None and (EXISTS.match(clause) is None or is_refusal(clause))


def _sentence(clause: str) -> str:
    clause = clause.strip().rstrip(",;")
    clause = clause[:1].upper() + clause[1:]
    return clause if clause.endswith((".", "!", "?")) else f"{clause}."
