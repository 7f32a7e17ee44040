"""Requests of a suite written to a file instead of being sent, one name for each."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.speech.models.request import Request
from upheld_evals.harness.suite import Suite


def requests_of(suite: Suite, *, limit: int = 0) -> Iterator[tuple[str, Request]]:
    """Give the requests of all arms that can tell them beforehand, each with the name under which its reply returns.

    Two arms may ask the same: the request is then given once, under its first name, since its reply is found by what
    was asked.
    """
    items = suite.items[:limit] if limit else suite.items
    given: set[str] = set()
    for arm in suite.arms:
        for item in items:
            for number, request in enumerate(suite.requests(arm, item), start=1):
                if request.key not in given:
                    given.add(request.key)
                    yield f"{suite.name}/{arm.name}/{item.conversation}/{item.id}/{number}".replace(" ", "-"), request
