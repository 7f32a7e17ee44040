"""What came of an attempt that gave no reply, as a value: whether to try again, on other terms, or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from upheld.speech.models.reply import Usage

_LONGEST = 300
_SHORTEST_SECRET = 6
_SECRET_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
_SECRET_FORMS = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|key)[-_][\w*.-]{6,}|(?<=bearer )\S+|(?<=://)[^/\s@]+(?=@)", re.IGNORECASE
)


class Remedy(StrEnum):
    """What can be done about a failure: wait and send it again, send it on other terms, or nothing."""

    AGAIN = "again"
    OTHERWISE = "otherwise"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An attempt without a reply. ``said`` is what came back, ``advice`` what a person can do about it.

    ``wait`` is how many seconds the server asked to be left alone, ``usage`` what the attempt cost.
    """

    said: str
    advice: str
    remedy: Remedy
    status: int = 0
    wait: float | None = None
    usage: Usage = field(default_factory=Usage)


def without_secrets(text: str, secrets: Iterable[str] = ()) -> str:
    """Give a text on one line, at most 300 characters of it, with every key taken out.

    Keys are those given, the values of environment variables that are named like one, and what is formed like one:
    some servers quote the key that they refuse.
    """
    known = [value for name, value in os.environ.items() if _SECRET_NAMES.search(name)]
    for secret in sorted({*secrets, *known}, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "…")
    line = " ".join(_SECRET_FORMS.sub("…", text[: 10 * _LONGEST]).split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
