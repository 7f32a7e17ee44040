"""Stores in operation: ``ledger retain``, ``migrate``, ``tenants list`` and ``tenants drop``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

import typer

from upheld.conversation.hosting.retaining import Retained, retained
from upheld.conversation.wiring import is_address, opened_store, partitions_at, without_password
from upheld.errors import MalformedInput
from upheld.faces.cli.console import note, progress, say_json, say_lines
from upheld.faces.cli.groups.addresses import LedgerFile, Place
from upheld.faces.cli.options import BAD_INPUT, GROUNDED, AsJson, TenantName, command
from upheld.faces.trees import plain
from upheld.logic.language.identities import AgentId
from upheld.record.ledger.store import Store, system_clock
from upheld.record.stores.tenants import DEFAULT

_AGE = re.compile(r"([1-9][0-9]{0,5})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 168}

StoreFile = Annotated[
    str, typer.Argument(metavar="STORE", help="x.db, sqlite:///x.db or postgresql://user@host/database.")
]
StoreOption = Annotated[
    str, typer.Option("--store", metavar="URL", help="x.db, sqlite:///x.db or postgresql://user@host/database.")
]
IsDry = Annotated[bool, typer.Option("--dry-run", help="Tell what would be done, and do nothing.")]
OlderThan = Annotated[
    str,
    typer.Option("--older-than", metavar="AGE", help="Such as 90d, 12w or 36h, since somebody last spoke in it."),
]
KeepLast = Annotated[
    int,
    typer.Option("--keep-last", metavar="N", min=0, help="Keep the N that were spoken in last, whatever their age."),
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes on record.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who asks for it.", show_default=False)]
IsDropped = Annotated[
    bool, typer.Option("--drop", help="Drop the conversations whole, with all that is kept of them; print receipts.")
]
AllTenants = Annotated[bool, typer.Option("--all-tenants", help="The ledgers of all tenants, one after the other.")]
IsSure = Annotated[bool, typer.Option("--yes", help="Do it; without this it is only told what would go.")]
DroppedTenant = Annotated[str, typer.Argument(metavar="TENANT", help="Whose ledger goes.", show_default=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetainOptions:
    """What ``ledger retain`` takes."""

    file: LedgerFile
    older_than: OlderThan
    tenant: TenantName = DEFAULT
    keep_last: KeepLast = 0
    reason: Reason = "retention"
    by: By = ""
    is_dropped: IsDropped = False
    is_dry: IsDry = False
    is_json: AsJson = False


@command(
    "ledger retain",
    "Erase what was said in conversations that nobody spoke in for long.",
    "upheld ledger retain incident.db --older-than 90d --dry-run",
    "upheld ledger retain postgresql://keeper@db.example/records --tenant acme --older-than 52w --keep-last 100",
    "upheld ledger retain incident.db --older-than 52w --drop --json > receipts.json",
)
def retain(options: RetainOptions) -> int:
    """Erase what was said in conversations that nobody spoke in for long, for good, and put that on record.

    Words, meanings and what was taken back go, as `ledger erase` erases them; numbers, times, digests and the chain
    stay, and so does who took part: each conversation verifies as before, and has nothing in it. Give it to a timer.
    With --drop each goes whole, its name included, and a receipt is all that is left: how many entries went, the last
    link of the chain, who asked, why and when. A program that has it open is told so; what gets its name is another.

    Copies, backups and what a database keeps in its free space and its log are not reached.
    """
    before = datetime.fromisoformat(system_clock()) - _age(options.older_than)
    place = Place.of(options.file, "", tenant=options.tenant)
    with place.opened(is_read_only=options.is_dry) as store:
        acts = retained(
            store,
            before=before,
            keep_last=options.keep_last,
            reason=options.reason,
            by=AgentId(options.by) if options.by else None,
            is_dropped=options.is_dropped,
            is_dry=options.is_dry,
        )
        count = len(store.conversations())
        found: list[Retained] = []
        try:
            with progress("retaining") as advance:
                for each in acts:
                    found.append(each)
                    if advance is not None:
                        advance(len(found), count)
        finally:
            # A receipt is all that is left: what was done is told, though the next one could not be.
            _say_retained(found, options, before)
    return GROUNDED


def _say_retained(found: list[Retained], options: RetainOptions, before: datetime) -> None:
    if options.is_json:
        say_json({"before": before.isoformat(), "is_dry": options.is_dry, "conversations": plain(found)})
    else:
        say_lines(_retained_lines(found, verb="dropped" if options.is_dropped else "erased", is_dry=options.is_dry))


def _age(text: str) -> timedelta:
    found = _AGE.fullmatch(text)
    if found is None:
        raise MalformedInput(f"{text!r} is no age: write 36h, 90d or 12w", key="--older-than")
    return timedelta(hours=int(found[1]) * _HOURS[found[2]])


def _retained_lines(found: list[Retained], *, verb: str, is_dry: bool) -> Iterator[str]:
    gone = [each for each in found if each.erased]
    for each in gone:
        entries = f"{each.erased} {'entry' if each.erased == 1 else 'entries'}"
        yield f"{each.conversation}: last spoken in at {each.newest}; {entries} {_act(each, verb)}"
    for each in found:
        if not each.newest:
            yield f"{each.conversation}: when it was last spoken in cannot be read; it is left alone"
    kept = sum(1 for each in found if each.is_kept)
    empty = len(found) - len(gone) - kept
    yield f"{len(gone)} {'would be ' if is_dry else ''}{verb}, {kept} kept, {empty} empty before"


def _act(told: Retained, verb: str) -> str:
    receipt = told.receipt
    if receipt is not None:
        return f"dropped at {receipt.dropped_at}; its head was {receipt.entries}:{receipt.chain}"
    return f"{verb}; entry {told.act} says so" if told.act else f"would be {verb}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrateOptions:
    """What ``migrate`` takes."""

    store: StoreOption = "sqlite:///upheld.db"
    tenant: TenantName = DEFAULT
    all_tenants: AllTenants = False
    is_dry: IsDry = False
    is_json: AsJson = False


@command(
    "migrate",
    "Bring a store's schema up to date, or tell how old it is.",
    "upheld migrate --store incident.db --dry-run",
    "upheld migrate --store postgresql://upheld@db.example/records --all-tenants",
)
def migrate(options: MigrateOptions) -> int:
    """Bring the schema of a store up to this version's, each ledger whole or not at all.

    Whatever opens a store for writing does the same by itself, the service included; this is for whoever wants to do
    it first, or whose program may only read. A ledger of a newer version is refused, by this and by everything else.
    Make a copy before (`ledger copy` or one of the whole file): there is no way back.
    """
    address = _address(options.store)
    there = partitions_at(address)
    told: dict[str, dict[str, int]] = {}
    newer: list[str] = []
    for tenant in there.tenants() if options.all_tenants else (options.tenant,):
        schema = there.schema(tenant)
        told[tenant] = {"before": schema.found, "after": schema.found, "known": schema.known}
        if schema.found > schema.known:
            newer.append(tenant)
        elif not (schema.is_current or options.is_dry):
            opened_store(address, tenant=tenant).close()
            told[tenant]["after"] = there.schema(tenant).found
    if options.is_json:
        say_json(told)
    else:
        say_lines(_schema_line(tenant, each) for tenant, each in told.items())
    if newer:
        note(f"written by a newer version: {', '.join(newer)}; upgrade upheld")
    return BAD_INPUT if newer else GROUNDED


def _schema_line(tenant: str, told: dict[str, int]) -> str:
    before, after, known = told["before"], told["after"], told["known"]
    moved = f"schema {before}" if before == after else f"schema {before}, now {after}"
    return f"{tenant}: {moved} of {known}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTenantsOptions:
    """What ``tenants list`` takes."""

    store: StoreFile
    is_json: AsJson = False


@command(
    "tenants list",
    "List the tenants of a store, with what each has.",
    "upheld tenants list postgresql://upheld@db.example/records",
    "upheld tenants list incident.db --json",
)
def list_tenants(options: ListTenantsOptions) -> int:
    """List the tenants of a store, with how many conversations and entries each has.

    A tenant is there as soon as anything was opened for it: a file beside the SQLite file, or a schema of a database.
    """
    address = _address(options.store)
    there = partitions_at(address)
    told = {tenant: _counted(address, tenant) for tenant in there.tenants()}
    if options.is_json:
        say_json(told)
    else:
        for tenant, each in told.items():
            say_lines([f"{tenant}: {each['conversations']} conversations, {each['entries']} entries"])
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class DropTenantOptions:
    """What ``tenants drop`` takes."""

    store: StoreFile
    tenant: DroppedTenant
    is_sure: IsSure = False


@command(
    "tenants drop",
    "Delete the ledger of a tenant for good, and print a receipt.",
    "upheld tenants drop postgresql://upheld@db.example/records acme",
    "upheld tenants drop incident.db acme --yes > receipt.json",
)
def drop_tenant(options: DropTenantOptions) -> int:
    """Delete the ledger of a tenant with all its conversations for good, and print a receipt as JSON.

    The receipt has the tenant, how many conversations and entries went, and the head of each: what somebody kept of
    them proves later which record it was. Nothing of it can be brought back. Without --yes it is only told what would
    go, with status 2.

    Of SQLite the file goes, with its log; it is refused while any process has it open. Of a database the schema goes,
    in one transaction; a service that has it open is not noticed, and answers 503 for this tenant from then on. Take
    the tenant's keys away first, or it is made anew, and empty, with the next request.
    """
    address = _address(options.store)
    there = partitions_at(address)
    there.schema(options.tenant)
    receipt = {"store": without_password(address), "tenant": options.tenant, **_counted(address, options.tenant)}
    with opened_store(address, tenant=options.tenant, must_exist=True, is_read_only=True) as store:
        heads = {name: store.head(name) for name in store.conversations()}
    receipt["heads"] = {name: f"{head.epoch}:{head.chain}" for name, head in heads.items()}
    if options.is_sure:
        there.drop(options.tenant)
    say_json(receipt | {"is_dropped": options.is_sure})
    if not options.is_sure:
        note("nothing was deleted: say --yes to delete this for good")
    return GROUNDED if options.is_sure else BAD_INPUT


def _counted(address: str, tenant: str) -> dict[str, object]:
    with opened_store(address, tenant=tenant, must_exist=True, is_read_only=True) as store:
        return {"conversations": len(store.conversations()), "entries": _entries(store)}


def _entries(store: Store) -> int:
    return sum(store.version(name) for name in store.conversations())


def _address(store: str) -> str:
    return store if is_address(store) else f"sqlite:///{store}"
