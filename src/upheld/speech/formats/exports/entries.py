"""Records of a file, however they are strung together: one a line, in a list, under a key, or just one."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.streaming import ITEM, lines, records
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import is_list


def entries(source: Source, head: Head, tally: Tally, *paths: str) -> Iterator[tuple[str, object]]:
    """Give each record with its place; ``paths`` say where an object may keep them, the first that fits counts.

    An object that has none of them is the only record. Raises as :func:`records` and :func:`lines` do.
    """
    if head.is_lines:
        return lines(source, tally)
    if head.values and is_list(head.values[0]):
        return records(source, ITEM, tally)
    path = next((path for path in paths if path.split(".")[0] in head.tree), "")
    return records(source, path, tally)
