"""Texts as the terms that an index counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from upheld.speech.matching.tokens import frame

Terms = Callable[[str], Sequence[str]]
"""Gives the terms of a text as they come, repeated ones repeated."""

_WORD = re.compile(r"[a-z0-9]+")


def plain_terms(text: str) -> Sequence[str]:
    """Give lower-case runs of letters and digits, nothing left out: what a baseline counts."""
    return _WORD.findall(text.casefold())


def stemmed_terms(text: str) -> Sequence[str]:
    """Give stems and values as the matcher reads them: no function words, ``three`` and ``3`` the same."""
    return frame(text).order
