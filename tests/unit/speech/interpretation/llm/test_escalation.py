from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from upheld.conversation.asking.view import StateView
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Observe
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.interpretation.interpreter import Interpreted, Objection, Reinterpreter
from upheld.speech.interpretation.llm.escalation import EscalatingInterpreter
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.view import View
from upheld.testing.interpreter_contract import ANN, BEN, FOREIGN, spoken, table
from upheld.testing.scripted_model import ScriptedModel

VIEW = StateView(table().state)
SEEN = {"operations": [{"op": "observe", "id": "n1", "text": "Seen by the capable one."}]}


class Sure:
    """An interpreter as sure as the turn's words say."""

    name = "sure"
    version = "1"

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Answer with the certainty that is written in the turn, or abstain."""
        interpreter = f"{self.name}@{self.version}"
        if turn.text == "?":
            return Interpreted(operations=(), interpreter=interpreter, abstained="cannot tell")
        observed = Observe(id=PropositionId(f"{turn.id}.1"), text="Seen by the cheap one.")
        return Interpreted(operations=(observed,), interpreter=interpreter, certainty=float(turn.text))


def escalating(threshold: float = 0.75) -> tuple[EscalatingInterpreter, ScriptedModel]:
    """Give an interpreter over a cheap one and a scripted language model."""
    scripted = ScriptedModel(lambda request: SEEN)
    return EscalatingInterpreter(Sure(), LlmInterpreter(scripted), threshold=threshold), scripted


def test_the_capable_one_is_asked_where_the_cheap_one_is_unsure_or_abstains() -> None:
    """Issue 4: a cheaper interpreter decides where it is sure; the share asked is reported."""
    interpreter, scripted = escalating()
    readings = [
        interpreter.interpret(spoken(f"T{n}", ANN, text), VIEW) for n, text in enumerate(["1", "0.8", "0.7", "?"])
    ]
    assert [reading.interpreter.split("@")[0] for reading in readings] == ["sure", "sure", *["llm(scripted:model)"] * 2]
    assert (interpreter.seen, interpreter.asked, interpreter.share, len(scripted.asked)) == (4, 2, 0.5, 2)


def test_at_threshold_nothing_only_abstentions_are_passed_on() -> None:
    """The threshold is in [0, 1]."""
    interpreter, _ = escalating(0.0)
    interpreter.interpret(spoken("T1", ANN, "0"), VIEW)
    assert interpreter.share == 0.0
    assert escalating()[0].share == 0.0


def test_a_refused_reading_of_the_cheap_one_goes_to_the_capable_one() -> None:
    """A cheap reading that the engine refuses was not so sure after all; it is counted as asked."""
    interpreter, scripted = escalating()
    assert isinstance(interpreter, Reinterpreter)
    turn = spoken("T1", ANN, "1")
    first = interpreter.interpret(turn, VIEW)
    objection = Objection(failure="redundant", message="nothing new")
    again = interpreter.reinterpret(turn, VIEW, first, objection)
    assert again.interpreter.startswith("llm")
    assert (interpreter.asked, len(scripted.asked[0].messages)) == (1, 2)
    interpreter.reinterpret(turn, VIEW, again, objection)
    assert "redundant" in scripted.asked[1].messages[-1].text
    assert interpreter.asked == 1


def test_counts_hold_under_threads() -> None:
    """Safe from several threads if both interpreters are."""
    interpreter, scripted = escalating()
    turns = [spoken(f"T{number}", ANN, "0.5" if number % 2 else "1") for number in range(200)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(partial(interpreter.interpret, view=VIEW), turns))
    assert (interpreter.seen, interpreter.asked, len(scripted.asked)) == (200, 100, 100)


def test_the_local_interpreter_is_less_sure_of_a_statement_without_a_cue() -> None:
    """The smallest honest rule: a statement that fell through to a plain observation may be something else."""
    local = CueInterpreter((Agent(id=ANN), Agent(id=BEN)))
    plain = local.interpret(spoken("T1", ANN, "The kiosk at the station sells maps."), VIEW)
    assert plain.operations
    assert plain.certainty == 0.5
    assert local.interpret(spoken("T2", BEN, "Why does the wall show it?"), VIEW).certainty == 1.0
    assert local.interpret(FOREIGN[0], VIEW).certainty == 0.0
