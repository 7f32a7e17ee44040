"""The client for code that does not await."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from types import TracebackType
from typing import Concatenate, Literal, ParamSpec, Self, TypeVar, overload

import httpx2

from upheld.faces.client import calls, looking
from upheld.faces.client.address import TIMEOUT, URL, Address
from upheld.faces.client.attempts import RETRIES, Attempts
from upheld.faces.client.following import Following
from upheld.faces.client.problems import error_of
from upheld.faces.client.request import Request
from upheld.faces.server.models.events import Event, VerdictEvent

P = ParamSpec("P")
Answer = TypeVar("Answer")


def sent_by(build: Callable[P, Request[Answer]]) -> Callable[Concatenate[Client, P], Answer]:
    """Make a method of a call."""

    @wraps(build)
    def send(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        return self.send(build(*args, **kwargs))

    return send


class Client:
    """Asks a service: ``Client("https://upheld.example", key="upheld_acme_…")``. Safe to share between threads.

    Inside ``with`` its connections are kept for the next request; without it each request has one of its own. A request
    is tried again when the service is busy (as long as it says) or cannot be reached, and done once nevertheless: each
    that writes has an idempotency key, of yours or a new one.

    Every method raises what the library would: :class:`~upheld.errors.VersionConflict`,
    :class:`~upheld.errors.RefusedTurn`, :class:`~upheld.errors.MalformedInput` and the others; and
    :class:`~upheld.errors.ServiceError` where the service cannot be reached or refuses for a reason of its own.
    """

    def __init__(self, url: str = URL, *, key: str = "", timeout: float = TIMEOUT, retries: int = RETRIES) -> None:
        """Ask the service at an address, with a key where it wants one; ``retries`` are tries after the first.

        Raises:
            MalformedInput: no address that can be asked.
        """
        self._address = Address(url, key=key, timeout=timeout)
        self._retries = retries
        self._kept: httpx2.Client | None = None

    begin = sent_by(calls.begin)
    conversations = sent_by(calls.conversation_list)
    status = sent_by(calls.status)
    claims = sent_by(calls.claims)
    drop = sent_by(calls.drop)
    tell = sent_by(calls.tell)
    tell_all = sent_by(calls.tell_all)
    turns = sent_by(calls.turn_list)
    amend = sent_by(calls.amend)
    erase = sent_by(calls.erase)
    retract = sent_by(calls.retract)
    verify = sent_by(calls.verify)
    affected = sent_by(calls.affected)
    what_if = sent_by(calls.what_if)
    review = sent_by(calls.review)
    explain = sent_by(calls.explain)
    brief = sent_by(calls.brief)
    believe = sent_by(calls.believe)
    search = sent_by(calls.search)
    export = sent_by(calls.export)
    import_ = sent_by(calls.import_)
    history = sent_by(looking.history)
    compare = sent_by(looking.compare)
    claim = sent_by(looking.claim)
    queue = sent_by(looking.queue)
    flag = sent_by(looking.flag)
    flagged = sent_by(looking.flagged)
    assign = sent_by(looking.assign)
    decide = sent_by(looking.decide)
    comment = sent_by(looking.comment)
    labels = sent_by(looking.labels)

    @overload
    def follow(
        self, conversation: str, *, after: int = 0, has_verdicts: Literal[False] = False
    ) -> Generator[Event]: ...

    @overload
    def follow(self, conversation: str, *, after: int = 0, has_verdicts: bool) -> Generator[Event | VerdictEvent]: ...

    def follow(
        self, conversation: str, *, after: int = 0, has_verdicts: bool = False
    ) -> Generator[Event | VerdictEvent]:
        """Give each entry of a conversation after ``after`` as it arrives, without end, gap or repeat.

        A connection that is lost is opened again where it ended. With ``has_verdicts`` verdicts come between entries
        as they are given (``kind`` is ``verdict``). They are in no record: one that was given before, or while a
        connection was lost, or by another process of the service, is not told.

        Raises:
            UnknownConversation: there is none of that name.
            ServiceError: the service could not be reached several times in a row.
        """
        following, attempts = Following(conversation, after, has_verdicts), Attempts(self._retries)
        while True:
            try:
                with self._connected() as http, http.stream(**following.asked) as response:
                    wait = attempts.wait_after(response.status_code, response.headers)
                    if wait is None:
                        if not response.is_success:
                            raise error_of(response.status_code, response.read(), conversation=conversation)
                        attempts.begin_anew()
                        for told in httpx2.EventSource(response):
                            yield from following.heard(told)
                        wait = following.wait
            except httpx2.TransportError as error:
                wait = attempts.wait_after_loss(error)
            time.sleep(wait)

    def send(self, request: Request[Answer]) -> Answer:
        """Send a request, again where that may help, and read its answer."""
        attempts = Attempts(self._retries)
        while True:
            try:
                with self._connected() as http:
                    response = http.request(**request.asked)
                wait = attempts.wait_after(response.status_code, response.headers)
            except httpx2.TransportError as error:
                wait = attempts.wait_after_loss(error)
            else:
                if wait is None:
                    return request.answer(response)
            time.sleep(wait)

    def close(self) -> None:
        """Let go of the connections that were kept; the next request opens one anew."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def __enter__(self) -> Self:
        """Keep connections from now on."""
        self._kept = httpx2.Client(**self._address.asked)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of them."""
        self.close()

    @contextmanager
    def _connected(self) -> Generator[httpx2.Client]:
        if self._kept is not None:
            yield self._kept
        else:
            with httpx2.Client(**self._address.asked) as http:
                yield http
