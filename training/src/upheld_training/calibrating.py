"""The rule that makes a verdict of a judgement and of what stands: fitted on whole replies with known verdicts.

A reply is grounded when each of its claims is, and only the reply's verdict is known; so the likelihood of a reply is
the product over its claims (a noisy-and; Pearl 1988, section 4.3.2, mirrored), and the weights are those that make the
known verdicts likeliest, with a penalty on their squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

Floats = NDArray[np.float64]

PENALTY, STEPS, RATE = 0.05, 400, 0.05
"""Weight of the squares, steps of the optimizer, and its rate; chosen by leaving one conversation out."""


EVEN = 0.5
"""Likelihood that says neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The numbers of each claim of a reply, and whether the reply is grounded.

    ``spared`` are the claims that are objected to by no rule, whatever it finds; none where it is empty.
    """

    group: str
    claims: Floats
    is_grounded: bool
    spared: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Weights over numbers as they are, not scaled, and a bias."""

    weights: Floats
    bias: float

    def likelihood(self, claims: Floats) -> Floats:
        """Give how likely each claim is grounded."""
        return 1 / (1 + np.exp(-(claims @ self.weights + self.bias)))

    def of_reply(self, reply: Reply) -> float:
        """Give how likely the weakest claim is grounded: what the verdict on a reply goes by."""
        shares = self.likelihood(reply.claims)
        if reply.spared:
            shares = np.where(reply.spared, np.maximum(shares, EVEN), shares)
        return float(shares.min())


def fit(replies: Sequence[Reply]) -> Fitted:
    """Fit the rule. Both verdicts count the same, however many there are of each."""
    stacked = np.concatenate([reply.claims for reply in replies])
    mean, spread = stacked.mean(0), stacked.std(0) + 1e-6
    claims = torch.tensor((stacked - mean) / spread)
    owner = torch.tensor(np.repeat(np.arange(len(replies)), [len(reply.claims) for reply in replies]))
    target = torch.tensor([float(reply.is_grounded) for reply in replies], dtype=torch.float64)
    share = target.mean()
    balance = torch.where(target > 0, 0.5 / share, 0.5 / (1 - share))
    weights = torch.zeros(claims.shape[1], dtype=torch.float64, requires_grad=True)
    bias = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([weights, bias], lr=RATE)
    for _ in range(STEPS):
        log_each = torch.nn.functional.logsigmoid(claims @ weights + bias)
        log_all = torch.zeros(len(replies), dtype=torch.float64).index_add(0, owner, log_each)
        log_none = torch.log1p(-torch.exp(log_all).clamp(max=1 - 1e-9))
        loss = -(balance * (target * log_all + (1 - target) * log_none)).mean() + PENALTY * (weights**2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    own = weights.detach().numpy() / spread
    return Fitted(weights=own, bias=float(bias.detach()) - float(own @ mean))


def left_out(replies: Sequence[Reply]) -> Floats:
    """Give, for each reply, how likely the rule finds it that was fitted on all other conversations."""
    found = np.zeros(len(replies))
    for group in sorted({reply.group for reply in replies}):
        rule = fit([reply for reply in replies if reply.group != group])
        for place, reply in enumerate(replies):
            if reply.group == group:
                found[place] = rule.of_reply(reply)
    return found


NEVER_GROUNDED, NEVER_UNGROUNDED = 2.0, -1.0
"""Bars that no likelihood passes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """From which likelihood on a reply is called grounded, and up to which ungrounded."""

    grounded_at: float
    ungrounded_at: float


CONFIDENT = 1.645
"""Quantile of the normal distribution for a one-sided confidence of 95 %."""

FEWEST = 20
"""Replies that a bar must let pass to be believed: the share of right ones among fewer says little."""


def bars(likelihoods: Floats, is_grounded: Sequence[bool], *, precise: float, sure: float) -> Bars:
    """Give the bars beside which the left-out replies are right often enough.

    ``precise``: least share of the replies called grounded that are, with a confidence of 95 % (the lower bound of
    Wilson 1927), since a wrong "grounded" is the one error that nobody notices; ``sure``: the same share for those
    called ungrounded, as it was seen. Where no bar gets there with at least ``FEWEST`` replies, nothing is called so.
    """
    right = np.asarray(is_grounded)
    above = [(bar, right[likelihoods >= bar]) for bar in np.unique(likelihoods)]
    below = [(bar, ~right[likelihoods <= bar]) for bar in np.unique(likelihoods)]
    highs = [bar for bar, called in above if len(called) >= FEWEST and lower_bound(called) >= precise]
    lows = [bar for bar, called in below if len(called) >= FEWEST and called.mean() >= sure]
    high = float(min(highs)) if highs else NEVER_GROUNDED
    low = float(max(lows)) if lows else NEVER_UNGROUNDED
    return Bars(grounded_at=high, ungrounded_at=min(low, high))


def lower_bound(called: NDArray[np.bool_]) -> float:
    """Give the share of right ones that is reached with a confidence of 95 %, one-sided (Wilson 1927)."""
    count, share = len(called), float(called.mean())
    middle = share + CONFIDENT**2 / (2 * count)
    reach = CONFIDENT * np.sqrt(share * (1 - share) / count + CONFIDENT**2 / (4 * count**2))
    return float((middle - reach) / (1 + CONFIDENT**2 / count))


def told(likelihoods: Floats, is_grounded: Sequence[bool], placed: Bars) -> dict[str, float]:
    """Give the figures of left-out likelihoods, whatever is called, and of those beside the bars."""
    right = np.asarray(is_grounded)
    first = np.argsort(-likelihoods, kind="stable")[: round(0.4 * len(right))]
    above, below = right[likelihoods >= placed.grounded_at], ~right[likelihoods <= placed.ungrounded_at]
    return {
        "replies": float(len(right)),
        "area under the curve": round(float(roc_auc_score(right, likelihoods)), 3),
        "balanced accuracy at one half": round(float(balanced_accuracy_score(right, likelihoods >= 0.5)), 3),
        "grounded among the likeliest 40 %": round(float(right[first].mean()), 3),
        "called grounded": float(len(above)),
        "of these right": float(above.sum()),
        "called ungrounded": float(len(below)),
        "of those right": float(below.sum()),
    }
