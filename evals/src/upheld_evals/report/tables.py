"""A report in a terminal: measures down, arms across under a number, and below the tables what a reader must know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from upheld_evals.harness.suite import Measure, Printed, Status
from upheld_evals.report.results import ArmFigures, Report, rows_of
from upheld_evals.statistics import Paired, by_group

ACROSS = 5
"""Arms of one table."""

FEW_ROWS = 40
"""Rows that a terminal shows; the rest is in the page and in the JSON, as are the intervals of all."""


def tables_of(report: Report) -> Iterator[Table]:
    """Give the measures of the arms that ran, a few arms a table."""
    arms = [each for each in report.arms if each.measures]
    for start in range(0, len(arms), ACROSS):
        yield _table(report, arms[start : start + ACROSS], start + 1)


def _table(report: Report, arms: Sequence[ArmFigures], first: int) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 1))
    table.add_column("measure")
    table.add_column("of")
    for number, _ in enumerate(arms, start=first):
        table.add_column(f"[{number}]".replace("[", "\\["), justify="right")
    cells = [{(each.name, each.group): cell(each) for each in arm.measures} for arm in arms]
    rows = [row for row in rows_of(report) if any(row in each for each in cells)]
    for name, group in rows[:FEW_ROWS]:
        table.add_row(name, group, *(each.get((name, group), "") for each in cells))
    if len(rows) > FEW_ROWS:
        table.add_row(f"and {len(rows) - FEW_ROWS} more", "in --json and --html", *("" for _ in arms))
    return table


def cell(measure: Measure) -> str:
    """Give a number with its n, short."""
    if measure.value is None:
        return f"- n={measure.n}"
    return f"{measure.value:.3g} n={measure.n}"


def heading_of(report: Report) -> Iterator[str]:
    """Give what the numbers are of: suite, data, date, and the arms under their numbers with who answered."""
    suite = report.run.suite
    left = f", {len(report.run.items)} of {len(suite.items)} items" if len(report.run.items) < len(suite.items) else ""
    yield f"{suite.name}: {suite.purpose}"
    yield f"{suite.data}{left}; {report.date}, upheld {report.upheld}, seed {report.run.seed}"
    for number, arm in enumerate((each for each in report.arms if each.measures), start=1):
        mark = " = baseline" if arm.run.arm == suite.baseline else ""
        yield f"  [{number}] {arm.run.arm} ({arm.llm}){mark}"


def remarks_of(report: Report) -> Iterator[str]:
    """Give what a reader of the table must know: paired tests, what was not run, what others printed, and notes."""
    suite = report.run.suite
    for arm in report.arms:
        if arm.against_baseline is not None:
            yield _compared(arm.run.arm, suite.baseline, arm.against_baseline)
    for arm in report.arms:
        for rival, paired in arm.against.items():
            yield _compared(arm.run.arm, rival, paired)
    for arm in report.arms:
        yield from _troubles(arm)
    for name, printed in by_group((_printed_name(each), each) for each in suite.printed).items():
        told = "; ".join(f"{each.source}: {each.value}" for each in printed)
        yield f"printed elsewhere, {name}: {told}"
    if suite.tuned_on:
        yield f"tuned on: {suite.tuned_on}"
    yield from suite.notes


def _compared(arm: str, other: str, paired: Paired) -> str:
    return (
        f"{arm} against {other}: right only here {paired.only_first}, only there {paired.only_second}, n={paired.n},"
        f" McNemar exact p={paired.p:.3g}"
    )


def _troubles(arm: ArmFigures) -> Iterator[str]:
    run = arm.run
    if run.skipped:
        yield f"not run: {run.arm}: {run.skipped}"
    if run.stopped:
        yield f"stopped: {run.arm} after {len(run.outcomes)} of {run.asked}: {run.stopped}; run it again to go on"
    failed = run.count(Status.FAILED)
    if failed:
        first = next(each for _, each in run.outcomes if each.status is Status.FAILED)
        yield f"failed: {run.arm}: {failed} items, first {first.item}: {first.reason}"
    missing = run.count(Status.MISSING)
    if missing:
        yield f"not recorded: {run.arm}: {missing} of {len(run.outcomes)} items; they are in no figure above"


def _printed_name(printed: Printed) -> str:
    return f"{printed.name} (n={printed.n})" if printed.n else printed.name
