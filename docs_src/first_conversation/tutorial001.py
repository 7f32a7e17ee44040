from upheld import Conversation

trip = Conversation(agents={"ana": "traveller", "ben": "traveller"})
trip.observe("ana", "o1", "The flight lands in Lisbon at 23:40.")  # turn T1
trip.observe("ben", "o2", "The last metro leaves the airport at 01:00.")  # turn T2
trip.observe("ben", "o3", "We can take the metro to the hotel.", depends_on=["o1", "o2"])  # turn T3

print(trip.verify("o3").outcome)
for ground in trip.verify("o3").findings[0].grounds:
    print("  " * ground.depth + f"{ground.literal} {ground.turn} {ground.speaker}: {ground.text}")
