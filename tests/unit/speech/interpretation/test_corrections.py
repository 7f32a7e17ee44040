"""Corrections of values: what is replaced, by what, and by whom."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.speech.interpretation.corrections import Correcting
from upheld.speech.matching.index import LexicalIndex
from upheld.speech.view import Known

ANN, BEN, BOT = AgentId("ann"), AgentId("ben"), AgentId("bot")


@dataclass(frozen=True)
class Said:
    """A view that lists what was said."""

    items: tuple[Known, ...]

    def known(self) -> tuple[Known, ...]:
        """Give all."""
        return self.items

    def get(self, proposition: PropositionId) -> Known | None:
        """Give one."""
        return next((item for item in self.items if item.proposition.id == proposition), None)


def corrected(clause: str, *said: str | tuple[AgentId, str], by: AgentId = ANN, is_wish: bool = False) -> list[str]:
    """Give in short what a clause corrects of what was said before, by Ann where nobody is named."""
    entries = [entry if isinstance(entry, tuple) else (ANN, entry) for entry in said]
    known = tuple(
        Known(
            proposition=Proposition(id=PropositionId(f"p{place}"), text=text, kind=Kind.OBSERVATION),
            label=Label.OUT if speaker == BOT else Label.IN,
            lifecycle=Lifecycle.STANDING,
            speaker=speaker,
            turn=TurnId(f"T{place}"),
        )
        for place, (speaker, text) in enumerate(entries, start=1)
    )
    index = LexicalIndex()
    index.update(Said(known))
    correcting = Correcting(index=index, speaker=by, assistants=frozenset((BOT,)))
    return [
        " ".join(
            (*(other for other in (each.known.proposition.id, *each.others)), "disputed" * each.is_disputed)
        ).strip()
        + f": {each.text}"
        for each in correcting.corrections(clause, is_wish=is_wish)
    ]


@pytest.mark.parametrize(
    ("clause", "said", "written"),
    [
        ("Make it three.", "Two lamps to 9 Elm Court.", "Three lamps to 9 Elm Court."),
        ("Please send it to 3 Mill Lane instead.", "Two lamps to 9 Elm Court.", "Two lamps to 3 Mill Lane."),
        ("No, not two lamps but four.", "Two lamps.", "Four lamps."),
        ("We moved it to 01:00.", "The job runs at 23:00.", "The job runs at 01:00."),
        ("One more chair, please.", "Six chairs and two tables.", "Seven chairs and two tables."),
        ("I need two fewer nights.", "Five nights.", "Three nights."),
        ("The deadline is 15 July.", "The deadline is 30 June.", "The deadline is 15 July."),
        ("Now it opens at 10:00.", "It opens at 9:00 and closes at 18:00.", "It opens at 10:00 and closes at 18:00."),
        ("Sorry, Friday at 4 pm.", "Come on Monday at 3 pm.", "Come on Friday at 4 pm."),
    ],
)
def test_a_correction_is_written_out_in_full(clause: str, said: str, written: str) -> None:
    """Source: format, "The eight operations": a proposition's text is self-contained, values written out."""
    assert corrected(clause, said) == [f"p1: {written}"]


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("Two lamps.", "Two lamps to 9 Elm Court."),
        ("Actually, there are 5 lamps in my house.", "Two lamps to 9 Elm Court."),
        ("The invoice goes to 3 Mill Lane instead.", "Two lamps to 9 Elm Court."),
        ("They sent me four lamps instead.", "I ordered two lamps."),
        ("I'm not going to change it to 4 May.", "My flight is on 3 May."),
        ("My sister's flight was moved to 4 May.", "My flight is on 3 May."),
        ("Make it three.", "Six chairs and two tables."),
        ("I need two more chairs.", "I have six chairs."),
        ("Deliver it to 9 Hill Road instead.", "I live at 3 Mill Lane."),
    ],
)
def test_where_it_is_not_plain_what_is_meant_nothing_is_replaced(clause: str, said: str) -> None:
    """Source: cases, C-18: nothing is silently overwritten."""
    assert corrected(clause, said) == []


def test_everything_that_has_only_the_old_value_goes_with_it() -> None:
    """Our promise: the old value is current nowhere."""
    assert corrected("Make it three lamps.", "Two lamps.", "Two lamps to 9 Elm Court.") == [
        "p2 p1: Three lamps to 9 Elm Court."
    ]


def test_another_persons_value_may_have_changed_but_is_not_simply_mistaken() -> None:
    """Source: semantics, section 4, Revise: whoever is not the speaker of a claim can report a change, or object."""
    said = (BEN, "The job runs at 23:00.")
    assert corrected("We moved it to 01:00.", said) == ["p1: "]
    assert corrected("Actually, it runs at 01:00.", said) == ["p1 disputed: "]


def test_an_assistant_corrects_itself_alone() -> None:
    """Source: semantics, section 10: an assistant's statements are commitments."""
    assert corrected("Actually, make it 01:00.", "The job runs at 23:00.", by=BOT) == []
    assert corrected("Actually, make it 01:00.", (BOT, "The job runs at 23:00."), by=BOT) == [
        "p1: The job runs at 01:00."
    ]


def test_an_assistants_words_are_not_put_into_a_persons_mouth() -> None:
    """Our promise: of what an assistant said, a correction takes over nothing but the place of the value."""
    assert corrected("Make it 4 pm.", (BOT, "I booked a table by the window at 3 pm.")) == ["p1: "]


def test_a_wish_for_another_number_needs_no_cue() -> None:
    """Our promise: "Can I have four?" wishes for four."""
    assert corrected("Can I have four lamps?", "Two lamps.") == []
    assert corrected("Can I have four lamps?", "Two lamps.", is_wish=True) == ["p1: Four lamps."]
