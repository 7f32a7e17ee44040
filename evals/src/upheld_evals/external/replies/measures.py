"""What a table of judged replies shows: how well support ranks them, verdicts, and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from upheld_evals.external.replies.scoring import NOT_ENOUGH, REFUTES, SUPPORTS, UNCHECKED
from upheld_evals.harness.suite import Answer, Item, Measure, Scored
from upheld_evals.statistics import auroc, best_f1, ties
from upheld_evals.suites.tables import clustered, costs, share

FAITHFUL, UNFAITHFUL = "supported", "not supported"

Pairs = list[tuple[float, bool]]


def is_label(item: Item, answer: Answer) -> float:
    """Score 1 when the verdict is the label; of two labels, any verdict but "supports" means not supported."""
    verdict = answer.value["verdict"]
    if item.label in {FAITHFUL, UNFAITHFUL}:
        return float((verdict == SUPPORTS) == (item.label == FAITHFUL))
    return float(verdict == item.label)


def three_way_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the figures for three labels; the area is of what is supported against what is refuted."""
    known = _known(scored)
    decided = [each for each in known if each[0].label != NOT_ENOUGH]
    read_as = [NOT_ENOUGH if verdict == UNCHECKED else verdict for verdict in map(_verdict, known)]
    measures = [
        *_areas(decided, SUPPORTS, seed),
        *_accuracies(known),
        share(
            "accuracy, could not check read as not enough info",
            (verdict == item.label for verdict, (item, _) in zip(read_as, known, strict=True)),
        ),
    ]
    for label in (SUPPORTS, REFUTES, NOT_ENOUGH):
        chosen = [each for each in known if each[0].label == label]
        measures += [
            share(f"said {verdict}", (_verdict(each) == verdict for each in chosen), group=label)
            for verdict in (SUPPORTS, REFUTES, NOT_ENOUGH, UNCHECKED)
        ]
    return [*measures, *costs(scored)]


def two_way_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the figures for labels supported and not supported."""
    known = _known(scored)
    measures = [
        *_areas(known, FAITHFUL, seed),
        clustered(
            "best F1, threshold chosen on these items",
            known,
            lambda chosen: _pairs(chosen, FAITHFUL),
            lambda pairs: best_f1(each for cluster in pairs for each in cluster),
            seed=seed,
        ),
        Measure(name="F1 when all are called supported", value=_all_supported(known), n=len(known)),
        *_accuracies(known),
    ]
    for label in (FAITHFUL, UNFAITHFUL):
        chosen = [each for each in known if each[0].label == label]
        measures.append(share("said supports", (_verdict(each) == SUPPORTS for each in chosen), group=label))
        measures.append(share("could not check", (_verdict(each) == UNCHECKED for each in chosen), group=label))
    return [*measures, *costs(scored)]


def _known(scored: Sequence[Scored]) -> list[Scored]:
    return [each for each in scored if each[1].value is not None]


def _verdict(each: Scored) -> str:
    return str(each[1].value["verdict"])


def _pairs(scored: Sequence[Scored], positive: str) -> Pairs:
    return [(float(outcome.value["support"]), item.label == positive) for item, outcome in scored]


def _areas(scored: Sequence[Scored], positive: str, seed: int) -> Iterator[Measure]:
    yield _area("area under the curve of support", scored, positive, seed)
    checked = [each for each in scored if _verdict(each) != UNCHECKED]
    yield _area("area under the curve, where checked", checked, positive, seed)
    tied = ties(_pairs(scored, positive))
    yield Measure(name="pairs with equal support (count half)", value=tied, n=len(scored))


def _area(name: str, scored: Sequence[Scored], positive: str, seed: int) -> Measure:
    return clustered(
        name,
        scored,
        lambda chosen: _pairs(chosen, positive),
        lambda pairs: auroc(each for cluster in pairs for each in cluster),
        seed=seed,
    )


def _accuracies(known: Sequence[Scored]) -> Iterator[Measure]:
    yield share("accuracy, could not check is wrong", (outcome.score == 1 for _, outcome in known))
    yield share("accuracy where checked", (each[1].score == 1 for each in known if _verdict(each) != UNCHECKED))
    yield share("could not check", (_verdict(each) == UNCHECKED for each in known))


def _all_supported(known: Sequence[Scored]) -> float | None:
    right = sum(item.label == FAITHFUL for item, _ in known)
    return 2 * right / (right + len(known)) if right else None
