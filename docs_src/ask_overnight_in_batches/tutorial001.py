import json
from pathlib import Path

from upheld import Conversation
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.models.batches import export_requests, read_responses
from upheld.speech.models.collecting import CollectingModel, ImportedModel
from upheld.speech.models.language_model import LanguageModel

SESSION = [
    Turn(id=TurnId("T1"), speaker=AgentId("ann"), text="The parcel goes to 12 Elm Street."),
    Turn(id=TurnId("T2"), speaker=AgentId("ann"), text="No wait, 14 Oak Street."),
]


def read(llm: LanguageModel) -> Conversation:
    """Read a session with one call."""
    talk = Conversation({"ann": "customer"}, interpreter=LlmInterpreter(llm))
    talk.hear_session(SESSION)
    return talk


collecting = CollectingModel("openai:gpt-4o")
print("unread:", list(read(collecting).unread()))
export_requests(collecting.requests, "batch.jsonl", "gpt-4o")

# What a provider would do overnight; the reply is scripted.
(line,) = map(json.loads, Path("batch.jsonl").read_text("utf-8").splitlines())
first = {"op": "observe", "id": "n1", "text": "The parcel goes to 12 Elm Street."}
second = {"op": "observe", "id": "n2", "text": "The parcel goes to 14 Oak Street.", "supersedes": ["n1"]}
given_up = {"op": "revise", "target": "n1", "replacement": "n2"}
reply = {"turns": [{"turn": "T1", "operations": [first]}, {"turn": "T2", "operations": [second, given_up]}]}
choice = {"index": 0, "message": {"role": "assistant", "content": json.dumps(reply)}, "finish_reason": "stop"}
response = {"status_code": 200, "body": {"model": "gpt-4o", "choices": [choice]}}
output = {"custom_id": line["custom_id"], "response": response, "error": None}
Path("batch_output.jsonl").write_text(json.dumps(output) + "\n", "utf-8")

talk = read(ImportedModel(read_responses("batch_output.jsonl")))
for claim in talk.propositions:
    print(claim.id, talk.status(claim.id).lifecycle, claim.text)
