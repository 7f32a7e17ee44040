from upheld import Conversation

talk = Conversation(agents={"ida": "on call", "max": "network"})
talk.observe("ida", "o1", "Requests time out since 14:00.")
talk.hypothesize("ida", "h1", "The new firewall rule drops them.", depends_on=["o1"])
talk.observe("max", "o2", "The rule was switched on at 15:00.")
talk.undermine("max", "h1", evidence=["o2"])

print(talk.verify("h1").reason)
print("if o2 fell, reinstated:", talk.affected("o2").reinstated)
