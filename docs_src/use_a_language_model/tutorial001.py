from upheld import Conversation
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.testing.scripted_model import ScriptedModel

llm = ScriptedModel(
    [
        {"operations": [{"op": "observe", "id": "n1", "text": "The humidity in room 4 is 68 percent."}]},
        {"operations": [{"op": "hypothesize", "id": "n1", "text": "The valve is stuck open.", "explains": ["T1.1"]}]},
        {"operations": [{"op": "resolve", "target": "T2.1", "mode": "authoritative"}]},
        {"operations": [{"op": "resolve", "target": "T2.1", "mode": "consensual"}]},
        '{"operations": [',
        "I cannot help with that.",
    ]
)

talk = Conversation({"mara": "conservator", "jon": "technician"}, interpreter=LlmInterpreter(llm))
for speaker, words in [
    ("mara", "It is wet in room 4, the meter reads 68."),
    ("jon", "Then the valve must be stuck open."),
    ("jon", "So it is the valve, agreed."),
    ("mara", "Thanks, all."),
]:
    told = talk.say(speaker, words)
    print(told.turn, told.usage.calls, [type(each).__name__ for each in told.operations])
    for objection in told.objections:
        print("  asked again:", objection.failure, "-", objection.message)
    if told.abstained:
        print("  unread:", told.abstained.partition(":")[0])

print(talk.status("T2.1").lifecycle, talk.unread())
