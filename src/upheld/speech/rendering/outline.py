"""The state as bounded text, for the context window of a language model or a person's notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from upheld.errors import LimitExceeded
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.speech.rendering.lines import one_line

LEAST_BUDGET = 240
"""Characters that four headings with their omission lines need."""

_LONGEST_LINE = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineLine:
    """One proposition of an outline, with the turn that introduced it (or ended it, under *given up*)."""

    id: PropositionId
    text: str
    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a continuation may and may not rest on; each section in the order of the record, oldest first."""

    stands: tuple[OutlineLine, ...] = ()
    hypotheses: tuple[OutlineLine, ...] = ()
    given_up: tuple[OutlineLine, ...] = ()
    open_questions: tuple[OutlineLine, ...] = ()


def outline_text(outline: Outline, *, budget: int) -> str:
    """Write an outline in at most ``budget`` characters; what does not fit is counted, section by section.

    The newest lines of each section are kept, and the sections take turns, what was given up first: a reader who
    misses one claim that stands says less, a reader who misses one that was given up says something false.

    Raises:
        LimitExceeded: ``budget`` is under :data:`LEAST_BUDGET`.
    """
    if budget < LEAST_BUDGET:
        raise LimitExceeded(f"an outline needs a budget of {LEAST_BUDGET} characters or more, not {budget}")
    sections = _sections(outline)
    kept = _kept(sections, budget)
    return "".join(_section(heading, lines, kept[heading]) for heading, lines in sections.items() if lines)


def _sections(outline: Outline) -> Mapping[str, tuple[str, ...]]:
    return {
        "stands": _lines(outline.stands),
        "live hypotheses": _lines(outline.hypotheses),
        "given up (do not rely on)": _lines(outline.given_up),
        "open questions": _lines(outline.open_questions),
    }


def _lines(section: tuple[OutlineLine, ...]) -> tuple[str, ...]:
    return tuple(_line(line) for line in section)


def _line(line: OutlineLine) -> str:
    tail = f" ({one_line(line.turn, limit=40)})"
    return f"- {one_line(f'{line.id}: {line.text}', limit=_LONGEST_LINE - len(tail))}{tail}\n"


def _kept(sections: Mapping[str, tuple[str, ...]], budget: int) -> dict[str, int]:
    """Count the newest lines to keep of each section, so that the whole stays within the budget."""
    kept = dict.fromkeys(sections, 0)
    left = budget - sum(len(_section(heading, lines, 0)) for heading, lines in sections.items() if lines)
    order = sorted(sections, key=lambda heading: not heading.startswith("given up"))
    queues = [[(heading, line) for line in reversed(sections[heading])] for heading in order]
    is_full: set[str] = set()
    for heading, line in (pair for round in zip_longest(*queues) for pair in round if pair is not None):
        if heading in is_full:
            continue
        if len(line) > left:
            is_full.add(heading)
            continue
        kept[heading] += 1
        left -= len(line)
    return kept


def _section(heading: str, lines: tuple[str, ...], kept: int) -> str:
    omitted = len(lines) - kept
    note = f"… {omitted} earlier left out\n" if omitted else ""
    return f"{heading}:\n{note}{''.join(lines[omitted:])}"
