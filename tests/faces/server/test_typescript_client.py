"""The client for TypeScript: generated from the description in the repository, built, and run against the service."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import Start

FILES = ("package.json", "package-lock.json", ".npmrc", "tsconfig.json", "src", "test")


def test_the_client_is_generated_built_and_answered_by_the_real_service(
    start: Start, root: Path, tmp_path: Path
) -> None:
    """Our promise (clients/typescript/README.md): what it is generated from is what the service does."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    (tmp_path / "docs" / "reference").mkdir(parents=True)
    shutil.copy(root / "docs" / "reference" / "openapi.json", tmp_path / "docs" / "reference")
    package = tmp_path / "clients" / "typescript"
    package.mkdir(parents=True)
    for name in FILES:
        there = root / "clients" / "typescript" / name
        ignored = shutil.ignore_patterns("schema.d.ts")
        _ = shutil.copytree(there, package / name, ignore=ignored) if there.is_dir() else shutil.copy(there, package)
    install = [npm, "install", "--prefer-offline", "--no-progress"]
    try:
        installed = subprocess.run(install, cwd=package, capture_output=True, text=True, check=False, timeout=150)
    except subprocess.TimeoutExpired:
        pytest.skip("the packages of the client cannot be fetched: npm took too long")
    if installed.returncode:
        pytest.skip(f"the packages of the client cannot be fetched: {installed.stderr[-200:]}")
    environment = {**os.environ, "UPHELD_URL": f"http://127.0.0.1:{start().port}"}
    run = subprocess.run(
        [npm, "test"], cwd=package, env=environment, capture_output=True, text=True, check=False, timeout=150
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# pass 6" in run.stdout
