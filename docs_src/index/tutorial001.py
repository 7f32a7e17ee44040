from upheld import Conversation

talk = Conversation(agents={"alice": "backend", "carol": "sre"})
talk.observe("alice", "o8", "Payment gets connection timeouts from Redis.")
talk.hypothesize("carol", "h2", "The Redis failure makes auth fail.", depends_on=["o8"])
talk.observe("alice", "o9", "Auth answers 401 token expired, not 503.")
talk.revise("alice", "h2", because=["o9"])

verdict = talk.verify("h2")
print(verdict.outcome, verdict.reason, verdict.findings[0].because)
print("if o9 fell, reopened:", talk.affected("o9").reopened)
with talk.what_if() as branch:
    branch.retract("o9")
    print("what if:", branch.verify("h2").reason)
print("at T2 carol believed it:", talk.at("T2").believes("carol", "h2"))
