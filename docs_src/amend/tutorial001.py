from upheld import Conversation
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Observe

talk = Conversation(agents={"ana": "guest", "desk": "hotel"})
talk.observe("ana", "o1", "Ana wants three rooms.")  # misread: she had said three nights
print(talk.verify("o2").reason)

right = Observe(id=PropositionId("o2"), text="Ana wants to stay three nights.")
talk.amend("T1", [right], by="desk", reason="she said nights")
print(talk.verify("o2").outcome, talk.verify("o1").reason)
