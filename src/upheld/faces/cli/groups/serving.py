"""The HTTP service: ``serve`` runs it, ``keys new`` makes a key for it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from upheld.errors import MissingExtra
from upheld.faces.cli.console import note, say_raw
from upheld.faces.cli.options import GROUNDED, command
from upheld.faces.server.admission.keys import Role, new_key
from upheld.record.stores.tenants import DEFAULT

_PARTS = {"fastapi", "starlette", "pydantic", "uvicorn", "anyio", "prometheus_client"}
"""What the extra brings; any other module that is missing is a fault."""

StoreName = Annotated[
    str,
    typer.Option(
        "--store", metavar="URL", help="Store: sqlite:///x.db or postgresql://user@host/database.", show_default=False
    ),
]
HostName = Annotated[
    str,
    typer.Option("--host", metavar="HOST", help="Where to listen; beyond loopback only with keys.", show_default=False),
]
PortNumber = Annotated[
    int | None,
    typer.Option("--port", metavar="N", help="Port (8600); 0 takes a free one.", show_default=False, max=65535),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="TOML file of settings; these flags win.", show_default=False),
]
KeysFile = Annotated[Path | None, typer.Option("--keys", metavar="FILE", help="TOML file of keys.", show_default=False)]
HasTenants = Annotated[bool, typer.Option("--tenants", help="Give each tenant a ledger of its own.")]
Reader = Annotated[
    str,
    typer.Option(
        "--interpreter",
        metavar="NAME",
        help="Who reads words: none, cues, local, llm or mixed.",
        show_default=False,
    ),
]
Matching = Annotated[
    str,
    typer.Option(
        "--matching", metavar="NAME", help="How claims are found: text, local, nli, llm or mixed.", show_default=False
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="Processes that serve (1).", show_default=False, min=1, max=256),
]
HasSample = Annotated[
    bool | None,
    typer.Option(
        "--sample/--no-sample",
        help="Put a sample conversation into an empty store (without keys: yes).",
        show_default=False,
    ),
]
IsQuiet = Annotated[bool, typer.Option("--quiet", help="No line for each request.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """What ``serve`` takes."""

    store: StoreName = ""
    host: HostName = ""
    port: PortNumber = None
    settings: SettingsFile = None
    keys: KeysFile = None
    has_tenants: HasTenants = False
    interpreter: Reader = ""
    matching: Matching = ""
    workers: WorkerCount = None
    sample: HasSample = None
    is_quiet: IsQuiet = False


@command(
    "serve",
    "Run the HTTP service.",
    "upheld serve --store sqlite:///incident.db",
    "upheld serve --store postgresql://upheld@db/upheld --tenants --keys keys.toml --host 0.0.0.0",
    "upheld serve --settings upheld.toml --workers 4",
)
def serve(options: ServeOptions) -> int:
    """Run the HTTP service, until a signal ends it.

    Every setting can stand in a TOML file, or in the environment with UPHELD_ before its name (UPHELD_STORE). Without
    a file of keys it listens on loopback only, and whoever is on this machine may read and write everything. What it
    acknowledged is on the disk, however it ends.

    Several workers share the port, and one that ends is started again; each has its own limits and open conversations.
    """
    named: dict[str, object] = {
        "store": options.store or None,
        "host": options.host or None,
        "port": options.port,
        "keys": options.keys,
        "tenants": options.has_tenants or None,
        "interpreter": options.interpreter or None,
        "matching": options.matching or None,
        "workers": options.workers,
        "sample": options.sample,
    }
    settings = _part("server.settings").settings_from(options.settings, flags=named)
    _part("service.running").serve(settings, note, is_quiet=options.is_quiet)
    return GROUNDED


def _part(name: str) -> Any:
    """Load a part of the server, which no other command pays for."""
    try:
        return import_module(f"upheld.faces.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PARTS:
            raise
        raise MissingExtra("server", needed_for="the HTTP service") from error


Tenant = Annotated[str, typer.Option("--tenant", metavar="NAME", help="Whose conversations it opens.")]
RoleName = Annotated[
    Role,
    typer.Option("--role", help="What its holder may do: ask, also write, or also erase."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKeyOptions:
    """What ``keys new`` takes."""

    tenant: Tenant = DEFAULT
    role: RoleName = Role.READER


@command(
    "keys new",
    "Make a key for the HTTP service.",
    "upheld keys new --tenant acme --role writer",
    "upheld keys new --role admin",
)
def keys_new(options: NewKeyOptions) -> int:
    """Make a key for the HTTP service, and print it once; the second line is the one for the file of keys.

    The file holds the key's SHA-256 under [keys], so that nobody can read it there, and nobody can give it again.
    """
    made = new_key(options.tenant, options.role)
    say_raw(f"{made.text}\n{made.line}\n")
    note("the key is shown this once; its line goes under [keys] in the file that --keys names")
    return GROUNDED
