"""The whole description against the real service: whatever it allows and much that it does not, on every route."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import Running, Start, garden

schemathesis: Any = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
checks: Any = pytest.importorskip("schemathesis.specs.openapi.checks")
general: Any = pytest.importorskip("schemathesis.checks")

EXAMPLES = max(1, round(10 * float(os.environ.get("UPHELD_EXAMPLES", "1"))))
"""Requests of each route; with UPHELD_EXAMPLES=50 it takes some minutes."""

CHECKS = [
    general.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]

DESCRIPTION: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "docs" / "reference" / "openapi.json").read_text("utf-8")
)
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example]
ENDLESS = {"follow"}
"""Routes whose answer never ends; they have tests of their own."""

ROUTES = [
    (path, method)
    for path, routes in DESCRIPTION["paths"].items()
    for method, route in routes.items()
    if route["operationId"] not in ENDLESS
]


@pytest.fixture(scope="module")
def service(start: Start) -> Running:
    """A service with no limit of how often it is asked."""
    return start(requests_a_minute=0, text_characters=2000)


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_every_answer_is_one_that_the_description_allows(service: Running, path: str, method: str) -> None:
    """Our promise: no request is answered with a fault, and every answer has its status, media type and form."""
    url = f"http://127.0.0.1:{service.port}"
    name = f"beds-{path.replace('/', '-')}-{method}"
    garden(service.client(), name)
    operation: Any = schemathesis.openapi.from_dict(DESCRIPTION)[path][method.upper()]
    drawn: Any = st.one_of([operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode])

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW)
    @given(case=drawn, is_there=st.booleans())
    def answered(case: Any, is_there: bool) -> None:
        if is_there and "conversation" in case.path_parameters:
            case.path_parameters["conversation"] = name
        case.call_and_validate(base_url=url, checks=CHECKS)

    answered()
