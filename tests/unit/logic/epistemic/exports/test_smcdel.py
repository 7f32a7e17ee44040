"""SMCDEL's text: what the published notes show can be read, and what cannot be said is refused."""

from __future__ import annotations

import pytest

from upheld.errors import CouldNotCheck, LimitExceeded, MalformedInput, RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.exports.problems import (
    Announced,
    Asked,
    Problem,
    Question,
    Saying,
    is_answered_yes,
    problem_of,
    worlds_of,
    worlds_where,
)
from upheld.logic.epistemic.exports.smcdel import read_smcdel, write_smcdel
from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.reference_events import product
from upheld.logic.epistemic.structures.events import announcement
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom
from upheld.logic.language.notation import parse_formula

CHILDREN = """-- three children
VARS 1,2,3
LAW  Top
OBS  alice: 2,3
     bob:   1,3
     carol: 1,2
WHERE?
  [ ! (1|2|3) ] alice knows whether 1
VALID?
  [ ! (1|2|3) ]
  [ ! ((~ (alice knows whether 1)) & (~ (bob knows whether 2)) & (~ (carol knows whether 3))) ]
  [ ! ((~ (alice knows whether 1)) & (~ (bob knows whether 2)) & (~ (carol knows whether 3))) ]
  (alice,bob,carol) comknow that (1 & 2 & 3)
TRUE? {1}
  < ! 1 | 2 > alice knows that 1 & ~ bob knows whether 2 -> Bot
"""

CRYPTOGRAPHERS = """
VARS  0, 1,2,3, 4,5,6
LAW  AND ( OR (0,1,2,3), ~(0&1), ~(0&2), ~(0&3), ~(1&2), ~(1&3), ~(2&3) )
OBS  alice: 1, 4,5
     bob  : 2, 4,  6
     carol: 3,   5,6
VALID?  (alice,bob,carol) comknow that (OR (0,1,2,3))
VALID?  alice knows whether 1
VALID?
  [?! XOR (1, 4, 5)] -- each says
  [?! XOR (2, 4, 6)]
  [?! XOR (3, 5, 6)] -- what it sees
  AND (0 -> (alice,bob,carol) comknow that 0,
       1 -> AND (~ bob knows that 1, ~ carol knows that 1))
"""


def test_the_answers_about_three_children_are_those_that_the_program_prints() -> None:
    """SMCDEL's published notes: the states [] and [1], and True."""
    problem = read_smcdel(CHILDREN)
    where, valid, false = problem.questions
    assert worlds_where(problem, where) == {frozenset(), frozenset({"1"})}
    assert is_answered_yes(problem, where)
    assert is_answered_yes(problem, valid)
    assert not is_answered_yes(problem, false)


def test_lists_and_announcements_whether_are_read() -> None:
    """SMCDEL's published example of three cryptographers: all that it asks is valid."""
    problem = read_smcdel(CRYPTOGRAPHERS)
    assert problem.questions[2].announcements[0].saying is Saying.WHETHER
    assert len(worlds_of(problem).worlds) == 32
    assert all(is_answered_yes(problem, question) for question in problem.questions)


def test_one_of_a_list_is_exactly_one() -> None:
    """SMCDEL's change notes: ``ONEOF``."""
    problem = read_smcdel("VARS 1,2,3 LAW ONEOF (1,2,3) OBS a: 1")
    assert worlds_of(problem).worlds == {frozenset({"1"}), frozenset({"2"}), frozenset({"3"})}


def test_names_that_the_format_cannot_hold_are_kept_in_comments() -> None:
    """Our promise: a stable text, from which every name comes back."""
    problem = Problem(
        vocabulary=("m a", "m_b"),
        observes={"Ann Lee": ("m_b",), "bob": ()},
        law=parse_formula('"m a" | m_b'),
        questions=(
            Question(
                formula=parse_formula('C (K_bob "m a" <-> Kw_"Ann Lee" m_b)'),
                asked=Asked.TRUE,
                announcements=(Announced(formula=Atom("m a"), saying=Saying.AND_TRUE),),
                world=frozenset({"m_b", "m a"}),
            ),
        ),
    )
    text = write_smcdel(problem)
    assert text == (
        '-- atom 1 is "m a"\n-- atom 2 is "m_b"\n-- agent agentA is "Ann Lee"\n'
        "VARS 1,2\nLAW  (1 | 2)\nOBS  agentA: 2\n     bob:\n"
        "TRUE? {1,2}\n  < ! 1 >\n  ((agentA,bob) comknow that ((bob knows that 1) iff (agentA knows whether 2)))\n"
    )
    assert read_smcdel(text).observes == problem.observes


def test_plausibility_and_awareness_are_refused_by_name() -> None:
    """Our promise: what an export loses is said, never left out in silence."""
    start = PlausibilityModel.over({"p", "q"}, observes={"ann": {"q"}})
    assert problem_of(start.announced(Atom("p")), vocabulary=("p", "q")).observes == {"ann": ("q",)}
    with pytest.raises(CouldNotCheck, match=r"plausibility is lost.*'ann'"):
        problem_of(start.radical(Atom("p")), vocabulary=("p", "q"))
    with pytest.raises(CouldNotCheck, match="awareness is lost"):
        problem_of(PlausibilityModel.over({"p"}, aware={"": frozenset()}), vocabulary=("p",))
    for formula in ("B_ann p", "Sb_ann p", "A_ann p", "X_ann p", "K_ann B_ann^(q) p"):
        with pytest.raises(CouldNotCheck, match="lost"):
            Problem(vocabulary=("p", "q"), observes={"ann": ()}, questions=(Question(formula=parse_formula(formula)),))


def test_the_problem_of_a_model_has_its_worlds() -> None:
    """Our promise: the law says which worlds are left."""
    left = PlausibilityModel.over({"p", "q"}, observes={"ann": {"q"}, "bob": ()}).announced(
        parse_formula("p | ~Kw_ann p")
    )
    told = left.announced(parse_formula("p -> q"))
    assert worlds_of(read_smcdel(write_smcdel(problem_of(told, vocabulary=("p", "q"))))).worlds == told.worlds
    with pytest.raises(UnknownReference, match="q"):
        problem_of(told, vocabulary=("p",))


def test_the_problem_of_a_knowledge_structure_is_that_of_its_worlds() -> None:
    """Our promise: a structure is written as explicit worlds are, and what would be lost is refused alike."""
    pytest.importorskip("oxidd", reason="the extra `epistemic` is not installed")
    observes, law = {"ann": ("q",), "bob": ()}, parse_formula("p -> q")
    start = KnowledgeStructure.over(("p", "q"), observes=observes, law=law)
    explicit = PlausibilityModel.over(("p", "q"), observes=observes).announced(law)
    assert problem_of(start, vocabulary=("p", "q")) == problem_of(explicit, vocabulary=("p", "q"))
    lost = {
        "'bob' prefers": start.radical(Atom("p"), listeners=["bob"]),
        "awareness": KnowledgeStructure.over(("p",), observes={"ann": ()}, aware={"ann": frozenset()}),
        "noticed": start.told(Atom("p"), to=["bob"]),
    }
    for named, left in lost.items():
        with pytest.raises(CouldNotCheck, match=named):
            problem_of(left, vocabulary=("p", "q"))
    with pytest.raises(CouldNotCheck, match="noticed"):
        problem_of(product(explicit, announcement(Atom("p"))), vocabulary=("p", "q"))
    with pytest.raises(LimitExceeded):
        problem_of(KnowledgeStructure.over([f"p{i}" for i in range(13)]), vocabulary=("p",))


def test_a_law_about_agents_is_refused() -> None:
    """Van Benthem et al. 2018, section 3: a state law is a boolean formula over the vocabulary."""
    with pytest.raises(CouldNotCheck, match="law"):
        Problem(vocabulary=("p",), observes={"ann": ()}, law=parse_formula("K_ann p"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("VARS 1\nLAW Top\nOBS a: 1\nVALID? (1", 4),
        ("VARS 1\nLAW 1 & & 1\nOBS a: 1", 2),
        ("VARS 1\nLAW Top\nOBS a: 1\nVALID?\n1 (", 5),
        ("VARS 1\nLAW Top\nOBS a: 1\nVALID?\n~ [ ! 1 ] 1", 5),
        ("VARS 1\nLAW (1, 1)\nOBS a: 1", 2),
        ("VARS\n1;\nLAW Top", 2),
        ("VARS 1\nLAW Top\nOBS a: 1\nVALID? a knows 1", 4),
        ('-- agent a is "\\q"\nVARS 1\nLAW Top\nOBS a: 1', 1),
        ("", 1),
    ],
)
def test_what_is_outside_the_subset_is_refused_with_its_line(text: str, line: int) -> None:
    """Our promise: a person can mend the file."""
    with pytest.raises(MalformedInput) as refused:
        read_smcdel(text, source="puzzle.txt")
    assert refused.value.line == line


def test_undeclared_and_repeated_names_are_refused() -> None:
    """Our promise: a slip in a name does not pass in silence."""
    for text in ("VARS 1 LAW 2 OBS a: 1", "VARS 1 LAW 1 OBS a: 2", "VARS 1 LAW 1 OBS a: 1 VALID? b knows that 1"):
        with pytest.raises(UnknownReference):
            read_smcdel(text)
    with pytest.raises(RepeatedIdentity):
        read_smcdel("VARS 1,1 LAW 1 OBS a: 1")
    with pytest.raises(MalformedInput, match="at least one"):
        write_smcdel(Problem(vocabulary=(), observes={"a": ()}))


def test_depth_is_no_limit() -> None:
    """Our promise: nothing recurses over what a caller gives."""
    formula = Atom("1")
    for _ in range(5_000):
        formula = And((formula, Atom("1")))
    text = write_smcdel(Problem(vocabulary=("1",), observes={"a": ()}, law=formula))
    assert write_smcdel(read_smcdel(text)) == text
