"""Where one listener of a conversation is, from one connection to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from httpx2 import ServerSentEvent

from upheld.faces.client.request import within
from upheld.faces.server.models.events import Event, VerdictEvent

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
    """What is heard of a conversation; ``after`` is the last entry that was, so that none comes twice or is missed.

    Verdicts that are told between entries are passed over, unless ``has_verdicts`` asks for them.
    """

    conversation: str
    after: int
    has_verdicts: bool = False
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

    def heard(self, told: ServerSentEvent) -> Iterator[Event | VerdictEvent]:
        """Read what was sent; nothing comes of an entry that was heard before, or of what nobody asked for."""
        if told.retry is not None:
            self.wait = told.retry / 1000
        if not told.data:
            return
        if told.event == "verdict":
            # A verdict is in no record: it has no number to resume from, and is not told again.
            if self.has_verdicts:
                yield VerdictEvent.model_validate_json(told.data, extra="ignore")
            return
        event = Event.model_validate_json(told.data, extra="ignore")
        if event.epoch > self.after:
            self.after = event.epoch
            yield event
