"""Texts as inputs of the network, laid out by the product's own functions, and put together in batches."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from upheld.speech.embedding.embedder import Embedder
from upheld.speech.trained.inputs import Pieces, Row, question_row, turn_row
from upheld.speech.trained.judge import Question
from upheld.speech.trained.moves import ACTS, OPERATIONS
from upheld_training.texts import UNKNOWN, Judged, Utterance, joined

PIECES_A_BATCH, ROWS_A_BATCH = 1800, 24
"""Word pieces, padding included, and rows, that are learned from together."""

SORTED_TOGETHER = 1024
"""Rows that are sorted by length before they are parted into batches, so that little is padding."""

FEWEST_OTHERS, MOST_PAIRED, WITHOUT_REPLY, SHAKEN, JOINED = 3, 3, 0.15, 0.12, 0.12
"""Least number of propositions beside the needed ones; most beside a pair's; how often a reply is left out; how much
chance goes into choosing the nearest others, in cosines; how often two propositions are told as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A row and what it tells; ``UNKNOWN`` where it tells nothing."""

    row: Row
    relations: tuple[tuple[int, int, int], ...]
    about: tuple[int, int, int] = (UNKNOWN, UNKNOWN, UNKNOWN)
    moves: tuple[tuple[int, ...], ...] = ()
    acts: tuple[tuple[tuple[int, ...], ...], ...] = ()


class Maker:
    """Makes examples; the ``embedder`` gives the cosines that the product will give."""

    def __init__(self, pieces: Pieces, embedder: Embedder) -> None:
        """Lay out with these word pieces and cosines."""
        self._pieces = pieces
        self._embedder = embedder

    def judged(self, judged: Judged, *, most: int | None = None, chance: random.Random | None = None) -> Example:
        """Lay out a claim; in training (``chance``) beside at most ``most`` propositions, near ones, shuffled."""
        if chance is not None and chance.random() < JOINED:
            judged = joined(judged, chance)
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

    def utterance(self, utterance: Utterance, chance: random.Random | None = None) -> Example:
        """Lay out a turn; in training the propositions are shuffled, so that no place tells what stands on it."""
        talk, order = utterance.talk, list(range(len(utterance.talk.propositions)))
        if chance is not None and order:
            chance.shuffle(order)
            talk = replace(
                talk,
                propositions=tuple(talk.propositions[place] for place in order),
                nearness=tuple(tuple(row[place] for place in order) for row in talk.nearness),
            )
        row = turn_row(talk, self._pieces)
        acts = tuple(tuple(own[place] for place in order)[: len(row.marks)] for own in utterance.acts)
        return Example(row=row, relations=((UNKNOWN,) * 3,) * len(row.marks), moves=utterance.operations, acts=acts)

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
    clauses: Tensor
    between: Tensor
    relations: Tensor
    about: Tensor
    moves: Tensor
    acts: Tensor

    def inputs(self, words: Tensor) -> tuple[Tensor, ...]:
        """Give what the network takes, in its order; ``words`` is the table of word vectors."""
        return (
            words[self.pieces],
            self.segments,
            self.mask,
            self.marks,
            self.nearness,
            self.clauses,
            self.between,
        )


def tensors(batch: Sequence[Example]) -> Tensors:
    """Give a batch as tensors, padded to its longest row."""
    width = max(len(each.row.pieces) for each in batch)
    most = max(1, *(len(each.row.marks) for each in batch))
    parts = max(len(each.row.clauses) for each in batch)
    shape, pairs = (len(batch), width), (len(batch), parts, most)
    pieces, segments, mask = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
    marks, clauses = (torch.zeros((len(batch), count), dtype=torch.long) for count in (most, parts))
    nearness, between = torch.zeros((len(batch), most, 3)), torch.zeros((*pairs, 3))
    relations = torch.full((len(batch), most, 3), float(UNKNOWN))
    moves = torch.full((len(batch), parts, len(OPERATIONS)), float(UNKNOWN))
    acts = torch.full((*pairs, len(ACTS)), float(UNKNOWN))
    for place, each in enumerate(batch):
        length, count = len(each.row.pieces), len(each.row.marks)
        pieces[place, :length] = torch.tensor(each.row.pieces)
        segments[place, :length] = torch.tensor(each.row.segments)
        mask[place, :length] = 1
        clauses[place, : len(each.row.clauses)] = torch.tensor(each.row.clauses)
        if each.moves:
            moves[place, : len(each.moves)] = torch.tensor(each.moves, dtype=torch.float)
        if count:
            marks[place, :count] = torch.tensor(each.row.marks)
            nearness[place, :count] = torch.tensor(each.row.nearness)
            relations[place, :count] = torch.tensor(each.relations, dtype=torch.float)
        if count and each.acts:
            between[place, : len(each.acts), :count] = torch.tensor(each.row.between)
            acts[place, : len(each.acts), :count] = torch.tensor(each.acts, dtype=torch.float)
    return Tensors(
        pieces=pieces,
        segments=segments,
        mask=mask,
        marks=marks,
        nearness=nearness,
        clauses=clauses,
        between=between,
        relations=relations,
        about=torch.tensor([each.about for each in batch]),
        moves=moves,
        acts=acts,
    )
