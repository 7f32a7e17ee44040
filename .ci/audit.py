"""Hold the packages of constraints.txt against the known vulnerabilities, and say how many could not be looked up.

Ends with 1 when one of them has a known vulnerability. Where the database cannot be reached, that is said and the
status is 0: a check that fails without a network would only be switched off.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 120
"""Seconds for all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What came of it: faults a line each, and the counts of what was and was not looked up."""

    faults: tuple[str, ...]
    looked_up: int
    left_out: int

    @property
    def summary(self) -> str:
        """One line for people."""
        told = f"audit: {self.looked_up} packages looked up, {len(self.faults)} known vulnerabilities"
        return f"{told}; {self.left_out} could NOT be looked up here" if self.left_out else told


def audit_of(answer: str) -> Audit:
    """Read what ``pip-audit --format json`` printed; raises ``ValueError`` where that is nothing of the kind."""
    tree = json.loads(answer)
    looked_up = [each for each in tree["dependencies"] if "skip_reason" not in each]
    faults = tuple(
        f"{each['name']} {each['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'none'}"
        for each in looked_up
        for fault in each["vulns"]
    )
    return Audit(faults=faults, looked_up=len(looked_up), left_out=len(tree["dependencies"]) - len(looked_up))


def main(constraints: Path) -> int:
    """Audit one file of exact versions."""
    command = ["-m", "pip_audit", "-r", str(constraints), "--no-deps", "--disable-pip", "--progress-spinner", "off"]
    try:
        ended = subprocess.run(
            [sys.executable, *command, "--format", "json"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        audit = audit_of(ended.stdout)
    except (subprocess.TimeoutExpired, ValueError, KeyError) as error:
        print(f"audit: NOT done, the database of vulnerabilities did not answer ({type(error).__name__})")  # noqa: T201
        return 0
    print("\n".join((*audit.faults, audit.summary)))  # noqa: T201
    return 1 if audit.faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
