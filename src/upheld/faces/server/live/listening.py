"""One listener's way through a conversation: what it is told in which order, and why that ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial

from starlette.concurrency import run_in_threadpool

from upheld.errors import DroppedConversation, StoreError, UpheldError
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.keys import Keyring
from upheld.faces.server.errors import sort_of
from upheld.faces.server.live.following import PAGE, Follower
from upheld.faces.server.live.pages import Sought
from upheld.faces.server.live.watching import Listener
from upheld.faces.server.models.events import Event, VerdictEvent


class Ending(Enum):
    """Why a listener is told nothing any more."""

    STOPPED = auto()
    """The service is about to end."""
    REVOKED = auto()
    """Its key opens nothing any more."""
    BROKEN = auto()
    """The record could not be read."""
    DROPPED = auto()
    """The record is gone, whole."""


@dataclass(slots=True, kw_only=True)
class Listening:
    """A listener with its place in the record. Whoever begins one leaves it."""

    visit: Visit
    follower: Follower
    listener: Listener
    ending: Ending = Ending.STOPPED
    _keyring: Keyring | None = field(default=None)

    @classmethod
    async def begun(cls, visit: Visit, conversation: str, *, after: int) -> Listening | None:
        """Begin to listen after an entry; ``None`` where too many listen already.

        Raises:
            UnknownConversation: there is none of that name.
        """
        follower = await run_in_threadpool(partial(Follower.begun, visit, conversation, after=after))
        house = visit.house
        listener = house.audience.join(visit.host.store, visit.caller.tenant, follower.conversation)
        if listener is None:
            return None
        return cls(visit=visit, follower=follower, listener=listener, _keyring=house.keyring)

    async def news(self) -> AsyncIterator[Event | VerdictEvent | None]:
        """Give what is new as it comes; nothing (``None``) after so many seconds of silence.

        Entries come in the order of the record, each once. Verdicts come between them when they are given; they are
        in no record, and who was not there does not hear of them.
        """
        house = self.visit.house
        while not house.stopping.is_set():
            if not self._is_admitted():
                self.ending = Ending.REVOKED
                return
            verdicts = self.listener.heard()
            try:
                page = await house.audience.pages.page(self._sought(), self.follower.look)
            except DroppedConversation:
                self.ending = Ending.DROPPED
                return
            except UpheldError as error:
                if isinstance(error, StoreError):
                    house.metrics.note_store_error(sort_of(error).slug)
                self.ending = Ending.BROKEN
                return
            self.follower.place = page.end
            for each in (*page.events, *verdicts):
                yield each
            has_more = len(page.events) == PAGE
            if not has_more and not await self.listener.is_woken(house.settings.heartbeat):
                yield None

    def leave(self) -> None:
        """Give the place back."""
        self.visit.house.audience.leave(self.listener)

    def _sought(self) -> Sought:
        listener = self.listener
        return Sought(
            tenant=listener.tenant,
            conversation=listener.conversation,
            record=self.follower.record,
            after=self.follower.place.after,
            version=listener.version,
        )

    def _is_admitted(self) -> bool:
        keyring, caller = self.visit.house.keyring, self.visit.caller
        if keyring is not self._keyring and keyring is not None and not keyring.has(caller.bucket, caller.tenant):
            return False
        self._keyring = keyring
        return True
