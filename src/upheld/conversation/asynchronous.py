"""The same conversation for code that awaits: no call blocks the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from upheld.conversation.asking.questions import Snapshot
from upheld.conversation.asking.what_if import WhatIf
from upheld.conversation.conversation import Conversation
from upheld.conversation.reading.reader import Reader
from upheld.conversation.timeline import Timeline
from upheld.logic.language.identities import ConversationId
from upheld.logic.language.propositions import Proposition
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.state import State
from upheld.record.ledger.chain import Head
from upheld.record.stores.tenants import DEFAULT

P = ParamSpec("P")
R = TypeVar("R")


def _awaited(
    method: Callable[Concatenate[Conversation, P], R],
) -> Callable[Concatenate[AsyncConversation, P], Awaitable[R]]:
    """Run a method of the conversation on the thread of its own."""

    @wraps(method)
    async def on_thread(self: AsyncConversation, /, *args: P.args, **kwargs: P.kwargs) -> R:
        context = copy_context()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.thread, lambda: context.run(method, self.conversation, *args, **kwargs))

    return on_thread


class AsyncConversation:
    """A :class:`~upheld.conversation.conversation.Conversation` whose methods are awaited, under the same names.

    Calls are taken one at a time, in the order in which they were made, from any event loop. A call that is cancelled
    after it began is carried to its end before the next begins; one that has not begun is dropped. ``at``,
    ``for_agent``, ``what_if`` and the properties answer from memory at once and are not awaited; but the first look
    back before the snapshot that a conversation was opened from reads the record there and then.
    """

    def __init__(self, conversation: Conversation) -> None:
        """Wrap a conversation; it must not be used from elsewhere meanwhile."""
        self.conversation = conversation
        # One thread and no asyncio.Lock: a lock belongs to one event loop, and a cancelled waiter would let go of it
        # while its call still runs.
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="upheld")

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        id: str = "conversation",
        tenant: str = DEFAULT,
        policy: SourcePolicy = PEOPLE_AND_TOOLS,
    ) -> AsyncConversation:
        """Open a conversation that a store has; raises like :meth:`Conversation.open`."""
        return cls(await asyncio.to_thread(Conversation.open, url, id=id, tenant=tenant, policy=policy))

    @property
    def id(self) -> ConversationId:
        """Name of the conversation in its store."""
        return self.conversation.id

    @property
    def version(self) -> int:
        """Number of entries of the record that the state rests on."""
        return self.conversation.version

    @property
    def seen(self) -> Head:
        """Where the record ends as far as it is known here."""
        return self.conversation.seen

    @property
    def state(self) -> State:
        """The state now: a value, safe to keep."""
        return self.conversation.state

    @property
    def reader(self) -> Reader:
        """Who reads the words, on which terms, and what is taken out of them first."""
        return self.conversation.reader

    @property
    def timeline(self) -> Timeline:
        """The events so far and the way back to earlier states."""
        return self.conversation.timeline

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """Everything in view, in the order in which it was put forward."""
        return self.conversation.propositions

    def at(self, turn: str) -> Snapshot:
        """Give the conversation as it was right after a turn."""
        return self.conversation.at(turn)

    def for_agent(self, agent: str) -> Snapshot:
        """Give the conversation as one agent was told it."""
        return self.conversation.for_agent(agent)

    def what_if(self) -> WhatIf:
        """Branch off to try changes."""
        return self.conversation.what_if()

    say = _awaited(Conversation.say)
    tell = _awaited(Conversation.tell)
    hear = _awaited(Conversation.hear)
    hear_session = _awaited(Conversation.hear_session)
    was_told = _awaited(Conversation.was_told)
    told_under = _awaited(Conversation.told_under)
    unread = _awaited(Conversation.unread)
    readers = _awaited(Conversation.readers)
    read_again = _awaited(Conversation.read_again)
    observe = _awaited(Conversation.observe)
    hypothesize = _awaited(Conversation.hypothesize)
    support = _awaited(Conversation.support)
    undermine = _awaited(Conversation.undermine)
    revise = _awaited(Conversation.revise)
    expand_awareness = _awaited(Conversation.expand_awareness)
    resolve = _awaited(Conversation.resolve)
    question = _awaited(Conversation.question)
    retract = _awaited(Conversation.retract)
    falsify = _awaited(Conversation.falsify)
    withdraw = _awaited(Conversation.withdraw)
    supersede = _awaited(Conversation.supersede)
    amend = _awaited(Conversation.amend)
    erase = _awaited(Conversation.erase)
    flag = _awaited(Conversation.flag)
    flags = _awaited(Conversation.flags)
    flagged = _awaited(Conversation.flagged)
    assign = _awaited(Conversation.assign)
    decide = _awaited(Conversation.decide)
    comment = _awaited(Conversation.comment)
    was_done = _awaited(Conversation.was_done)
    beginning = _awaited(Conversation.beginning)
    head = _awaited(Conversation.head)
    audit = _awaited(Conversation.audit)
    refresh = _awaited(Conversation.refresh)
    save = _awaited(Conversation.save)
    copy_to = _awaited(Conversation.copy_to)
    keep_snapshot = _awaited(Conversation.keep_snapshot)
    close = _awaited(Conversation.close)
    verify = _awaited(Conversation.verify)
    status = _awaited(Conversation.status)
    affected = _awaited(Conversation.affected)
    iter_affected = _awaited(Conversation.iter_affected)
    count_affected = _awaited(Conversation.count_affected)
    directly_affected = _awaited(Conversation.directly_affected)
    review = _awaited(Conversation.review)
    explain = _awaited(Conversation.explain)
    brief = _awaited(Conversation.brief)
    roots = _awaited(Conversation.roots)
    nogoods = _awaited(Conversation.nogoods)
    culprits = _awaited(Conversation.culprits)
    environments = _awaited(Conversation.environments)
    believes = _awaited(Conversation.believes)
    knows = _awaited(Conversation.knows)
    holds = _awaited(Conversation.holds)
    count_worlds = _awaited(Conversation.count_worlds)
    commitments = _awaited(Conversation.commitments)
    open_questions = _awaited(Conversation.open_questions)
