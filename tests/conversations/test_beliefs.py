"""The paper's three conversations: what everybody knows and believes after each turn, as the walkthroughs say."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from upheld import Conversation
from upheld.conversation.checking.replaying import loaded
from upheld.logic.epistemic.abduction import abductive_problem, is_solution
from upheld.logic.language.formulas import Atom
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.notation import format_formula
from upheld.logic.language.turns import Retract
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.speech.formats.gold import BeliefQuery, Gold
from upheld.speech.formats.reading import read_transcript

pytest.importorskip("oxidd", reason="common knowledge needs the extra 'epistemic'")

PAPER = Path(__file__).parent / "paper"
PHASE1, PHASE2 = "phase1-muddy-children", "phase2-debugging"
NAMES = sorted(path.stem for path in PAPER.glob("*.yaml"))


@cache
def told(name: str) -> tuple[Gold, Conversation]:
    """The labels of a file, and the conversation."""
    transcript = read_transcript(PAPER / f"{name}.yaml")
    assert transcript.gold is not None
    return transcript.gold, loaded(transcript)


def queries() -> list[tuple[str, BeliefQuery]]:
    """Every belief that some file labels."""
    return [(name, query) for name in NAMES for query in told(name)[0].beliefs]


@pytest.mark.parametrize(("name", "query"), queries(), ids=lambda each: each if isinstance(each, str) else str(each.at))
def test_knowledge_and_belief_after_each_turn_are_as_labelled(name: str, query: BeliefQuery) -> None:
    """The paper, Appendices B to D; where its text contradicts itself, docs/decisions/0006 says what is labelled."""
    assert query.at is not None
    talk = told(name)[1].at(query.at)
    assert talk.holds(query.formula) is query.holds, format_formula(query.formula)


def test_every_file_has_beliefs_and_some_of_them_are_denied() -> None:
    """Our promise: the test above cannot pass by having nothing to ask, or only what is true."""
    counts = {name: len(told(name)[0].beliefs) for name in NAMES}
    assert min(counts.values()) >= 10
    assert {query.holds for _, query in queries()} == {True, False}


def test_the_conversation_itself_leaves_as_many_worlds_as_the_paper_says() -> None:
    """The paper, Figure 3: 8, 7, 4, 1; the counts between follow from the round being one announcement."""
    gold, talk = told(PHASE1)
    assert gold.worlds is not None
    about = "m_a & m_b & m_c -> m_a"
    found = {turn: talk.at(turn).count_worlds(about) for turn in gold.worlds.after}
    assert found == {turn: left.count for turn, left in gold.worlds.after.items()}


@pytest.mark.parametrize(
    ("hypothesis", "explains", "turn"),
    [("h1", "o7", "T4"), ("h2", "o1", "T5"), ("h3", "o6", "T10"), ("h4", "o8", "T11")],
)
def test_each_hypothesis_solves_the_abductive_problem_that_it_was_made_for(
    hypothesis: str, explains: str, turn: str
) -> None:
    """The paper, Definition E.2 and Appendix C: surprising, consistent, explanatory, not trivial, not believed."""
    before = told(PHASE2)[1].at(turn).state
    meaning = told(PHASE2)[1].state.proposition(PropositionId(hypothesis)).formula
    assert meaning is not None
    # What rests on the observation falls with it: h1 says o8 too, and would make it no surprise.
    without = taken_back(before, Retract(target=PropositionId(explains)))
    problem = abductive_problem(without.plausibility, Atom(explains))
    assert problem.is_surprising
    assert is_solution(problem, meaning)


def test_a_hypothesis_that_predicts_something_else_explains_nothing() -> None:
    """Our promise: the test above is able to fail."""
    before = told(PHASE2)[1].at("T4").state
    meaning = told(PHASE2)[1].state.proposition(PropositionId("h3")).formula
    assert meaning is not None
    assert not is_solution(abductive_problem(before.plausibility, Atom("o7"), ["o7"]), meaning)
