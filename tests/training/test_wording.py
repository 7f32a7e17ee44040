"""The list of English words: what the training text gives, and what it leaves out."""

from __future__ import annotations

import json
from pathlib import Path

from upheld.speech.matching.language import english_words, is_formed_of
from upheld.speech.matching.lexicon import ENGLISH, FOREIGN, SHARED
from upheld_training.wording import LIST, MOST_BYTES, listed

TEXT = Path(__file__).parents[2] / "training" / "text"

ROWS = (
    {
        "domain": "a mill",
        "text": "Zora greased the bearings with grease; bearing 3 squeals, a squeal. See docs/manual.md, not-here.",
        "ops": ["observe"],
    },
    {"domain": "a mill", "turns": [{"says": "The millstone squealed, und the sluice gate jammed."}]},
    {"domain": "a farm", "claim": "The sluice jammed.", "candidate": "HARVEST is late.", "kind": "hypothesis"},
)


def written(folder: Path) -> list[Path]:
    """Write the sample as a file of training text."""
    path = folder / "sample.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return [path]


def test_words_are_taken_from_what_is_said_without_names_paths_and_forms(tmp_path: Path) -> None:
    """Names have capitals, paths are no words, and "bearings" and "squealed" are formed of what is there."""
    assert listed(written(tmp_path)) == ["bearing", "gate", "grease", "jammed", "late", "millstone", "sluice", "squeal"]


def test_a_word_of_fewer_documents_than_asked_for_is_left_out(tmp_path: Path) -> None:
    """A document is one domain of one file: what it says ten times counts once."""
    assert listed(written(tmp_path), fewest=2) == ["jammed", "sluice"]


def test_the_list_of_the_package_has_the_words_of_the_training_text() -> None:
    """What is listed from a part of the text is in the list that was made from all, or formed of what is there."""
    words = listed(sorted(TEXT.glob("lists-p.jsonl")))
    assert len(words) > 500
    assert [word for word in words if not is_formed_of(word, english_words())] == []
    assert LIST.stat().st_size <= MOST_BYTES
    assert not english_words() & (ENGLISH | FOREIGN | SHARED)
