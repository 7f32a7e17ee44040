"""The page about the protocol says what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from mcp_types import ResourceTemplate

from upheld.faces.cli.options import Command
from upheld.faces.cli.program import COMMANDS
from upheld.faces.mcp.calling import TOOLS
from upheld.faces.mcp.part import PATH
from upheld.faces.mcp.prompts import prompts
from upheld.faces.mcp.resources import ROOT, TEMPLATES


@pytest.fixture
def page(root: Path) -> str:
    """The text of the page."""
    return (root / "docs" / "how-to" / "serve-over-mcp.md").read_text("utf-8")


def test_the_page_names_every_tool_with_the_role_that_it_needs(page: str) -> None:
    """Our promise (docs/how-to/serve-over-mcp.md): its table is the list of tools."""
    found = re.findall(r"^\| `(\w+)` \| .* \| (reader|writer) \|$", page, re.MULTILINE)
    assert found == [(name, tool.needs.value) for name, tool in TOOLS.items()]


def test_the_page_names_every_resource_and_prompt(page: str) -> None:
    """Our promise: nothing is offered that the page does not tell of."""

    def bare(template: ResourceTemplate) -> str:
        return template.uri_template.removesuffix("{?after}")

    assert re.findall(r"^\| `(upheld://\S+)` \|", page, re.MULTILINE) == [ROOT, *map(bare, TEMPLATES)]
    assert all(f"`{each.name}`" in page for each in prompts())


def test_every_configuration_on_the_page_is_one_that_works(page: str) -> None:
    """Our promise: the files shown can be read, the command has these options, and the address is the service's."""
    local, remote = (
        json.loads(block)["mcpServers"]["upheld"] for block in re.findall(r"^```json\n(.*?)^```$", page, re.M | re.S)
    )
    command: Command = next(each for each in COMMANDS if each.name == local["args"][0])
    assert local["command"] == "upheld"
    options = {f"--{name}" for name in command.options.__dataclass_fields__}
    assert {each for each in local["args"] if each.startswith("--")} <= options
    assert remote["url"] == f"http://127.0.0.1:8600{PATH}"
