"""What the network reaches on text that it did not learn from: areas under curves, and shares of right answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from sklearn.metrics import f1_score, roc_auc_score
from torch import Tensor

from upheld.speech.trained.moves import ACTS, OPERATIONS
from upheld_training.examples import Example, tensors
from upheld_training.network import Network

RELATIONS = ("link", "denies", "contradicts")


def measured(network: Network, words: Tensor, examples: Sequence[Example], kind: str) -> Mapping[str, float]:
    """Give the figures of held-out examples, each with how many numbers it rests on."""
    network.eval()
    told: list[Told] = []
    with torch.no_grad():
        for example in examples:
            batch = tensors([example])
            relations, _, moves, acts = network(*batch.inputs(words))
            told.append(Told(example=example, relations=relations[0], moves=moves[0], acts=acts[0]))
    found: dict[str, float] = {f"{kind}, rows": float(len(examples))}
    for column, name in enumerate(RELATIONS):
        pairs = [(row[column], said[column]) for each in told for row, said in each.about_relations()]
        found |= _area(f"{kind}, area under the curve, {name}", pairs)
    for column, name in enumerate(OPERATIONS):
        pairs = [(row[column], said[column]) for each in told for row, said in each.about_moves()]
        found |= _area(f"{kind}, area under the curve, {name}", pairs)
        found |= _f1(f"{kind}, F1, {name}", pairs)
    for column, name in enumerate(ACTS):
        pairs = [(row[column], said[column]) for each in told for row, said in each.about_acts()]
        found |= _area(f"{kind}, area under the curve, {name} which", pairs)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the network says of an example, as log odds."""

    example: Example
    relations: Tensor
    moves: Tensor
    acts: Tensor

    def about_relations(self) -> Iterator[tuple[Tensor, Sequence[int]]]:
        """Give what is said of each proposition, and what is so."""
        return zip(self.relations, self.example.relations, strict=False)

    def about_moves(self) -> Iterator[tuple[Tensor, Sequence[int]]]:
        """Give what is said of each clause, and what is so."""
        return zip(self.moves, self.example.moves, strict=False)

    def about_acts(self) -> Iterator[tuple[Tensor, Sequence[int]]]:
        """Give what is said of each clause and proposition, and what is so."""
        for said, so in zip(self.acts, self.example.acts, strict=False):
            yield from zip(said, so, strict=False)


Pairs = Sequence[tuple[Tensor, int]]
"""Log odds, and whether it is so."""


def _area(name: str, pairs: Pairs) -> dict[str, float]:
    known = [(float(odds), so) for odds, so in pairs if so >= 0]
    if len({so for _, so in known}) < 2:
        return {}
    odds, so = zip(*known, strict=True)
    return {name: round(float(roc_auc_score(so, odds)), 3)}


def _f1(name: str, pairs: Pairs) -> dict[str, float]:
    """Give F1 where whatever is likelier than not is called so."""
    known = [(float(odds) > 0, so) for odds, so in pairs if so >= 0]
    if not any(so for _, so in known):
        return {}
    said, so = zip(*known, strict=True)
    return {name: round(float(f1_score(so, said)), 3)}
