"""What a redactor is, and what it gives: the text without its secrets, and where each of them was."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

Span = tuple[int, int]
"""First and past-the-last character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """One place that was replaced: its span in the text as it came, its span now, what it was, and what stands there.

    The value itself is nowhere in it.
    """

    before: Span
    after: Span
    kind: str
    placeholder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A text without what was found in it; ``findings`` are in its order and do not overlap."""

    text: str
    findings: tuple[Redaction, ...] = field(default=())

    def before(self, offset: int) -> int:
        """Give where an offset of the text now was before; inside a placeholder, where the value began.

        So a span of the text now can be shown in the text as it came. Cost: linear in the findings.
        """
        return _moved(offset, [(each.after, each.before) for each in self.findings])

    def after(self, offset: int) -> int:
        """Give where an offset of the text as it came is now; inside a value, where its placeholder begins."""
        return _moved(offset, [(each.before, each.after) for each in self.findings])


class Redactor(Protocol):
    """Takes secrets and personal data out of a text.

    The same value gets the same placeholder as long as one redactor lives, so that what is said of it stays together;
    a text that was redacted comes back as it is.
    """

    def redact(self, text: str, /) -> Redacted:
        """Give the text with every finding replaced."""
        ...


def redacted(text: str, found: Iterable[tuple[int, int, str, str]]) -> Redacted:
    """Put a text together from what was found: start, end, kind and placeholder, in order, without overlaps."""
    parts: list[str] = []
    findings: list[Redaction] = []
    place = length = 0
    for start, end, kind, placeholder in found:
        parts += [text[place:start], placeholder]
        length += start - place
        span = (length, length + len(placeholder))
        findings.append(Redaction(before=(start, end), after=span, kind=kind, placeholder=placeholder))
        place, length = end, span[1]
    return Redacted(text="".join((*parts, text[place:])), findings=tuple(findings))


def _moved(offset: int, pairs: Sequence[tuple[Span, Span]]) -> int:
    place = bisect_right(pairs, offset, key=lambda pair: pair[0][0]) - 1
    if place < 0:
        return offset
    here, there = pairs[place]
    return there[0] if offset < here[1] else offset - here[1] + there[1]
