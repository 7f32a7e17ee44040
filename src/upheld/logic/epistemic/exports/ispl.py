"""ISPL, the language of the model checker MCMAS: static epistemic models, written and read.

The environment holds the atoms and nothing ever changes; an agent sees the atoms that its ``Lobsvars`` list; the
initial states are the worlds that satisfy the law. MCMAS calls a formula true when it holds in every initial state,
which here is every world. So questions ask for validity, and nothing is announced before.

There are only ``!``, ``and``, ``or``, ``K``, ``GCK`` and ``DK``: other connectives are spelled out (an equivalence
doubles its operands), and ``always`` and ``never`` stand for what is always and never true. ``GK`` is read as well.

Source: Lomuscio, Qu and Raimondi 2017, *MCMAS: an open-source model checker for the verification of multi-agent
systems*, section 3, and the program's user manual.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from upheld.errors import CouldNotCheck, MalformedInput
from upheld.logic.epistemic.exports.naming import Names, fitted, names_noted, with_formulas, with_names
from upheld.logic.epistemic.exports.problems import Asked, Problem, Question
from upheld.logic.epistemic.exports.reading import OPEN, FormulaReader, Infix, Waiting, Words
from upheld.logic.epistemic.exports.rewriting import Piece, chained, in_few_connectives, spelled_out, written
from upheld.logic.language.formulas import (
    And,
    Atom,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    Formula,
    Knows,
    Not,
    OfGroup,
    Or,
    Top,
    parts_of,
)

_TOKEN = r"(?P<space>\s+|--[^\n]*)|[A-Za-z]\w*|[(){},;:=.!]"
_NAME = r"[A-Za-z][A-Za-z0-9_]*"
_ENVIRONMENT, _IDLE = "Environment", "idle"
_KEYWORDS = frozenset(
    {"Agent", "Semantics", "Evaluation", "InitStates", "Groups", "Fairness", "Formulae", "Vars", "Obsvars", "Lobsvars"}
    | {"Actions", "Action", "Protocol", "Evolution", "RedStates", "Other", "end", "if", "and", "or", "true", "false"}
    | {"boolean", "MultiAssignment", "SingleAssignment", _ENVIRONMENT, "none", _IDLE, "always", "never"}
    | {"K", "GK", "GCK", "DK", "O", "KH", "A", "E", "X", "F", "G", "U", "AG", "EG", "AX", "EX", "AF", "EF"}
)
_STILL = f"""Actions = {{none}};
  Protocol:
    Other: {{none}};
  end Protocol
  Evolution:
    {_IDLE}=false if Action=none;
  end Evolution
end Agent
"""


def write_ispl(problem: Problem) -> str:
    """Write a problem whose questions ask for validity; comments say what each name that had to change stands for.

    Raises:
        CouldNotCheck: a question asks something else, or comes after an announcement.
        MalformedInput: there is no agent or no question, which the format cannot say.
    """
    if not problem.observes or not problem.questions:
        raise MalformedInput("MCMAS needs at least one agent and one formula")
    for question in problem.questions:
        if question.asked is not Asked.VALID:
            raise CouldNotCheck(f"MCMAS asks whether a formula holds in all worlds: {question.asked.value!r} is lost")
        if question.announcements:
            raise CouldNotCheck("a static epistemic model has no announcements: they are lost")
    names = _names_for(problem)
    short = with_names(sayable_to_mcmas(problem), names)
    groups = _groups_of(short)
    sections = [
        f"{names.comments}{_agent(_ENVIRONMENT, None, short.vocabulary)}",
        *(_agent(agent, seen, ()) for agent, seen in short.observes.items()),
        _section("Evaluation", [*map(_evaluated, short.vocabulary), *_EVALUATED_ALWAYS]),
        _section("InitStates", [" and\n  ".join([*_start(short.observes), _condition(short.law)])]),
        *([_section("Groups", [f"{name} = {_set(group)}" for group, name in groups.items()])] if groups else []),
        _section("Formulae", [_formula(question.formula, groups) for question in short.questions]),
    ]
    return "\n".join(sections)


def sayable_to_mcmas(problem: Problem) -> Problem:
    """Give the same problem as it reads back: in few connectives, groups spelled out."""
    return with_formulas(problem, lambda formula: in_few_connectives(spelled_out(formula, problem.observes)))


def read_ispl(text: str, *, source: str = "") -> Problem:
    """Read a problem that :func:`write_ispl` could have written, with the names that its comments give.

    Raises:
        MalformedInput: the text is outside the subset; names the line.
        UnknownReference: an atom or an agent occurs that is not declared.
        RepeatedIdentity: an atom is declared twice.
    """
    words = Words.of(text, _TOKEN, source=source)
    vocabulary, _ = _read_agent(words, _ENVIRONMENT)
    observes: dict[str, tuple[str, ...]] = {}
    while words.peek() == "Agent":
        name = words.peek(1)
        _, observes[name] = _read_agent(words, name)
    _expect(words, _section("Evaluation", [*map(_evaluated, vocabulary), *_EVALUATED_ALWAYS]))
    _expect(words, "InitStates " + " and ".join(_start(observes)) + " and")
    law = FormulaReader(words, _read_condition, _INFIXES).formula()
    _expect(words, "; end InitStates")
    groups = _read_groups(words)
    questions: list[Question] = []
    words.expect("Formulae")
    while not words.takes("end", "Formulae"):
        questions.append(Question(formula=_read_formula(words, groups)))
        words.expect(";")
    if words.peek():
        raise words.error("expected the end")
    problem = Problem(vocabulary=vocabulary, observes=observes, law=law, questions=tuple(questions))
    return with_names(problem, names_noted(text, source=source))


def _names_for(problem: Problem) -> Names:
    agents = fitted(problem.observes, fits=_is_name, fresh=lambda: _numbered("agent"))
    taken = frozenset(agents.values())
    atoms = fitted(problem.vocabulary, fits=lambda name: _is_name(name) and name not in taken, fresh=_fresh_atoms)
    return Names(atoms=atoms, agents=agents)


def _is_name(name: str) -> bool:
    is_ours = re.fullmatch(r"(?:atom|agent|group)_[0-9]+", name) is not None
    return re.fullmatch(_NAME, name) is not None and not is_ours and name not in _KEYWORDS


def _fresh_atoms() -> Iterator[str]:
    return _numbered("atom")


def _numbered(kind: str) -> Iterator[str]:
    return (f"{kind}_{number}" for number in itertools.count(1))


# --- writing ---------------------------------------------------------------------------------------------------------


def _section(name: str, items: Sequence[str]) -> str:
    return f"{name}\n" + "".join(f"  {item};\n" for item in items) + f"end {name}\n"


def _agent(name: str, seen: tuple[str, ...] | None, atoms: tuple[str, ...]) -> str:
    observed = "" if seen is None else f"  Lobsvars = {_set(seen)};\n"
    variables = "".join(f"    {atom}: boolean;\n" for atom in (_IDLE, *atoms))
    return f"Agent {name}\n{observed}  Vars:\n{variables}  end Vars\n  {_STILL}"


def _set(names: Sequence[str]) -> str:
    return "{" + ", ".join(names) + "}"


def _evaluated(atom: str) -> str:
    return f"{atom} if {_ENVIRONMENT}.{atom}=true"


_EVALUATED_ALWAYS = (f"always if {_ENVIRONMENT}.{_IDLE}=false", f"never if {_ENVIRONMENT}.{_IDLE}=true")


def _start(agents: Mapping[str, object]) -> list[str]:
    return [f"{name}.{_IDLE}=false" for name in (_ENVIRONMENT, *agents)]


def _groups_of(problem: Problem) -> dict[tuple[str, ...], str]:
    """Give each group that is spoken of its name, in the order in which they occur."""
    found: dict[tuple[str, ...], str] = {}
    for formula in problem.formulas:
        pending: list[Formula] = [formula]
        while pending:
            node = pending.pop()
            if isinstance(node, OfGroup):
                found.setdefault(node.group, f"group_{len(found) + 1}")
            pending.extend(reversed(parts_of(node)))
    return found


def _condition(law: Formula) -> str:
    def pieces_of(node: Formula) -> Sequence[Piece]:
        match node:
            case Top():
                return [f"{_ENVIRONMENT}.{_IDLE}=false"]
            case Bottom():
                return [f"{_ENVIRONMENT}.{_IDLE}=true"]
            case Atom(name):
                return [f"{_ENVIRONMENT}.{name}=true"]
            case _:
                return _pieces_of(node, {})

    return written(law, pieces_of)


def _formula(formula: Formula, groups: Mapping[tuple[str, ...], str]) -> str:
    return written(formula, lambda node: _pieces_of(node, groups))


def _pieces_of(formula: Formula, groups: Mapping[tuple[str, ...], str]) -> Sequence[Piece]:
    match formula:
        case Top():
            return ["always"]
        case Bottom():
            return ["never"]
        case Atom(name):
            return [name]
        case Not(operand):
            return ["!(", operand, ")"]
        case And(operands):
            return chained(operands, " and ")
        case Or(operands):
            return chained(operands, " or ")
        case Knows(agent, operand):
            return [f"K({agent}, ", operand, ")"]
        case CommonKnowledge(group, operand):
            return [f"GCK({groups[group]}, ", operand, ")"]
        case DistributedKnowledge(group, operand):
            return [f"DK({groups[group]}, ", operand, ")"]
        case _:
            raise AssertionError(formula)


# --- reading ---------------------------------------------------------------------------------------------------------


def _expect(words: Words, text: str) -> None:
    words.expect(*(word.text for word in Words.of(text, _TOKEN).words))


def _read_agent(words: Words, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read an agent of which nothing but variables is free: those that it has, and those that it sees."""
    words.expect("Agent", name)
    seen: tuple[str, ...] = ()
    if words.takes("Lobsvars", "="):
        seen = _read_set(words)
        words.expect(";")
    _expect(words, f"Vars: {_IDLE}: boolean;")
    atoms: list[str] = []
    while words.peek() != "end":
        atoms.append(words.name(_NAME, "a variable"))
        words.expect(":", "boolean", ";")
    _expect(words, f"end Vars {_STILL}")
    return tuple(atoms), seen


def _read_set(words: Words) -> tuple[str, ...]:
    words.expect("{")
    names: list[str] = []
    while not words.takes("}"):
        if names:
            words.expect(",")
        names.append(words.name(_NAME, "a name"))
    return tuple(names)


def _read_groups(words: Words) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    if words.takes("Groups"):
        while not words.takes("end", "Groups"):
            name = words.name(_NAME, "a group")
            words.expect("=")
            groups[name] = _read_set(words)
            words.expect(";")
    return groups


def _read_condition(words: Words) -> Formula | Waiting:
    if (found := _plain(words)) is not None:
        return found
    words.expect(_ENVIRONMENT, ".")
    name = words.name(_NAME, "a variable")
    words.expect("=")
    if name == _IDLE:
        return Top() if words.takes("false") else _then(words, "true", Bottom())
    return _then(words, "true", Atom(name))


def _then(words: Words, text: str, formula: Formula) -> Formula:
    words.expect(text)
    return formula


def _read_formula(words: Words, groups: Mapping[str, tuple[str, ...]]) -> Formula:
    def operand(words: Words) -> Formula | Waiting:
        if (found := _plain(words)) is not None:
            return found
        word = words.name(_NAME, "a formula")
        if word in _KNOWING:
            words.expect("(")
            who = words.name(_NAME, "an agent or a group")
            words.expect(",")
            return Waiting(_knowing(words, word, who, groups), OPEN)
        return _CONSTANTS.get(word) or Atom(word)

    return FormulaReader(words, operand, _INFIXES).formula()


def _plain(words: Words) -> Waiting | None:
    if words.takes("!"):
        return Waiting(lambda parts: Not(parts[0]))
    return Waiting(lambda parts: parts[0], OPEN) if words.takes("(") else None


def _knowing(
    words: Words, word: str, who: str, groups: Mapping[str, tuple[str, ...]]
) -> Callable[[Sequence[Formula]], Formula]:
    if word == "K":
        return lambda parts: Knows(who, parts[0])
    if who not in groups:
        raise MalformedInput(f"no group is called {who!r}", source=words.source, line=words.line)
    group = groups[who]
    if word == "GK":
        return lambda parts: And(tuple(Knows(agent, parts[0]) for agent in group))
    make = CommonKnowledge if word == "GCK" else DistributedKnowledge
    return lambda parts: make(group, parts[0])


_CONSTANTS: dict[str, Formula] = {"always": Top(), "never": Bottom()}
_KNOWING = frozenset({"K", "GK", "GCK", "DK"})
_INFIXES: dict[str, Infix] = {
    "or": Infix(1, lambda parts: Or(tuple(parts)), is_chained=True),
    "and": Infix(2, lambda parts: And(tuple(parts)), is_chained=True),
}
