"""Learning: AdamW over batches, all tasks in one pass (Loshchilov & Hutter 2019; Caruana 1997)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from upheld_training.examples import Example, Tensors, batches, tensors
from upheld_training.network import Network

HEADS_FASTER, DECAY, LEAST_RATE, CLIPPED = 5.0, 0.01, 0.02, 1.0
POSITIVES = (2.0, 3.0, 3.0)
"""What a proposition that is linked, denied, contradicted weighs beside one that is not: they are the fewer."""

RELATED, ABOUT, MOVED, ACTED = 2.0, 0.3, 4.0, 4.0
"""What the tasks weigh: relations, properties of the claim, moves of clauses, and what these do to propositions."""

RARE_MOVE, RARE_ACT = 2.0, 4.0
"""What a move that is made, and an act that is done, weigh beside those that are not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """One stage: passes over the data, the greatest rate, the seed of all chance.

    The rate rises over the part ``warm`` of the steps, and falls straight to the share ``last`` of the greatest.
    """

    passes: int
    rate: float
    seed: int
    last: float
    warm: float


Told = Callable[[int, int, float], None]
"""Is told the step, the steps of the whole course, and the mean loss of this pass."""


def learn(
    network: Network,
    words: Tensor,
    make: Callable[[random.Random], Sequence[Example]],
    course: Course,
    *,
    told: Told,
    after: Callable[[int], None],
) -> None:
    """Train in place. ``make`` gives the examples of a pass anew, since which propositions stand beside is chance.

    ``after`` is called with the number of each pass that is done.

    Cost: on two cores about a second a batch.
    """
    torch.manual_seed(course.seed)
    chance = random.Random(course.seed)
    optimizer = _optimizer(network, course.rate)
    first = batches(make(chance), chance)
    total, step = len(first) * course.passes, 0
    network.train()
    for number in range(course.passes):
        summed = 0.0
        for count, batch in enumerate(first if number == 0 else batches(make(chance), chance), start=1):
            fallen = max(LEAST_RATE, 1 - (1 - course.last) * step / total)
            share = min(1.0, (step + 1) / (course.warm * total)) * fallen
            for group in optimizer.param_groups:
                group["lr"] = course.rate * share * group["faster"]
            loss = loss_of(network, words, tensors(batch))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), CLIPPED)
            optimizer.step()
            step += 1
            summed += float(loss.detach())
            told(step, total, summed / count)
        network.eval()
        after(number + 1)
        network.train()
    network.eval()


def loss_of(network: Network, words: Tensor, batch: Tensors) -> Tensor:
    """Give the loss of a batch: cross-entropies of all that it tells."""
    relations, claim, moves, acts = network(*batch.inputs(words))
    loss = RELATED * _told(relations, batch.relations, torch.tensor(POSITIVES))
    for column, places in enumerate((slice(0, 4), slice(4, 7))):
        known = batch.about[:, column] >= 0
        if known.any():
            loss = loss + ABOUT * functional.cross_entropy(claim[known][:, places], batch.about[known, column])
    known = batch.about[:, 2] >= 0
    if known.any():
        target = batch.about[known, 2].float()
        loss = loss + ABOUT * functional.binary_cross_entropy_with_logits(claim[known][:, 7], target)
    loss = loss + MOVED * _told(moves, batch.moves, torch.tensor(RARE_MOVE))
    return loss + ACTED * _told(acts, batch.acts, torch.tensor(RARE_ACT))


def _told(odds: Tensor, targets: Tensor, rare: Tensor) -> Tensor:
    """Give the mean cross-entropy over the targets that are told; nothing where none is."""
    told = (targets >= 0).float()
    each = functional.binary_cross_entropy_with_logits(odds, targets.clamp(min=0), reduction="none", pos_weight=rare)
    return (each * told).sum() / told.sum().clamp(min=1)


def _optimizer(network: Network, rate: float) -> torch.optim.AdamW:
    encoder = ("places.", "segments.", "norm.", "layers.")
    inside = [(name, each) for name, each in network.named_parameters() if name.startswith(encoder)]
    heads = [each for name, each in network.named_parameters() if not name.startswith(encoder)]
    return torch.optim.AdamW(
        [
            {"params": heads, "weight_decay": 0.0, "faster": HEADS_FASTER},
            {"params": [each for _, each in inside if each.dim() > 1], "weight_decay": DECAY, "faster": 1.0},
            {"params": [each for _, each in inside if each.dim() <= 1], "weight_decay": 0.0, "faster": 1.0},
        ],
        lr=rate,
    )
