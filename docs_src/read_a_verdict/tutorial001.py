from upheld import Conversation

talk = Conversation(agents={"ana": "traveller", "ben": "traveller"})
talk.observe("ana", "o1", "The room is booked for two nights.")
talk.observe("ana", "o2", "The room is booked for three nights.", supersedes=["o1"])
talk.revise("ana", "o1", replacement="o2")
talk.hypothesize("ben", "h1", "The hotel charges a late fee.", depends_on=["o2"])

for claim in ("o2", "o1", "h1", "o7"):
    verdict = talk.verify(claim)
    finding = verdict.findings[0]
    print(claim, verdict.outcome, verdict.reason, finding.current)
