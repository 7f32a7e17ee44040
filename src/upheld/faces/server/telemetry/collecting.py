"""Traces and verdicts sent to a collector (OpenTelemetry, OTLP over HTTP). Needs ``upheld[telemetry]``.

Where to, how often, and which traces are kept is read from the standard ``OTEL_…`` variables.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from threading import Thread

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from upheld.faces.server.telemetry.tracing import Answered, Judgement, RequestSpan

SERVICE = "upheld"
EVENT = "gen_ai.evaluation.result"
"""Source: semantic conventions for generative AI, Events; its attributes are named there too (status: development)."""

EVALUATION = "upheld-grounded"
"""What is evaluated: whether a text stands on what the conversation holds."""

SCORES: Mapping[str, float] = {"grounded": 1.0, "ungrounded": 0.0}
"""Of what could not be checked there is no score: any number would be taken for a verdict."""

PATIENCE = 3.0
"""Seconds that are spent on sending what is left when the service ends; the SDK would wait for half a minute."""


@dataclass(frozen=True, slots=True)
class _Sent:
    span: Span
    method: str

    @property
    def trace(self) -> str:
        """Id of its trace."""
        return f"{self.span.get_span_context().trace_id:032x}"

    def end(self, answered: Answered) -> None:
        """Name it as the conventions for HTTP servers do, by its method and its route."""
        self.span.update_name(f"{self.method} {answered.route}".strip())
        if answered.route:
            self.span.set_attribute("http.route", answered.route)
        self.span.set_attribute("http.response.status_code", answered.status)
        self.span.set_attribute("upheld.tenant", answered.tenant)
        if answered.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self.span.set_attribute("error.type", str(answered.status))
            self.span.set_status(StatusCode.ERROR)


class Collected:
    """Sends a span for each request and each of its steps, and an event for each verdict, in batches, off the road.

    A collector that does not answer costs what could not be sent, and no request its time.
    """

    def __init__(self, *, has_content: bool = False) -> None:
        """With ``has_content``, texts that were judged, and what would restore them, are sent as well."""
        resource = Resource({SERVICE_NAME: SERVICE}).merge(OTELResourceDetector().detect())
        self._has_content = has_content
        self._spans = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._events = LoggerProvider(resource=resource, shutdown_on_exit=False)
        self._events.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
        self._tracer = self._spans.get_tracer(SERVICE)
        self._logger = self._events.get_logger(SERVICE)
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Generator[RequestSpan]:
        """Begin the span of a request, in the trace that its ``traceparent`` names."""
        before = self._propagator.extract(headers)
        attributes = {"http.request.method": method}
        with self._tracer.start_as_current_span(
            method, context=before, kind=SpanKind.SERVER, attributes=attributes, record_exception=False
        ) as span:
            yield _Sent(span, method)

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        """Begin a span within the request's. Of an exception its kind is told, for its words may quote somebody."""
        with self._tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as span:
            try:
                yield
            except Exception as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(StatusCode.ERROR)
                raise

    def judge(self, judgement: Judgement) -> None:
        """Send a verdict as the event that the conventions have for it, within the span of its request."""
        told: dict[str, str | float] = {
            "gen_ai.evaluation.name": EVALUATION,
            "gen_ai.evaluation.score.label": judgement.outcome,
            "gen_ai.evaluation.explanation": self._explanation(judgement),
            "gen_ai.conversation.id": judgement.conversation,
        }
        if judgement.outcome in SCORES:
            told["gen_ai.evaluation.score.value"] = SCORES[judgement.outcome]
        if judgement.response:
            told["gen_ai.response.id"] = judgement.response
        text = (judgement.text or None) if self._has_content else None
        self._logger.emit(event_name=EVENT, attributes=told, body=text)

    def close(self) -> None:
        """Send what is left, and end the threads that send; a collector that does not answer is not waited for."""
        ending = [Thread(target=each.shutdown, daemon=True) for each in (self._spans, self._events)]
        for each in ending:
            each.start()
        for each in ending:
            each.join(PATIENCE)

    def _explanation(self, judgement: Judgement) -> str:
        reasons = ", ".join(judgement.reasons)
        return "; ".join((reasons, *judgement.restored_if)) if self._has_content else reasons
