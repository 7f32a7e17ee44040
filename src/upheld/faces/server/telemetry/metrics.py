"""What the service counts, as Prometheus reads it.

No label holds a tenant, a conversation, an id or a word of anybody: such labels grow without end, and whoever may see
that a service is healthy need not learn who talks in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "WEBSOCKET"})
OTHER = "other"
"""A method that is none, a path that no route has, a problem without a name: strangers choose those."""

STORE_PROBLEMS = frozenset({"store", "damaged-record"})

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds: an answer from memory takes a few milliseconds, one that asks a language model many seconds."""


class Metrics:
    """The numbers of one service, in a registry of its own. Safe to call from several threads."""

    def __init__(self) -> None:
        """Begin at nought."""
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._seconds = Histogram(
            "upheld_request_seconds",
            "Seconds that a request took; of a stream, until it began.",
            ("method", "route", "status"),
            registry=registry,
            buckets=BUCKETS,
        )
        self._refused = Counter(
            "upheld_refused_requests", "Requests that met a problem, by its type.", ("type",), registry=registry
        )
        self._errors = Counter(
            "upheld_store_errors", "Times that the record could not be read or written.", ("kind",), registry=registry
        )
        self._turns = Counter("upheld_turns", "Turns that were put on record.", registry=registry)
        self._verdicts = Counter(
            "upheld_verdicts", "Verdicts, by outcome and first reason.", ("outcome", "reason"), registry=registry
        )
        self._open = Gauge("upheld_open_conversations", "Conversations that are held open now.", registry=registry)
        self._live = Gauge("upheld_live_streams", "Streams and sockets that are listened to now.", registry=registry)

    def watch(self, *, open_conversations: Callable[[], int], live_streams: Callable[[], int]) -> None:
        """Look at these when somebody asks."""
        self._open.set_function(open_conversations)
        self._live.set_function(live_streams)

    def note_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        known = method if method in METHODS else OTHER
        self._seconds.labels(known, route or OTHER, str(status)).observe(seconds)

    def note_problem(self, slug: str) -> None:
        """Count a refusal or a fault by the name of its type."""
        self._refused.labels(slug or OTHER).inc()
        if slug in STORE_PROBLEMS:
            self.note_store_error(slug)

    def note_store_error(self, kind: str) -> None:
        """Count that the record failed, also where no answer could say so any more."""
        self._errors.labels(kind).inc()

    def note_turn(self) -> None:
        """Count a turn that is on record now, and was not before."""
        self._turns.inc()

    def note_verdict(self, outcome: str, reasons: Sequence[str]) -> None:
        """Count a verdict."""
        self._verdicts.labels(outcome, reasons[0] if reasons else "none").inc()

    def told(self, accept: str) -> tuple[bytes, str]:
        """Give all of it in the form that is asked for (``Accept``), with the name of that form."""
        encode, kind = choose_encoder(accept)
        return encode(self._registry), kind
