"""``mcp``: the Model Context Protocol over standard input and output, for a host that starts the program itself."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer

from upheld.errors import MissingExtra
from upheld.faces.cli.groups.serving import Matching, Reader, SettingsFile, StoreName
from upheld.faces.cli.options import GROUNDED, command
from upheld.faces.mcp.wire import claimed_wire
from upheld.faces.server.admission.keys import Role
from upheld.record.stores.tenants import DEFAULT

_EXTRAS = {"mcp": "mcp", "mcp_types": "mcp", "fastapi": "server", "starlette": "server", "pydantic": "server"}
"""Which extra brings a module; any other that is missing is a fault."""

Meant = Annotated[
    str,
    typer.Option(
        "--conversation",
        metavar="ID",
        help="The conversation that is meant where a call names none; begun if there is none of that name.",
        show_default=False,
    ),
]
Tenant = Annotated[str, typer.Option("--tenant", metavar="NAME", help="Whose conversations are opened.")]
RoleName = Annotated[Role, typer.Option("--role", help="What may be done: only ask, or also tell and take back.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolOptions:
    """What ``mcp`` takes."""

    store: StoreName = ""
    conversation: Meant = ""
    tenant: Tenant = DEFAULT
    role: RoleName = Role.WRITER
    settings: SettingsFile = None
    interpreter: Reader = ""
    matching: Matching = ""


@command(
    "mcp",
    "Speak the Model Context Protocol with a host.",
    "upheld mcp --store sqlite:////srv/upheld/incident.db --conversation night",
    "upheld mcp --store postgresql://upheld@db/upheld --tenant acme --role reader",
)
def mcp(options: ProtocolOptions) -> int:
    """Speak the Model Context Protocol over standard input and output, until the host closes them.

    A host (an editor, a chat program) starts this itself; its language model then has tools to put claims on record, to
    verify a reply before it is sent, and to ask what a change would do. Standard output carries messages of the
    protocol and nothing else: whatever is logged or printed goes to standard error. Settings are those of serve.
    """
    # Before anything else is loaded: whatever that prints is no message.
    wire = claimed_wire()
    stdio = _part("stdio")
    named: dict[str, object] = {
        "store": options.store or None,
        "interpreter": options.interpreter or None,
        "matching": options.matching or None,
    }
    settings = import_module("upheld.faces.server.settings").settings_from(options.settings, flags=named)
    stdio.speak(settings, wire, conversation=options.conversation, tenant=options.tenant, role=options.role)
    return GROUNDED


def _part(name: str) -> Any:
    """Load a part of the face, which no other command pays for."""
    try:
        return import_module(f"upheld.faces.mcp.{name}")
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        raise MissingExtra(extra, needed_for="the Model Context Protocol") from error
