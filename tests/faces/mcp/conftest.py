"""A host and its language model, played by the client of the protocol's own SDK."""

from __future__ import annotations

import itertools
import json
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest

pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")
pytest.importorskip("fastapi", reason="the extra 'server' is not installed")

from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, TextContent

from upheld.faces.mcp.protocol import protocol_server
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.gate import Caller
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.house import House, opened_house
from upheld.faces.server.settings import settings_from

PATIENCE = 20
"""Seconds after which a test gives up."""

Answer = TypeVar("Answer")
Act = Callable[[Client], Awaitable[Answer]]

ERAS = ("auto", "legacy")
"""The protocol since 2026-07-28, and the handshake of the versions before it, which most hosts speak."""


def speak(to: Server[Any] | StdioServerParameters | str, act: Act[Answer], *, mode: str = "auto") -> Answer:
    """Be a host for as long as one act takes."""

    async def main() -> Answer:
        with anyio.fail_after(PATIENCE):
            async with Client(to, mode=mode, read_timeout_seconds=PATIENCE) as client:
                return await act(client)

    return anyio.run(main)


def refusal(to: Server[Any], act: Act[object]) -> MCPError:
    """Be a host that is refused with an error of the protocol."""

    async def refused(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await act(client)
        return caught.value

    return speak(to, refused)


def words(result: CallToolResult) -> str:
    """What a language model reads of an answer."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Calls the tools of one house, in one conversation."""

    house: House
    conversation: str
    role: Role = Role.WRITER

    @property
    def visit(self) -> Visit:
        """Who calls."""
        return Visit(house=self.house, caller=Caller(tenant="default", role=self.role, bucket=""))

    @property
    def server(self) -> Server[Any]:
        """The server that a host would start."""
        return protocol_server(lambda _: self.visit, conversation=self.conversation)

    @property
    def version(self) -> int:
        """How many entries the record has."""
        with self.visit.entered(self.conversation) as room:
            return room.conversation.version

    def call(self, name: str, **arguments: Any) -> CallToolResult:
        """Call one tool; the client holds the answer against the tool's schema."""

        async def act(client: Client) -> CallToolResult:
            return await client.call_tool(name, arguments)

        return speak(self.server, act)

    def ask(self, name: str, **arguments: Any) -> Mapping[str, Any]:
        """Call one tool that answers; its text is the same answer."""
        result = self.call(name, **arguments)
        assert not result.is_error, words(result)
        assert json.loads(words(result)) == result.structured_content
        return result.structured_content

    def refused(self, name: str, **arguments: Any) -> str:
        """Call one tool that refuses, and changes nothing; no trace of the inside is told."""
        before = self.version
        result = self.call(name, **arguments)
        assert (result.is_error, result.structured_content, self.version) == (True, None, before)
        assert "Traceback" not in words(result)
        return words(result)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    """A house on a new file."""
    there = tmp_path_factory.mktemp("store") / "t.db"
    made = opened_house(settings_from(environment={}, flags={"store": f"sqlite:///{there}", "text_characters": 500}))
    yield made
    made.close()


NUMBERS = itertools.count()


@pytest.fixture
def desk(house: House) -> Desk:
    """A desk in a conversation about two beds: h3 rests on o1, and is proposed by the assistant."""
    made = Desk(house=house, conversation=f"beds {next(NUMBERS)}/é".replace("/", "-"))
    agents = [{"id": "ann"}, {"id": "ben", "authority": True}, {"id": "bot", "kind": "assistant"}]
    made.ask("begin", id=made.conversation, title="Two beds", agents=agents)
    made.ask("observe", speaker="ann", text="The soil of the left bed is dry.")
    made.ask("observe", speaker="ben", text="The soil of the right bed is dry.")
    made.ask("propose", speaker="bot", text="The pump is off.", explains=["o1"], depends_on=["o1"])
    return made


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a store that is not there yet."""
    there: Path = tmp_path_factory.mktemp("store") / "own.db"
    return f"sqlite:///{there}"
