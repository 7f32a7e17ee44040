"""What a request says in words where a server cannot be held to the shape of its reply."""

from __future__ import annotations

import json

from upheld.speech.models.prompts import wording
from upheld.speech.models.reply import Level
from upheld.speech.models.request import Message, Request, Role


def described(request: Request, level: Level) -> tuple[Message, ...]:
    """Give the messages to send: the instructions first, in one message, with the schema unless the server has it.

    One message, because the chat templates of many local servers take one system message, at the beginning, or none.
    """
    leading = 0
    while leading < len(request.messages) and request.messages[leading].role is Role.SYSTEM:
        leading += 1
    instructions = [message.text for message in request.messages[:leading]]
    if request.shape is not None and level is not Level.SCHEMA:
        schema = json.dumps(request.shape.schema, ensure_ascii=False, indent=1)
        instructions.append(wording("shape@1").replace("{schema}", schema))
    first = (Message(role=Role.SYSTEM, text="\n\n".join(instructions)),) if instructions else ()
    return (*first, *request.messages[leading:])
