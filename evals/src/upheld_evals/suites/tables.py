"""Measures that several suites share, each with its n and its interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from upheld.conversation.scoring.tallies import Tally
from upheld.logic.language.verdicts import Outcome as Verdict
from upheld_evals.harness.repeating import conversation_of
from upheld_evals.harness.suite import Line, Measure, Scored, Status
from upheld_evals.statistics import (
    auroc,
    balanced_accuracy,
    bootstrap,
    by_group,
    mean,
    pooled,
    selective,
    wilson,
)

Summary = TypeVar("Summary")


def share(name: str, right: Iterable[bool], *, group: str = "", unit: str = "") -> Measure:
    """Give a share of yes or no with Wilson's interval."""
    answers = list(right)
    value = sum(answers) / len(answers) if answers else None
    return Measure(
        name=name,
        value=value,
        n=len(answers),
        interval=wilson(sum(answers), len(answers)),
        group=group,
        unit=unit or f"{sum(answers)}/{len(answers)}",
    )


def clustered(
    name: str,
    scored: Sequence[Scored],
    summary: Callable[[Sequence[Scored]], Summary],
    statistic: Callable[[Sequence[Summary]], float | None],
    *,
    seed: int,
    group: str = "",
) -> Measure:
    """Give a statistic with a bootstrap interval that draws whole conversations.

    All runs of a conversation are drawn together. Each is summed up once, and the statistic is worked out from the
    sums: a thousand draws then cost a thousand times the conversations, and not the items.
    """
    groups = by_group((conversation_of(item), (item, outcome)) for item, outcome in scored).values()
    clusters = [[summary(each)] for each in groups]
    value = statistic([each for cluster in clusters for each in cluster])
    interval = bootstrap(clusters, statistic, seed=seed)
    return Measure(name=name, value=value, n=len(scored), interval=interval, group=group)


def averaged(
    name: str, scored: Sequence[Scored], value: Callable[[Scored], float], *, seed: int, group: str = ""
) -> Measure:
    """Give the mean of a value over items, with an interval that draws whole conversations."""

    def summed(chosen: Sequence[Scored]) -> tuple[float, int]:
        return sum(map(value, chosen)), len(chosen)

    return clustered(name, scored, summed, _mean_of_sums, seed=seed, group=group)


def _mean_of_sums(sums: Sequence[tuple[float, int]]) -> float | None:
    of = sum(count for _, count in sums)
    return sum(total for total, _ in sums) / of if of else None


def overlapped(
    name: str, scored: Sequence[Scored], value: Callable[[Scored], Tally], *, seed: int, group: str = ""
) -> Measure:
    """Give the F1 of pooled overlaps (micro average), with an interval that draws whole conversations."""

    def summed(chosen: Sequence[Scored]) -> Tally:
        return pooled(map(value, chosen))

    return clustered(name, scored, summed, lambda sums: pooled(sums).f1, seed=seed, group=group)


def costs(scored: Sequence[Scored]) -> list[Measure]:
    """Give seconds and tokens an item; reading a conversation is spread over its items."""
    outcomes = [outcome for _, outcome in scored]
    if not outcomes:
        return []
    seconds = sum(each.seconds + each.preparing for each in outcomes) / len(outcomes)
    measures = [Measure(name="milliseconds an item", value=seconds * 1e3, n=len(outcomes), unit="ms")]
    tokens = sum(each.usage.tokens for each in outcomes)
    if tokens:
        measures.append(Measure(name="tokens an item", value=tokens / len(outcomes), n=len(outcomes), unit="tokens"))
    return measures


def verdict_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give what a table of verdicts shows: accuracy, balanced; how often an ungrounded one passes; by category."""
    answered = [(item, outcome) for item, outcome in scored if outcome.status is Status.ANSWERED]
    ungrounded = [outcome for item, outcome in scored if item.label == Verdict.UNGROUNDED]
    said_grounded = [item.label == Verdict.GROUNDED for item, outcome in answered if outcome.value == Verdict.GROUNDED]
    measures = [
        share("accuracy", (outcome.score == 1 for _, outcome in scored)),
        clustered("balanced accuracy", scored, _labels, _balanced, seed=seed),
        share("false grounded, of the ungrounded", (each.value == Verdict.GROUNDED for each in ungrounded)),
        share("coverage", (outcome.status is Status.ANSWERED for _, outcome in scored)),
        share("accuracy where answered", (outcome.score == 1 for _, outcome in answered)),
        share("precision of grounded", said_grounded),
    ]
    if answered and all(outcome.certainty is not None for _, outcome in answered):
        area = auroc((_support(outcome.value, outcome.certainty or 0.0), item.label == Verdict.GROUNDED)
                     for item, outcome in answered)  # fmt: skip
        measures.append(Measure(name="area under the curve of support", value=area, n=len(answered)))
    groups = by_group((item.facets.get("category", ""), outcome) for item, outcome in scored)
    measures += [
        share("accuracy", (each.score == 1 for each in outcomes), group=str(category))
        for category, outcomes in groups.items()
    ]
    return [*measures, *costs(scored)]


def _labels(scored: Sequence[Scored]) -> Counter[tuple[str, str]]:
    return Counter((item.label, str(outcome.value)) for item, outcome in scored)


def _balanced(counts: Sequence[Counter[tuple[str, str]]]) -> float | None:
    total: Counter[tuple[str, str]] = Counter()
    for each in counts:
        total.update(each)
    return balanced_accuracy(total)


def _support(value: object, certainty: float) -> float:
    return certainty if value == Verdict.GROUNDED else 1 - certainty


def coverage_line(name: str, scored: Sequence[Scored]) -> Line | None:
    """Give accuracy against coverage where an arm says how sure it is; ``None`` where it does not."""
    answered = [
        (outcome.certainty, outcome.score == 1)
        for _, outcome in scored
        if outcome.status is Status.ANSWERED and outcome.certainty is not None
    ]
    points = selective(answered, of=len(scored)) if scored else ()
    return Line(name=name, points=tuple((each.coverage, each.accuracy) for each in points)) if points else None


def against_length(scored: Sequence[Scored], value: Callable[[Scored], float]) -> tuple[tuple[float, float], ...]:
    """Give the mean of a value by the length of the conversation in turns."""
    groups = by_group((int(item.facets["turns"]), value((item, outcome))) for item, outcome in scored)
    lengths = sorted((int(str(turns)), mean(values) or 0.0) for turns, values in groups.items())
    return tuple((float(turns), found) for turns, found in lengths)
