"""Which proposition of an interpreter is which of the file's: by turn, and by words or by meaning.

An interpreter that reads words names its propositions itself. For scoring, each labelled proposition is matched with
the one introduced in the same turn that is closest (greedily, best pairs first): by the share of the words of both
together, or by the cosine of sentence vectors, which finds the same proposition told in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Operation, Revise
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Turn, Withdraw
from upheld.logic.language.verdicts import Candidate
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.formats.transcript import Transcript

LEAST_OVERLAP = 1 / 3
"""Jaccard overlap of words below which two propositions are not taken for the same."""


LEAST_COSINE = 0.55
"""Cosine below which two propositions of one turn are not taken for the same: read by hand, the best pairs above it of
Phase 2 and of dev01, as a language model read them, say the same in other words."""


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


def aligned(
    transcript: Transcript, talk: Conversation, *, is_same: bool, embedder: Embedder | None = None
) -> Alignment:
    """Match the propositions of a file with those of a conversation that was read from its words.

    With an ``embedder`` they are matched by meaning, else by words.
    """
    forth: dict[PropositionId, PropositionId] = {}
    for turn in () if is_same else transcript.turns:
        labelled, own = _introduced(turn), _introduced(talk.timeline.told(TurnId(turn.id)))
        if labelled and own:
            forth.update(_matched(list(_by_words(labelled, own) if embedder is None else _by(embedder, labelled, own))))
    return Alignment(forth=forth, is_same=is_same)


Pair = tuple[float, PropositionId, PropositionId]
Texts = Mapping[PropositionId, str]


def _by_words(labelled: Texts, own: Texts) -> Iterator[Pair]:
    for first, text in labelled.items():
        for second, other in own.items():
            words, others = _words(text), _words(other)
            share = len(words & others) / len(words | others) if words | others else 0.0
            if share >= LEAST_OVERLAP:
                yield share, first, second


def _by(embedder: Embedder, labelled: Texts, own: Texts) -> Iterator[Pair]:
    rows = cast("list[list[float]]", embedder.embed([*labelled.values(), *own.values()]).tolist())
    for first, row in zip(labelled, rows[: len(labelled)], strict=True):
        for second, other in zip(own, rows[len(labelled) :], strict=True):
            cosine = sum(one * two for one, two in zip(row, other, strict=True))
            if cosine >= LEAST_COSINE:
                yield cosine, first, second


def _matched(pairs: list[Pair]) -> dict[PropositionId, PropositionId]:
    found: dict[PropositionId, PropositionId] = {}
    for _, first, second in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if first not in found and second not in found.values():
            found[first] = second
    return found


def _introduced(turn: Turn) -> dict[PropositionId, str]:
    return {id: text for id, text in map(_claim, turn.operations) if id is not None}


def _claim(operation: Operation) -> tuple[PropositionId | None, str]:
    return (None, "") if isinstance(operation, Revise) else (operation.id, operation.text)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
