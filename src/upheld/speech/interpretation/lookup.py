"""Which known proposition a clause is about; nothing where it is not sure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Observe
from upheld.logic.language.propositions import TENTATIVE, Proposition
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.speech.interpretation.corrections import Correcting, Correction
from upheld.speech.interpretation.preferring import Preferring
from upheld.speech.interpretation.remembering import Remembered
from upheld.speech.interpretation.slots import slot_of
from upheld.speech.matching import rules
from upheld.speech.matching.entities import ValueKind, entities
from upheld.speech.matching.index import LexicalIndex
from upheld.speech.matching.tokens import Frame, frame
from upheld.speech.matching.values import has_values_of
from upheld.speech.view import Known, View

SURE = 0.6
"""Least closeness of the best match for a reference to be taken as meant."""

MARGIN = 0.15
"""By how much the best match must lead, for the reference to be plain."""


class Lookup:
    """Searches one view. What has been given up is not found: nobody refers to it in passing."""

    def __init__(self, view: View, remembered: Remembered, assistants: frozenset[AgentId] = frozenset()) -> None:
        """Search ``view``, which ``remembered`` was brought up to; what ``assistants`` say replaces only their own."""
        self._view = view
        self._remembered = remembered
        self._index = remembered.index
        self._assistants = assistants

    def said(self, content: str) -> tuple[Known, Literal] | None:
        """Find what says the same, or its opposite, in (nearly) the same words."""
        for pair in self._pairs(frame(content)):
            link = rules.supported(pair)
            if link is not None and has_values_of(content, pair.known):
                return pair.known, link.literal
        return None

    def meant(self, content: str, *, is_tentative: bool = False, is_dated: bool = False) -> Known | None:
        """Find what a reference such as "the flat in Nervi" means, when one proposition leads by far.

        A value in the reference must be in what is meant, unless it dates the reference itself (``is_dated``).
        """
        wanted = frame(_undated(content) if is_dated else content)
        found = [pair for pair in self._pairs(wanted) if not is_tentative or pair.known.proposition.kind in TENTATIVE]
        found.sort(key=lambda pair: -pair.covered)
        if not found or found[0].covered < SURE:
            return None
        if wanted.numbers - found[0].said.terms and not is_dated:
            return None
        is_plain = len(found) == 1 or found[0].covered - found[1].covered >= MARGIN
        return found[0].known if is_plain else None

    def replaced(self, content: str, *, speaker: AgentId) -> Known | None:
        """Find the standing proposition whose single-valued slot a clause fills with another value."""
        slot = slot_of(content, speaker=speaker)
        if slot is not None:
            for older, id in reversed(self._remembered.filling(slot)):
                known = self._view.get(id)
                if known is None or known.lifecycle in GIVEN_UP or not self._may_replace(known, speaker):
                    continue
                return known if older.value != slot.value else None
        return None

    def corrections(
        self, clause: str, *, speaker: AgentId, is_wish: bool = False, is_refused: bool = False
    ) -> tuple[Correction, ...]:
        """Find the standing values that a clause replaces by others of their sort.

        ``is_refused`` where the speaker has just said that something else is wanted.
        """
        correcting = Correcting(index=self._index, speaker=speaker, assistants=self._assistants)
        if speaker not in self._assistants:
            preferring = Preferring(wishes=self._remembered.wishes, speaker=speaker, is_heard=self._index.is_heard)
            preferred = preferring.corrections(clause, is_cued_before=is_refused)
            if preferred:
                return preferred
        return correcting.corrections(clause, is_wish=is_wish)

    def rewordings(
        self, clause: str, observed: Sequence[Observe], *, speaker: AgentId, is_wish: bool = False
    ) -> tuple[Correction, ...]:
        """Find the values of a turn's own observations that a later clause of the turn replaces."""
        index = LexicalIndex()
        index.update(_Observed(observed, speaker))
        correcting = Correcting(index=index, speaker=speaker, assistants=self._assistants)
        return tuple(replace(correction, others=()) for correction in correcting.corrections(clause, is_wish=is_wish))

    def is_in_doubt(self, known: Known, content: str) -> bool:
        """Tell whether a later wish may have replaced one that is said again."""
        return self._remembered.wishes.rival(content, known.proposition.id) is not None

    def _may_replace(self, known: Known, speaker: AgentId) -> bool:
        return speaker not in self._assistants or known.speaker == speaker

    def last_of(self, speaker: AgentId) -> Known | None:
        """Find what a speaker put forward last, if it was one thing."""
        own: list[Known] = []
        for id in reversed(self._remembered.said_by(speaker)):
            known = self._view.get(id)
            if known is None or known.lifecycle in GIVEN_UP:
                continue
            own.append(known)
            if len(own) == 2:
                break
        is_one = len(own) == 1 or (len(own) > 1 and own[0].turn != own[1].turn)
        return own[0] if is_one else None

    def open_issue(self) -> PropositionId | None:
        """Give the issue that is open, when there is just one."""
        found = [
            id
            for id in self._remembered.issues
            if (known := self._view.get(id)) is not None and known.lifecycle is Lifecycle.ACTIVE
        ]
        return found[0] if len(found) == 1 else None

    def _pairs(self, wanted: Frame) -> Iterator[rules.Comparison]:
        for known, said in self._index.candidates(wanted):
            if known.lifecycle not in GIVEN_UP:
                yield rules.compare(wanted, said, known, is_negated=False)


class _Observed:
    """The view of what one turn has put forward so far."""

    def __init__(self, observed: Sequence[Observe], speaker: AgentId) -> None:
        self._known = {
            operation.id: Known(
                proposition=Proposition(id=operation.id, text=operation.text, kind=operation.kind),
                label=Label.IN,
                lifecycle=Lifecycle.STANDING,
                speaker=speaker,
            )
            for operation in observed
        }

    def known(self) -> Iterable[Known]:
        return self._known.values()

    def get(self, proposition: PropositionId, /) -> Known | None:
        return self._known.get(proposition)


def _undated(content: str) -> str:
    """Give a clause without its dates."""
    dates = [entity for entity in entities(content) if entity.kind in (ValueKind.DATE, ValueKind.WEEKDAY)]
    for entity in reversed(dates):
        content = content[: entity.span[0]] + content[entity.span[1] :]
    return content
