from upheld import Conversation
from upheld.conversation.reading.reader import Reader
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.redaction.patterned import PatternRedactor
from upheld.testing.scripted_model import ScriptedModel

llm = ScriptedModel(
    [
        {"operations": [{"op": "observe", "id": "n1", "text": "Ann can be reached at [email-1]."}]},
        {"operations": [{"op": "observe", "id": "n1", "text": "The invoice goes to [email-1]."}]},
    ]
)
reader = Reader(interpreter=LlmInterpreter(llm), redactor=PatternRedactor())
talk = Conversation({"ann": "customer"}, interpreter=reader)
talk.say("ann", "You can reach me at ann.lee@example.org.")
talk.say("ann", "Send the invoice to ann.lee@example.org as well.")

sent = "\n".join(message.text for request in llm.asked for message in request.messages)
print("sent:", "example.org" in sent)
print("kept:", *(talk.timeline.told(turn).text for turn in talk.timeline.turns), sep="\n  ")
