"""Where one listener of a conversation is, from one connection to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from httpx2 import ServerSentEvent

from upheld.faces.client.request import within
from upheld.faces.server.models.events import Event

SILENCE = 60.0
"""Seconds without a sign of the service, which sends one every 15, after which a connection is taken for lost."""

RECONNECT = 1.0
"""Seconds after which a stream that ended is opened again, where the service does not say."""


class Listening(TypedDict):
    """One request for events as the network client takes it."""

    method: str
    url: str
    headers: Mapping[str, str]
    timeout: float


@dataclass(slots=True)
class Following:
    """What is heard of a conversation; ``after`` is the last entry that was, so that none comes twice or is missed."""

    conversation: str
    after: int
    wait: float = field(default=RECONNECT, init=False)

    @property
    def asked(self) -> Listening:
        """Give the request for what comes next, as the network client takes it."""
        return Listening(
            method="GET",
            url=within(self.conversation, "events"),
            headers={"accept": "text/event-stream", "last-event-id": str(self.after)},
            timeout=SILENCE,
        )

    def heard(self, told: ServerSentEvent) -> Iterator[Event]:
        """Read what was sent; nothing comes of what is no entry, or was heard before."""
        if told.retry is not None:
            self.wait = told.retry / 1000
        # A verdict is in no record: it has no number to resume from, and is not told again.
        if told.data and told.event != "verdict":
            event = Event.model_validate_json(told.data, extra="ignore")
            if event.epoch > self.after:
                self.after = event.epoch
                yield event
