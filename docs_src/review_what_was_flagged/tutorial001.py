from upheld import Conversation
from upheld.conversation.reviewing.gold import gold_item
from upheld.conversation.reviewing.looking import looked_at

talk = Conversation({"ana": "engineer", "bot": "assistant"}, id="night")
talk.observe("ana", "o1", "The probe in tank two was fine.")
talk.observe("ana", "o2", "The probe was read upside down.")
talk.revise("ana", "o1", because=["o2"], withdrawn=True)

review = talk.flag("The probe in tank two was fine.", speaker="bot", by="ana", note="A guest asked.")
print(review.id, review.status, review.checked.outcome, review.checked.claims[0].reason)

looked = looked_at(review, talk.timeline)
for what, turn in (("rests on", looked.rests_on), ("ended by", looked.ended_by)):
    if turn is not None:
        print(what, turn.turn, turn.text)

talk.comment(review.id, "It was taken back at T3.", by="ana")
decided = talk.decide(review.id, "ungrounded", by="ben", reason="It was taken back.")
print(decided.status, "by", [each.by for each in decided.decisions], "version", decided.version)

label = gold_item(decided) or {}
print(label["id"], label["label"], label["rests_on"], "after", label["at"])
