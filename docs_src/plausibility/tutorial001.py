from upheld import Conversation

talk = Conversation(agents={"ida": "on call", "max": "network"})
talk.observe("ida", "o1", "Requests time out since 14:00.")
talk.hypothesize("ida", "h1", "The new firewall rule drops them.", depends_on=["o1"])
talk.observe("max", "o2", "The rule was never switched on.")
talk.revise("ida", "h1", because=["o2"])

print("at T2:", talk.at("T2").believes("ida", "h1"))
print("at T4:", talk.at("T4").believes("ida", "h1"))
