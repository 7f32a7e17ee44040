"""What an endpoint is given: the conversations of whoever asks, if they may do what it does."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, TypeVar, cast

from fastapi import Depends, Header, Path, Query, Request
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException

from upheld.conversation.asking.questions import Snapshot
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.conversation.hosting.host import Host, Room
from upheld.errors import LimitExceeded, UnknownReference, VersionConflict
from upheld.faces.server.admission.gate import Caller
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.house import House
from upheld.faces.server.settings import Settings
from upheld.logic.language.identities import AgentId
from upheld.logic.reasoning.state import State

Answer = TypeVar("Answer")

TRIES = 5
"""How often a write is tried again when another process came first, and the caller named no version."""

_BEARER = HTTPBearer(auto_error=False, description="upheld_<tenant>_<secret>")


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

    @contextmanager
    def entered(self, conversation: str, *, beginning: Beginning | None = None) -> Generator[Room]:
        """Be alone in a conversation; raises :class:`~upheld.errors.UnknownConversation`."""
        with self.host.entered(conversation, beginning=beginning) as room:
            yield room

    def state(self, conversation: str, at: str) -> State:
        """Give a conversation's state as of a turn, or now: a value, which may be asked without being alone."""
        with self.entered(conversation) as room:
            return room.conversation.at(at).state if at else room.conversation.state

    def snapshot(self, conversation: str, at: str) -> Snapshot:
        """Give a conversation as of a turn, or now, for questions that do not turn on who was told what."""
        return Snapshot(self.state(conversation, at))

    def require(self, needed: Role) -> None:
        """Refuse what needs more than the caller's role."""
        require_role(self.caller, needed)

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
    for _ in range(TRIES - 1):
        try:
            return act()
        except VersionConflict:
            if expected is not None:
                raise
            conversation.refresh()
    return act()


def require_agent(state: State, agent: str | None) -> AgentId | None:
    """Give an agent who takes part.

    Raises:
        UnknownReference: nobody of that name does.
    """
    if agent is not None and AgentId(agent) not in state.agents:
        raise UnknownReference(agent, where="those who take part")
    return None if agent is None else AgentId(agent)


def require_role(caller: Caller, needed: Role) -> None:
    """Refuse a caller whose role does not include another (403)."""
    if not caller.role.includes(needed):
        raise HTTPException(403, f"this needs a key of the role {needed.value}; this one is of {caller.role.value}")


def _admit(needed: Role) -> Callable[..., object]:
    async def admit(request: Request, _: Annotated[object, Depends(_BEARER)]) -> Visit:
        caller = cast("Caller", request.state.caller)
        require_role(caller, needed)
        return Visit(house=cast("House", request.app.state.house), caller=caller)

    return admit


Reading = Annotated[Visit, Depends(_admit(Role.READER))]
Writing = Annotated[Visit, Depends(_admit(Role.WRITER))]
Administering = Annotated[Visit, Depends(_admit(Role.ADMIN))]

Id = Annotated[str, Path(alias="conversation", description="Id of the conversation.", max_length=200)]
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
