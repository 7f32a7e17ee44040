"""Reading undoes writing, for every formula that can be written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedFormula
from upheld.logic.language.formulas import (
    And,
    Atom,
    Aware,
    Believes,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    ExplicitlyKnows,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    Or,
    SafelyBelieves,
    Top,
)
from upheld.logic.language.notation import format_formula, parse_formula

NAMES = st.one_of(
    st.sampled_from(["p", "m_a", "o1.2", "a-b", "K_x", "C", "D", "C_a", "true", "false", "Kw_", "B", "a-", "-", "é"]),
    st.sampled_from(["Sb_x", "X_", "X", "S_b"]),
    st.text(max_size=4),
)
GROUPS = st.lists(NAMES, max_size=3).map(tuple)


def _grown(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Not, parts),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Implies, parts, parts),
        st.builds(Iff, parts, parts),
        st.builds(Knows, NAMES, parts),
        st.builds(KnowsWhether, NAMES, parts),
        st.builds(Believes, NAMES, parts, st.none() | parts),
        st.builds(SafelyBelieves, NAMES, parts),
        st.builds(Aware, NAMES, parts),
        st.builds(ExplicitlyKnows, NAMES, parts),
        st.builds(CommonKnowledge, GROUPS, parts),
        st.builds(DistributedKnowledge, GROUPS, parts),
    )


LEAVES: st.SearchStrategy[Formula] = st.one_of(st.builds(Atom, NAMES), st.just(Top()), st.just(Bottom()))
FORMULAS = st.recursive(LEAVES, _grown, max_leaves=12)


def _reads_back(formula: Formula) -> bool:
    return parse_formula(format_formula(formula)) == formula


@given(FORMULAS)
def test_a_written_formula_reads_back_as_itself(formula: Formula) -> None:
    """Our promise: ``parse_formula(format_formula(f)) == f``."""
    assert _reads_back(formula)


@given(st.text(alphabet='pq~&|()-><^{},_ KBSbXCDA"\\', max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Our promise: a stranger's text raises no other error, and what is read is written so that it reads the same."""
    column: int | None = None
    try:
        assert _reads_back(parse_formula(text))
    except MalformedFormula as refused:
        column = refused.column
    assert column is None or 0 <= column <= len(text)
