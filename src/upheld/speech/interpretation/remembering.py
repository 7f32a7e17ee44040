"""What the cue interpreter looks up in a conversation, kept by what it is looked up by."""

from __future__ import annotations

from collections.abc import Sequence

from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.speech.following import Follower
from upheld.speech.interpretation.slots import Slot, slot_of
from upheld.speech.matching.index import LexicalIndex
from upheld.speech.matching.wishes.index import WishIndex
from upheld.speech.view import View


class Remembered:
    """An index of words, of single-valued slots, of who said what, and of issues, over the view last looked at.

    Whether something still stands is not remembered: that is asked of the view. Cost: what is new since the last view.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.index = LexicalIndex()
        self.wishes = WishIndex()
        self._follower = Follower()
        self._begin()

    def _begin(self) -> None:
        self._slots: dict[tuple[str, str], list[tuple[Slot, PropositionId]]] = {}
        self._said_by: dict[AgentId, list[PropositionId]] = {}
        self._issues: list[PropositionId] = []

    def update(self, view: View) -> None:
        """Bring everything up to a view."""
        self.index.update(view)
        self.wishes.update(view)
        news = self._follower.catch_up(view)
        if news.is_afresh:
            self._begin()
        for proposition in news.propositions:
            self._add(proposition, view)

    def filling(self, slot: Slot) -> Sequence[tuple[Slot, PropositionId]]:
        """Give what was put into the same slot of the same holder, in order."""
        return self._slots.get((slot.holder, slot.key), ())

    def said_by(self, speaker: AgentId) -> Sequence[PropositionId]:
        """Give what somebody put forward first, in order."""
        return self._said_by.get(speaker, ())

    @property
    def issues(self) -> Sequence[PropositionId]:
        """Every issue that was raised, in order."""
        return self._issues

    def _add(self, proposition: Proposition, view: View) -> None:
        known = view.get(proposition.id)
        speaker = known.speaker if known is not None else None
        slot = slot_of(proposition.text, speaker=speaker or "")
        if slot is not None:
            self._slots.setdefault((slot.holder, slot.key), []).append((slot, proposition.id))
        if speaker is not None:
            self._said_by.setdefault(speaker, []).append(proposition.id)
        if proposition.kind is Kind.ISSUE:
            self._issues.append(proposition.id)
