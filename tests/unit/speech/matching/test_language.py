"""What is read as English: notes and whole sentences of many languages, half of them kept out of choosing the weights.

In `languages.tsv` each line has its part, its language and its text: ``chosen`` served to choose the weights, ``kept``
did not, ``fresh`` was written when they stood. All of it was written for this test.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.matching.language import english_words, is_english, is_formed_of
from upheld.speech.matching.lexicon import ENGLISH, FOREIGN, SHARED, TELLING

FILE = Path(__file__).with_name("languages.tsv")
LINES = [tuple(line.split("\t")) for line in FILE.read_text(encoding="utf-8").splitlines()]
PARTS = ("chosen", "kept", "fresh")
TALKS = sorted((Path(__file__).parents[3] / "conversations" / "dev").glob("*.yaml"))
RIGHT = 0.96
LIMIT = 40_000


def texts(part: str, *, english: bool) -> list[str]:
    """Give the texts of one part that are in English, or that are not."""
    return [text for of, language, text in LINES if of == part and (language == "en") is english]


LET_THROUGH = frozenset({"Batteri bytt, spanning normal"})
"""Foreign notes that pass, since one unknown word and a name must not make English foreign."""


@pytest.mark.parametrize("part", PARTS)
def test_english_passes_with_function_words_and_without(part: str) -> None:
    """Our promise: a note is English too; refused, nothing that it says would be checked."""
    given_texts = texts(part, english=True)
    refused = [text for text in given_texts if not is_english(text)]
    assert len(refused) <= (1 - RIGHT) * len(given_texts), refused


@pytest.mark.parametrize("part", PARTS)
def test_other_languages_are_refused_with_accents_and_without(part: str) -> None:
    """Semantics, section 11: language not covered is told by name."""
    assert [text for text in texts(part, english=False) if is_english(text) and text not in LET_THROUGH] == []


def test_a_rare_word_beside_a_name_does_not_make_a_sentence_foreign() -> None:
    """What a person says in three words is as often of a thing that no list has."""
    assert all(map(is_english, ("Ann likes pears.", "Bob hates okra.", "Tom grows kohlrabi.")))


def test_the_file_has_as_much_as_it_claims() -> None:
    """A share of few texts would say little."""
    assert sum(language == "en" for _, language, _ in LINES) >= 150
    assert sum(language != "en" for _, language, _ in LINES) >= 150
    assert len({language for _, language, _ in LINES}) >= 20


@pytest.mark.parametrize(
    "text",
    [
        "Deploy failed. Rolled back. Redis down since 14:02.",
        "Chiller standby, glycol low, trip 05:12",
        "Battery pack swap done, voltage nominal",
        "Flight SK4812 has a layover in Copenhagen.",
        "PUMP FAILED 05:12, STANDBY STARTED",
        'The clerk said "Der Zug fährt heute nicht, kommen Sie morgen wieder" and closed the window.',
        "The sign said \u201eBitte nicht \u00f6ffnen\u201c, so we left.",
        "Ask Zoë Núñez or Jürgen Groß",
        "```\nvar der = das.und(nicht);\n```",
        "$ sed -n 14,22p digest.py | awk '{print $2}'",
        "14:02 -> 14:31, v2.3.1, https://example.org/de/hilfe/nicht/und",
        "",
        "?!…",
    ],
)
def test_what_is_no_language_and_what_is_quoted_does_not_count(text: str) -> None:
    """Our promise: a text is covered when most of what is language in it is English."""
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Server down seit gestern Abend, Backup fehlgeschlagen",
        "Er hat nur gesagt: \u201cWe will fix it as soon as we can, I promise\u201d, aber es kam nichts.",
        "Wir warten noch. The server is down. Bitte meldet euch bis morgen, sonst machen wir das nicht mehr.",
        "POMPE ARRETEE, NIVEAU BAS, ALARME COUPEE",
        '"Der Zug fährt heute nicht"',
        "Сервер упал вчера",
    ],
)
def test_an_english_sentence_does_not_make_a_foreign_turn_english(text: str) -> None:
    """Our promise: the words around what is quoted are the speaker's."""
    assert not is_english(text)


@pytest.mark.parametrize("path", TALKS, ids=lambda path: path.stem)
def test_no_turn_of_an_english_conversation_is_refused(path: Path) -> None:
    """Turns of people, of assistants and of tools."""
    turns = yaml.safe_load(path.read_text(encoding="utf-8"))["turns"]
    assert turns
    assert [turn["text"] for turn in turns if not is_english(turn["text"])] == []


@pytest.mark.parametrize("text", texts("chosen", english=False)[:8])
def test_what_is_refused_is_refused_however_much_code_stands_beside_it(text: str) -> None:
    """Our promise: code is no language."""
    assert not is_english(f"{text}\n```\nif the_door_is_open and not_locked: return the_key\n```")


@given(st.text(max_size=300))
def test_any_text_is_answered_and_apostrophes_make_no_difference(text: str) -> None:
    """Our promise: bad input loses nothing."""
    assert is_english(text) is is_english(text.replace("'", "\u2019"))


def test_the_list_is_small_sorted_and_free_of_what_others_say() -> None:
    """Our promise: a list that a person can read through; forms that endings give are left to the endings."""
    written = (Path(sys.modules[is_english.__module__].__file__ or "").with_name("english.txt")).read_bytes()
    words = written.decode("ascii").split()
    assert len(written) <= LIMIT
    assert words == sorted(set(words))
    assert all(word.islower() and word.isalpha() for word in words)
    assert english_words() == frozenset(words)
    assert not english_words() & (FOREIGN | SHARED | TELLING)


def test_sets_of_function_words_do_not_overlap() -> None:
    """A word that tells two things tells nothing."""
    assert not FOREIGN & (ENGLISH | SHARED)
    assert not TELLING & SHARED


@pytest.mark.parametrize(
    "form", ["valves", "boxes", "stopped", "rated", "rating", "slowly", "berries", "carried", "valve's", "later"]
)
def test_common_endings_are_found(form: str) -> None:
    """What lets the list be small."""
    assert is_formed_of(form, {"valve", "box", "stop", "rate", "slow", "berry", "carry", "late"})
    assert not is_formed_of(form, {"val", "ca", "be"})


def test_the_list_is_not_read_before_it_is_needed() -> None:
    """Our promise: importing the package, and plain prose, read no file."""
    code = (
        "import upheld; from upheld.speech.matching.language import english_words, is_english\n"
        "assert is_english('The pump failed because the seal was worn, and we have no other.')\n"
        "assert english_words.cache_info().misses == 0\n"
        "assert is_english('Pump dead, seal worn')\n"
        "assert english_words.cache_info().misses == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
