import json

from upheld import Conversation
from upheld.conversation.checking.claims import check_text
from upheld.speech.matching.llm.matcher import LlmMatcher
from upheld.speech.models.request import Request
from upheld.testing.scripted_model import ScriptedModel

REPLY = "Stop the humidifier."


def means_the_valve(request: Request) -> dict[str, object]:
    """Stand in for a language model: the advice takes for granted that the valve is stuck."""
    shown = json.loads(request.messages[1].text)["propositions"]
    links = [{"id": each["id"], "relation": "supported_by"} for each in shown if "valve" in each["text"]]
    claim = {"text": REPLY, "stance": "presupposes", "modality": "fact", "links": links, "new": False}
    return {"claims": [claim], "no_claim": []}


llm = ScriptedModel(means_the_valve)
matcher = LlmMatcher(llm)

talk = Conversation({"mara": "conservator", "jon": "technician"})
talk.observe("mara", "o1", "The valve of the humidifier is stuck open.")
print(check_text(talk.state, REPLY, matcher).outcome)

talk.revise("mara", "o1", withdrawn=True)
checked = check_text(talk.state, REPLY, matcher)
print(checked.outcome, checked.claims[0].reason)
print("the same question:", llm.asked[0] == llm.asked[1])
