"""What the benchmark programs share: timing, tables, and the choice between a table and JSON."""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Times of repeated runs in microseconds: median, 95th percentile, and how many there were."""

    median: float
    p95: float
    n: int

    def __str__(self) -> str:
        """Give median and percentile with a unit that fits."""
        return f"{readable(self.median)} / {readable(self.p95)}"


def spread(times_us: Iterable[float]) -> Spread:
    """Summarise times in microseconds."""
    ordered = sorted(times_us)
    return Spread(median=statistics.median(ordered), p95=ordered[int((len(ordered) - 1) * 0.95)], n=len(ordered))


def timed(run: Callable[[], Result]) -> tuple[Result, float]:
    """Give what a call returns and how long it took, in microseconds."""
    start = time.perf_counter()
    result = run()
    return result, (time.perf_counter() - start) * 1e6


def repeated(run: Callable[[], object], *, times: int) -> Spread:
    """Time a call again and again."""
    return spread(timed(run)[1] for _ in range(times))


def readable(microseconds: float) -> str:
    """Give a time with three digits and a unit."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{microseconds:.3g} µs"


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under their heads, as Markdown, so that a page can take them over."""
    lines = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    print(f"\n{title}\n")
    for line in (list(heads), ["-" * width for width in widths], *lines):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")


def arguments(about: str | None, more: Callable[[argparse.ArgumentParser], object] | None = None) -> argparse.Namespace:
    """Read the switches that all programs share, and those that one adds."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, in under a minute")
    parser.add_argument("--json", action="store_true", help="the figures as JSON instead of tables")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the figures into an image")
    if more is not None:
        more(parser)
    return parser.parse_args()


def as_json(parts: Mapping[str, Sequence[Any]]) -> str:
    """Write the figures for a machine, with what they ran on."""
    figures = {name: [asdict(row) for row in rows] for name, rows in parts.items()}
    return json.dumps({"python": platform.python_version(), "machine": platform.machine(), **figures}, indent=2)
