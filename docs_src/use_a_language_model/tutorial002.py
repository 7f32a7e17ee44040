from upheld import Conversation
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.models.budget import BudgetedModel
from upheld.speech.models.cache import CachedModel, SqliteReplyStore
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.metering import MeteredModel
from upheld.speech.models.request import Request
from upheld.testing.scripted_model import ScriptedModel

WORDS = ["The gate opens at nine.", "The museum closes at five.", "Dogs stay outside."]


def answer(request: Request) -> dict[str, object]:
    """Stand in for a language model: each turn is one observation, in its own words."""
    to_read = request.messages[-1].text.rpartition("<turn-to-read>")[2]
    text = next(words for words in WORDS if words in to_read)
    return {"operations": [{"op": "observe", "id": "n1", "text": text}]}


def read(llm: LanguageModel) -> None:
    """Read the words, and say what could be read and what it took."""
    metered = MeteredModel(llm)
    talk = Conversation(interpreter=LlmInterpreter(metered))
    for words in WORDS:
        talk.say("ann", words)
    usage = metered.bill.usage
    print("unread:", list(talk.unread()), "calls:", usage.calls, "reused:", usage.reused)


kept = SqliteReplyStore("replies.db")
read(CachedModel(BudgetedModel(ScriptedModel(answer), calls=2), kept))
read(CachedModel(ScriptedModel(answer), kept))
