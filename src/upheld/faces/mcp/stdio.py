"""Over standard input and output, for a host that starts the program itself."""

from __future__ import annotations

import signal
import sys
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from upheld.conversation.events import Beginning
from upheld.faces.mcp.protocol import protocol_server
from upheld.faces.mcp.wire import Wire
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.gate import Caller
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.house import opened_house
from upheld.faces.server.settings import Settings
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId

ASSISTANT = Agent(id=AgentId("assistant"), kind=AgentKind.ASSISTANT)
"""Who is in a conversation that is begun here: the language model, which is no source by itself."""


def speak(settings: Settings, wire: Wire, *, conversation: str, tenant: str, role: Role) -> None:
    """Answer a host until it closes the wire; ``conversation`` is meant where it names none, and begun if need be.

    Raises:
        UpheldError: the store cannot be opened, or something that the settings name is missing.
    """
    house = opened_house(settings)
    try:
        visit = Visit(house=house, caller=Caller(tenant=tenant, role=role, bucket=""))
        if conversation:
            beginning = Beginning(agents=(ASSISTANT,)) if role.includes(Role.WRITER) else None
            with visit.entered(conversation, beginning=beginning):
                pass
        # A thread waits for the host's next line, and Python would wait for that thread. Whatever was answered is on
        # the disk, so the process may end at once, as it does by any other signal.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        anyio.run(_answer, protocol_server(lambda _: visit, conversation=conversation), wire)
    finally:
        house.close()
        sys.stdout.flush()


async def _answer(server: Server[Any], wire: Wire) -> None:
    incoming, outgoing = wire
    async with stdio_server(anyio.wrap_file(incoming), anyio.wrap_file(outgoing)) as (read, write):
        await server.run(read, write, server.create_initialization_options())
