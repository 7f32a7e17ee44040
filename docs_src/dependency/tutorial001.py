from upheld import Conversation

talk = Conversation(agents={"eva": "editor", "tom": "reporter"})
talk.observe("tom", "o1", "The mayor's office confirms the date.")
talk.observe("tom", "o2", "The contract names the same date.")
talk.observe("eva", "o3", "The opening is on the fifth of May.", depends_on_any=[["o1"], ["o2"]])
talk.observe("eva", "o4", "Two independent sources give the date.", depends_on=["o1", "o2"])

delta = talk.affected("o1")
print("lost:", [item.id for item in delta.lost])
print("thinned:", [item.id for item in delta.thinned])
