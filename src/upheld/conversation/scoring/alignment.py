"""Which proposition of an interpreter is which of the file's: by turn and by words.

An interpreter that reads words names its propositions itself. For scoring, each labelled proposition is matched with
the one introduced in the same turn whose words overlap most (greedily, best pairs first, at least a third of the
words of both together).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Operation, Revise
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Turn, Withdraw
from upheld.logic.language.verdicts import Candidate
from upheld.speech.formats.transcript import Transcript

LEAST_OVERLAP = 1 / 3
"""Jaccard overlap of words below which two propositions are not taken for the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """From the file's ids to the conversation's, and back; ``is_same`` when they are one and the same."""

    forth: Mapping[PropositionId, PropositionId]
    is_same: bool

    def get(self, id: PropositionId) -> PropositionId | None:
        """Give the conversation's id for one of the file's; ``None`` when no proposition matches."""
        return id if self.is_same else self.forth.get(id)

    def back(self, item: Literal) -> str:
        """Give a literal of the conversation under the file's id; its own id when it matches none."""
        if self.is_same:
            return str(item)
        names = {own: labelled for labelled, own in self.forth.items()}
        return str(Literal(names.get(item.proposition, item.proposition), item.negated))

    def candidate(self, candidate: Candidate) -> Candidate:
        """Give a candidate over the conversation's ids; what matches nothing stays unknown."""
        own = self.get(candidate.literal.proposition)
        if own is None:
            return candidate
        return replace(candidate, literal=Literal(own, candidate.literal.negated))

    def change(self, change: Retraction) -> Retraction | None:
        """Give a retraction over the conversation's ids; ``None`` when what it takes back matches nothing."""
        if isinstance(change, Withdraw):
            return change
        if isinstance(change, Supersede):
            older, newer = self.get(change.older), self.get(change.newer)
            return None if older is None or newer is None else Supersede(older=older, newer=newer)
        own = self.get(change.target)
        if own is None:
            return None
        return Retract(target=own) if isinstance(change, Retract) else Falsify(target=own)


def aligned(transcript: Transcript, talk: Conversation, *, is_same: bool) -> Alignment:
    """Match the propositions of a file with those of a conversation that was read from its words."""
    forth: dict[PropositionId, PropositionId] = {}
    for turn in () if is_same else transcript.turns:
        forth.update(_matched(_introduced(turn), _introduced(talk.timeline.told(TurnId(turn.id)))))
    return Alignment(forth=forth, is_same=is_same)


def _matched(
    labelled: Mapping[PropositionId, frozenset[str]], own: Mapping[PropositionId, frozenset[str]]
) -> dict[PropositionId, PropositionId]:
    pairs = [
        (len(words & others) / len(words | others), first, second)
        for first, words in labelled.items()
        for second, others in own.items()
        if words | others
    ]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    found: dict[PropositionId, PropositionId] = {}
    for overlap, first, second in pairs:
        if overlap >= LEAST_OVERLAP and first not in found and second not in found.values():
            found[first] = second
    return found


def _introduced(turn: Turn) -> dict[PropositionId, frozenset[str]]:
    return {id: _words(text) for id, text in map(_claim, turn.operations) if id is not None}


def _claim(operation: Operation) -> tuple[PropositionId | None, str]:
    return (None, "") if isinstance(operation, Revise) else (operation.id, operation.text)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
