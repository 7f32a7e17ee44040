"""Local names of a reply: the ids that they stand for, and an order in which none is used before it is introduced."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from upheld.errors import UnusableReply
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.operations import Operation, Revise
from upheld.logic.language.plain import Tree, plain_operation
from upheld.speech.interpretation.llm.wire import names_in, renamed
from upheld.speech.interpretation.prompts.quoting import escaped
from upheld.speech.view import View

MOVABLE = frozenset({"observe", "hypothesize", "expand_awareness", "question"})
"""Operations that only put something forward. What acts on others keeps its place, since order decides what it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What names mean in a reply: those given so far (``given``), and behind them the ids of a view.

    ``unheard`` are ids that the speaker at hand was never told of; ``lost`` are names that a part of the reply gave
    which could not be read.
    """

    view: View
    given: Mapping[str, PropositionId] = field(default_factory=dict[str, PropositionId])
    unheard: frozenset[PropositionId] = frozenset()
    lost: Mapping[str, TurnId] = field(default_factory=dict[str, TurnId])

    def meant(self, name: str) -> PropositionId | None:
        """Give the id that a name stands for, or ``None`` when nobody introduced it."""
        if name in self.given:
            return self.given[name]
        known = PropositionId(name)
        return known if self.view.get(known) is not None else None

    def with_names(self, names: Iterable[str], turn: TurnId) -> Naming:
        """Give these names ids of the turn: ``T5.1``, ``T5.2``, …, past those that are taken."""
        taken = set(self.given.values())
        free = (id for id in _ids_of(turn) if id not in taken and self.view.get(id) is None)
        return replace(self, given={**self.given, **dict(zip(names, free, strict=False))})


def first_free_name(view: View) -> int:
    """Give the least number from which on the local names ``n1, n2, …`` are not ids of the view.

    The ids that callers give seldom look like that, so that it is mostly 1. Cost: the taken ones.
    """
    return next(number for number in count(1) if view.get(PropositionId(f"n{number}")) is None)


def local_names(operations: Iterable[Operation], view: View) -> dict[str, str]:
    """Give the ids that operations introduce the local names by which a language model is shown them."""
    ids = [id for id in map(introduced_by, operations) if id is not None and view.get(id) is None]
    start = first_free_name(view)
    return {id: f"n{number}" for number, id in enumerate(dict.fromkeys(ids), start)}


def on_the_wire(operation: Operation, names: Mapping[str, str]) -> Tree:
    """Give an operation as a language model would write it."""
    return {field: renamed(field, content, names) for field, content in plain_operation(operation).items()}


def lines_on_the_wire(operations: Iterable[Operation], names: Mapping[str, str]) -> list[str]:
    """Give a reading as quoted lines, one operation each."""
    return [escaped(json.dumps(on_the_wire(operation, names), ensure_ascii=False)) for operation in operations]


def introduced_by(operation: Operation) -> PropositionId | None:
    """Give the id of the proposition or argument that an operation puts forward, if it has one."""
    return None if isinstance(operation, Revise) else operation.id


def in_order(trees: list[Tree], introduced: Mapping[str, int], key: str) -> list[tuple[int, Tree]]:
    """Give the operations with their places in the reply, each new proposition before what refers to it.

    Raises:
        UnusableReply: they refer to each other in a circle, or something that acts on others would have to move.
    """
    ordered: list[tuple[int, Tree]] = []
    placed: set[int] = set()
    for place in range(len(trees)):
        waiting = [place]
        while waiting:
            current = waiting[-1]
            missing = [each for each in _needed(trees[current], introduced) if each not in placed and each != current]
            if current in placed or not missing:
                waiting.pop()
                if current not in placed:
                    placed.add(current)
                    ordered.append((current, trees[current]))
                continue
            _check_movable(trees, missing[0], waiting, key)
            waiting.append(missing[0])
    return ordered


def _ids_of(turn: TurnId) -> Iterator[PropositionId]:
    stem = "".join("_" if char.isspace() else char for char in turn).lstrip("~") or "turn"
    return (PropositionId(f"{stem}.{number}") for number in count(1))


def _check_movable(trees: list[Tree], wanted: int, waiting: list[int], key: str) -> None:
    name = trees[wanted].get("id")
    if wanted in waiting:
        raise UnusableReply(f"{key}[{wanted}]: {name!r} and what it refers to rest on each other in a circle")
    if trees[wanted]["op"] not in MOVABLE:
        raise UnusableReply(f"{key}[{waiting[-1]}]: {name!r} is referred to before {key}[{wanted}] introduces it")


def _needed(tree: Tree, introduced: Mapping[str, int]) -> list[int]:
    names = (name for field, content in tree.items() for name in names_in(field, content))
    return list(dict.fromkeys(introduced[name] for name in names if name in introduced))
