"""Traces of Langfuse with their observations, lists of either, and pages of its interface (``data``).

A trace is a conversation: its generations by their beginning. Source: Langfuse, *Public API* (``TraceWithFullDetails``,
``ObservationsView``; openapi.yml, January 2026).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.merging import grouped
from upheld.speech.formats.exports.messages import INPUTS, OUTPUTS, hear_reply, hear_request
from upheld.speech.formats.exports.parts import words_of
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.traces import Step, conversation_of
from upheld.speech.formats.exports.values import (
    as_json,
    first_text,
    is_list,
    is_mapping,
    json_or_text,
    kind_and_record,
    listed,
    mapping,
    text,
    time_of,
)
from upheld.speech.formats.transcript import Transcript

Observation = Mapping[str, object]
_KINDS = frozenset(("GENERATION", "SPAN", "EVENT", "TOOL", "AGENT", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING",
                    "GUARDRAIL"))  # fmt: skip


def is_langfuse(head: Head) -> bool:
    """Tell whether a file has a trace with observations, or observations."""
    records = [*head.items, *listed(head.tree.get("data"))]
    return any(
        is_list(mapping(each).get("observations"))
        or (text(mapping(each).get("type")) in _KINDS and ("traceId" in mapping(each) or "trace_id" in mapping(each)))
        for each in records
    )


def read_langfuse(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read traces; of bare observations, each trace when its last was read."""
    if not any(is_list(mapping(each).get("observations")) for each in [*head.items, *listed(head.tree.get("data"))]):
        yield from _observations(source, head, tally)
        return
    for place, content in entries(source, head, tally, "data.item"):
        outer = mapping(content)
        if not is_list(outer.get("observations")):
            tally.damage(place, "a trace needs a list of observations")
            continue
        trace = mapping(outer.get("trace")) or outer
        found = [
            (f"{place}.observations[{count}]".lstrip("."), each)
            for count, each in enumerate(listed(outer["observations"]))
        ]
        steps = list(_steps(found, tally))
        if not any(step.said for step in steps):
            steps = [_call(trace, place, tally)]
        yield from conversation_of(steps, text(trace.get("id")), tally, title=text(trace.get("name")))


def _observations(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    def found(noted: Tally) -> Iterator[tuple[str, tuple[str, object]]]:
        for place, content in entries(source, head, noted, "data.item"):
            trace = first_text(mapping(content), "traceId", "trace_id")
            if trace:
                yield trace, (place, content)
            else:
                noted.damage(place, "an observation needs a traceId")

    for trace, observations in grouped(found, tally):
        yield from conversation_of(_steps(observations, tally), trace, tally)


def _steps(observations: list[tuple[str, object]], tally: Tally) -> Iterator[Step]:
    for place, content in observations:
        try:
            kind, observation = kind_and_record(content, "an observation")
        except MalformedInput as error:
            tally.damage(place, error.message)
            continue
        if kind == "GENERATION":
            yield _call(observation, place, tally)
        elif kind == "TOOL":
            yield _tool(observation, place, tally)
        else:
            tally.leave_out(f"{kind.casefold()} observation")


def _call(observation: Observation, place: str, tally: Tally) -> Step:
    dialogue = Dialogue(tally)
    sent, back = json_or_text(observation.get("input")), json_or_text(observation.get("output"))
    is_plain = is_mapping(sent) and "role" not in sent and not any(name in sent for name in INPUTS)
    if is_plain and sent:
        with dialogue.record(f"{place}.input"):
            dialogue.say("user", as_json(sent), role="user", at=_begun(observation))
    elif is_mapping(sent) and "role" in sent:
        hear_request(dialogue, [sent], f"{place}.input")
    elif sent is not None:
        hear_request(dialogue, sent, f"{place}.input")
    dialogue.date(_begun(observation))
    known = {"role", "content", "text", *OUTPUTS}
    if is_mapping(back) and back and not known & set(mapping(back)):
        back = as_json(back)
    if back is not None:
        hear_reply(dialogue, back, f"{place}.output")
        dialogue.date(first_text(observation, "endTime", "end_time"))
    return Step(order=_begun(observation), said=tuple(dialogue.said))


def _tool(observation: Observation, place: str, tally: Tally) -> Step:
    dialogue, name = Dialogue(tally), text(observation.get("name"))
    with dialogue.record(place):
        dialogue.call(name, observation.get("input"), at=_begun(observation))
        back = json_or_text(observation.get("output"))
        if back is not None:
            said = back if isinstance(back, str) else words_of(mapping(back).get("content", back), dialogue)
            dialogue.result(said, tool=name, at=first_text(observation, "endTime", "end_time"))
    return Step(order=_begun(observation), said=tuple(dialogue.said), is_tool=True)


def _begun(observation: Observation) -> str:
    return time_of(observation.get("startTime") or observation.get("start_time") or observation.get("timestamp"))
