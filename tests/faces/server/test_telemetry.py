"""What whoever operates the service sees: numbers for Prometheus, and traces and verdicts for a collector."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MissingExtra
from upheld.faces.server import house
from upheld.faces.server.settings import Settings
from upheld.faces.server.telemetry.tracing import trace_named

from .conftest import PATIENCE, Answer, Client, Keys, Start, garden, observe

pytest.importorskip("opentelemetry.sdk", reason="the extra 'telemetry' is not installed")

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
CHOICES = (["00", "01", "ff", "0"], [TRACE, TRACE[1:], "0" * 32, TRACE.upper()], [PARENT, "0" * 16], ["01", "x"])
RESTING = {"literal": "h1", "modality": "hypothesis"}


def numbers(told: Answer) -> Mapping[str, float]:
    """What a scrape says, by name and labels."""
    assert told.status == 200, told.body
    lines = [line.rpartition(" ") for line in told.body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def test_a_scrape_counts_what_was_done_by_route_and_by_outcome(start: Start) -> None:
    """Our promise (docs/how-to/operate-the-service.md): one series for each route, whatever it was asked about."""
    client = start().client()
    path = garden(client, "counted")
    client.tell(path, "ann", observe("o8"), id="T9")
    for _ in range(2):
        client.post(f"{path}/turns", {"speaker": "ann", "operations": [observe("o9")]}, idempotency_key="k")
    client.post(f"{path}/verify", {"claims": [{"literal": "o1"}]})
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}})
    client.post(f"{path}/verify", {"claims": [RESTING]})
    client.post(f"{path}/verify", {"text": "Whatever might you mean?"})
    client.get("/v1/conversations/nobody-began-it")
    client.get(f"{path}/events?after=-1")
    client.get("/no/such/path")
    client.ask("BREW", "/v1/conversations")
    with client.stream(f"{path}/events") as events:
        next(events)
        seen = numbers(client.get("/metrics"))
    told = 'upheld_request_seconds_count{method="POST",route="/v1/conversations/{conversation}/turns",status="201"}'
    assert seen[told] == 6
    assert seen[told.replace("201", "200")] == 1
    assert seen['upheld_request_seconds_count{method="GET",route="other",status="404"}'] == 1
    assert 'method="BREW"' not in "".join(seen)
    assert seen['upheld_refused_requests_total{type="unknown-conversation"}'] == 1
    assert seen['upheld_refused_requests_total{type="malformed-input"}'] == 1
    assert seen["upheld_turns_total"] == 6, "a turn that was told before is not told again"
    assert seen['upheld_verdicts_total{outcome="grounded",reason="none"}'] == 1
    assert seen['upheld_verdicts_total{outcome="ungrounded",reason="premise_lost"}'] == 1
    assert seen['upheld_verdicts_total{outcome="abstain",reason="none"}'] == 1
    assert (seen["upheld_open_conversations"], seen["upheld_live_streams"]) == (1, 1)
    assert seen["process_resident_memory_bytes"] > 0


def test_no_label_holds_what_somebody_chose(start: Start, keys: Keys) -> None:
    """Our promise: neither a tenant nor an id nor a word, so that series do not grow with use."""
    running = start(keys=keys.path, tenants=True, metrics_open=True)
    client = running.client(keys.texts["acme/writer"])
    garden(client, "unmistakable")
    client.get("/v1/conversations/unmistakable/explain?claim=o1")
    client.get("/unmistakable")
    client.get("/metrics")
    text = client.get("/metrics").body.decode()
    labels = set(re.findall(r'(\w+)="', text))
    assert labels == {"method", "route", "status", "le", "type", "kind", "outcome", "reason"} & labels
    assert {"method", "route", "status"} <= labels
    for word in ("unmistakable", "acme", "soil", "ann", "127.0.0.1"):
        assert word not in text


def test_numbers_are_for_an_admin_of_the_service_unless_they_are_open(start: Start, keys: Keys) -> None:
    """Our promise: they are of all tenants together, so that a tenant's own admin does not see them."""
    running = start(keys=keys.path, tenants=True)
    assert running.client().get("/metrics").status == 401
    assert [running.client(keys.texts[f"acme/{role}"]).get("/metrics").status for role in ("writer", "admin")] == [
        403
    ] * 2
    assert start().client().get("/metrics").headers["content-type"].startswith("text/plain; version=")
    asked = (
        start(keys=keys.path, tenants=True, metrics_open=True)
        .client()
        .get("/metrics", accept="application/openmetrics-text; version=1.0.0")
    )
    assert asked.body.endswith(b"# EOF\n")


@dataclass
class Collector:
    """A collector on loopback: what it was sent, decoded."""

    port: int
    spans: list[Any] = field(default_factory=list[Any])
    events: list[Any] = field(default_factory=list[Any])
    resources: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    raw: list[bytes] = field(default_factory=list[bytes])

    def take(self, path: str, body: bytes) -> None:
        """Take one export."""
        self.raw.append(body)
        if path == "/v1/traces":
            for part in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.resources.append(attributes(part.resource))
                self.spans += [span for scope in part.scope_spans for span in scope.spans]
        else:
            for part in ExportLogsServiceRequest.FromString(body).resource_logs:
                self.events += [record for scope in part.scope_logs for record in scope.log_records]

    def span(self, name: str) -> Any:
        """Wait for a span of this name."""
        return self._waited(lambda: [span for span in self.spans if span.name == name])

    def event(self, number: int) -> Any:
        """Wait for an event by its place."""
        return self._waited(lambda: self.events[number : number + 1])

    def _waited(self, look: Any) -> Any:
        deadline = time.monotonic() + PATIENCE
        while not (found := look()):
            assert time.monotonic() < deadline, [span.name for span in self.spans]
            time.sleep(0.02)
        return found[0]


def attributes(told: Any) -> Mapping[str, Any]:
    """Attributes of whatever has them."""
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in told.attributes}


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Generator[Collector]:
    """A collector that the standard variables name."""

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Take an export."""
            found.take(self.path, self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    found = Collector(port=server.server_address[1])
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{found.port}")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=trial")
    for name in ("OTEL_BSP_SCHEDULE_DELAY", "OTEL_BLRP_SCHEDULE_DELAY"):
        monkeypatch.setenv(name, "50")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_request_is_a_span_of_the_trace_that_its_caller_names(start: Start, collector: Collector) -> None:
    """W3C Trace Context, and the conventions for HTTP servers: the name is method and route, and no path."""
    running = start(telemetry="otlp")
    client = running.client()
    path = garden(client, "traced")
    client.post(f"{path}/verify", {"claims": [{"literal": "o1"}]}, traceparent=TRACEPARENT)
    asked = collector.span("POST /v1/conversations/{conversation}/verify")
    assert (asked.trace_id.hex(), asked.parent_span_id.hex(), asked.kind) == (TRACE, PARENT, 2)
    assert attributes(asked) == {
        "http.request.method": "POST",
        "http.route": "/v1/conversations/{conversation}/verify",
        "http.response.status_code": 200,
        "upheld.tenant": "default",
    }
    step = collector.span("verify")
    assert (step.trace_id, step.parent_span_id) == (asked.trace_id, asked.span_id)
    told = collector.span("POST /v1/conversations/{conversation}/turns")
    assert collector.span("append").trace_id == told.trace_id != asked.trace_id
    assert collector.resources[0] == {"service.name": "upheld", "deployment.environment.name": "trial"}
    client.tell(path, "ann", observe("o1", "Another soil."), traceparent="00-broken")
    running.house.tenancy.close()
    client.get(path)
    failed = collector.span("GET /v1/conversations/{conversation}")
    assert (attributes(failed)["error.type"], failed.status.code) == ("503", 2)
    running.stop()
    assert not any(b"soil" in each for each in collector.raw), "nothing of what was said"


def test_a_verdict_is_the_event_that_the_conventions_have_for_it(start: Start, collector: Collector) -> None:
    """Semantic conventions for generative AI, gen_ai.evaluation.result; what was not checked has no score."""
    running = start(telemetry="otlp")
    client = running.client()
    path = garden(client, "evaluated")
    client.post(f"{path}/verify", {"claims": [{"literal": "o1"}], "response": "resp-7"}, traceparent=TRACEPARENT)
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}})
    client.post(f"{path}/verify", {"claims": [RESTING]})
    client.post(f"{path}/verify", {"text": "Whatever might you mean by the soil?"})
    grounded, ungrounded, open_ = (collector.event(number) for number in range(3))
    assert (grounded.event_name, grounded.trace_id.hex()) == ("gen_ai.evaluation.result", TRACE)
    assert attributes(grounded) == {
        "gen_ai.evaluation.name": "upheld-grounded",
        "gen_ai.evaluation.score.label": "grounded",
        "gen_ai.evaluation.score.value": 1.0,
        "gen_ai.evaluation.explanation": "",
        "gen_ai.conversation.id": "evaluated",
        "gen_ai.response.id": "resp-7",
    }
    assert attributes(ungrounded)["gen_ai.evaluation.explanation"] == "premise_lost"
    assert attributes(ungrounded)["gen_ai.evaluation.score.value"] == 0.0
    assert attributes(open_)["gen_ai.evaluation.score.label"] == "abstain"
    assert "gen_ai.evaluation.score.value" not in attributes(open_)
    running.stop()
    assert not any(b"soil" in each for each in collector.raw)


def test_texts_are_sent_only_where_the_settings_say_so(start: Start, collector: Collector) -> None:
    """Our promise: what was said leaves the machine by a decision, and never by default."""
    client = start(telemetry="otlp", record_content=True).client()
    path = garden(client, "open")
    client.post(f"{path}/verify", {"text": "The soil of the left bed is dry.", "speaker": "bot"})
    assert collector.event(0).body.string_value == "The soil of the left bed is dry."


def test_a_collector_that_is_away_holds_up_no_request_and_no_end(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: what cannot be sent is lost, and nothing waits for it."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    running = start(telemetry="otlp")
    begun = time.monotonic()
    garden(running.client(), "alone")
    running.stop()
    assert time.monotonic() - begun < PATIENCE


def test_without_the_extra_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: what is named and not installed is told at the start."""

    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name, name="opentelemetry.sdk")

    monkeypatch.setattr(house, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"upheld\[telemetry\]"):
        house.opened_house(Settings(store="ephemeral:", telemetry="otlp"))


@pytest.mark.parametrize(
    ("header", "trace"),
    [
        (TRACEPARENT, TRACE),
        (f" {TRACEPARENT} ", TRACE),
        (f"cc-{TRACE}-{PARENT}-01-what-may-come", TRACE),
        (f"00-{TRACE}-{PARENT}-01-more", ""),
        (f"ff-{TRACE}-{PARENT}-01", ""),
        (f"00-{'0' * 32}-{PARENT}-01", ""),
        (f"00-{TRACE}-{'0' * 16}-01", ""),
        (f"00-{TRACE.upper()}-{PARENT}-01", ""),
        ("", ""),
    ],
)
def test_a_traceparent_is_read_as_its_specification_says(header: str, trace: str) -> None:
    """W3C Trace Context, 3.2: small digits, no nought for an id, and no version ff."""
    assert trace_named(header) == trace


@given(st.text(max_size=60) | st.tuples(*map(st.sampled_from, CHOICES)).map("-".join))
def test_whatever_comes_as_a_traceparent_names_a_trace_or_nothing(header: str) -> None:
    """Our promise: what stands in a log line as a trace is one, and nothing that somebody made up."""
    assert re.fullmatch(r"([0-9a-f]{32})?", trace_named(header))


def test_the_trace_of_a_caller_is_named_in_the_log_without_a_collector(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """Our promise: lines can be joined with the traces of others, whether this service sends any or not."""
    caplog.set_level("INFO", logger="upheld.server")
    client.get("/health/live", traceparent=TRACEPARENT)
    deadline = time.monotonic() + PATIENCE
    while not any(f"trace={TRACE}" in record.getMessage() for record in caplog.records):
        assert time.monotonic() < deadline
        time.sleep(0.01)
