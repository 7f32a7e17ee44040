"""``upheld mcp`` as a host starts it: a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from upheld.conversation.conversation import Conversation
from upheld.faces.mcp.calling import TOOLS
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import AgentId

from .conftest import ERAS, PATIENCE, speak, words

PROGRAM = ["-m", "upheld.faces.cli", "mcp"]


def program(*arguments: str) -> StdioServerParameters:
    """The command of a host's settings, with the library of these tests."""
    return StdioServerParameters(
        command=sys.executable, args=[*PROGRAM, *arguments], env={"PYTHONPATH": ":".join(sys.path)}
    )


@pytest.mark.parametrize("era", ERAS)
def test_a_host_starts_it_and_what_it_is_told_is_on_the_disk(address: str, era: str) -> None:
    """Issue 6, section 4: over standard input and output; the conversation is begun, and left whole."""

    async def act(client: Client) -> Any:
        assert "call `status`" in (client.instructions or "")
        assert client.server_info is not None
        assert client.server_info.name == "upheld"
        await client.call_tool("observe", {"speaker": "ann", "text": "The left bed is dry."})
        return await client.call_tool("verify", {"text": "The left bed is dry.", "speaker": "assistant"})

    result = speak(program("--store", address, "--conversation", era), act, mode=era)
    assert result.structured_content["outcome"] == "grounded"
    talk = Conversation.open(address, id=era)
    assert talk.state.agents[AgentId("assistant")].kind is AgentKind.ASSISTANT
    assert [each.text for each in talk.propositions] == ["The left bed is dry."]
    talk.close()


def test_a_reader_changes_nothing_and_begins_nothing(address: str) -> None:
    """Our promise: --role reader only asks, also when the conversation that it means is not there."""

    async def act(client: Client) -> Any:
        tools = await client.list_tools()
        return len(tools.tools), await client.call_tool("begin", {"id": "new"})

    count, result = speak(program("--store", address, "--role", "reader"), act)
    assert count < len(TOOLS)
    assert (result.is_error, words(result)) == (True, "this needs a key of the role writer; this one is of reader")
    told = subprocess.run(
        [sys.executable, *PROGRAM, "--store", address, "--role", "reader", "--conversation", "nowhere"],
        input="", capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (told.returncode, told.stdout) == (2, "")
    assert "there is no conversation 'nowhere'" in told.stderr


def test_a_tenant_has_a_ledger_of_its_own(address: str) -> None:
    """Our promise: --tenant opens the conversations of one tenant, and no other's."""

    async def act(client: Client) -> Any:
        return (await client.call_tool("list_conversations", {})).structured_content

    assert speak(program("--store", address, "--tenant", "acme"), act) == {"conversations": [], "next": None}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--store", "nothing"), "no address of a store"),
        (("--interpreter", "oracle"), "interpreter: Input should be"),
        (("--store", "ephemeral:", "--tenant", "../acme"), "names no tenant"),
        (("--settings", "nowhere.toml"), "the settings cannot be read"),
    ],
)
def test_what_cannot_be_opened_is_told_on_standard_error(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    """Our promise: one line of standard error, status 2, and not a byte where the host expects messages."""
    ended = subprocess.run(
        [sys.executable, *PROGRAM, *arguments, "--conversation", "night"],
        input="", capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr.count("upheld: ")) == (2, "", 1)
    assert told in ended.stderr


def test_an_interrupt_ends_it_although_the_host_says_nothing() -> None:
    """Our promise: a program in a terminal ends when it is told to, and does not wait for another line."""
    process = subprocess.Popen(
        [sys.executable, *PROGRAM, "--store", "ephemeral:"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) != 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(("module", "extra"), [("mcp", "mcp"), ("fastapi", "server")])
def test_without_the_extra_the_line_that_installs_it_is_told(module: str, extra: str) -> None:
    """Our promise: no trace of an import, but what to type."""
    code = f"import sys; sys.modules[{module!r}] = None; sys.argv[1:] = ['mcp']; import upheld.faces.cli as c; c.main()"
    ended = subprocess.run(
        [sys.executable, "-c", code], input="", capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"pip install 'upheld[{extra}]'" in ended.stderr
