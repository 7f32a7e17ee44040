"""The audit of the packages says what it found, and never that it looked where it could not."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "audit.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script, which is part of no package."""
    spec = importlib.util.spec_from_file_location("audit_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def _answer(*dependencies: dict[str, object]) -> str:
    return json.dumps({"dependencies": list(dependencies)})


def test_a_known_vulnerability_is_named_with_the_version_that_mends_it(script: ModuleType) -> None:
    """The security gate: who reads the line knows what to install."""
    fault = {"id": "PYSEC-2099-1", "fix_versions": ["2.0"], "description": "", "aliases": []}
    audit = script.audit_of(_answer({"name": "thing", "version": "1.0", "vulns": [fault]}))
    assert audit.faults == ("thing 1.0: PYSEC-2099-1, mended in 2.0",)
    assert audit.summary == "audit: 1 packages looked up, 1 known vulnerabilities"


def test_what_could_not_be_looked_up_is_counted_as_that(script: ModuleType) -> None:
    """Our promise: could not check is not checked."""
    audit = script.audit_of(
        _answer({"name": "seen", "version": "1", "vulns": []}, {"name": "lost", "skip_reason": "not found"})
    )
    assert (audit.looked_up, audit.left_out, audit.faults) == (1, 1, ())
    assert "1 could NOT be looked up here" in audit.summary


def test_an_answer_of_another_kind_is_no_clean_bill(script: ModuleType) -> None:
    """Our promise: a database that answers nonsense audited nothing."""
    with pytest.raises((ValueError, KeyError)):
        script.audit_of("no JSON")
    with pytest.raises((ValueError, KeyError)):
        script.audit_of("{}")
