from pathlib import Path

from upheld import Conversation

trip = Conversation(agents={"ana": "traveller"})
trip.observe("ana", "o1", "The flight lands in Lisbon at 23:40.")
trip.save("sqlite:///trip.db")
print("saved:", Path("trip.db").exists())
