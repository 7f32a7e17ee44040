from upheld import Conversation, Verdict
from upheld.logic.language.identities import PropositionId
from upheld.logic.reasoning.grading import with_confidence, with_tolerance, without_weak_attacks

talk = Conversation(agents={"ann": "auditor", "bob": "auditor"})
for number in (1, 2, 3):
    talk.observe("ann", f"f{number}", f"Figure {number} is in the ledger.")
talk.observe("ann", "r", "The report adds up.", depends_on=["f1", "f2", "f3"])
talk.observe("bob", "s", "The summary is short.")
talk.undermine("bob", "s", id="u", text="It has four pages.")


def show(verdict: Verdict) -> None:
    """Print what decided: a reason, and the variant."""
    print(f"{verdict.outcome}, {verdict.reason or '-'}; {verdict.variant or 'plain'}")


doubts = {PropositionId("f1"): 0.6}
show(talk.verify("r", grading=with_confidence(talk.state, doubts, at_least=0.7)))

talk.retract("f3")
show(talk.verify("r"))
show(talk.verify("r", grading=with_tolerance(talk.state, 0.4)))

show(talk.verify("s"))
show(talk.verify("s", grading=without_weak_attacks(talk.state, {("u", "s"): 0.2}, 0.5)))
