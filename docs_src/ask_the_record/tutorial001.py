from upheld import Conversation
from upheld.conversation.answering.asking import ask
from upheld.testing.scripted_model import ScriptedModel

talk = Conversation({"ana": "guest"})
talk.observe("ana", "o1", "The hotel has two free nights.")
talk.observe("ana", "o2", "The hotel has three free nights.", supersedes=["o1"])
talk.revise("ana", "o1", replacement="o2")

for question in ("How many free nights has the hotel?", "Who owns the hotel ferry?"):
    answer = ask(talk, question)
    print(answer.outcome, answer.text or answer.missing)

llm = ScriptedModel(
    [
        {"answer": "Three.", "rests_on": ["o2"], "reports": [], "abstains": False, "missing": ""},
        {"answer": "Two.", "rests_on": ["o1"], "reports": [], "abstains": False, "missing": ""},
    ]
)
for _ in range(2):
    answer = ask(talk, "For how many nights could one stay?", llm=llm)
    print(answer.outcome, answer.text, *(claim.reason for claim in answer.claims if claim.reason))
