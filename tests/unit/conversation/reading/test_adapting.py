"""What kind of conversation it is picks the instructions, and may change on the way (the paper's Appendix F)."""

from __future__ import annotations

from upheld import Conversation
from upheld.conversation.reading.adapting import AdaptingInterpreter
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.interpretation.llm.paradigm import Paradigm
from upheld.speech.models.request import Request
from upheld.testing.scripted_model import ScriptedModel

NOTHING = '{"operations": []}'


def test_the_instructions_follow_a_conversation_that_turns_from_a_fault_to_a_choice() -> None:
    """Issue, section 1 (paradigm): told from the opening turns, and told anew in the middle."""
    asked: list[Request] = []

    def answer(request: Request) -> str:
        asked.append(request)
        return NOTHING

    interpreter = AdaptingInterpreter(LlmInterpreter(ScriptedModel(answer)), every=4)
    talk = Conversation(interpreter=interpreter)
    for _ in range(7):
        talk.say("ada", "The outage again: errors and timeouts. Why is the login failing, what is the root cause?")
    assert interpreter.paradigm is Paradigm.DIAGNOSTIC
    for _ in range(9):
        talk.say("ben", "How should we go about it? I propose option B; which one do you prefer, and what trade-offs?")
    assert interpreter.paradigm is Paradigm.DELIBERATIVE
    assert Paradigm.DELIBERATIVE in interpreter.changes
    assert asked[0].messages[0].text != asked[-1].messages[0].text


def test_the_kind_costs_no_call() -> None:
    """Our promise: telling the kind asks nobody."""
    llm = ScriptedModel([NOTHING])
    talk = Conversation(interpreter=AdaptingInterpreter(LlmInterpreter(llm)))
    assert talk.say("ada", "Hello there.").usage.calls == 1
    assert len(llm.asked) == 1
