"""Problems written for other model checkers read back as themselves, and answer the same."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from upheld.errors import MalformedInput, UpheldError
from upheld.logic.epistemic.exports.ispl import read_ispl, sayable_to_mcmas, write_ispl
from upheld.logic.epistemic.exports.problems import (
    Announced,
    Asked,
    Problem,
    Question,
    Saying,
    worlds_where,
)
from upheld.logic.epistemic.exports.rewriting import renamed
from upheld.logic.epistemic.exports.smcdel import read_smcdel, sayable_to_smcdel, write_smcdel
from upheld.logic.language.formulas import (
    And,
    Atom,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    Or,
    Top,
)

ATOMS = ["p", "2", "m_a", "idle", "agent", "K", "atom_1", "group_1", 'a "b"\n--', "é", "Environment", "true", ""]
AGENTS = ["alice", "bob", "Bob", "agentA", "agent_1", "and", "a b", "K", "ann 2", ""]

Draw = st.DrawFn


def _grown(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(parts, max_size=3).map(tuple)
    binary = [st.builds(make, parts, parts) for make in (Implies, Iff)]
    return st.one_of(st.builds(Not, parts), st.builds(And, several), st.builds(Or, several), *binary)


def _grown_by_agents(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    agent, group = st.sampled_from("012"), st.lists(st.sampled_from("012"), max_size=3).map(tuple)
    knowing = [st.builds(make, agent, parts) for make in (Knows, KnowsWhether)]
    shared = [st.builds(make, group, parts) for make in (CommonKnowledge, DistributedKnowledge)]
    return st.one_of(_grown(parts), *knowing, *shared)


LEAVES: st.SearchStrategy[Formula] = st.one_of(st.sampled_from("0123").map(Atom), st.just(Top()), st.just(Bottom()))
LAWS = st.recursive(LEAVES, _grown, max_leaves=4)
FORMULAS = st.recursive(LEAVES, _grown_by_agents, max_leaves=5)
ANNOUNCED = st.builds(Announced, formula=FORMULAS, saying=st.sampled_from(Saying))
QUESTIONS = st.builds(Question, formula=FORMULAS, announcements=st.lists(ANNOUNCED, max_size=2).map(tuple))
STATIC = st.builds(Question, formula=FORMULAS)


@st.composite
def problems(draw: Draw, *, is_static: bool = False, are_numbers: bool = False) -> Problem:
    """Problems of a few atoms and agents; static ones ask only what holds everywhere before anything is said.

    Formulas are drawn over numbered places, which then get the names: strategies that are built once are fast.
    """
    names = st.sampled_from(["3", "0", "12", "1"] if are_numbers else ATOMS)
    atoms = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    agents = draw(st.lists(st.sampled_from(AGENTS), min_size=1, max_size=3, unique=True))
    seen = st.lists(st.sampled_from(atoms), unique=True).map(tuple)

    def named(formula: Formula) -> Formula:
        return renamed(
            formula,
            atoms=lambda place: atoms[int(place) % len(atoms)],
            agents=lambda place: agents[int(place) % len(agents)],
        )

    def asked(question: Question) -> Question:
        announcements = tuple(replace(said, formula=named(said.formula)) for said in question.announcements)
        plain = replace(question, formula=named(question.formula), announcements=announcements)
        kind = Asked.VALID if is_static else draw(st.sampled_from(Asked))
        return replace(plain, asked=kind, world=frozenset(draw(seen)) if kind is Asked.TRUE else frozenset[str]())

    return Problem(
        vocabulary=tuple(atoms),
        observes={agent: draw(seen) for agent in agents},
        law=named(draw(LAWS)),
        questions=tuple(map(asked, draw(st.lists(STATIC if is_static else QUESTIONS, min_size=1, max_size=2)))),
    )


@examples(100)
@given(st.one_of(problems(), problems(are_numbers=True)))
def test_what_is_written_for_smcdel_reads_back_as_itself(problem: Problem) -> None:
    """Our promise: reading undoes writing, whatever the names, and writing again gives the same text."""
    text = write_smcdel(problem)
    assert read_smcdel(text) == sayable_to_smcdel(problem)
    assert write_smcdel(read_smcdel(text)) == text
    assert text.isascii()


@examples(100)
@given(problems(is_static=True))
def test_what_is_written_for_mcmas_reads_back_as_itself(problem: Problem) -> None:
    """Our promise: reading undoes writing, whatever the names, and writing again gives the same text."""
    text = write_ispl(problem)
    assert read_ispl(text) == sayable_to_mcmas(problem)
    assert write_ispl(read_ispl(text)) == text
    assert text.isascii()


@examples(100)
@given(problems())
def test_what_was_read_back_has_the_same_answers(problem: Problem) -> None:
    """Our promise: what is spelled out means what it did, at every world."""
    assert answers(sayable_to_smcdel(problem)) == answers(problem)
    assert answers(sayable_to_mcmas(problem)) == answers(problem)


def answers(problem: Problem) -> list[frozenset[frozenset[str]]] | str:
    """Where each question's formula holds; a word when the law holds nowhere."""
    try:
        return [worlds_where(problem, question) for question in problem.questions]
    except MalformedInput as refused:
        return refused.key


@examples(100)
@given(st.text(alphabet="VARSLAWOBS:?,12 alice()[]{}!<>|&~-\n", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Our promise: a stranger's text raises none but our errors, and what is read can be written and read again."""
    for head, read, write in (
        ("", read_smcdel, write_smcdel),
        ("VARS 1,2 LAW Top OBS alice: 1 VALID? ", read_smcdel, write_smcdel),
        ("", read_ispl, write_ispl),
    ):
        try:
            problem = read(head + text)
        except UpheldError:
            continue
        assert write(read(write(problem))) == write(problem)
