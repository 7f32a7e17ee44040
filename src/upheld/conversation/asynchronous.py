"""The same conversation for code that awaits: no call blocks the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from upheld.conversation.conversation import Conversation
from upheld.conversation.questions import Snapshot
from upheld.conversation.what_if import WhatIf
from upheld.logic.reasoning.state import State

P = ParamSpec("P")
R = TypeVar("R")


def _awaited(
    method: Callable[Concatenate[Conversation, P], R],
) -> Callable[Concatenate[AsyncConversation, P], Awaitable[R]]:
    """Run a method of the conversation on a thread, one at a time."""

    @wraps(method)
    async def on_thread(self: AsyncConversation, /, *args: P.args, **kwargs: P.kwargs) -> R:
        async with self._turn:
            return await asyncio.to_thread(method, self.conversation, *args, **kwargs)

    return on_thread


class AsyncConversation:
    """A :class:`~upheld.conversation.conversation.Conversation` whose methods are awaited, under the same names.

    Calls are taken in the order in which they were made. ``at``, ``for_agent``, ``what_if`` and ``state`` answer
    from memory at once and are not awaited.
    """

    def __init__(self, conversation: Conversation) -> None:
        """Wrap a conversation; it must not be used from elsewhere meanwhile."""
        self.conversation = conversation
        self._turn = asyncio.Lock()

    @property
    def state(self) -> State:
        """The state now: a value, safe to keep."""
        return self.conversation.state

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
    refresh = _awaited(Conversation.refresh)
    save = _awaited(Conversation.save)
    close = _awaited(Conversation.close)
    verify = _awaited(Conversation.verify)
    status = _awaited(Conversation.status)
    affected = _awaited(Conversation.affected)
    directly_affected = _awaited(Conversation.directly_affected)
    review = _awaited(Conversation.review)
    explain = _awaited(Conversation.explain)
    brief = _awaited(Conversation.brief)
    roots = _awaited(Conversation.roots)
    nogoods = _awaited(Conversation.nogoods)
    believes = _awaited(Conversation.believes)
    knows = _awaited(Conversation.knows)
    holds = _awaited(Conversation.holds)
    commitments = _awaited(Conversation.commitments)
    open_questions = _awaited(Conversation.open_questions)
