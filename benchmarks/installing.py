"""What the extra ``local`` takes to install: seconds and megabytes, in a new environment, beside the library alone.

    python benchmarks/installing.py [--quick] [--json]

Each is installed from this checkout by pip into an environment of its own, twice: the first time as things are, the
second with what pip has kept of the first. ``--quick`` installs the library alone. It needs the package registry.

What this cannot show: another line to the registry.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measuring import Spread, arguments, as_json, readable, table, timed

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What was installed, how long it took, the size of the environment less pip itself, and to the library alone."""

    what: str
    time: Spread
    megabytes: float
    to_alone: float


def installed(extras: tuple[str, ...]) -> Iterator[Installed]:
    """Install the library alone and then with each extra, twice."""
    alone = 0.0
    for extra in ("", *extras):
        for again in ("", ", again"):
            with tempfile.TemporaryDirectory() as folder:
                home = Path(folder) / "env"
                venv.create(home, with_pip=True)
                before = _megabytes(home)
                _, took = timed(lambda home=home, extra=extra: _install(home, extra))
                alone = alone or took
                yield Installed(
                    what=(f"upheld[{extra}]" if extra else "upheld") + again,
                    time=Spread(median=took, p95=took, n=1),
                    megabytes=_megabytes(home) - before,
                    to_alone=took / alone,
                )


def _install(home: Path, extra: str) -> None:
    what = f"{ROOT}[{extra}]" if extra else str(ROOT)
    pip = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-compile"]
    subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), what], check=True, stderr=sys.stderr)


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def main() -> None:
    """Install, and print."""
    options = arguments(__doc__)
    rows = list(installed(() if options.quick else ("local",)))
    if options.json:
        print(as_json({"installed": rows}))
        return
    table(
        "What is installed",
        ("what", "time", "megabytes", "to the library alone"),
        [(row.what, readable(row.time.median), f"{row.megabytes:.0f}", f"{row.to_alone:.1f}") for row in rows],
    )


if __name__ == "__main__":
    main()
