from upheld import Conversation

trip = Conversation(agents={"ana": "traveller", "ben": "traveller"})
trip.observe("ana", "o1", "The flight lands in Lisbon at 23:40.")
trip.observe("ben", "o2", "The last metro leaves the airport at 01:00.")
trip.observe("ben", "o3", "We can take the metro to the hotel.", depends_on=["o1", "o2"])

delta = trip.affected("o1")
for item in delta.lost:
    print(item.id, item.effect, "by way of", item.path)

with trip.what_if() as branch:
    branch.retract("o1")
    print("in the branch:", branch.verify("o3").reason)
print("in the conversation:", trip.verify("o3").outcome)
