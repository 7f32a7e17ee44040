"""A run as numbers: every measure with its n, interval, arm and language model; arms held against the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from upheld_evals.harness.running import ArmRun, SuiteRun
from upheld_evals.harness.suite import Measure, Plot, Scored, Status
from upheld_evals.statistics import Paired, mcnemar

NO_LLM = "no language model"

_UNMEASURED = (Status.FAILED, Status.MISSING)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmFigures:
    """The numbers of one arm; ``against_baseline`` counts items that both ran, this arm first.

    ``against`` has the same for the rivals of the suite, by name, as far as they ran.
    """

    run: ArmRun
    measures: tuple[Measure, ...]
    against_baseline: Paired | None = None
    against: Mapping[str, Paired] = field(default_factory=dict[str, Paired])

    @property
    def llm(self) -> str:
        """The language model that answered, as named; or that there was none."""
        return self.run.llm or NO_LLM


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The numbers of one suite, with the date on which they were taken."""

    run: SuiteRun
    date: str
    upheld: str
    arms: tuple[ArmFigures, ...]
    plots: tuple[Plot, ...]


def report_of(run: SuiteRun, *, date: str, upheld: str) -> Report:
    """Work out the numbers of a run."""
    suite = run.suite
    base = next(each for each in run.arms if each.arm == suite.baseline)
    arms = [
        ArmFigures(
            run=each,
            measures=tuple(suite.measures(measured, run.seed)) if (measured := _measured(each)) else (),
            against_baseline=_paired(measured, base.outcomes) if suite.is_paired and each is not base else None,
            against=_against(each, measured, run),
        )
        for each in run.arms
    ]
    found: Mapping[str, Sequence[Scored]] = {each.arm: measured for each in run.arms if (measured := _measured(each))}
    return Report(run=run, date=date, upheld=upheld, arms=tuple(arms), plots=tuple(suite.plots(found)))


def _measured(arm: ArmRun) -> Sequence[Scored]:
    """Give the outcomes of an arm without those whose reply was not recorded."""
    return [each for each in arm.outcomes if each[1].status is not Status.MISSING]


def _against(arm: ArmRun, measured: Sequence[Scored], run: SuiteRun) -> Mapping[str, Paired]:
    rivals = [each for each in run.arms if each.arm in run.suite.rivals and each is not arm and run.suite.is_paired]
    found = ((each.arm, _paired(measured, each.outcomes)) for each in rivals)
    return {name: paired for name, paired in found if paired is not None}


def _paired(first: Sequence[Scored], second: Sequence[Scored]) -> Paired | None:
    others = {item.id: outcome.score == 1 for item, outcome in second if outcome.status not in _UNMEASURED}
    pairs = [
        (outcome.score == 1, others[item.id])
        for item, outcome in first
        if item.id in others and outcome.status not in _UNMEASURED
    ]
    return mcnemar(pairs) if pairs else None


def as_tree(report: Report) -> dict[str, Any]:
    """Give a report as ``--json`` prints it."""
    suite = report.run.suite
    return {
        "suite": suite.name,
        "purpose": suite.purpose,
        "date": report.date,
        "upheld": report.upheld,
        "data": suite.data,
        "items": len(report.run.items),
        "items_in_suite": len(suite.items),
        "seed": report.run.seed,
        "complete": report.run.is_complete,
        "baseline": suite.baseline,
        "tuned_on": suite.tuned_on,
        "arms": [_arm_tree(each) for each in report.arms],
        "printed": [asdict(each) for each in suite.printed],
        "notes": list(suite.notes),
    }


def _arm_tree(arm: ArmFigures) -> dict[str, Any]:
    run = arm.run
    return {
        "arm": run.arm,
        "llm": arm.llm,
        "skipped": run.skipped,
        "stopped": run.stopped,
        "answered": run.count(Status.ANSWERED),
        "abstained": run.count(Status.ABSTAINED),
        "failed": run.count(Status.FAILED),
        "missing": run.count(Status.MISSING),
        "resumed": run.resumed,
        "of": run.asked,
        "usage": {
            "calls": run.usage.calls,
            "reused": run.usage.reused,
            "input_tokens": run.usage.input_tokens,
            "output_tokens": run.usage.output_tokens,
        },
        "against_baseline": asdict(arm.against_baseline) if arm.against_baseline else None,
        "against": {name: asdict(paired) for name, paired in arm.against.items()},
        "measures": [
            {
                "name": each.name,
                "group": each.group,
                "value": each.value,
                "n": each.n,
                "interval": asdict(each.interval) if each.interval else None,
                "unit": each.unit,
            }
            for each in arm.measures
        ],
    }


def shown(measure: Measure) -> str:
    """Give a measure as a cell: value, interval, n."""
    if measure.value is None:
        return f"- (n={measure.n})"
    value = f"{measure.value:.3g}" if measure.unit in {"ms", "tokens"} else f"{measure.value:.3f}"
    interval = f" [{measure.interval.low:.2f}, {measure.interval.high:.2f}]" if measure.interval else ""
    return f"{value}{interval} (n={measure.n})"


def rows_of(report: Report) -> list[tuple[str, str]]:
    """Give the rows that the arms have together, (name, group), in the order in which they first come."""
    rows: dict[tuple[str, str], None] = {}
    for arm in report.arms:
        rows.update(dict.fromkeys((each.name, each.group) for each in arm.measures))
    return list(rows)
