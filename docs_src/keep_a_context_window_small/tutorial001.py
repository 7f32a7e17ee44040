from upheld import Conversation
from upheld.conversation.answering.context import ConversationContext

talk = Conversation({"ana": "guest", "desk": "hotel"})
talk.observe("ana", "o1", "Ana wants a room for two nights.")
talk.observe("ana", "o2", "Ana wants a room for three nights.", supersedes=["o1"])
talk.revise("ana", "o1", replacement="o2")
talk.hypothesize("desk", "h1", "The lift is out of order.", explains=["o2"])
talk.observe("desk", "o3", "The lift runs.")
talk.revise("desk", "h1", because=["o3"])
talk.observe("desk", "o4", "Breakfast is served from seven.")

context = ConversationContext(talk)
print(context.render(budget=300).text)
print(context.render("retrieval", budget=300, query="What about the lift?").text)
print("since T5:", *context.changes_since("T5"), sep="\n")
