"""Names that a format cannot hold: mapped to some that it can, and the map kept in comments of the text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from upheld.errors import MalformedInput
from upheld.logic.epistemic.exports.problems import Announced, Problem, Question
from upheld.logic.epistemic.exports.rewriting import renamed
from upheld.logic.language.formulas import Formula

_NOTE = re.compile(r"^-- (atom|agent) (\w+) is (\".*\")$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What atoms and agents are called elsewhere; whoever is not listed keeps the name."""

    atoms: Mapping[str, str] = field(default_factory=dict[str, str])
    agents: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def comments(self) -> str:
        """Give the map as comment lines, which :func:`names_noted` reads."""
        kinds = (("atom", self.atoms), ("agent", self.agents))
        return "".join(
            f"-- {kind} {short} is {json.dumps(name)}\n"
            for kind, names in kinds
            for name, short in names.items()
            if name != short
        )

    @property
    def reversed(self) -> Names:
        """Give the way back."""
        return Names(
            atoms={short: name for name, short in self.atoms.items()},
            agents={short: name for name, short in self.agents.items()},
        )


def names_noted(text: str, *, source: str = "") -> Names:
    """Give what the comments of a text say that its names stand for.

    Raises:
        MalformedInput: a note that is no JSON string.
    """
    atoms: dict[str, str] = {}
    agents: dict[str, str] = {}
    for note in _NOTE.finditer(text):
        kind, short, name = note.groups()
        try:
            (atoms if kind == "atom" else agents)[short] = str(json.loads(name))
        except json.JSONDecodeError as error:
            line = text.count("\n", 0, note.start()) + 1
            raise MalformedInput("this name is not in JSON quotes", source=source, line=line) from error
    return Names(atoms=atoms, agents=agents)


def fitted(names: Iterable[str], *, fits: Callable[[str], bool], fresh: Callable[[], Iterator[str]]) -> dict[str, str]:
    """Give each name itself when it fits, else the next fresh one; fresh ones must not fit."""
    supply = fresh()
    return {name: name if fits(name) else next(supply) for name in names}


def with_names(problem: Problem, names: Names) -> Problem:
    """Give the problem with other names throughout."""

    def atom(name: str) -> str:
        return names.atoms.get(name, name)

    def agent(name: str) -> str:
        return names.agents.get(name, name)

    def change(formula: Formula) -> Formula:
        return renamed(formula, atoms=atom, agents=agent)

    return replace(
        problem,
        vocabulary=tuple(map(atom, problem.vocabulary)),
        observes={agent(name): tuple(map(atom, seen)) for name, seen in problem.observes.items()},
        law=change(problem.law),
        questions=tuple(_asked_elsewhere(question, change, atom) for question in problem.questions),
    )


def with_formulas(problem: Problem, change: Callable[[Formula], Formula]) -> Problem:
    """Give the problem with its law and each formula of its questions changed."""
    questions = tuple(_asked_elsewhere(question, change, lambda atom: atom) for question in problem.questions)
    return replace(problem, law=change(problem.law), questions=questions)


def _asked_elsewhere(question: Question, change: Callable[[Formula], Formula], atom: Callable[[str], str]) -> Question:
    return replace(
        question,
        formula=change(question.formula),
        announcements=tuple(
            Announced(formula=change(said.formula), saying=said.saying) for said in question.announcements
        ),
        world=frozenset(map(atom, question.world)),
    )
