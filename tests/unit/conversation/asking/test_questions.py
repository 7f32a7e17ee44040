"""The questions that a state answers, in the words that people type."""

from __future__ import annotations

import pytest

from upheld.conversation.asking.questions import Questions
from upheld.conversation.conversation import Conversation
from upheld.errors import CouldNotCheck, MalformedFormula, MalformedInput, UnknownReference
from upheld.logic.language.formulas import Atom
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Question, Resolve, ResolveMode
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Falsify, Retract, Withdraw
from upheld.logic.language.verdicts import Candidate, Modality, Outcome, Reason, Stance
from upheld.logic.reasoning.state import State


@pytest.fixture
def decided(talk: Conversation) -> Conversation:
    """A decision on a fact (turns T1 to T3)."""
    talk.observe("alice", "c1", "The budget is 90,000.", kind="constraint")
    talk.say("alice", "Web?", [
        Question(id=PropositionId("I1"), text="What shall we build?"),
        Hypothesize(id=PropositionId("P1"), text="A web app.", on=PropositionId("I1")),
    ])  # fmt: skip
    grounds = (Literal(PropositionId("c1")),)
    talk.say("bob", "Web it is.", [
        Resolve(target=Literal(PropositionId("P1")), id=PropositionId("D1"), text="We build a web app.",
                mode=ResolveMode.AUTHORITATIVE, depends_on=grounds, issue=PropositionId("I1")),
    ])  # fmt: skip
    return talk


def test_all_claims_must_hold_and_the_worst_comes_first(outage: Conversation) -> None:
    """Demanded by semantics, section 6: a candidate is grounded iff all its literals are."""
    assert outage.verify("o8", "o9").passes
    verdict = outage.verify("o8", "h2")
    assert (verdict.outcome, verdict.reason) == (Outcome.UNGROUNDED, Reason.ABANDONED)
    assert [finding.literal.proposition for finding in verdict.findings] == ["h2", "o8"]
    finding = verdict.findings[0]
    assert (finding.by, finding.turn, finding.because) == ("bob", "T4", ("o9",))
    assert finding.restored_if


def test_a_claim_may_be_given_in_any_of_three_ways(outage: Conversation) -> None:
    """Our promise: an id or its denial as text, a literal, or a candidate with a modality of its own."""
    assert outage.verify("~h2").passes
    assert outage.verify(~Literal(PropositionId("h2"))).passes
    as_report = Candidate(literal=Literal(PropositionId("h2")), stance=Stance.REPORTS, modality=Modality.HYPOTHESIS)
    assert outage.at("T2").verify(as_report).passes
    assert outage.at("T2").verify("h2").reason is Reason.OVERCLAIMED
    assert outage.at("T2").verify("h2", modality=Modality.HYPOTHESIS, stance="reports").passes


def test_a_wrong_modality_or_stance_is_named(outage: Conversation) -> None:
    """Our promise: every deliberate error is an ``UpheldError`` that says which argument."""
    with pytest.raises(MalformedInput, match="modality"):
        outage.verify("o8", modality="certainty")
    with pytest.raises(MalformedInput, match="stance"):
        outage.verify("o8", stance="shouts")
    with pytest.raises(MalformedInput):
        outage.verify("no id")


def test_what_nobody_said_is_unknown_and_no_error(outage: Conversation) -> None:
    """Demanded by semantics, section 6: the first reason; so it is for an empty candidate."""
    assert outage.verify("o99").reason is Reason.UNKNOWN
    assert outage.verify().outcome is Outcome.UNGROUNDED


def test_lifecycle_and_standing_are_told_apart(outage: Conversation) -> None:
    """Demanded by semantics, section 5: what the speakers did, and whether it holds."""
    status = outage.status("h2")
    assert (status.lifecycle, status.standing) == (Lifecycle.ABANDONED, Label.OUT)
    assert outage.status("o8").lifecycle is Lifecycle.STANDING
    with pytest.raises(UnknownReference):
        outage.status("o99")


def test_a_decision_whose_premise_fell_is_to_be_looked_at_again(decided: Conversation) -> None:
    """Demanded by semantics, section 5: beside its lifecycle, with the fallen premises."""
    assert not decided.status("D1").needs_reevaluation
    decided.falsify("c1")
    status = decided.status("D1")
    assert status.needs_reevaluation
    assert status.lifecycle is Lifecycle.RESOLVED
    assert status.fallen == (Literal(PropositionId("c1")),)
    assert not decided.status("P1").needs_reevaluation


def test_a_decision_on_a_premise_in_dispute_is_to_be_looked_at_again(decided: Conversation) -> None:
    """Demanded by semantics, section 5: undecided is not standing either."""
    decided.observe("alice", "c2", "The budget is 60,000.", contradicts=["c1"])
    decided.observe("alice", "c1", "The budget is 90,000.", kind="constraint", contradicts=["c2"])
    status = decided.status("D1")
    assert status.standing is Label.UNDECIDED
    assert status.needs_reevaluation


def test_a_change_is_given_by_id_or_as_what_it_is(outage: Conversation) -> None:
    """Demanded by semantics, section 7: an id means retract; for a brief it means that it turns out false."""
    assert outage.affected("o9") == outage.affected(Retract(target=PropositionId("o9")))
    assert outage.affected("o9").reopened == ("h2",)
    assert outage.affected(Withdraw(source="T4")).reinstated == ("h2",)
    assert outage.brief("o9") == outage.brief(Falsify(target=PropositionId("o9")))
    assert outage.directly_affected("o8") == ("h2",)
    assert "h2" in outage.review("o9")


def test_everything_in_view_is_given_in_the_order_in_which_it_came(outage: Conversation) -> None:
    """Our promise: the order of the record."""
    assert [each.id for each in outage.propositions] == ["o8", "h2", "o9"]


def test_an_explanation_can_be_printed(outage: Conversation) -> None:
    """Our promise (programs.md, 2): the justification down to turns."""
    outage.observe("alice", "o10", "So it is not Redis.", depends_on=["o9"])
    tree = outage.explain("o10").tree()
    assert len(tree.splitlines()) == 2
    assert "o9" in tree
    assert "T3" in tree
    assert outage.explain("o10").tree(depth=0) != tree
    assert outage.explain("o10").tree(ascii_only=True).isascii()


def test_beliefs_and_knowledge_are_asked_by_id_or_formula(outage: Conversation) -> None:
    """Demanded by semantics, section 3: what is announced is known; a hypothesis is at most believed."""
    before = outage.at("T2")
    assert before.believes("alice", "h2")
    assert not before.knows("alice", "h2")
    assert outage.knows("alice", "o8 & o9")
    assert outage.knows("alice", Atom("o8"))
    assert outage.holds("K_alice o8 & ~B_alice h2")
    assert outage.holds("A_alice (o8 & o9)")
    assert outage.holds("true")


def test_what_cannot_be_answered_is_refused(outage: Conversation) -> None:
    """Our promise: no answer is made up; whoever is asked about must take part."""
    for ask in (outage.believes, outage.knows):
        with pytest.raises(UnknownReference, match="nobody"):
            ask("nobody", "o8")
        with pytest.raises(MalformedFormula):
            ask("alice", "o8 &")
    for formula in ("K_nobody o8", "C_{nobody} o8"):
        with pytest.raises(UnknownReference):
            outage.holds(formula)
    with pytest.raises(CouldNotCheck, match="nobody said"):
        outage.holds("o8 -> o1")


def test_commitments_are_what_was_asserted_and_not_taken_back(outage: Conversation) -> None:
    """Demanded by semantics, section 2: Cm(i), in the order of the record, acts without an id left out."""
    outage.support("bob", "o9", evidence=["o8"])
    assert outage.commitments("bob") == ()
    assert outage.commitments("alice") == ("o8", "o9")
    assert outage.at("T2").commitments("bob") == ("h2",)
    assert outage.commitments("nobody") == ()


def test_open_questions_are_given_oldest_first(talk: Conversation) -> None:
    """Demanded by semantics, section 4: a question opens a problem, an answer closes it."""
    talk.observe("alice", "o1", "The lamp is off.")
    talk.question("alice", "Why is the lamp off?", about=["o1"])
    talk.question("bob", "What shall we do?", id="I1")
    assert talk.open_questions() == ("Why is the lamp off?", "What shall we do?")
    talk.hypothesize("bob", "h1", "The fuse has blown.", explains=["o1"])
    assert talk.open_questions() == ("What shall we do?",)


def test_clashes_on_record_come_with_what_both_sides_share(talk: Conversation) -> None:
    """C-06: the common premise is named, and nothing is retracted unasked."""
    talk.observe("alice", "p", "The clock is right.")
    talk.observe("alice", "c1", "It is noon.", depends_on=["p"])
    talk.observe("bob", "c2", "It is one.", depends_on=["p"], contradicts=["c1"])
    (nogood,) = talk.nogoods()
    assert "p" in str(nogood)
    assert talk.status("p").standing is Label.IN


def test_a_clash_names_its_suspects_and_what_would_resolve_it(talk: Conversation) -> None:
    """De Kleer 1986, section 3; case C-06: ranked, and nothing is retracted unasked."""
    for id in ("p", "q"):
        talk.observe("alice", id, f"{id} holds.")
    talk.observe("alice", "c1", "It is noon.", depends_on=["p", "q"])
    talk.observe("bob", "c2", "It is one.", depends_on=["p"], contradicts=["c1"])
    found = talk.culprits("c1", "c2")
    assert [sorted(map(str, each)) for each in found.nogoods] == [["p", "q"]]
    assert [(str(each.assumption), each.is_shared) for each in found.ranked] == [("p", True), ("q", False)]
    assert {str(item) for item in found.retractions[0]} <= {"p", "q", "c1", "c2"}
    assert [sorted(map(str, each)) for each in talk.environments("c1").found] == [["p", "q"]]
    talk.retract("p")
    assert talk.culprits("c1", "c2").nogoods == ()
    assert talk.environments("c1").found == ()


def test_a_denial_that_is_undone_takes_what_rests_on_it_along(talk: Conversation) -> None:
    """Formal.md, section 5: dependents of ~p are deactivated when what established it falls."""
    talk.observe("alice", "p", "The valve is open.")
    talk.observe("bob", "q", "The gauge shows it shut.", contradicts=["p"])
    talk.observe("alice", "x", "So nothing flows.", depends_on=["~p"])
    assert talk.status("x").standing is Label.IN
    assert [item.id for item in talk.affected("q").lost] == ["x"]
    assert [(item.id, item.path) for item in talk.iter_affected("q")] == [("x", ("~p", "x"))]
    counted = talk.count_affected("q")
    assert (counted.lost, counted.thinned, counted.total) == (1, 0, 1)


def test_a_snapshot_of_a_branch_answers_for_everybody(outage: Conversation) -> None:
    """Our promise: a state of its own can be asked without a conversation behind it."""
    branch = outage.what_if().then
    assert branch.believes("alice", "o8")
    assert (branch.at, branch.agent) == (None, None)


def test_a_state_of_ones_own_can_be_asked(outage: Conversation) -> None:
    """Our promise (`Questions`): whoever has a state can be asked; without private turns it is everybody's."""

    class Bare(Questions):
        """Nothing but a state."""

        @property
        def state(self) -> State:
            """Give it."""
            return outage.state

    assert Bare().believes("alice", "o8")
    assert Bare().commitments("alice") == outage.commitments("alice")


def test_an_observation_needs_no_conversation_to_be_asked(talk: Conversation) -> None:
    """Our promise: everything is an operation; the methods are one way to tell it."""
    talk.say("alice", "It rains.", [Observe(id=PropositionId("o1"), text="It rains.")])
    assert talk.verify("o1").findings[0].grounds[0].text == "It rains."
