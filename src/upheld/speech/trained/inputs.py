"""How a question, and a clause in its talk, are laid out for the network: word pieces, segments, places of marks.

Training lays them out with these same functions, so that the network meets what it has learned on. The layout is that
of a cross-encoder (Devlin et al. 2019, section 4), with all propositions in one row, so that they are weighed against
each other and not one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from upheld.speech.trained.judge import Question

Pieces = Callable[[str], Sequence[int]]
"""Cuts a text into the numbers of its word pieces, without marks at its ends."""

START, BETWEEN = 101, 102
"""Numbers of the pieces ``[CLS]`` and ``[SEP]`` in the vocabulary of BERT."""

CLAIM, REPLY, PROPOSITION = 64, 72, 40
"""Most pieces of each that are read; :func:`fits_claim` and :func:`fits_proposition` tell beforehand."""

CLAUSE, TURN, EARLIER, TURNS = 48, 72, 36, 3
"""The same for a clause, the turn that it is in, each earlier turn, and the number of those."""

ROW = 512
"""Pieces of one row: what the network has places for."""

Nearness = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One input of the network.

    ``marks`` are the places at which it is read what is said of each proposition, ``nearness`` three numbers for each:
    its cosine with the claim, less the greatest, and less the mean.
    """

    pieces: tuple[int, ...]
    segments: tuple[int, ...]
    marks: tuple[int, ...]
    nearness: tuple[Nearness, ...]


def fits_claim(claim: str, pieces: Pieces) -> bool:
    """Tell whether a claim is read whole."""
    return len(pieces(claim)) <= CLAIM


def fits_proposition(text: str, pieces: Pieces) -> bool:
    """Tell whether a proposition is read whole."""
    return len(pieces(text)) <= PROPOSITION


def question_row(question: Question, pieces: Pieces) -> Row:
    """Lay out a claim, the reply around it, and the propositions; those that no longer fit are left out, and judged 0.

    Cost: linear in the texts.
    """
    found = [START, *islice(pieces(question.claim), CLAIM), BETWEEN]
    if question.reply and question.reply != question.claim:
        found += [*islice(pieces(question.reply), REPLY), BETWEEN]
    first = len(found)
    marks: list[int] = []
    for text in question.propositions:
        own = [BETWEEN, *islice(pieces(text), PROPOSITION)]
        if len(found) + len(own) > ROW:
            break
        marks.append(len(found))
        found += own
    segments = (0,) * first + (1,) * (len(found) - first)
    near = _nearness(question.nearness)[: len(marks)]
    return Row(pieces=tuple(found), segments=segments, marks=tuple(marks), nearness=near)


def clause_row(clause: str, said: str, earlier: Sequence[str], pieces: Pieces) -> Row:
    """Lay out a clause, the turn that it is in (``Name: text``), and the turns before, the last of them first."""
    found = [START, *islice(pieces(clause), CLAUSE), BETWEEN, *islice(pieces(said), TURN), BETWEEN]
    first = len(found)
    for turn in islice(reversed(earlier), TURNS):
        found += [BETWEEN, *islice(pieces(turn), EARLIER)]
    segments = (0,) * first + (1,) * (len(found) - first)
    return Row(pieces=tuple(found), segments=segments, marks=(0,), nearness=((0.0, 0.0, 0.0),))


def _nearness(cosines: Sequence[float]) -> tuple[Nearness, ...]:
    if not cosines:
        return ()
    greatest, mean = max(cosines), sum(cosines) / len(cosines)
    return tuple((each, each - greatest, each - mean) for each in cosines)
