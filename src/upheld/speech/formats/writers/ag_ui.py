"""Transcripts as the events of one AG-UI run, an event a line.

Everybody's words are text messages with a role, people's too: the protocol has them so, and needs no snapshot of
messages for them. Lost are: the name of an assistant in its calls, the tool of a result that answers no call, times
that :func:`milliseconds_of` cannot give, titles, operations and answers. Source: AG-UI protocol 1.0 and 1.1, *Text
Messages*, *Tool Calls*, *Runs and Steps* and ``schema.json`` (docs.ag-ui.com, 2026).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from upheld.speech.formats.exports.dialogue import TOOL
from upheld.speech.formats.exports.values import as_json, milliseconds_of
from upheld.speech.formats.fields import Tree
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writers.roles import Spoken, grouped, spoken

_RUN = "run_1"


def plain_ag_ui(transcript: Transcript) -> Iterator[Tree]:
    """Give the events of a run whose thread is the conversation, in their order. Cost: linear.

    A call names the message just before it as its parent, if the same assistant said it.
    """
    run: Tree = {"threadId": transcript.id, "runId": _RUN}
    yield {"type": "RUN_STARTED"} | run
    count = 0
    for group in grouped(spoken(transcript, prefix="call_")):
        yield from _events(group, first=count + 1)
        count += len(group)
    yield {"type": "RUN_FINISHED"} | run


def _events(group: Sequence[Spoken], *, first: int) -> Iterator[Tree]:
    parent: Tree = {}
    for count, each in enumerate(group, start=first):
        message: Tree = {"messageId": f"msg_{count}"}
        at = milliseconds_of(each.at)
        dated: Tree = {} if at is None else {"timestamp": at}
        if each.call is not None:
            name, arguments = each.call
            call: Tree = {"toolCallId": each.id}
            yield {"type": "TOOL_CALL_START", **call, "toolCallName": name, **parent, **dated}
            yield {"type": "TOOL_CALL_ARGS", **call, "delta": as_json(arguments)}
            yield {"type": "TOOL_CALL_END", **call}
        elif each.role == TOOL:
            yield {"type": "TOOL_CALL_RESULT", **message, "toolCallId": each.id, "content": each.text, **dated}
        else:
            parent = {"parentMessageId": message["messageId"]}
            named: Tree = {} if each.name == each.role else {"name": each.name}
            yield {"type": "TEXT_MESSAGE_START", **message, "role": each.role, **named, **dated}
            yield {"type": "TEXT_MESSAGE_CONTENT", **message, "delta": each.text}
            yield {"type": "TEXT_MESSAGE_END", **message}
