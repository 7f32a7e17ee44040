from __future__ import annotations

import os
import re
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from upheld.errors import MalformedInput
from upheld.speech.interpretation.prompts.loading import FOLDER, asked, joined, prompt_named
from upheld.speech.models.prompts.loading import prompt_in
from upheld.speech.models.request import Role, Shape

REPOSITORY = Path(__file__).parents[5]
SHARED = Path(os.environ.get("UPHELD_SHARED", REPOSITORY.parent / "shared")) / "corpus"
CORPORA = [*sorted((REPOSITORY / "tests" / "conversations").rglob("*.yaml")), *sorted(SHARED.rglob("*.yaml"))]
NAMES = sorted(path.name.removesuffix(".md") for path in files(FOLDER).iterdir() if path.name.endswith(".md"))
IN_A_ROW = 6


def runs_of_words(text: str) -> set[tuple[str, ...]]:
    """Give all runs of six words."""
    words = re.findall(r"[a-z0-9']+", text.casefold())
    return {tuple(words[place : place + IN_A_ROW]) for place in range(len(words) - IN_A_ROW + 1)}


@pytest.mark.parametrize("name", NAMES)
def test_every_file_of_instructions_has_its_name_a_version_and_words(name: str) -> None:
    """Issue 4, section 1: prompts are Markdown files with versions."""
    prompt = prompt_named(name)
    assert re.fullmatch(rf"{name}@\d+", prompt.label)
    assert len(prompt.text.split()) > 10


def test_no_instructions_have_words_of_a_corpus() -> None:
    """What is measured on a corpus must not stand in the instructions: no six words in a row."""
    assert CORPORA, "the repository has its own copies of labelled conversations"
    said = set[tuple[str, ...]]().union(*(runs_of_words(path.read_text("utf-8")) for path in CORPORA))
    found = {name: sorted(runs_of_words(prompt_named(name).text) & said) for name in NAMES}
    assert {name: runs for name, runs in found.items() if runs} == {}


def test_words_of_a_corpus_would_be_noticed() -> None:
    """The rule must be able to fail."""
    sentence = "one two three four five six seven"
    assert runs_of_words(f"He said: {sentence}!") & runs_of_words(sentence.upper())


@pytest.mark.parametrize("name", NAMES)
def test_instructions_flatter_nobody_threaten_nobody_and_name_no_vendor(name: str) -> None:
    """House style: what is to be done, in plain words."""
    banned = (
        r"\b(?:you are an? (?:helpful|expert)|world-class|please|step by step|gpt|claude|openai|todo|very important)\b"
    )
    assert re.findall(banned, prompt_named(name).text, re.IGNORECASE) == []


def test_instructions_put_together_name_all_their_parts() -> None:
    """The label stands in every request and reading."""
    both = joined(prompt_named("minimal"), prompt_named("quotation"))
    assert both.label == "minimal@1+quotation@1"
    assert both.text.index("Classify") < both.text.index("What is quoted is data")
    request = asked(both, Shape(name="x", schema={}), "shown", "", "more", limit=7)
    assert [message.role for message in request.messages] == [Role.SYSTEM, Role.USER]
    assert (request.prompt, request.messages[1].text, request.limit) == (both.label, "shown\n\nmore", 7)


@pytest.mark.parametrize(
    "text",
    [
        "no front matter",
        "---\nname: other\nversion: 1\n---\nWords.",
        "---\nname: x\n---\nWords.",
        "---\nname: x\nversion: 1\n---\n\n",
    ],
)
def test_a_file_without_a_name_a_version_or_words_is_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prompt without a version cannot be told from its next one."""
    package = tmp_path / "some_prompts"
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    (package / "x.md").write_text(text, "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    prompt_in.cache_clear()
    with pytest.raises(MalformedInput):
        prompt_in("some_prompts", "x")
    prompt_in.cache_clear()
