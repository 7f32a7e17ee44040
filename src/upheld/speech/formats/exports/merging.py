"""One conversation out of many calls to a language model, each of which repeats what came before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from upheld.speech.formats.exports.dialogue import Dialogue, Said
from upheld.speech.formats.exports.tally import Tally

Record = TypeVar("Record")


def merge(dialogue: Dialogue, history: Sequence[Said]) -> None:
    """Add what a call has said beyond what is there.

    What both begin with is skipped; of the rest, what is the end of what is there (a window that slides). A call with
    nothing in common is another thread of the work, and added whole. Cost: linear where a history only grows; at worst
    the product of both lengths, for a window.
    """
    there = dialogue.said
    shared = min(len(there), len(history))
    shared = next((place for place, (a, b) in enumerate(zip(there, history, strict=False)) if a != b), shared)
    rest = history[shared:]
    if shared < len(there) and rest:
        rest = rest[_overlap(there, rest) :]
    there.extend(rest)


def _overlap(there: Sequence[Said], history: Sequence[Said]) -> int:
    """Give how much of a history's beginning is the end of what is there."""
    for start in range(max(0, len(there) - len(history)), len(there)):
        if there[start] == history[0] and list(there[start:]) == list(history[: len(there) - start]):
            return len(there) - start
    return 0


def grouped(
    records: Callable[[Tally], Iterable[tuple[str, Record]]], tally: Tally
) -> Iterator[tuple[str, list[Record]]]:
    """Give the records of each key together, as soon as its last was read.

    The file is read twice, so that no more is held than the groups that are open at the same time.
    """
    remaining = Counter(key for key, _ in records(Tally()))
    open_groups: dict[str, list[Record]] = {}
    for key, record in records(tally):
        open_groups.setdefault(key, []).append(record)
        remaining[key] -= 1
        if not remaining[key]:
            yield key, open_groups.pop(key)
