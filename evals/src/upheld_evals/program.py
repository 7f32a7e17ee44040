"""One run of some suites: what ``upheld eval`` does."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from upheld.errors import UpheldError
from upheld_evals.catalogue import SUITES
from upheld_evals.harness.exporting import requests_of
from upheld_evals.harness.repeating import repeated
from upheld_evals.harness.running import Progress, run_suite
from upheld_evals.plan import Entry, Plan
from upheld_evals.report.results import Report, report_of

PAPER = "paper"
"""The group of the paper's tables and figures."""


def entries(names: Sequence[str]) -> tuple[Entry, ...]:
    """Give the suites that some names mean; ``paper`` alone is the whole group, ``paper e2 e5`` two of it.

    Tables 4 and 5 read data of their own, and are run by name alone.

    Raises:
        UpheldError: no such suite; those that there are are listed.
    """
    known = {each.name: each for each in SUITES}
    if tuple(names) == (PAPER,):
        return tuple(each for each in SUITES if each.name.startswith(f"{PAPER} ") and not each.is_apart)
    # After the group's name, its members are named without it: `paper table1 table7`.
    group = f"{PAPER} " if names and names[0] == PAPER else ""
    wanted = [f"{group}{name}" for name in (names[1:] if group else names)]
    missing = [name for name in wanted if name not in known]
    if missing or not wanted:
        raise UpheldError(f"no suite {', '.join(missing) or 'named'}; there are: {', '.join(known)}")
    return tuple(known[name] for name in wanted)


def run(plan: Plan, *, is_quiet: bool = False) -> Iterator[Report]:
    """Run the suites of a plan, and give the report of each when it is done.

    Raises:
        UpheldError: a suite, its data or the language model cannot be had.
    """
    chosen = entries(plan.suites)
    llm = plan.answering.opened()
    date = datetime.now(UTC).date().isoformat()  # noqa: TID251 - a report says when it was taken, and nothing turns on it
    for entry in chosen:
        suite = repeated(entry.made(plan), plan.repeats)
        with _shown(suite.name, is_quiet=is_quiet) as progress:
            found = run_suite(suite, plan.settings, llm=llm, progress=progress)
        yield report_of(found, date=date, upheld=_version())


def export(plan: Plan, path: Path) -> int:
    """Write the requests of a plan's suites to a file instead of sending them, and give how many there are.

    Raises:
        UpheldError: there are none, or the language model that shall answer is not named.
    """
    suites = [repeated(entry.made(plan), plan.repeats) for entry in entries(plan.suites)]
    known = plan.answering.known()
    waiting = (
        each
        for suite in suites
        for each in requests_of(suite, limit=plan.settings.limit, name=plan.answering.llm, known=known)
    )
    requests = list({request.key: (name, request) for name, request in waiting}.values())
    if not requests:
        raise UpheldError(f"{' '.join(plan.suites)}: nothing of it waits for a language model")
    plan.answering.write(requests, path)
    return len(requests)


@contextmanager
def _shown(name: str, *, is_quiet: bool) -> Generator[Progress | None]:
    console = Console(stderr=True)
    if is_quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda arm, done, of: bar.update(task, description=f"{name}: {arm}", completed=done, total=of)


def _version() -> str:
    try:
        return version("upheld")
    except PackageNotFoundError:
        return "(not installed)"
