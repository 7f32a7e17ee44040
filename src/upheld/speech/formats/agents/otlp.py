"""OTLP in JSON with GenAI spans or log records: what was said by the old and the new semantic conventions.

New (semantic-conventions 1.37, August 2025, and semantic-conventions-genai 0.1, 2026): ``gen_ai.input.messages``,
``gen_ai.output.messages`` and ``gen_ai.system_instructions``, on spans or on the event
``gen_ai.client.inference.operation.details``.
Old (1.28 to 1.36): events ``gen_ai.user.message``, ``gen_ai.choice`` and their like, on spans or as log records; before
that ``gen_ai.prompt.0.content`` (traceloop/openllmetry, 2024) and ``gen_ai.prompt`` in an event. Tools are the spans of
``execute_tool``, or those with ``tool.name``. OTLP/JSON itself: opentelemetry-proto 1.5 (2025).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.agents.otlp_spans import Attributes, attributes_of, step_of
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.merging import grouped
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.traces import conversation_of
from upheld.speech.formats.exports.values import first_text, listed, mapping, required, text
from upheld.speech.formats.transcript import Transcript

_TOPS = {"resourceSpans": "spans", "resource_spans": "spans", "resourceLogs": "logRecords"}
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs")
_RECORDS = ("spans", "logRecords", "log_records")


def is_otlp(head: Head) -> bool:
    """Tell whether a file has spans or log records by resource and scope."""
    return any(top in head.first for top in _TOPS)


def read_otlp(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read conversations by ``gen_ai.conversation.id``, and by trace where none is given."""

    def found(noted: Tally) -> Iterator[tuple[str, tuple[str, Mapping[str, object], Attributes]]]:
        for place, span in _spans(source, head, noted):
            try:
                tree = _span(span)
                attributes = attributes_of(tree)
            except MalformedInput as error:
                noted.damage(place, error.message)
                continue
            id = text(attributes.get("gen_ai.conversation.id")) or first_text(tree, "traceId", "trace_id")
            yield id or "trace", (place, tree, attributes)

    for id, spans in grouped(found, tally):
        steps = [step for each in spans if (step := step_of(*each, tally)) is not None]
        yield from conversation_of(steps, id, tally)


def _span(content: object) -> Mapping[str, object]:
    tree = required(content, "a span")
    if "attributes" not in tree and not first_text(tree, "traceId", "trace_id"):
        raise MalformedInput("a span needs a traceId")
    return tree


def _spans(source: Source, head: Head, tally: Tally) -> Iterator[tuple[str, object]]:
    """Give spans and records; of one large document each on its own, of lines all of a line."""
    if not head.is_lines and head.tree:
        top = next((name for name in _TOPS if name in head.tree), "resourceSpans")
        resource = mapping(next(iter(listed(head.tree.get(top))), None))
        scope = next((name for name in _SCOPES if name in resource), _SCOPES[0])
        kind = next(
            (name for name in _RECORDS if name in mapping(next(iter(listed(resource.get(scope))), None))), _TOPS[top]
        )
        yield from entries(source, head, tally, f"{top}.item.{scope}.item.{kind}.item")
        return
    for place, content in entries(source, head, tally):
        tree = mapping(content)
        if not any(top in tree for top in _TOPS):
            tally.damage(place, "neither spans nor log records")
        for top in _TOPS:
            for resource in map(mapping, listed(tree.get(top))):
                for scope in (each for name in _SCOPES for each in map(mapping, listed(resource.get(name)))):
                    for count, span in enumerate(each for name in _RECORDS for each in listed(scope.get(name))):
                        yield f"{place}, {_TOPS[top]}[{count}]", span
