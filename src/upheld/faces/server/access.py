"""What an endpoint is given: the conversations of whoever asks, if they may do what it does."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Annotated, TypeVar, cast

from fastapi import Depends, Header, Path, Query, Request
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.exceptions import HTTPException

from upheld.conversation.asking.questions import Snapshot
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.conversation.hosting.host import Host, Room
from upheld.errors import LimitExceeded, StoreError, UnknownReference, VersionConflict
from upheld.faces.server.admission.gate import Caller
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.house import House
from upheld.faces.server.settings import Settings
from upheld.faces.server.telemetry.tracing import step
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.logic.reasoning.state import State

Answer = TypeVar("Answer")

SHORT = 1000
"""Claims of a conversation that may be asked without a thread of one's own; others would have to wait too long."""

TRIES, PATIENCE = 5, 5.0
"""How often at least, and for how many seconds, a write that names no version is tried when other processes come first.

Each time somebody else was told, so the whole does not stand still; a few tries alone lose one turn in 200 where 40
write to one conversation through two workers.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request: in whose house, and who asks."""

    house: House
    caller: Caller

    @property
    def settings(self) -> Settings:
        """The settings of the service."""
        return self.house.settings

    @property
    def host(self) -> Host:
        """The conversations of the caller's tenant."""
        return self.house.tenancy.host(self.caller.tenant)

    def require(self, needed: Role) -> None:
        """Refuse a caller who may not.

        Raises:
            HTTPException: 403, with the role that it takes.
        """
        role = self.caller.role
        if not role.includes(needed):
            raise HTTPException(403, f"this needs a key of the role {needed.value}; this one is of {role.value}")

    @contextmanager
    def entered(self, conversation: str, *, beginning: Beginning | None = None) -> Generator[Room]:
        """Be alone in a conversation; raises :class:`~upheld.errors.UnknownConversation`."""
        with self.host.entered(conversation, beginning=beginning) as room:
            yield room

    @asynccontextmanager
    async def at_hand(self, conversation: str) -> AsyncGenerator[Room | None]:
        """Be alone in a conversation without a thread; ``None`` where one has to be waited for, or it is long.

        A store over a network is asked beside the loop, where the conversation ends now, in one question for all who
        ask at once.
        """
        host = self.house.tenancy.known(self.caller.tenant)
        if host is None or not host.is_open(conversation):
            yield None
            return
        head = None
        if self.settings.is_remote:
            # Whoever asks by the usual way is told what is the matter with the store.
            with suppress(StoreError):
                head = await host.heads.of(ConversationId(conversation))
            if head is None:
                yield None
                return
        with host.at_hand(conversation, head) as room:
            yield room if room is not None and len(room.conversation.state.propositions) <= SHORT else None

    def state(self, conversation: str, at: str) -> State:
        """Give a conversation's state as of a turn, or now: a value, which may be asked without being alone."""
        with self.entered(conversation) as room:
            return room.conversation.at(at).state if at else room.conversation.state

    def snapshot(self, conversation: str, at: str) -> Snapshot:
        """Give a conversation as of a turn, or now, for questions that do not turn on who was told what."""
        return Snapshot(self.state(conversation, at))

    def check_text(self, text: str, key: str) -> None:
        """Refuse a text that is too long.

        Raises:
            LimitExceeded: over the setting ``text_characters``.
        """
        most = self.settings.text_characters
        if len(text) > most:
            raise LimitExceeded(f"{key}: {len(text)} characters, and the most is {most}")


def persistently(conversation: Conversation, act: Callable[[], Answer], *, expected: int | None = None) -> Answer:
    """Write to a conversation; where another process came first, again, unless the caller named a version.

    Raises:
        VersionConflict: it is not at the version that was expected, or others came first each time.
    """
    if expected is not None and expected != conversation.version:
        raise VersionConflict(conversation.id, expected=expected, found=conversation.version)
    begun, tried = time.monotonic(), 0
    with step("append"):
        while True:
            try:
                return act()
            except VersionConflict:
                tried += 1
                if expected is not None or (tried >= TRIES and time.monotonic() - begun >= PATIENCE):
                    raise
                conversation.refresh()


def require_agent(state: State, agent: str | None) -> AgentId | None:
    """Give an agent who takes part.

    Raises:
        UnknownReference: nobody of that name does.
    """
    if agent is not None and AgentId(agent) not in state.agents:
        raise UnknownReference(agent, where="those who take part")
    return None if agent is None else AgentId(agent)


class Admission(SecurityBase):
    """Lets a request in whose caller has a role. It is itself the scheme that is described, to be asked only once."""

    def __init__(self, needed: Role) -> None:
        """Let in whoever may do what needs this role."""
        self.model = HTTPBearer(description="upheld_<tenant>_<secret>")
        self.scheme_name = "HTTPBearer"
        self._needed = needed

    async def __call__(self, request: Request) -> Visit:
        """Give the visit of one request; the gate has found out who asks."""
        visit = Visit(house=cast("House", request.app.state.house), caller=cast("Caller", request.state.caller))
        visit.require(self._needed)
        return visit


Reading = Annotated[Visit, Depends(Admission(Role.READER))]
Writing = Annotated[Visit, Depends(Admission(Role.WRITER))]
Administering = Annotated[Visit, Depends(Admission(Role.ADMIN))]

Id = Annotated[str, Path(alias="conversation", description="Id of the conversation.", max_length=200)]
TurnName = Annotated[str, Path(alias="turn", description="Id of the turn.", max_length=200)]
At = Annotated[str, Query(description="Ask as of right after this turn; now, if it is left out.", max_length=200)]
Claim = Annotated[str, Query(description="Id of a claim, such as o9.", min_length=1, max_length=200)]
Limit = Annotated[int, Query(description="How many at most.", ge=1, le=1000)]
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        description="The same key again means the same request again: it is done once.",
        max_length=200,
    ),
]
