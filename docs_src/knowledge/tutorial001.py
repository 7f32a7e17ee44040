from upheld import Conversation

talk = Conversation(agents={"alice": "", "bob": "", "carol": ""})
talk.observe("alice", "o1", "The lamp is off.")
talk.hypothesize("bob", "h1", "The fuse is blown.", explains=["o1"])
talk.observe("alice", "o2", "The fuse was changed yesterday.", audience=["bob"])

for formula in (
    "C o1",
    "K_alice K_bob o2",
    "B_carol ~K_bob o2",
    "K_carol ~K_bob o2",
    "C_{alice,bob} o2 & ~C o2",
    "B_alice B_carol h1 & ~K_alice h1",
):
    print(f"{formula}: {talk.holds(formula)}")
