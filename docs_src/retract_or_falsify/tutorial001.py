from upheld import Conversation

talk = Conversation(agents={"eva": "planner", "tom": "planner"})
talk.observe("eva", "o1", "The hall is free on Friday.")
talk.observe("tom", "o2", "We have to ask the school for its gym.", depends_on=["~o1"])

print("now:", talk.verify("o2").outcome)
with talk.what_if() as branch:
    branch.retract("o1")
    print("nobody vouches for the hall any more:", branch.verify("o2").outcome)
with talk.what_if() as branch:
    branch.falsify("o1")
    print("the hall is known to be taken:", branch.verify("o2").outcome)
