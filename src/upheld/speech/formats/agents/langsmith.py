"""Runs of LangSmith: exported runs, JSON lines of them, or the batches that its clients send (``post``, ``patch``).

A trace is a conversation: its runs of language models in their dotted order. Messages may be dicts or dumps of
LangChain's. Source: langchain-ai/langsmith-sdk, ``RunBase``/``RunCreate`` (0.4, 2025) and its recorded payloads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.merging import grouped
from upheld.speech.formats.exports.messages import INPUTS, hear_messages, hear_reply, hear_request
from upheld.speech.formats.exports.parts import words_of
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.streaming import ITEM, records
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.traces import Step, conversation_of
from upheld.speech.formats.exports.values import as_json, first_text, listed, mapping, required, text, time_of
from upheld.speech.formats.transcript import Transcript

Run = Mapping[str, object]
_BATCH = ("post", "patch")
_ASKED = ("question", "query", "input", "text")
_ANSWERED = ("output", "answer", "result", "text")


def is_langsmith(head: Head) -> bool:
    """Tell whether a file has runs, or a batch of them."""
    runs = [*head.items, *(item for name in ("post", "runs") for item in listed(head.tree.get(name)))]
    return any("run_type" in mapping(run) and ("trace_id" in mapping(run) or "id" in mapping(run)) for run in runs)


def read_langsmith(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read traces, each when its last run was read."""

    def runs(noted: Tally) -> Iterator[tuple[str, tuple[str, Run]]]:
        for place, content in _runs(source, head, noted):
            try:
                run = required(content, "a run")
            except MalformedInput as error:
                noted.damage(place, error.message)
                continue
            trace = first_text(run, "trace_id", "id")
            if not trace:
                noted.damage(place, "a run needs a trace_id or an id")
                continue
            yield from ((trace, each) for each in _with_children(place, run))

    for trace, found in grouped(runs, tally):
        yield from conversation_of(_steps(_whole(found), tally), trace, tally)


def _runs(source: Source, head: Head, tally: Tally) -> Iterator[tuple[str, object]]:
    if not head.is_lines and any(name in head.tree for name in _BATCH):
        for name in _BATCH:
            yield from records(source, f"{name}.{ITEM}", tally)
        return
    for place, content in entries(source, head, tally, "runs.item", "data.item"):
        batch = mapping(content)
        if "run_type" in batch or not any(name in batch for name in _BATCH):
            yield place, content
            continue
        for name in _BATCH:
            for count, run in enumerate(listed(batch.get(name))):
                yield f"{place}.{name}[{count}]", run


def _with_children(place: str, run: Run) -> Iterator[tuple[str, Run]]:
    waiting = [run]
    while waiting:
        each = waiting.pop()
        yield place, each
        waiting.extend(mapping(child) for child in listed(each.get("child_runs")))


def _whole(found: list[tuple[str, Run]]) -> dict[str, tuple[str, Run]]:
    """Join what was posted and what was patched later, by the id or, where a patch has none, by the dotted order."""
    runs: dict[str, tuple[str, Run]] = {}
    ids: dict[str, str] = {}
    empty: Run = {}
    for place, run in found:
        dotted = text(run.get("dotted_order"))
        id = first_text(run, "id") or ids.get(dotted) or first_text(run, "dotted_order", "trace_id")
        ids.setdefault(dotted, id)
        earlier: Run = runs[id][1] if id in runs else empty
        kept = {name: value for name, value in run.items() if value or name not in earlier}
        runs[id] = (runs[id][0] if id in runs else place, {**earlier, **kept})
    return runs


def _steps(runs: Mapping[str, tuple[str, Run]], tally: Tally) -> Iterator[Step]:
    kinds = {text(run.get("run_type")) for _, run in runs.values()}
    for place, run in runs.values():
        kind = text(run.get("run_type"))
        order = text(run.get("dotted_order")) or time_of(run.get("start_time"))
        if kind == "llm":
            dialogue = Dialogue(tally)
            inputs, outputs = mapping(run.get("inputs")), mapping(run.get("outputs"))
            if not any(name in inputs for name in INPUTS) and inputs:
                tally.damage(f"{place}.inputs", "a run of a language model without messages")
            hear_request(dialogue, inputs, f"{place}.inputs")
            dialogue.date(time_of(run.get("start_time")))
            hear_reply(dialogue, outputs, f"{place}.outputs")
            dialogue.date(time_of(run.get("end_time")))
            yield Step(order=order, said=tuple(dialogue.said))
        elif kind == "tool":
            yield _tool(run, place, order, tally)
        elif "llm" not in kinds and not text(run.get("parent_run_id")):
            yield _root(run, place, order, tally)
        else:
            tally.leave_out(f"{kind or 'unknown'} run")


def _tool(run: Run, place: str, order: str, tally: Tally) -> Step:
    dialogue, name = Dialogue(tally), text(run.get("name"))
    inputs, outputs = mapping(run.get("inputs")), mapping(run.get("outputs"))
    with dialogue.record(place):
        single = inputs.get("input") if list(inputs) == ["input"] else inputs
        dialogue.call(name, single, at=time_of(run.get("start_time")))
        said = outputs.get("output", outputs.get("content", outputs))
        content = mapping(said).get("content", said)
        if outputs:
            dialogue.result(words_of(content, dialogue), tool=name, at=time_of(run.get("end_time")))
    return Step(order=order, said=tuple(dialogue.said), is_tool=True)


def _root(run: Run, place: str, order: str, tally: Tally) -> Step:
    """Give a chain without any recorded call to a language model by what went in and what came out."""
    dialogue = Dialogue(tally)
    inputs, outputs = mapping(run.get("inputs")), mapping(run.get("outputs"))
    if "messages" in inputs:
        hear_messages(dialogue, inputs["messages"], f"{place}.inputs.messages")
    elif inputs:
        with dialogue.record(f"{place}.inputs"):
            dialogue.say("user", first_text(inputs, *_ASKED) or as_json(inputs), role="user")
    if first_text(outputs, *_ANSWERED):
        hear_reply(dialogue, first_text(outputs, *_ANSWERED), f"{place}.outputs")
    elif outputs:
        hear_reply(dialogue, outputs, f"{place}.outputs")
    return Step(order=order, said=tuple(dialogue.said))
