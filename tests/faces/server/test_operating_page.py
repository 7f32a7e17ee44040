"""The page about operating the service: what it names is there, and what is there it names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from upheld.faces.server.errors import SORTS
from upheld.faces.server.live import sockets
from upheld.faces.server.telemetry.logs import FIELDS, JsonLines
from upheld.faces.server.telemetry.metrics import Metrics

from .conftest import Client, Start, garden

pytest.importorskip("opentelemetry.sdk", reason="the extra 'telemetry' is not installed")

from upheld.faces.server.telemetry import collecting

PAGE = Path("docs") / "how-to" / "operate-the-service.md"


@pytest.fixture(scope="module")
def page(request: pytest.FixtureRequest) -> str:
    """Text of the page."""
    return (request.config.rootpath / PAGE).read_text("utf-8")


def exposed() -> dict[str, set[str]]:
    """Names of all numbers with their labels, of a service that met everything once."""
    metrics = Metrics()
    metrics.watch(open_conversations=lambda: 1, live_streams=lambda: 1)
    metrics.note_request("GET", "/", 200, 0.1)
    metrics.note_problem("store")
    metrics.note_turn()
    metrics.note_verdict("grounded", ())
    found: dict[str, set[str]] = {}
    for line in metrics.told("")[0].decode().splitlines():
        told = re.match(r"(upheld_\w+)(?:\{(.*)\})? ", line)
        if told and not told[1].endswith("_created"):
            found[told[1]] = set(re.findall(r'(\w+)="', told[2] or "")) - {"le"}
    return found


def test_the_table_names_every_number_with_its_labels(page: str) -> None:
    """Our promise: dashboards are built from this table."""
    rows = re.findall(r"^\| `(upheld_\w+)` \| (.*?) ?\|", page, re.MULTILINE)
    tabled = {name: set(re.findall(r"`(\w+)`", labels)) for name, labels in rows}
    histogram = "upheld_request_seconds"
    found = {name.removesuffix("_count"): labels for name, labels in exposed().items()}
    assert tabled == {
        name: labels for name, labels in found.items() if name not in {f"{histogram}_sum", f"{histogram}_bucket"}
    }


def test_every_alert_asks_for_a_number_that_there_is(page: str) -> None:
    """Our promise: an alert on a name that nobody exposes never fires."""
    blocks = [yaml.safe_load(each) for each in re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)]
    (rules,) = [block["groups"][0]["rules"] for block in blocks if "groups" in block]
    assert len(rules) == 6
    slugs = {sort.slug for sort in SORTS.values()} | {"no-key"}
    for rule in rules:
        asked = set(re.findall(r"upheld_\w+", rule["expr"]))
        assert asked
        assert asked <= set(exposed())
        assert set(re.findall(r'type="([\w-]+)"', rule["expr"])) <= slugs


def test_the_line_on_the_page_has_the_fields_of_a_real_one(
    page: str, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """Our promise: what reads the page's line reads every line."""
    (shown,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    caplog.set_level("INFO", logger="upheld.server")
    path = garden(client, "page")
    client.post(f"{path}/verify", {"claims": [{"literal": "o1"}]})
    client.get("/health/live")
    written = [json.loads(JsonLines().format(each)) for each in caplog.records if hasattr(each, FIELDS)]
    assert set(json.loads(shown)) == set(written[0])
    assert json.loads(shown)["route"] in {each["route"] for each in written}


def test_the_codes_and_attributes_of_the_page_are_those_of_the_code(page: str) -> None:
    """Our promise: a client may rely on what the page lists."""
    codes = {
        int(each) for row in re.findall(r"^\| (\d{4}(?:, \d{4})*) \|", page, re.MULTILINE) for each in row.split(", ")
    }
    assert codes == {sockets.GOING, 1012, sockets.POLICY, sockets.FAULT, sockets.LATER}
    source = Path(collecting.__file__).read_text("utf-8")
    sent = {name for pair in re.findall(r'"(gen_ai[\w.]+)":|told\["(gen_ai[\w.]+)"\]', source) for name in pair if name}
    assert set(re.findall(r"^\| `(gen_ai[\w.]+)`", page, re.MULTILINE)) == sent
    assert collecting.EVALUATION in page
    assert f"at most {['nought', 'one', 'two', 'three'][int(collecting.PATIENCE)]} seconds" in page


def test_the_number_of_streams_in_the_alert_is_nine_tenths_of_the_default(page: str, start: Start) -> None:
    """Our promise: the alert fits a service that nobody configured."""
    (told,) = re.findall(r"upheld_live_streams > (\d+)", page)
    assert int(told) == start().house.settings.most_live * 9 // 10
