"""Subscriptions: whoever listens is told that a conversation has grown, or that there is another one.

The store is looked at again and again, so that it is all one who wrote: this process, or another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import anyio
from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import SUBSCRIPTION_ID_META_KEY
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated, ServerEvent, event_to_notification
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    SubscriptionFilter,
    SubscriptionsAcknowledgedNotification,
    SubscriptionsAcknowledgedNotificationParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
)

from upheld.errors import UnknownReference, UpheldError
from upheld.faces.mcp.resources import Place, place_of
from upheld.faces.server.access import Visit
from upheld.logic.language.identities import ConversationId

WAIT = 0.25
"""Seconds between two looks."""

MOST = 100
"""Resources of one subscription."""

Versions = Mapping[str, int]
"""Of each URI, the number of entries behind it; for the list, of conversations."""


async def listening(
    visiting: Callable[[Any], Visit],
    context: ServerRequestContext[Any, Any],
    asked: SubscriptionsListenRequestParams,
) -> SubscriptionsListenResult:
    """Tell what changes until nobody listens, or the service ends; one stream of so many at once.

    Raises:
        MCPError: there are as many streams as the setting ``most_live`` allows.
    """
    visit = visiting(context.request)
    if context.request_id is None:
        raise MCPError(INVALID_REQUEST, "a subscription is a request, and has an id")
    if not visit.house.audience.has_let_in():
        most = visit.settings.most_live
        raise MCPError(INTERNAL_ERROR, f"{most} streams are open already: see the setting most_live")
    try:
        meta = {SUBSCRIPTION_ID_META_KEY: context.request_id}
        await _tell(visit, context, kept(asked.notifications), meta)
        return SubscriptionsListenResult(_meta=meta)
    finally:
        visit.house.audience.let_out()


def kept(asked: SubscriptionFilter) -> SubscriptionFilter:
    """Give what of a wish is kept: resources, and their list; tools and prompts never change."""
    uris = [uri for uri in asked.resource_subscriptions or () if _is_place(uri)][:MOST]
    return SubscriptionFilter(
        resources_list_changed=asked.resources_list_changed or None, resource_subscriptions=uris or None
    )


async def _tell(
    visit: Visit, context: ServerRequestContext[Any, Any], wish: SubscriptionFilter, meta: dict[str, Any]
) -> None:
    look = partial(_versions, visit, wish.resource_subscriptions or ())
    # Looked at before it is acknowledged: what happens from then on is told.
    before = await to_thread.run_sync(look)
    told = SubscriptionsAcknowledgedNotificationParams(notifications=wish, _meta=meta)
    await context.session.send_notification(
        SubscriptionsAcknowledgedNotification(params=told), related_request_id=context.request_id
    )
    while not visit.house.stopping.is_set():
        await anyio.sleep(WAIT)
        try:
            after = await to_thread.run_sync(look)
        except UpheldError:
            # Too late to refuse it: whoever listens again is told why.
            return
        for event in _events(wish, before, after):
            await context.session.send_notification(
                event_to_notification(event, meta), related_request_id=context.request_id
            )
        before = after


def _versions(visit: Visit, uris: Iterable[str]) -> Versions:
    store = visit.host.store
    places = {uri: place_of(uri).conversation for uri in uris}
    count = len(store.conversations())
    found = {uri: store.version(ConversationId(name)) if name else count for uri, name in places.items()}
    return found | {"": count}


def _events(wish: SubscriptionFilter, before: Versions, after: Versions) -> Iterable[ServerEvent]:
    if wish.resources_list_changed and before[""] != after[""]:
        yield ResourcesListChanged()
    yield from (ResourceUpdated(uri=uri) for uri, version in after.items() if uri and version != before[uri])


def _is_place(uri: str) -> bool:
    try:
        place: Place = place_of(uri)
    except UnknownReference:
        return False
    return bool(place.uri)
