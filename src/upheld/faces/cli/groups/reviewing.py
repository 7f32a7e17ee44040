"""The review queue of a store, in the group ``queue``: what waits for a person, and what they do about it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Annotated

import typer

from upheld.conversation.conversation import Conversation
from upheld.conversation.reviewing.erasing import erased_flag
from upheld.conversation.reviewing.gold import gold_item
from upheld.conversation.reviewing.looking import looked_at
from upheld.conversation.reviewing.queue import all_queued
from upheld.conversation.reviewing.review import Review
from upheld.conversation.wiring import opened_store, without_password
from upheld.errors import MalformedInput, UnknownConversation
from upheld.faces.cli.console import note, say_json, say_lines
from upheld.faces.cli.options import GROUNDED, AsJson, command
from upheld.faces.cli.rendering.reviews import flag_line, flag_lines
from upheld.faces.trees import review_tree, summary_tree
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.record.ledger.review.contents import ReviewOutcome
from upheld.record.ledger.review.queue import MOST_FLAGS, FlagQuery
from upheld.record.ledger.store import Store


class Status(StrEnum):
    """Which flags are listed."""

    OPEN = "open"
    DECIDED = "decided"
    ALL = "all"


_IS_DECIDED = {Status.OPEN: False, Status.DECIDED: True, Status.ALL: None}

StoreName = Annotated[
    str,
    typer.Argument(
        metavar="STORE", help="x.db, sqlite:///x.db or postgresql://user@host/database.", show_default=False
    ),
]
FlagName = Annotated[
    str, typer.Argument(metavar="FLAG", help="As `queue list` shows it: night/F1.", show_default=False)
]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who does it; it goes on record.")]
Perhaps = Annotated[str, typer.Option("--by", metavar="NAME", help="Who does it.", show_default=False)]
Expected = Annotated[
    int,
    typer.Option(
        "--expected-version", metavar="N", min=0, show_default=False,
        help="The version that was looked at; refused where somebody acted since.",
    ),
]  # fmt: skip
NOT_NAMED = 0
"""As a version: none was named, for a flag has one step at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOptions:
    """What ``queue list`` takes."""

    store: StoreName
    status: Annotated[Status, typer.Option("--status", help="What nobody decided, what somebody did, or all.")] = (
        Status.OPEN
    )
    assignee: Annotated[
        str, typer.Option("--assignee", metavar="NAME", help="Only what was given to them.", show_default=False)
    ] = ""
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="How many flags, at most.")] = 100
    is_json: AsJson = False


@command(
    "queue list",
    "List the replies that wait for a person, the worst first.",
    "upheld queue list incident.db",
    "upheld queue list incident.db --status decided --json",
    "upheld queue list postgresql://reader@db.example/records --assignee ana",
)
def list_queue(options: ListOptions) -> int:
    """List the replies of all conversations that wait for a person.

    What is put as a fact and does not stand comes first, then what is less than that, what could not be checked, and
    what somebody doubts that was found grounded; of each sort the newest first. The status is 0 whether or not
    anything waits.
    """
    query = FlagQuery(
        is_decided=_IS_DECIDED[options.status],
        assignee=AgentId(options.assignee) if options.assignee else None,
        limit=min(options.limit, MOST_FLAGS),
    )
    with _opened(options.store, is_read_only=True) as store:
        found = list(islice(all_queued(store, query), options.limit))
    if options.is_json:
        say_json({"flags": [summary_tree(review) for review in found]})
    else:
        say_lines(map(flag_line, found))
        if not found:
            note("nothing waits" if options.status is Status.OPEN else "nothing there")
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowOptions:
    """What ``queue show`` takes."""

    store: StoreName
    flag: FlagName
    is_json: AsJson = False


@command(
    "queue show",
    "Show a flagged reply with all that a reviewer needs.",
    "upheld queue show incident.db night/F1",
    "upheld queue show incident.db night/F1 --json",
)
def show_flag(options: ShowOptions) -> int:
    """Show a flagged reply: its claims as they were judged and as they stand now, and what was done about it.

    The two turns that matter are those that put forward what it rests on, and that ended it.
    """
    name, flag = _divided(options.flag)
    with _opened(options.store, is_read_only=True) as store:
        talk = _talk(store, options.store, name)
        _show(talk, talk.flagged(flag), is_json=options.is_json)
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOptions:
    """What ``queue add`` takes."""

    store: StoreName
    conversation: Annotated[
        str, typer.Argument(metavar="CONVERSATION", help="That the reply belongs to.", show_default=False)
    ]
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The reply.", show_default=False)]
    speaker: Annotated[
        str, typer.Option("--speaker", metavar="NAME", help="Who would say it, or said it.", show_default=False)
    ] = ""
    remark: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="What a reviewer should know.", show_default=False)
    ] = ""
    by: Perhaps = ""
    is_json: AsJson = False


@command(
    "queue add",
    "Put a reply before a person.",
    'upheld queue add incident.db night "Redis is down." --speaker bot --by ana',
)
def add_flag(options: AddOptions) -> int:
    """Put a reply before a person: it is verified as things stand, by its words, and filed with what is found.

    It changes no claim, and it may be grounded: people flag what they doubt.
    """
    with _opened(options.store) as store:
        talk = _talk(store, options.store, options.conversation)
        found = talk.flag(options.text, speaker=options.speaker or None, by=options.by or None, note=options.remark)
        _show(talk, found, is_json=options.is_json)
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignOptions:
    """What ``queue assign`` takes."""

    store: StoreName
    flag: FlagName
    to: Annotated[
        str, typer.Option("--to", metavar="NAME", help="To whom; left out, to all again.", show_default=False)
    ] = ""
    by: Perhaps = ""
    expected: Expected = NOT_NAMED


@command("queue assign", "Give a flag to somebody to look at.", "upheld queue assign incident.db night/F1 --to ana")
def assign_flag(options: AssignOptions) -> int:
    """Give a flag to somebody to look at, or back to all."""
    name, flag = _divided(options.flag)
    with _opened(options.store) as store:
        expected = options.expected or None
        talk = _talk(store, options.store, name)
        found = talk.assign(flag, options.to or None, by=options.by or None, expected=expected)
        say_lines([flag_line(found)])
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideOptions:
    """What ``queue decide`` takes."""

    store: StoreName
    flag: FlagName
    outcome: Annotated[
        ReviewOutcome, typer.Argument(help="grounded, ungrounded or could_not_tell.", show_default=False)
    ]
    by: By
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.", show_default=False)] = ""
    expected: Expected = NOT_NAMED


@command(
    "queue decide",
    "Decide a flag.",
    "upheld queue decide incident.db night/F1 ungrounded --by ana --reason 'the probe was wrong'",
    "upheld queue decide incident.db night/F1 grounded --by ben --expected-version 3",
)
def decide_flag(options: DecideOptions) -> int:
    """Decide a flag. To replace a decision, name the version that you saw; both stay on record."""
    name, flag = _divided(options.flag)
    with _opened(options.store) as store:
        talk = _talk(store, options.store, name)
        expected = options.expected or None
        found = talk.decide(flag, options.outcome, by=options.by, reason=options.reason, expected=expected)
        say_lines([flag_line(found)])
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentOptions:
    """What ``queue comment`` takes."""

    store: StoreName
    flag: FlagName
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The remark.", show_default=False)]
    by: By


@command(
    "queue comment", "Remark on a flag.", 'upheld queue comment incident.db night/F1 "Who read the probe?" --by ana'
)
def comment_on_flag(options: CommentOptions) -> int:
    """Remark on a flag; whoever looks at it sees the remark."""
    name, flag = _divided(options.flag)
    with _opened(options.store) as store:
        found = _talk(store, options.store, name).comment(flag, options.text, by=options.by)
        say_lines([flag_line(found)])
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseFlagOptions:
    """What ``queue erase`` takes."""

    store: StoreName
    flag: FlagName
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes on record.")]
    by: Perhaps = ""


@command(
    "queue erase",
    "Erase the words of a flag for good.",
    "upheld queue erase incident.db night/F1 --reason 'asked for by the speaker' --by ana",
)
def erase_flag(options: EraseFlagOptions) -> int:
    """Erase the words of a flag for good, comments and reasons included, and put that on record.

    That it was flagged, judged and decided stays, and by whom. What was said in the conversation is not touched, and
    copies of the store are not reached.
    """
    name, flag = _divided(options.flag)
    with _opened(options.store) as store:
        by = AgentId(options.by) if options.by else None
        act = erased_flag(store, ConversationId(name), flag, reason=options.reason, by=by)
    note(
        f"{options.flag}: nothing left to erase"
        if act is None
        else f"{options.flag}: erased; entry {act.epoch} says so"
    )
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """What ``queue export`` takes."""

    store: StoreName


@command("queue export", "Print what was decided as labels.", "upheld queue export incident.db > labels.jsonl")
def export_queue(options: ExportOptions) -> int:
    """Print what was decided as labels, a JSON object a line, in the fields of an annotated transcript's verify items.

    Replies whose words were erased are left out.
    """
    with _opened(options.store, is_read_only=True) as store:
        for review in all_queued(store, FlagQuery(is_decided=True, limit=MOST_FLAGS)):
            item = gold_item(review)
            if item is not None:
                say_json(item, is_line=True)
    return GROUNDED


@contextmanager
def _opened(name: str, *, is_read_only: bool = False) -> Generator[Store]:
    address = name if "://" in name else f"sqlite:///{name}"
    with opened_store(address, must_exist=True, is_read_only=is_read_only) as store:
        yield store


def _divided(flag: str) -> tuple[str, str]:
    conversation, slash, name = flag.rpartition("/")
    if not slash or not conversation or not name:
        raise MalformedInput(f"{flag!r} names no flag: write CONVERSATION/FLAG, such as night/F1", key="FLAG")
    return conversation, name


def _talk(store: Store, address: str, name: str) -> Conversation:
    if not store.version(ConversationId(name)):
        there = ", ".join(store.conversations()) or "none at all"
        raise UnknownConversation(f"{without_password(address)} has no conversation {name!r}; it has {there}")
    return Conversation(id=name, store=store, snapshot_every=0)


def _show(talk: Conversation, review: Review, *, is_json: bool) -> None:
    looked = looked_at(review, talk.timeline)
    if is_json:
        say_json(review_tree(looked, talk.state))
    else:
        say_lines(flag_lines(looked, talk.state))
