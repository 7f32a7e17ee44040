"""``python -m upheld_training.wording``: makes the list of English words of the package from the training text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from upheld.speech.matching.language import is_formed_of
from upheld.speech.matching.lexicon import ENGLISH, FOREIGN, SHARED, TELLING

REPOSITORY = Path(__file__).parents[3]
LIST = REPOSITORY / "src/upheld/speech/matching/english.txt"

FEWEST = 1
"""Documents that a word stands in. One is enough, as all of the text is English; with two, more notes are refused."""

MOST_BYTES = 40_000
"""What the list may take up in the package."""

_SAID = frozenset({"text", "says", "span", "claim", "candidate"})
_WORD = re.compile(r"(?<![\w'\u2019./@-])[a-z]{2,}(?![\w'\u2019/@]|[.-]\w)")
"""A whole word in lower case, which no name is, and no part of an address, a path or a word with a hyphen."""


def listed(paths: Iterable[Path], fewest: int = FEWEST) -> list[str]:
    """Give the words of the text in order, without function words and without forms of words that are listed."""
    documents: dict[str, set[tuple[str, str]]] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for text in _said(row):
                for word in _WORD.findall(text):
                    documents.setdefault(word, set()).add((path.stem, row["domain"]))
    found = {word for word, places in documents.items() if len(places) >= fewest}
    kept: set[str] = set()
    # The shortest first, so that a form comes after what it is formed of.
    for word in sorted(found - ENGLISH - TELLING - SHARED - FOREIGN, key=lambda word: (len(word), word)):
        if not is_formed_of(word, kept):
            kept.add(word)
    return sorted(kept)


def _said(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, str):
        yield from [value] if key in _SAID else []
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _said(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _said(inner, key)


def main() -> None:
    """Write the list anew."""
    words = listed(sorted((REPOSITORY / "training/text").glob("*.jsonl")))
    text = "".join(f"{word}\n" for word in words)
    if len(text) > MOST_BYTES:
        raise SystemExit(f"{len(text)} bytes are over {MOST_BYTES}: raise FEWEST, now {FEWEST}")
    LIST.write_text(text, encoding="utf-8")
    print(f"{len(words)} words, {len(text)} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
