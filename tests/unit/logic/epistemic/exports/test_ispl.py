"""ISPL: static epistemic models as MCMAS reads them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from upheld.errors import CouldNotCheck, MalformedInput
from upheld.logic.epistemic.exports.ispl import read_ispl, write_ispl
from upheld.logic.epistemic.exports.problems import Announced, Asked, Problem, Question, is_answered_yes
from upheld.logic.language.formulas import And, Atom, Knows
from upheld.logic.language.notation import parse_formula

PROBLEM = Problem(
    vocabulary=("m_a", "m b"),
    observes={"alice": ("m b",), "bob": ()},
    law=parse_formula('m_a -> "m b"'),
    questions=(
        Question(formula=parse_formula('C_{alice,bob} (m_a -> "m b")')),
        Question(formula=parse_formula("~K_bob m_a & true")),
    ),
)

TEXT = """-- atom atom_1 is "m b"
Agent Environment
  Vars:
    idle: boolean;
    m_a: boolean;
    atom_1: boolean;
  end Vars
  Actions = {none};
  Protocol:
    Other: {none};
  end Protocol
  Evolution:
    idle=false if Action=none;
  end Evolution
end Agent

Agent alice
  Lobsvars = {atom_1};
  Vars:
    idle: boolean;
  end Vars
  Actions = {none};
  Protocol:
    Other: {none};
  end Protocol
  Evolution:
    idle=false if Action=none;
  end Evolution
end Agent

Agent bob
  Lobsvars = {};
  Vars:
    idle: boolean;
  end Vars
  Actions = {none};
  Protocol:
    Other: {none};
  end Protocol
  Evolution:
    idle=false if Action=none;
  end Evolution
end Agent

Evaluation
  m_a if Environment.m_a=true;
  atom_1 if Environment.atom_1=true;
  always if Environment.idle=false;
  never if Environment.idle=true;
end Evaluation

InitStates
  Environment.idle=false and
  alice.idle=false and
  bob.idle=false and
  (!(Environment.m_a=true) or Environment.atom_1=true);
end InitStates

Groups
  group_1 = {alice, bob};
end Groups

Formulae
  GCK(group_1, (!(m_a) or atom_1));
  (!(K(bob, m_a)) and always);
end Formulae
"""


def test_a_problem_is_written_as_a_system_in_which_nothing_happens() -> None:
    """Source: the user manual of MCMAS (local observation of the environment's variables; initial states)."""
    assert write_ispl(PROBLEM) == TEXT


def test_everybody_in_a_group_knowing_is_read_as_each_of_them_knowing() -> None:
    """Source: the user manual of MCMAS: ``GK``."""
    read = read_ispl(TEXT.replace("GCK", "GK"))
    operand = parse_formula('~m_a | "m b"')
    assert read.questions[0].formula == And((Knows("alice", operand), Knows("bob", operand)))
    assert [is_answered_yes(read, question) for question in read.questions] == [True, True]


def test_what_a_static_model_cannot_ask_is_refused_by_name() -> None:
    """Our promise: what an export loses is said, never left out in silence."""
    question = PROBLEM.questions[0]
    for lost, named in (
        (replace(question, announcements=(Announced(formula=Atom("m_a")),)), "announcements"),
        (replace(question, asked=Asked.WHERE), "'where' is lost"),
        (replace(question, asked=Asked.TRUE), "'true' is lost"),
    ):
        with pytest.raises(CouldNotCheck, match=named):
            write_ispl(replace(PROBLEM, questions=(lost,)))
    with pytest.raises(MalformedInput, match="at least one"):
        write_ispl(replace(PROBLEM, questions=()))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("Other: {none}", "Other: {some}", 10),
        ("idle=false if Action=none", "m_a=true if Action=none", 13),
        ("GCK(group_1, ", "GCK(group_2, ", 64),
        ("(!(m_a)", "AG (!(m_a)", 64),
        ("end Formulae\n", "end Formulae\nmore\n", 67),
        ("always);", "always;", 65),
        ("Environment.m_a=true) or", "Environment.m_a=false) or", 56),
    ],
)
def test_what_is_outside_the_subset_is_refused_with_its_line(old: str, new: str, line: int) -> None:
    """Our promise: a system in which something happens is not read as one in which nothing does."""
    with pytest.raises(MalformedInput) as refused:
        read_ispl(TEXT.replace(old, new, 1))
    assert refused.value.line == line
