"""What is asked of a ledger and not of its conversation: ``verify``, ``head``, ``erase``, ``copy``, ``refile``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated

import typer

from upheld.conversation.erasing import erased
from upheld.conversation.searching.filing import refiled
from upheld.conversation.wiring import opened_store, without_password
from upheld.errors import (
    DamagedStore,
    MalformedInput,
    StoreError,
    VersionConflict,
)
from upheld.faces.cli.console import note, progress, say_json, say_lines
from upheld.faces.cli.groups.addresses import LedgerFile, Place
from upheld.faces.cli.options import GROUNDED, UNGROUNDED, AsJson, TenantName, command
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.record.ledger.chain import Head
from upheld.record.ledger.search import SearchableStore
from upheld.record.ledger.store import Store
from upheld.record.ledger.verifying import Audit, Fault, FaultKind, verified
from upheld.record.stores.tenants import DEFAULT

_HEAD = re.compile(r"(?:(\d+):)?([0-9a-f]{64})")
_SHOWN = 50
"""Faults of one conversation that are listed in text; JSON has them all."""

Named = Annotated[
    str,
    typer.Option("--conversation", metavar="NAME", help="Only this conversation of the file.", show_default=False),
]
Kept = Annotated[
    str,
    typer.Option(
        "--head", metavar="HEAD", help="What `ledger head` printed at an earlier time, kept elsewhere.",
        show_default=False,
    ),
]  # fmt: skip
Epochs = Annotated[
    list[int],
    typer.Option("--epoch", metavar="N", help="Erase the entry of this number; may be repeated.", show_default=False),
]
Turns = Annotated[
    list[str],
    typer.Option("--turn", metavar="TURN", help="Erase the words of this turn; may be repeated.", show_default=False),
]
ToTenant = Annotated[
    str,
    typer.Option(
        "--to-tenant", metavar="NAME", help="Whose ledger it is there; the same, if left out.", show_default=False
    ),
]
WithMeaning = Annotated[bool, typer.Option("--meaning", help="Of each turn, erase what it was taken to mean as well.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes on record.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who asks for it.", show_default=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyLedgerOptions:
    """What ``ledger verify`` takes."""

    file: LedgerFile
    conversation: Named = ""
    tenant: TenantName = DEFAULT
    head: Kept = ""
    is_json: AsJson = False


@command(
    "ledger verify",
    "Compute every digest and the chain again; name every fault.",
    "upheld ledger verify incident.db",
    "upheld ledger verify sqlite:///incident.db#night --head 42:9f8e…",
    "upheld ledger verify incident.db --json",
    "upheld ledger verify postgresql://reader@db.example/records#night",
)
def verify_ledger(options: VerifyLedgerOptions) -> int:
    """Compute every digest and the chain again; name every fault.

    Found are contents that were edited, emptied or brought back after an erasure, envelopes and digests that were
    forged, entries that are missing, doubled or moved, a damaged file, and an end that was cut off. A chain that was
    computed anew from some entry on is whole in itself: it is found with --head, a head that was kept out of reach.
    Entries from before the chain prove nothing about the time before the file was brought up to date. What was erased
    on record is no fault, and is counted.

    The file, or the database, is only read. Of a database every row is read, and its indexes are looked into where it
    has the extension amcheck. The status is 0 when it is whole, 1 when there is a fault, and 2 when there is no ledger
    to verify.
    """
    place = Place.of(options.file, options.conversation, tenant=options.tenant)
    expected = _head(options.head)
    try:
        with place.opened(is_read_only=True) as store:
            audits = _audits(store, place, expected)
            damage = store.damage()
    except DamagedStore as error:
        audits, damage = {}, (str(error),)
    faults = [Fault(kind=FaultKind.DAMAGED, epoch=0, message=line) for line in damage]
    is_whole = not faults and not any(found.faults for found in audits.values())
    if options.is_json:
        say_json(
            {
                "whole": is_whole,
                "faults": [_plain(fault) for fault in faults],
                "conversations": {name: _plain_audit(found) for name, found in audits.items()},
            }
        )
    else:
        say_lines(_lines(audits, faults))
    return GROUNDED if is_whole else UNGROUNDED


def _audits(store: Store, place: Place, expected: Head | None) -> dict[str, Audit]:
    if expected is not None:
        # Also of a conversation that is gone altogether: the head says that it was there.
        name = ConversationId(place.conversation) if place.conversation else place.only(store)
        names = (name,)
    else:
        names = place.names(store)
    audits: dict[str, Audit] = {}
    for name in names:
        with progress(f"verifying {name}") as advance:
            audits[name] = verified(store, name, expected=expected, progress=advance)
    return audits


def _lines(audits: dict[str, Audit], faults: list[Fault]) -> Iterator[str]:
    for fault in faults:
        yield f"{fault.kind}: {fault.message}"
    for name, found in audits.items():
        notes = [f"{found.entries} entries"]
        notes += [f"{found.erased} erased"] if found.erased else []
        notes += [f"{found.unsalted} from before salts"] if found.unsalted else []
        count = len(found.faults)
        verdict = f"{count} {'fault' if count == 1 else 'faults'}" if count else "whole"
        yield f"{name}: {verdict} ({', '.join(notes)}); head {_written(found.head)}"
        for fault in islice(found.faults, _SHOWN):
            where = f"entry {fault.epoch} " if fault.epoch else ""
            yield f"  {where}{fault.kind}: {fault.message}"
        if count > _SHOWN:
            yield f"  and {count - _SHOWN} more: --json lists them all"


def _plain_audit(found: Audit) -> dict[str, object]:
    return {
        "entries": found.entries,
        "erased": found.erased,
        "unsalted": found.unsalted,
        "head": _written(found.head),
        "faults": [_plain(fault) for fault in found.faults],
    }


def _plain(fault: Fault) -> dict[str, object]:
    return {"kind": fault.kind.value, "epoch": fault.epoch, "message": fault.message}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadOptions:
    """What ``ledger head`` takes."""

    file: LedgerFile
    conversation: Named = ""
    tenant: TenantName = DEFAULT
    is_json: AsJson = False


@command(
    "ledger head",
    "Print where a ledger ends, to be kept elsewhere.",
    "upheld ledger head sqlite:///incident.db#night",
    "upheld ledger head incident.db --json",
)
def ledger_head(options: HeadOptions) -> int:
    """Print where a ledger ends, to be kept elsewhere.

    A head is the number of the newest entry and its link, which is a hash over all before it. Whoever keeps one out of
    reach of those who write the file can prove later, by `ledger verify --head`, that nothing up to there was changed.
    Of a named conversation the head alone is printed, else a line for each.
    """
    place = Place.of(options.file, options.conversation, tenant=options.tenant)
    with place.opened(is_read_only=True) as store:
        heads = {name: _written(store.head(name)) for name in place.names(store)}
    if options.is_json:
        say_json(heads)
    elif place.conversation:
        say_lines(heads.values())
    else:
        say_lines(f"{head}  {name}" for name, head in heads.items())
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseOptions:
    """What ``ledger erase`` takes."""

    file: LedgerFile
    reason: Reason
    conversation: Named = ""
    tenant: TenantName = DEFAULT
    epochs: Epochs = field(default_factory=list[int])
    turns: Turns = field(default_factory=list[str])
    with_meaning: WithMeaning = False
    by: By = ""


@command(
    "ledger erase",
    "Erase contents for good, and put that on record.",
    "upheld ledger erase sqlite:///incident.db#night --turn T4 --by ana --reason 'asked for by the speaker'",
    "upheld ledger erase incident.db --epoch 12 --epoch 13 --reason 'a password'",
)
def erase(options: EraseOptions) -> int:
    """Erase contents for good, and put that on record.

    The text and its salt are overwritten, in the file and in its log, so that not even a guess of it can be confirmed.
    Number, time, digest and chain of the entry stay, and so does who spoke: the ledger is whole as before. What a turn
    was taken to mean is an entry of its own and stays, unless --meaning is given. What a later turn builds on is not
    erased before that turn's own meaning is. Copies of the file are not reached. A database
    deletes text and salt; their bytes stay in its free space, its log and its backups until these have had their time.
    """
    if not (options.epochs or options.turns):
        raise MalformedInput("say what is to be erased", key="--epoch or --turn")
    place = Place.of(options.file, options.conversation, tenant=options.tenant)
    with place.opened(is_read_only=False) as store:
        name = place.only(store)
        act = erased(
            store,
            name,
            reason=options.reason,
            by=AgentId(options.by) if options.by else None,
            epochs=options.epochs,
            turns=options.turns,
            with_meaning=options.with_meaning,
        )
    if act is None:
        note(f"{name}: nothing left to erase there")
    else:
        note(f"{name}: erased; entry {act.epoch} says so")
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class RefileOptions:
    """What ``ledger refile`` takes."""

    file: LedgerFile
    conversation: Named = ""
    tenant: TenantName = DEFAULT


@command(
    "ledger refile",
    "File anew, for search, what the records say.",
    "upheld ledger refile incident.db",
    "upheld ledger refile sqlite:///incident.db#night",
)
def refile(options: RefileOptions) -> int:
    """File anew, for search, what the records say of claims and of how they stood.

    Needed where a program that files nothing wrote to a conversation: until then no search looks into it. Without a
    named conversation, all that are not filed up to their end; a named one is filed anew in any case.
    """
    place = Place.of(options.file, options.conversation, tenant=options.tenant)
    with place.opened(is_read_only=False) as store:
        if not isinstance(store, SearchableStore):
            raise MalformedInput(f"{without_password(place.address)} keeps entries, and cannot search them")
        names = place.names(store) if place.conversation else store.unfiled()
        with progress("filing") as advance:
            for done, name in enumerate(names, start=1):
                epoch = refiled(store, name)
                if advance is not None:
                    advance(done, len(names))
                note(f"{name}: filed up to entry {epoch}")
    if not names:
        note("everything is filed up to its end")
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyOptions:
    """What ``ledger copy`` takes."""

    file: LedgerFile
    target: Annotated[
        str,
        typer.Argument(metavar="TO", help="Where to, written as FILE is; it is made if need be.", show_default=False),
    ]
    conversation: Named = ""
    tenant: TenantName = DEFAULT
    to_tenant: ToTenant = ""


@command(
    "ledger copy",
    "Copy records as they are: a backup, a restored one, a move to another store.",
    "upheld ledger copy incident.db backup.db",
    "upheld ledger copy incident.db postgresql://writer@db.example/records",
)
def copy(options: CopyOptions) -> int:
    """Copy records as they are kept, to make a backup, to restore one, or to move to another kind of store.

    Digests, chain, times, keys and what was erased are the same in the copy, so that a head which was kept elsewhere
    proves it too; a record that is not whole is not copied. What writers append meanwhile is not in it. A conversation
    that is in the copy already, up to the same entry, is left alone; one that has gone another way is an error, and
    nothing of it is changed.

    The status is 0 when the copy has every record, as it was when it was read.
    """
    place = Place.of(options.file, options.conversation, tenant=options.tenant)
    target = Place.of(options.target, "", tenant=options.to_tenant or options.tenant)
    with place.opened(is_read_only=True) as store, opened_store(target.address, tenant=target.tenant) as copied:
        names = place.names(store)
        with progress("copying") as advance:
            for done, name in enumerate(names, start=1):
                _copy(name, store, copied)
                if advance is not None:
                    advance(done, len(names))
    note(f"{len(names)} {'record' if len(names) == 1 else 'records'} in {without_password(target.address)}")
    return GROUNDED


def _copy(name: ConversationId, store: Store, copied: Store) -> None:
    kept = list(store.kept(name))
    there = copied.head(name)
    if kept and there == Head(epoch=kept[-1].envelope.epoch, chain=kept[-1].chain):
        return
    try:
        copied.adopt(name, kept)
    except VersionConflict as error:
        raise StoreError(f"{name!r} is there already, with another record: copy to a place of its own") from error
    if isinstance(copied, SearchableStore):
        refiled(copied, name)


def _head(text: str) -> Head | None:
    if not text:
        return None
    found = _HEAD.fullmatch(text.strip().lower())
    if found is None:
        raise MalformedInput("no head: write EPOCH:HASH, or the 64 digits of a link", key="--head")
    return Head(epoch=int(found[1] or 0), chain=found[2])


def _written(head: Head) -> str:
    return f"{head.epoch}:{head.chain}"
