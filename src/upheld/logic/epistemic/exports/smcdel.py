"""The text input of SMCDEL, a model checker for dynamic epistemic logic: a subset, written and read.

::

    VARS 1,2,3
    LAW  Top
    OBS  alice: 2,3
         bob: 1,3
    VALID?
      [ ! (1 | 2 | 3) ]
      (alice knows whether 1)

Formulas are built of ``Top``, ``Bot``, numbers, ``~``, ``&``, ``|``, ``->``, ``iff``, ``AND (…)``, ``OR (…)``,
``XOR (…)``, ``ONEOF (…)``, ``a knows that``, ``a knows whether`` and ``(a,b) comknow that``, ``distknow that``;
announcements ``[ ! f ]``, ``< ! f >`` and ``[ ?! f ]`` stand before them, nowhere else. The questions are ``VALID?``,
``WHERE?`` and ``TRUE? {1,2}``. What is written puts every operation in parentheses; what is read may leave them out,
``~`` and the words of knowledge binding tightest, then ``&``, ``|``, ``->`` and ``iff``.

Source: Gattinger 2018, *New Directions in Model Checking Dynamic Epistemic Logic*, and the examples and notes published
with the program.
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Callable, Iterator, Sequence

from upheld.errors import MalformedInput
from upheld.logic.epistemic.exports.naming import Names, fitted, names_noted, with_formulas, with_names
from upheld.logic.epistemic.exports.problems import Announced, Asked, Problem, Question, Saying
from upheld.logic.epistemic.exports.reading import OPEN, FormulaReader, Infix, Waiting, Words
from upheld.logic.epistemic.exports.rewriting import Piece, chained, spelled_out, written
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

_WORD = r"(?P<space>\s+|--[^\n]*)|[A-Z]+\?|->|\?!|[A-Za-z]\w*|\d+|[()\[\]{}<>,:!&|~]"
_NUMBER, _AGENT = r"0|[1-9][0-9]*", r"[A-Za-z]+"
_KEYWORDS = frozenset(
    {"and", "conj", "or", "disj", "xor", "oneof", "not", "top", "bot", "true", "false", "iff", "knows", "know", "that"}
    | {"whether", "comknow", "comknows", "distknow", "distknows", "vars", "law", "obs", "forall", "exists"}
)
_QUESTIONS = {"VALID?": Asked.VALID, "WHERE?": Asked.WHERE, "TRUE?": Asked.TRUE}
_BRACKETS = {Saying.IF_TRUE: ("[", "!", "]"), Saying.AND_TRUE: ("<", "!", ">"), Saying.WHETHER: ("[", "?!", "]")}


def write_smcdel(problem: Problem) -> str:
    """Write a problem; atoms become numbers by their place, and comments say which is which.

    Raises:
        MalformedInput: there is no atom or no agent, which the format cannot say.
    """
    if not problem.vocabulary or not problem.observes:
        raise MalformedInput("SMCDEL needs at least one atom and one agent")
    names = _names_for(problem)
    short = with_names(sayable_to_smcdel(problem), names)
    observers = [f"{agent}: {','.join(seen)}".rstrip() for agent, seen in short.observes.items()]
    lines = [
        f"{names.comments}VARS {','.join(short.vocabulary)}",
        f"LAW  {_formula(short.law)}",
        "OBS  " + "\n     ".join(observers),
        *map(_question, short.questions),
    ]
    return "\n".join(lines) + "\n"


def sayable_to_smcdel(problem: Problem) -> Problem:
    """Give the same problem as it reads back: groups spelled out, no conjunction or disjunction of fewer than two."""
    return with_formulas(problem, lambda formula: spelled_out(formula, problem.observes))


def read_smcdel(text: str, *, source: str = "") -> Problem:
    """Read a problem, with the names that its comments give.

    Raises:
        MalformedInput: the text is outside the subset; names the line.
        UnknownReference: an atom or an agent occurs that is not declared.
        RepeatedIdentity: an atom is declared twice.
    """
    words = Words.of(text, _WORD, source=source)
    words.expect("VARS")
    vocabulary = _numbers(words)
    words.expect("LAW")
    law = _read_formula(words)
    words.expect("OBS")
    observes: dict[str, tuple[str, ...]] = {}
    while words.peek(1) == ":":
        agent = words.name(_AGENT, "an agent")
        words.expect(":")
        observes[agent] = _numbers(words) if words.peek().isdigit() else ()
    questions: list[Question] = []
    while words.peek():
        questions.append(_read_question(words))
    problem = Problem(vocabulary=vocabulary, observes=observes, law=law, questions=tuple(questions))
    return with_names(problem, names_noted(text, source=source))


def _names_for(problem: Problem) -> Names:
    are_numbers = all(re.fullmatch(_NUMBER, atom, re.ASCII) for atom in problem.vocabulary)
    numbers = problem.vocabulary if are_numbers else map(str, itertools.count(1))
    agents = fitted(problem.observes, fits=_is_agent, fresh=_fresh_agents)
    return Names(atoms=dict(zip(problem.vocabulary, numbers, strict=False)), agents=agents)


def _is_agent(name: str) -> bool:
    is_ours = re.fullmatch(r"agent[A-Z]+", name) is not None
    return re.fullmatch(_AGENT, name) is not None and not is_ours and name.lower() not in _KEYWORDS


def _fresh_agents() -> Iterator[str]:
    for length in itertools.count(1):
        for letters in itertools.product(string.ascii_uppercase, repeat=length):
            yield "agent" + "".join(letters)


# --- writing ---------------------------------------------------------------------------------------------------------


def _question(question: Question) -> str:
    word = next(word for word, asked in _QUESTIONS.items() if asked is question.asked)
    if question.asked is Asked.TRUE:
        word += " {" + ",".join(sorted(question.world, key=int)) + "}"
    said = (_announcement(each) for each in question.announcements)
    return "\n  ".join((word, *said, _formula(question.formula)))


def _announcement(said: Announced) -> str:
    left, sign, right = _BRACKETS[said.saying]
    return f"{left} {sign} {_formula(said.formula)} {right}"


def _formula(formula: Formula) -> str:
    return written(formula, _pieces_of)


def _pieces_of(formula: Formula) -> Sequence[Piece]:
    match formula:
        case Top():
            return ["Top"]
        case Bottom():
            return ["Bot"]
        case Atom(name):
            return [name]
        case Not(operand):
            return ["~", operand]
        case And(operands):
            return chained(operands, " & ")
        case Or(operands):
            return chained(operands, " | ")
        case Implies(antecedent, consequent):
            return ["(", antecedent, " -> ", consequent, ")"]
        case Iff(left, right):
            return ["(", left, " iff ", right, ")"]
        case _:
            return _pieces_about(formula)


def _pieces_about(formula: Formula) -> Sequence[Piece]:
    match formula:
        case Knows(agent, operand):
            return [f"({agent} knows that ", operand, ")"]
        case KnowsWhether(agent, operand):
            return [f"({agent} knows whether ", operand, ")"]
        case CommonKnowledge(group, operand):
            return [f"(({','.join(group)}) comknow that ", operand, ")"]
        case DistributedKnowledge(group, operand):
            return [f"(({','.join(group)}) distknow that ", operand, ")"]
        case _:
            raise AssertionError(formula)


# --- reading ---------------------------------------------------------------------------------------------------------


def _read_question(words: Words) -> Question:
    asked = _QUESTIONS.get(words.peek())
    if asked is None:
        raise words.error("expected VALID?, WHERE? or TRUE?")
    words.next()
    world = _read_world(words) if asked is Asked.TRUE else frozenset[str]()
    announcements: list[Announced] = []
    while words.peek() in ("[", "<"):
        announcements.append(_read_announcement(words))
    return Question(
        formula=_read_formula(words), asked=asked, announcements=tuple(announcements), world=frozenset(world)
    )


def _read_world(words: Words) -> frozenset[str]:
    words.expect("{")
    world = () if words.peek() == "}" else _numbers(words)
    words.expect("}")
    return frozenset(world)


def _read_announcement(words: Words) -> Announced:
    for saying, (left, sign, right) in _BRACKETS.items():
        if words.takes(left, sign):
            formula = _read_formula(words)
            words.expect(right)
            return Announced(formula=formula, saying=saying)
    raise words.error("expected [ ! or < ! or [ ?!")


def _numbers(words: Words) -> tuple[str, ...]:
    numbers = [words.name(_NUMBER, "a number")]
    while words.takes(","):
        numbers.append(words.name(_NUMBER, "a number"))
    return tuple(numbers)


def _read_formula(words: Words) -> Formula:
    return FormulaReader(words, _operand, _INFIXES).formula()


def _operand(words: Words) -> Formula | Waiting:
    if words.takes("~"):
        return Waiting(lambda parts: Not(parts[0]))
    if words.peek() == "(":
        return _group(words) or _opening(words)
    if words.peek() in _LISTS:
        build = _LISTS[words.next()]
        words.expect("(")
        return Waiting(lambda parts: build(tuple(parts)), OPEN, is_list=True)
    if words.peek(1) == "knows":
        return _knowing(words)
    if words.peek() in _CONSTANTS:
        return _CONSTANTS[words.next()]
    return Atom(words.name(_NUMBER, "a formula"))


def _opening(words: Words) -> Waiting:
    words.expect("(")
    return Waiting(lambda parts: parts[0], OPEN)


def _knowing(words: Words) -> Waiting:
    agent = words.name(_AGENT, "an agent")
    words.expect("knows")
    make = {"that": Knows, "whether": KnowsWhether}.get(words.peek())
    if make is None:
        raise words.error("expected that or whether")
    words.next()
    return Waiting(lambda parts: make(agent, parts[0]))


def _group(words: Words) -> Waiting | None:
    """Take ``(a,b) comknow that`` if it stands here."""
    length = 1
    while re.fullmatch(_AGENT, words.peek(length)) and words.peek(length + 1) == ",":
        length += 2
    make = _OF_GROUP.get(words.peek(length + 2)) if words.peek(length + 1) == ")" else None
    if make is None:
        return None
    words.expect("(")
    group = [words.name(_AGENT, "an agent")]
    while words.takes(","):
        group.append(words.name(_AGENT, "an agent"))
    words.expect(")", words.peek(1), "that")
    return Waiting(lambda parts: make(tuple(group), parts[0]))


def _exactly_one(parts: tuple[Formula, ...]) -> Formula:
    excluded = (Not(And(pair)) for pair in itertools.combinations(parts, 2))
    return And((Or(parts), *excluded))


def _odd(parts: tuple[Formula, ...]) -> Formula:
    whole = parts[0]
    for part in parts[1:]:
        whole = Not(Iff(whole, part))
    return whole


_CONSTANTS: dict[str, Formula] = {"Top": Top(), "Bot": Bottom()}
_LISTS: dict[str, Callable[[tuple[Formula, ...]], Formula]] = {"AND": And, "OR": Or, "XOR": _odd, "ONEOF": _exactly_one}
_OF_GROUP: dict[str, type[CommonKnowledge | DistributedKnowledge]] = {
    "comknow": CommonKnowledge,
    "distknow": DistributedKnowledge,
}
_INFIXES: dict[str, Infix] = {
    "iff": Infix(1, lambda parts: Iff(parts[0], parts[1])),
    "->": Infix(2, lambda parts: Implies(parts[0], parts[1])),
    "|": Infix(3, lambda parts: Or(tuple(parts)), is_chained=True),
    "&": Infix(4, lambda parts: And(tuple(parts)), is_chained=True),
}
