from __future__ import annotations

from pathlib import Path

import pytest

from upheld.errors import UnusableReply
from upheld.speech.formats.reading import read_transcript
from upheld.speech.interpretation.llm.paradigm import Paradigm, paradigm_of, paradigm_request
from upheld.speech.interpretation.prompts.loading import prompt_named
from upheld.testing.interpreter_contract import ANN, BEN, spoken
from upheld.testing.scripted_model import ScriptedModel

PAPER = Path(__file__).parents[4] / "conversations" / "paper"
OPENING = [spoken("T1", ANN, "P1 incident: the login service is broken."), spoken("T2", BEN, "Errors since noon.")]
CHOICE = [spoken("T7", ANN, "Which option should we choose?"), spoken("T8", BEN, "I'd go for the vendor's offer.")]


@pytest.mark.parametrize(
    ("words", "paradigm"),
    [
        ("P1 incident. Three alerts are firing.", Paradigm.DIAGNOSTIC),
        ("How should we design the new archive?", Paradigm.DELIBERATIVE),
        ("Nobody knows whether their own forehead is muddy.", Paradigm.KNOWLEDGE),
        ("Hi, can you remind me of my flight tomorrow?", Paradigm.ASSISTANT),
        ("The swallows are back.", Paradigm.ASSISTANT),
    ],
)
def test_opening_words_tell_the_kind_without_a_language_model(words: str, paradigm: Paradigm) -> None:
    """Appendix F: the type is often signalled in opening turns; without any sign it is the plainest kind."""
    told = paradigm_of([spoken("T1", ANN, words)])
    assert (told.paradigm, told.by, told.has_changed) == (paradigm, "cues@1", False)


@pytest.mark.parametrize("path", sorted(PAPER.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_kinds_of_the_paper_s_conversations_are_told_from_their_openings(path: Path) -> None:
    """Appendix F, Path B, on the three conversations of Appendices B to D."""
    transcript = read_transcript(path)
    assert paradigm_of(transcript.turns).paradigm.value == transcript.paradigm


def test_a_conversation_shifts_only_on_a_clear_lead() -> None:
    """Appendix F: real conversations shift in mid-stream; one stray word is no shift."""
    told = paradigm_of(CHOICE, before=Paradigm.DIAGNOSTIC)
    assert (told.paradigm, told.has_changed) == (Paradigm.DELIBERATIVE, True)
    stray = paradigm_of([spoken("T9", ANN, "There is an error, which option is it?")], before=Paradigm.DIAGNOSTIC)
    assert (stray.paradigm, stray.has_changed) == (Paradigm.DIAGNOSTIC, False)


def test_a_language_model_is_asked_with_the_turns_as_a_quotation() -> None:
    """Path B: the language model classifies the conversation type."""
    scripted = ScriptedModel([{"paradigm": "deliberative"}])
    told = paradigm_of(OPENING, scripted, before=Paradigm.DIAGNOSTIC)
    assert (told.paradigm, told.has_changed, told.usage.calls) == (Paradigm.DELIBERATIVE, True, 1)
    assert told.by == "scripted:model@paradigm@1+quotation@1"
    assert scripted.asked == (paradigm_request(OPENING),)
    assert "login service" not in scripted.asked[0].messages[0].text
    with pytest.raises(UnusableReply, match="'poetry' is none of"):
        paradigm_of(OPENING, ScriptedModel([{"paradigm": "poetry"}] * 2))


@pytest.mark.parametrize("paradigm", list(Paradigm))
def test_every_kind_has_a_section_of_instructions(paradigm: Paradigm) -> None:
    """Path B is a library of templates."""
    assert prompt_named(paradigm.value).text
