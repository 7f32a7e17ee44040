"""What ``upheld eval`` needs of this package, in one place: the suites, a plan from options, and reports to show."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from rich.console import RenderableType

from upheld_evals.catalogue import SUITES
from upheld_evals.harness.gateway import Answering
from upheld_evals.harness.running import Settings
from upheld_evals.plan import Plan
from upheld_evals.program import export, run
from upheld_evals.report.page import page_of
from upheld_evals.report.results import Report, as_tree
from upheld_evals.report.tables import heading_of, remarks_of, tables_of

__all__ = ["SUITES", "Options", "Plan", "as_tree", "export", "page_of", "planned", "run", "shown"]


class Options(Protocol):
    """The options of the command, as it reads them; 0 and empty texts stand for none."""

    suites: list[str]
    data: list[Path]
    interpreters: list[str]
    matchers: list[str]
    llm: str
    base_url: str
    recordings: list[Path]
    calls: int
    tokens: int
    limit: int
    repeats: int
    seed: int
    concurrency: int
    out: Path | None


def planned(options: Options) -> Plan:
    """Give the plan that some options mean."""
    return Plan(
        suites=tuple(options.suites),
        data=tuple(options.data),
        interpreters=tuple(options.interpreters),
        matchers=tuple(options.matchers),
        answering=Answering(
            llm=options.llm,
            base_url=options.base_url,
            recordings=tuple(options.recordings),
            calls=options.calls,
            tokens=options.tokens,
        ),
        repeats=options.repeats,
        settings=Settings(limit=options.limit, seed=options.seed, concurrency=options.concurrency, folder=options.out),
    )


def shown(report: Report) -> list[RenderableType]:
    """Give a report as a terminal shows it."""
    return [*heading_of(report), *tables_of(report), *remarks_of(report), ""]
