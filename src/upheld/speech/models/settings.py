"""Which language model is asked, where, and for how long: given by a program, a file or the environment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from upheld.errors import MalformedInput

VARIABLES = {
    "UPHELD_MODEL": "name",
    "UPHELD_BASE_URL": "base_url",
    "UPHELD_API_KEY": "api_key",
    "UPHELD_MODEL_TIMEOUT": "timeout",
    "UPHELD_MODEL_DEADLINE": "deadline",
    "UPHELD_MODEL_RETRIES": "retries",
}
"""Environment variables, and the setting that each of them gives."""
_KINDS: dict[str, type[str] | type[int] | type[float]] = {
    "name": str,
    "base_url": str,
    "api_key": str,
    "timeout": float,
    "deadline": float,
    "retries": int,
}
_OURS = ("UPHELD_MODEL", "UPHELD_BASE", "UPHELD_API")


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """All that decides how a language model is reached.

    ``name`` is ``provider:model`` (``openai:gpt-4o``); with a ``base_url`` it is whatever the server there calls it.
    ``api_key`` is optional: providers read their own variable, local servers need none; it is in no ``repr``.
    ``timeout`` is in seconds for one attempt, ``deadline`` for all of them; ``retries`` come after the first attempt.

    Raises:
        MalformedInput: a setting is not what it must be; ``key`` names it.
    """

    name: str = ""
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    timeout: float = 60.0
    deadline: float = 180.0
    retries: int = 4

    def __post_init__(self) -> None:
        """Refuse what no call could be made with."""
        for key in ("timeout", "deadline"):
            seconds = getattr(self, key)
            if not (math.isfinite(seconds) and seconds > 0):
                raise MalformedInput(f"must be a number of seconds above 0, not {seconds}", key=key)
        if self.retries < 0:
            raise MalformedInput(f"must be 0 or more, not {self.retries}", key="retries")
        if self.base_url:
            _check_address(self.base_url)


def settings_of(given: Mapping[str, object]) -> GatewaySettings:
    """Give settings from a tree of strangers' data, such as a part of a YAML file.

    Raises:
        MalformedInput: an unknown key (the known ones are listed), or a value of another kind.
    """
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key not in _KINDS:
            raise MalformedInput(f"unknown setting; the known ones are {', '.join(_KINDS)}", key=key)
        values[key] = _as_kind_of(_KINDS[key], value, key)
    return GatewaySettings(**values)


def settings_from(environment: Mapping[str, str]) -> GatewaySettings:
    """Give settings from environment variables (:data:`VARIABLES`); empty ones count as absent.

    Raises:
        MalformedInput: a variable that starts like one of ours and is none, or a value of another kind.
    """
    given: dict[str, object] = {}
    for variable, value in environment.items():
        if variable in VARIABLES:
            given |= {VARIABLES[variable]: value} if value else {}
        elif variable.startswith(_OURS):
            raise MalformedInput(f"unknown setting; the known ones are {', '.join(VARIABLES)}", key=variable)
    return settings_of(given)


def _as_kind_of(wanted: type[str] | type[int] | type[float], value: object, key: str) -> str | int | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise MalformedInput(f"must be a {wanted.__name__}", key=key)
    try:
        read = wanted(value)
    except ValueError:
        read = None
    if read is None or (wanted is int and isinstance(value, float)) or (wanted is str and not isinstance(value, str)):
        raise MalformedInput(f"must be a {wanted.__name__}", key=key)
    return read


def _check_address(base_url: str) -> None:
    """Refuse an address that is none, or that carries a key: an address is logged by whoever is on the way."""
    parts = urlsplit(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise MalformedInput("must be an address such as http://localhost:8000/v1", key="base_url")
    if parts.username or parts.password or parts.query:
        raise MalformedInput("must carry no key: give it as the setting api_key", key="base_url")
