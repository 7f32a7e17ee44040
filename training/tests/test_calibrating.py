"""The rule and its bars: fitted on whole replies, and never told better than what was left out gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from upheld.speech.embedding.local import local_embedder
from upheld.speech.matching.trained.features import FEATURES
from upheld.speech.trained.local import local_network
from upheld_training.calibrating import (
    FEWEST,
    NEVER_GROUNDED,
    NEVER_UNGROUNDED,
    Reply,
    bars,
    fit,
    left_out,
    lower_bound,
    told,
)
from upheld_training.replies import replies_to_lists
from upheld_training.serving import Serving
from upheld_training.texts import is_held_out, list_of, rows

TEXT = Path(__file__).parents[1] / "text"


def replies(count: int, seed: int, *, gap: float = 2.0) -> list[Reply]:
    """Give replies of one or two claims; a reply is grounded when the first number of each of its claims is high."""
    chance = np.random.default_rng(seed)
    found: list[Reply] = []
    for number in range(count):
        is_grounded = bool(chance.random() < 0.5)
        claims = chance.normal(0, 1, (1 + number % 2, 3))
        claims[:, 0] += gap
        if not is_grounded:
            claims[0, 0] -= 2 * gap
        found.append(Reply(group=str(number % 5), claims=claims, is_grounded=is_grounded))
    return found


def test_the_rule_finds_what_tells_the_verdicts_apart() -> None:
    """A noisy-and (Pearl 1988): the weakest claim decides, and the number that tells gets the weight."""
    known = replies(200, 1)
    rule = fit(known)
    assert abs(rule.weights[0]) > 3 * max(abs(rule.weights[1:]))
    right = [(rule.of_reply(each) >= 0.5) == each.is_grounded for each in replies(200, 2)]
    assert np.mean(right) > 0.9


def test_numbers_that_tell_nothing_are_told_to_tell_nothing() -> None:
    """Left out by group, chance stays chance; fitted on itself it would look like more."""
    known = replies(200, 3, gap=0.0)
    verdicts = [each.is_grounded for each in known]
    figures = told(left_out(known), verdicts, bars(left_out(known), verdicts, precise=0.9, sure=0.9))
    assert 0.3 < figures["area under the curve"] < 0.62


def test_a_bar_needs_enough_replies_and_enough_right_ones() -> None:
    """Nineteen right of twenty, as seen, is no nine in ten with confidence."""
    few = bars(np.linspace(0, 1, FEWEST - 1), [True] * (FEWEST - 1), precise=0.9, sure=0.9)
    assert few.grounded_at == NEVER_GROUNDED
    assert few.ungrounded_at == NEVER_UNGROUNDED
    assert lower_bound(np.array([True] * 19 + [False])) < 0.9 < lower_bound(np.array([True] * 30))
    many = bars(np.linspace(0, 1, 100), [place >= 50 for place in range(100)], precise=0.9, sure=0.9)
    assert 0.4 < many.ungrounded_at <= many.grounded_at < 0.6


@pytest.fixture(scope="module")
def serving() -> Serving:
    """Give the shipped network."""
    return Serving(network=local_network(), embedder=local_embedder())


def test_only_lists_that_were_never_learned_from_are_asked(serving: Serving) -> None:
    """Our promise: a rule is not fitted on what the network knows by heart."""
    path = TEXT / "lists-t.jsonl"
    found = list(replies_to_lists([path], serving))
    held = {list_of(path, row) for row in rows(path) if is_held_out(list_of(path, row))}
    assert {reply.group for reply in found} == held
    assert all(reply.claims.shape[1] == len(FEATURES) for reply in found)
    labels = [json.loads(line)["label"] for line in path.read_text("utf-8").splitlines()]
    assert 0 < len(found) < len(labels) / 2
