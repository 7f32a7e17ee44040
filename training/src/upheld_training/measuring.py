"""What the network reaches on text that it did not learn from: areas under curves, and shares of right answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from sklearn.metrics import f1_score, roc_auc_score
from torch import Tensor

from upheld_training.examples import Example, tensors
from upheld_training.network import Network

_NAMES = ("link", "denies", "contradicts")


def measured(network: Network, words: Tensor, examples: Sequence[Example], kind: str) -> Mapping[str, float]:
    """Give the figures of held-out examples, each with how many numbers it rests on."""
    network.eval()
    told: list[tuple[Tensor, Example, Tensor]] = []
    with torch.no_grad():
        for example in examples:
            batch = tensors([example])
            relations, _, moves = network(words[batch.pieces], batch.segments, batch.mask, batch.marks, batch.nearness)
            told.append((relations[0], example, moves[0]))
    found: dict[str, float] = {f"{kind}, rows": float(len(examples))}
    for column, name in enumerate(_NAMES):
        known = [
            (float(row[column]), target[column])
            for relations, example, _ in told
            for row, target in zip(relations, example.relations, strict=True)
            if target[column] >= 0
        ]
        if len({target for _, target in known}) == 2:
            scores, targets = zip(*known, strict=True)
            found[f"{kind}, area under the curve, {name}"] = round(float(roc_auc_score(targets, scores)), 3)
    labelled = [(int(moves.argmax()), example.move) for _, example, moves in told if example.move >= 0]
    if labelled:
        said, right = zip(*labelled, strict=True)
        found[f"{kind}, right"] = round(sum(one == other for one, other in labelled) / len(labelled), 3)
        found[f"{kind}, macro F1"] = round(float(f1_score(right, said, average="macro")), 3)
    return found
