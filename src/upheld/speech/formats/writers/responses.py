"""Transcripts as the ``input`` of a request of OpenAI Responses: messages, ``function_call`` and its output.

Names of people and assistants, times, operations and answers have no place in it. Source: OpenAI API reference,
*Responses*, and ``types/responses/response_input_item_param.py`` of openai-python 3.57 (2026).
"""

from __future__ import annotations

from upheld.speech.formats.exports.dialogue import ASSISTANT, TOOL
from upheld.speech.formats.exports.values import as_json
from upheld.speech.formats.fields import Tree
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writers.roles import Spoken, spoken


def plain_responses(transcript: Transcript) -> Tree:
    """Give the ``input`` of a request, an item a turn; a ``model`` is for whoever sends it.

    What the assistant said is written as a reply has it, since a request may repeat no other. A result that answers no
    call bears the name of its tool, which an earlier version of the interface may refuse. Cost: linear.
    """
    turns = enumerate(spoken(transcript, prefix="call_"), start=1)
    return {"input": [_item(each, f"msg_{count}") for count, each in turns]}


def _item(each: Spoken, id: str) -> Tree:
    if each.call is not None:
        name, arguments = each.call
        return {"type": "function_call", "call_id": each.id, "name": name, "arguments": as_json(arguments)}
    if each.role == TOOL:
        named: Tree = {} if each.is_answer else {"name": each.name}
        return {"type": "function_call_output", "call_id": each.id, **named, "output": each.text}
    if each.role == ASSISTANT:
        part: Tree = {"type": "output_text", "text": each.text, "annotations": []}
        return {"type": "message", "id": id, "role": ASSISTANT, "status": "completed", "content": [part]}
    return {"type": "message", "role": each.role, "content": [{"type": "input_text", "text": each.text}]}
