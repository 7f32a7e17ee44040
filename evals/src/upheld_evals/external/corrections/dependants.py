"""The suite ``corrections-dependants`` (protocol P3, d): does a booking lose its support with the value it rests on?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from upheld.errors import MalformedInput
from upheld_evals.external.corrections.bookings import DONE, FALLS, STANDS, resting_items
from upheld_evals.external.corrections.dialogues import MULTIWOZ, SGD, read_dialogues
from upheld_evals.external.corrections.holding import LABELS, HoldingArm, LastBookingArm
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Scored, Status, Suite
from upheld_evals.suites.tables import costs, share


def dependants_suite(paths: Sequence[Path], *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give the suite over the dialogues of some files.

    Raises:
        MalformedInput: a line that is no dialogue, or no booking before any correction.
    """
    dialogues = read_dialogues(paths)
    items = resting_items(dialogues)
    files = ", ".join(path.name for path in paths)
    if not items:
        raise MalformedInput("no turn about a booking stands before a correction", source=files)
    baseline = LastBookingArm()
    arms: list[Arm] = [HoldingArm(reading=each) for each in (*interpreters, LABELS)]
    falling = sum(item.label == FALLS for item in items)
    return Suite(
        name="corrections-dependants",
        version="1",
        purpose="Whether what the system confirmed or booked loses its support when a value that it rests on changes.",
        data=f"{files}: {len(dialogues)} dialogues, {falling} pairs of a correction and a turn about a booking that"
        f" rests on the old value, {len(items) - falling} with one that does not",
        digest=digest_of(paths),
        items=items,
        arms=(*arms, baseline),
        baseline=baseline.name,
        score=is_right,
        measures=dependant_measures,
        tuned_on="none of it; the words for bookings were chosen by reading some thirty turns of both files",
        notes=(
            "A turn rests on a value when it speaks of a booking and has the value in its words: a rule, and no label."
            " A booking that names none of its values is in no pair, nor one that may say the old in other words.",
            f"Upheld, {LABELS}: values, replacements and that rule are given to the engine as operations; anything"
            " below all, both ways, is a fault of the engine or of the labels, not of reading.",
            "Could not check: nothing was read in the system's turn that held before the correction. It is not right.",
        ),
    )


def is_right(item: Item, answer: Answer) -> float:
    """Score 1 when the arm says of a turn what the rule says."""
    return float(bool(answer.value["falls"]) == (item.label == FALLS))


def dependant_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the shares that fell and that stood as they must, the two sources apart."""
    del seed
    known = [each for each in scored if each[1].value is not None]
    measures: list[Measure] = []
    for origin in (MULTIWOZ, SGD):
        chosen = [each for each in known if each[0].facets["data"] == origin]
        measures += _shares(chosen, origin)
        measures += _shares([each for each in chosen if each[0].facets["stage"] == DONE], f"{origin}, {DONE}")
    return [*measures, *costs(scored)]


def _shares(chosen: Sequence[Scored], group: str) -> Iterator[Measure]:
    if not chosen:
        return
    falling = [outcome for item, outcome in chosen if item.label == FALLS]
    standing = [outcome for item, outcome in chosen if item.label == STANDS]
    yield share("resting on the old value, fell", (bool(each.value["falls"]) for each in falling), group=group)
    yield share("resting on other values, fell", (bool(each.value["falls"]) for each in standing), group=group)
    yield share("could not check", (each.status is Status.ABSTAINED for _, each in chosen), group=group)
