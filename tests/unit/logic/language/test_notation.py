"""How formulas are written and read."""

from __future__ import annotations

import pytest

from upheld.errors import MalformedFormula
from upheld.logic.language.formulas import (
    And,
    Atom,
    Aware,
    Believes,
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
from upheld.logic.language.notation import format_formula, parse_formula

P, Q, R = Atom("p"), Atom("q"), Atom("r")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("true", Top()),
        ("false", Bottom()),
        ("p", P),
        ("~~p", Not(Not(P))),
        ("p & q & r", And((P, Q, R))),
        ("(p & q) & r", And((And((P, Q)), R))),
        ("p & (q & r)", And((P, And((Q, R))))),
        ("p | q & r", Or((P, And((Q, R))))),
        ("(p | q) & r", And((Or((P, Q)), R))),
        ("p -> q -> r", Implies(P, Implies(Q, R))),
        ("(p -> q) -> r", Implies(Implies(P, Q), R)),
        ("p -> q <-> r", Iff(Implies(P, Q), R)),
        ("p <-> q <-> r", Iff(P, Iff(Q, R))),
        ("~p & q", And((Not(P), Q))),
        ("K_alice m_a & ~K_alice ~m_a", And((Knows("alice", Atom("m_a")), Not(Knows("alice", Not(Atom("m_a"))))))),
        ("Kw_bob p", KnowsWhether("bob", P)),
        ("B_i^(p & q) r", Believes("i", R, And((P, Q)))),
        ("B_i^(B_j^(p) q) r", Believes("i", R, Believes("j", Q, P))),
        ("C (p | q)", CommonKnowledge((), Or((P, Q)))),
        ("C_{a,b} p", CommonKnowledge(("a", "b"), P)),
        ("D_{a} ~p", DistributedKnowledge(("a",), Not(P))),
        ("A_alice (p -> q)", Aware("alice", Implies(P, Q))),
        ('"K_x" & "true"', And((Atom("K_x"), Atom("true")))),
        ('K_"the boss" p', Knows("the boss", P)),
        ("o1.2:a-b", Atom("o1.2:a-b")),
    ],
)
def test_every_connective_is_read_and_written_in_one_way(text: str, formula: Formula) -> None:
    """Our promise (docstrings of ``formulas``): each class is one connective of the notation."""
    assert parse_formula(text) == formula
    assert format_formula(formula) == text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("C(p|q)", "C (p | q)"),
        ("p->q", "p -> q"),
        ("p<->q", "p <-> q"),
        ("  p\n&\tq ", "p & q"),
        ('"p"', "p"),
        ("((p))", "p"),
    ],
)
def test_white_space_and_idle_parentheses_say_nothing(text: str, same: str) -> None:
    """Our promise: the notation is forgiving where nothing can be confused."""
    assert format_formula(parse_formula(text)) == same


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 0, "missing"),
        ("p q", 2, "expected one of"),
        ("p &", 3, "missing"),
        ("p -> ) q", 5, "expected a formula"),
        ("q & (p", 4, "never closed"),
        ("p)", 1, "nothing was opened"),
        ("B_a^ q r", 5, "parentheses"),
        ("B_a^", 4, "parentheses"),
        ("C_{} p", 3, "an agent"),
        ("C_{a b} p", 5, "expected , or }"),
        ("C_{a", 4, "expected , or }"),
        ("C_x", 0, '"C_x"'),
        ("K_ p", 0, '"K_"'),
        ("p < q", 2, "unexpected"),
        ('p & "q', 4, "never closed"),
        ("p _q", 2, "unexpected"),
    ],
)
def test_a_malformed_formula_is_refused_with_its_column(text: str, column: int, says: str) -> None:
    """Our promise: a person can mend a formula from the message alone."""
    with pytest.raises(MalformedFormula) as refused:
        parse_formula(text)
    assert refused.value.column == column
    assert says in str(refused.value)


@pytest.mark.parametrize("formula", [And(()), And((P,)), Or(()), Or((P,)), Not(And((Or((P,)), Q)))])
def test_a_conjunction_of_fewer_than_two_cannot_be_written(formula: Formula) -> None:
    """Our promise: what is written reads back as itself, so what cannot be is refused."""
    with pytest.raises(MalformedFormula, match="no written form"):
        format_formula(formula)


def test_depth_is_no_limit() -> None:
    """Our promise: nothing recurses over what a stranger wrote."""
    deep = 100_000
    text = "~" * deep + "p"
    assert format_formula(parse_formula(text)) == text
    assert format_formula(parse_formula("(" * deep + "p" + ")" * deep)) == "p"
    arrows = " -> ".join(["p"] * deep)
    assert format_formula(parse_formula(arrows)) == arrows
