"""How a question, and a turn in its talk, are laid out for the network: word pieces, segments, places of marks.

Training lays them out with these same functions, so that the network meets what it has learned on. The layout is that
of a cross-encoder (Devlin et al. 2019, section 4), with all propositions in one row, so that they are weighed against
each other and not one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from upheld.speech.trained.judge import Question
from upheld.speech.trained.moves import TurnInTalk

Pieces = Callable[[str], Sequence[int]]
"""Cuts a text into the numbers of its word pieces, without marks at its ends."""

START, BETWEEN = 101, 102
"""Numbers of the pieces ``[CLS]`` and ``[SEP]`` in the vocabulary of BERT."""

CLAIM, REPLY, PROPOSITION = 64, 72, 96
"""Most pieces of each that are read beside a claim; :func:`fits_claim` and :func:`fitting` tell beforehand."""

CLAUSE, EARLIER, TURNS, PLACED = 48, 32, 2, 40
"""The same for a clause, for each earlier turn, the number of those, and what is on the table."""

TURN = 240
"""Most pieces of a whole turn, so that there is room for what is on the table; :func:`fits_turn` tells beforehand."""

ROW = 512
"""Pieces of one row: what the network has places for."""

Nearness = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One input of the network.

    ``marks`` are the places at which it is read what is said of each proposition, ``nearness`` three numbers for each:
    its cosine with the claim, less the greatest, and less the mean. ``clauses`` are the places at which the moves of
    clauses are read, and ``between`` has the three numbers for each clause and each proposition.
    """

    pieces: tuple[int, ...]
    segments: tuple[int, ...]
    marks: tuple[int, ...]
    nearness: tuple[Nearness, ...]
    clauses: tuple[int, ...] = (0,)
    between: tuple[tuple[Nearness, ...], ...] = ()


def fits_claim(claim: str, pieces: Pieces) -> bool:
    """Tell whether a claim is read whole."""
    return len(pieces(claim)) <= CLAIM


def fitting(question: Question, pieces: Pieces) -> int:
    """Give how many of the propositions, from the first on, are read whole beside the claim and the reply."""
    room = ROW - len(_asked(question, pieces))
    for count, text in enumerate(question.propositions):
        length = len(pieces(text))
        room -= 1 + length
        if length > PROPOSITION or room < 0:
            return count
    return len(question.propositions)


def question_row(question: Question, pieces: Pieces) -> Row:
    """Lay out a claim, the reply around it, and the propositions; those that no longer fit are left out, and judged 0.

    Cost: linear in the texts.
    """
    found = _asked(question, pieces)
    first = len(found)
    marks = _append(found, question.propositions, pieces, PROPOSITION)
    segments = (0,) * first + (1,) * (len(found) - first)
    near = _nearness(question.nearness)[: len(marks)]
    return Row(pieces=tuple(found), segments=segments, marks=marks, nearness=near)


def _asked(question: Question, pieces: Pieces) -> list[int]:
    """Lay out a claim, and the reply around it where there is more of it."""
    found = [START, *islice(pieces(question.claim), CLAIM), BETWEEN]
    if question.reply and question.reply != question.claim:
        found += [*islice(pieces(question.reply), REPLY), BETWEEN]
    return found


def fits_turn(clauses: Sequence[str], pieces: Pieces) -> bool:
    """Tell whether the clauses of a turn are read whole, all of them."""
    lengths = [len(pieces(clause)) for clause in clauses]
    return all(length <= CLAUSE for length in lengths) and sum(lengths) + len(lengths) <= TURN


def turn_row(turn: TurnInTalk, pieces: Pieces) -> Row:
    """Lay out a turn clause by clause, the turns before, the last of them first, and what is on the table.

    Propositions that no longer fit are left out from the end. Cost: linear in the texts.
    """
    found = [START, *islice(pieces(f"{turn.speaker}:"), EARLIER)]
    places: list[int] = []
    for clause in turn.clauses:
        places.append(len(found))
        found += [BETWEEN, *islice(pieces(clause), CLAUSE)]
    found = [*found[: TURN + EARLIER], BETWEEN]
    first = len(found)
    for earlier in islice(reversed(turn.earlier), TURNS):
        found += [BETWEEN, *islice(pieces(earlier), EARLIER)]
    marks = _append(found, turn.propositions, pieces, PLACED)
    return Row(
        pieces=tuple(found),
        segments=(0,) * first + (1,) * (len(found) - first),
        marks=marks,
        nearness=((0.0, 0.0, 0.0),) * len(marks),
        clauses=tuple(min(place, first - 1) for place in places),
        between=tuple(_nearness(row)[: len(marks)] for row in turn.nearness) or ((),) * len(places),
    )


def _append(found: list[int], propositions: Sequence[str], pieces: Pieces, most: int) -> tuple[int, ...]:
    """Add propositions to a row as long as they fit; give the places of their marks."""
    marks: list[int] = []
    for text in propositions:
        own = [BETWEEN, *islice(pieces(text), most)]
        if len(found) + len(own) > ROW:
            break
        marks.append(len(found))
        found += own
    return tuple(marks)


def _nearness(cosines: Sequence[float]) -> tuple[Nearness, ...]:
    if not cosines:
        return ()
    greatest, mean = max(cosines), sum(cosines) / len(cosines)
    return tuple((each, each - greatest, each - mean) for each in cosines)
