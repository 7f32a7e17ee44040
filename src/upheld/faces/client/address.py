"""Where the service is, and as whom it is asked."""

from __future__ import annotations

from typing import TypedDict

import httpx2

from upheld.errors import MalformedInput

URL = "http://127.0.0.1:8600"
TIMEOUT = 60.0
"""Seconds that an answer may take: a language model may be asked for it."""


class Connecting(TypedDict):
    """What a connection to a service is made with."""

    base_url: str
    headers: dict[str, str]
    timeout: float


class Address:
    """One service, as both clients reach it."""

    def __init__(self, url: str, *, key: str, timeout: float) -> None:
        """Note where it is.

        Raises:
            MalformedInput: no address of HTTP.
        """
        try:
            parsed = httpx2.URL(url)
        except httpx2.InvalidURL as error:
            raise MalformedInput(str(error), key="url") from None
        if parsed.scheme not in {"http", "https"} or not parsed.host:
            raise MalformedInput(f"{url!r} is no address of a service, such as {URL}", key="url")
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self.asked = Connecting(base_url=url.rstrip("/"), headers=headers, timeout=timeout)
