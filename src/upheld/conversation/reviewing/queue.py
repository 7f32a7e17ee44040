"""The flags of a whole store as one queue, a page at a time."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace

from upheld.conversation.reviewing.review import Review, reviews_of
from upheld.errors import MalformedInput
from upheld.logic.language.identities import ConversationId, FlagId
from upheld.record.ledger.review.queue import FlagPlace, FlagQuery, flags_of, steps_of
from upheld.record.ledger.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePage:
    """Some flags in the order of the queue; ``last`` is the place to go on after, ``None`` where none is left."""

    reviews: tuple[Review, ...]
    last: FlagPlace | None


def queued(store: Store, query: FlagQuery) -> QueuePage:
    """Give a page of the queue: the most urgent first, and of these the newest. Cost: the entries of these flags."""
    places = flags_of(store, query)
    found = [_review_at(store, place) for place in places]
    return QueuePage(
        reviews=tuple(review for review in found if review is not None),
        last=places[-1] if len(places) == query.limit else None,
    )


def all_queued(store: Store, query: FlagQuery) -> Iterator[Review]:
    """Give every flag of a query, page by page. A flag that moves on meanwhile is given as it is when it is read."""
    page = queued(store, query)
    yield from page.reviews
    while page.last is not None:
        page = queued(store, replace(query, after=page.last))
        yield from page.reviews


def cursor_of(place: FlagPlace) -> str:
    """Give a place as a text that can stand in an address."""
    fields = [place.urgency, place.recorded_at, place.conversation, place.epoch, place.flag]
    return urlsafe_b64encode(json.dumps(fields, separators=(",", ":")).encode()).decode().rstrip("=")


def place_in(cursor: str) -> FlagPlace:
    """Read what :func:`cursor_of` gave; raises :class:`~upheld.errors.MalformedInput` for anything else."""
    try:
        fields = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, RecursionError) as error:
        raise MalformedInput("no place in the queue: give the `next` of a page", key="after") from error
    match fields:
        case [int(urgency), str(recorded_at), str(conversation), int(epoch), str(flag)]:
            return FlagPlace(
                conversation=ConversationId(conversation),
                epoch=epoch,
                flag=FlagId(flag),
                urgency=urgency,
                recorded_at=recorded_at,
            )
        case _:
            raise MalformedInput("no place in the queue: give the `next` of a page", key="after")


def _review_at(store: Store, place: FlagPlace) -> Review | None:
    """Give the flag at a place; a second one of the same name stands nowhere of its own."""
    found = reviews_of(steps_of(store, place.conversation, place.flag))
    return next((review for review in found if review.history[0].epoch == place.epoch), None)
