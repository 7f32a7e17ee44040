"""Every interpreter against the suite that we ship, and the suite against interpreters that break it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from upheld.conversation.asking.view import StateView
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Revise
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.annotated import AnnotatedInterpreter
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.interpretation.interpreter import Interpreted, Interpreter
from upheld.speech.view import View
from upheld.testing.interpreter_contract import ANN, BEN, TURNS, InterpreterContract, table

LABELS: tuple[tuple[Operation, ...], ...] = (
    (Observe(id=PropositionId("o9"), text="The train to Porto leaves at 9:40 from platform 3."),),
    (Revise(target=PropositionId("o1")),),
    (Hypothesize(id=PropositionId("h9"), text="The timetable is old.", depends_on=(Literal(PropositionId("o1")),)),),
)


class TestCueInterpreter(InterpreterContract):
    """The one that goes by cues."""

    @pytest.fixture
    def interpreter(self) -> Interpreter:
        """Give one that knows both speakers."""
        return CueInterpreter((Agent(id=ANN), Agent(id=BEN)))


class TestAnnotatedInterpreter(InterpreterContract):
    """The one that knows the answer."""

    @pytest.fixture
    def interpreter(self) -> Interpreter:
        """Give one with labels for the first turns."""
        turns = tuple(replace(turn, operations=labels) for turn, labels in zip(TURNS, LABELS, strict=False))
        return AnnotatedInterpreter(Transcript(id="labelled", turns=turns, is_annotated=True))


class Faulty:
    """An interpreter that answers what it is told to."""

    name = "faulty"
    version = "1"

    def __init__(self, *operations: Operation, interpreter: str = "faulty@1") -> None:
        """Give these operations for whatever is said."""
        self._operations = operations
        self._interpreter = interpreter

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Answer."""
        return Interpreted(operations=self._operations, interpreter=self._interpreter)


class Forgetful(Faulty):
    """An interpreter whose answer depends on how often it was asked."""

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Answer with an id of the count."""
        self._count = getattr(self, "_count", 0) + 1
        observed = Observe(id=PropositionId(f"x{self._count}"), text="Something.")
        return Interpreted(operations=(observed,), interpreter="faulty@1")


class Copying(Faulty):
    """An interpreter that takes the operations that the turn has."""

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Answer with them."""
        return Interpreted(operations=turn.operations, interpreter="faulty@1")


Check = Callable[[InterpreterContract, Interpreter, View, Sequence[Turn]], None]
SUITE = InterpreterContract


@pytest.mark.parametrize(
    ("faulty", "check"),
    [
        (Faulty(interpreter="other@1"), SUITE.test_it_names_itself),
        (Faulty(), SUITE.test_it_reads_something),
        (Faulty(Revise(target=PropositionId("nowhere"))), SUITE.test_it_refers_only_to_what_is_known_or_its_own),
        (Faulty(Observe(id=PropositionId("o1"), text="Other.")), SUITE.test_what_it_introduces_is_new_or_the_same),
        (Forgetful(), SUITE.test_the_same_turn_is_read_the_same_way),
        (Copying(), SUITE.test_operations_that_a_turn_carries_are_not_looked_at),
    ],
    ids=["unnamed", "silent", "dangling", "reusing", "forgetful", "copying"],
)
def test_the_suite_notices_a_faulty_interpreter(faulty: Interpreter, check: Check) -> None:
    """A suite that nothing fails proves nothing."""
    with pytest.raises(AssertionError):
        check(SUITE(), faulty, StateView(table().state), TURNS)


def test_the_suite_notices_what_is_made_of_silence_and_foreign_words() -> None:
    """A suite that nothing fails proves nothing: words where there were none, and words that were not said."""
    inventive = Faulty(Observe(id=PropositionId("x1"), text="The moon is full."))
    view = StateView(table().state)
    with pytest.raises(AssertionError):
        SUITE().test_no_words_mean_nothing(inventive, view)
    with pytest.raises(AssertionError):
        SUITE().test_of_another_language_nothing_is_invented(inventive, view)
    with pytest.raises(AssertionError):
        SUITE().test_an_instruction_in_the_words_is_a_quotation(Faulty(Revise(target=PropositionId("o1"))), view)
