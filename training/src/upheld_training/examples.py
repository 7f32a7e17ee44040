"""Texts as inputs of the network, laid out by the product's own functions, and put together in batches."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from upheld.speech.embedding.embedder import Embedder
from upheld.speech.trained.inputs import Pieces, Row, clause_row, question_row
from upheld.speech.trained.judge import Question
from upheld_training.texts import UNKNOWN, Clause, Judged

PIECES_A_BATCH, ROWS_A_BATCH = 1800, 24
"""Word pieces, padding included, and rows, that are learned from together."""

SORTED_TOGETHER = 1024
"""Rows that are sorted by length before they are parted into batches, so that little is padding."""

FEWEST_OTHERS, MOST_PAIRED, WITHOUT_REPLY, SHAKEN = 3, 3, 0.15, 0.12
"""Least number of propositions beside the needed ones; most beside a pair's; how often a reply is left out; how much
chance goes into choosing the nearest others, in cosines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A row and what it tells; ``UNKNOWN`` where it tells nothing."""

    row: Row
    relations: tuple[tuple[int, int, int], ...]
    about: tuple[int, int, int] = (UNKNOWN, UNKNOWN, UNKNOWN)
    move: int = UNKNOWN


class Maker:
    """Makes examples; the ``embedder`` gives the cosines that the product will give."""

    def __init__(self, pieces: Pieces, embedder: Embedder) -> None:
        """Lay out with these word pieces and cosines."""
        self._pieces = pieces
        self._embedder = embedder

    def judged(self, judged: Judged, *, most: int | None = None, chance: random.Random | None = None) -> Example:
        """Lay out a claim; in training (``chance``) beside at most ``most`` propositions, near ones, shuffled."""
        cosines = self._cosines(judged.claim, judged.propositions)
        places = list(range(len(judged.propositions)))
        reply = judged.reply
        if chance is not None:
            places = self._chosen(judged, cosines, most or len(places), chance)
            reply = "" if chance.random() < WITHOUT_REPLY else reply
        elif judged.is_pair:
            places = [0]
        question = Question(
            claim=judged.claim,
            reply=reply,
            propositions=tuple(judged.propositions[place] for place in places),
            nearness=tuple(cosines[place] for place in places),
        )
        row = question_row(question, self._pieces)
        targets = tuple(judged.targets[place] for place in places)[: len(row.marks)]
        return Example(row=row, relations=targets, about=judged.about)

    def clause(self, clause: Clause) -> Example:
        """Lay out a clause."""
        row = clause_row(clause.text, clause.said, clause.earlier, self._pieces)
        return Example(row=row, relations=((UNKNOWN,) * 3,), move=clause.label)

    def _chosen(self, judged: Judged, cosines: Sequence[float], most: int, chance: random.Random) -> list[int]:
        needed = [0] if judged.is_pair else list(judged.needed)
        others = [place for place in range(len(judged.propositions)) if place not in needed]
        if judged.is_pair:
            others = chance.sample(others, min(len(others), chance.randint(1, MOST_PAIRED)))
        else:
            others.sort(key=lambda place: -(cosines[place] + chance.gauss(0, SHAKEN)))
            room = max(0, most - len(needed))
            others = others[: chance.randint(min(FEWEST_OTHERS, room), room)] if room else []
        places = [*needed, *others]
        chance.shuffle(places)
        return places

    def _cosines(self, claim: str, propositions: Sequence[str]) -> list[float]:
        rows = np.asarray(self._embedder.embed([claim, *propositions]))
        return [float(each) for each in rows[1:] @ rows[0]]


def batches(examples: Sequence[Example], chance: random.Random) -> list[list[Example]]:
    """Give the examples in batches of like lengths, in an order of chance."""
    shuffled = list(examples)
    chance.shuffle(shuffled)
    found: list[list[Example]] = []
    for start in range(0, len(shuffled), SORTED_TOGETHER):
        found += _parted(sorted(shuffled[start : start + SORTED_TOGETHER], key=lambda each: len(each.row.pieces)))
    chance.shuffle(found)
    return found


def _parted(examples: Sequence[Example]) -> Iterator[list[Example]]:
    batch: list[Example] = []
    for example in examples:
        batch.append(example)
        if len(batch) * len(example.row.pieces) >= PIECES_A_BATCH or len(batch) == ROWS_A_BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Tensors:
    """A batch: inputs, and targets with ``UNKNOWN`` where there is none."""

    pieces: Tensor
    segments: Tensor
    mask: Tensor
    marks: Tensor
    nearness: Tensor
    relations: Tensor
    about: Tensor
    moves: Tensor


def tensors(batch: Sequence[Example]) -> Tensors:
    """Give a batch as tensors, padded to its longest row."""
    width = max(len(each.row.pieces) for each in batch)
    most = max(len(each.row.marks) for each in batch)
    shape = (len(batch), width)
    pieces, segments, mask = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
    marks = torch.zeros((len(batch), most), dtype=torch.long)
    nearness = torch.zeros((len(batch), most, 3))
    relations = torch.full((len(batch), most, 3), float(UNKNOWN))
    for place, each in enumerate(batch):
        length, count = len(each.row.pieces), len(each.row.marks)
        pieces[place, :length] = torch.tensor(each.row.pieces)
        segments[place, :length] = torch.tensor(each.row.segments)
        mask[place, :length] = 1
        marks[place, :count] = torch.tensor(each.row.marks)
        nearness[place, :count] = torch.tensor(each.row.nearness)
        relations[place, :count] = torch.tensor(each.relations, dtype=torch.float)
    return Tensors(
        pieces=pieces,
        segments=segments,
        mask=mask,
        marks=marks,
        nearness=nearness,
        relations=relations,
        about=torch.tensor([each.about for each in batch]),
        moves=torch.tensor([each.move for each in batch]),
    )
