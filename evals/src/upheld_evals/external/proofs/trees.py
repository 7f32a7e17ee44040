"""Proof trees read from EntailmentBank, and what must fall when one of their sentences is taken back.

Source: Dalvi et al., Explaining Answers with Entailment Trees (EMNLP 2021). A line is a tree: sentences, and steps
``sent1 & sent2 -> int1: ...`` up to the hypothesis. No text of theirs is kept here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upheld_evals.external.lines import read_lines

Edge = tuple[str, str]
"""A premise and what rests on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Sentences and conclusions by name; ``steps`` maps each conclusion to its premises, premises first."""

    id: str
    texts: Mapping[str, str]
    steps: Mapping[str, tuple[str, ...]]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Names of what rests on nothing, in the order of the file."""
        return tuple(name for name in self.texts if name not in self.steps)

    @property
    def edges(self) -> frozenset[Edge]:
        """What rests on what, directly."""
        return frozenset((premise, name) for name, premises in self.steps.items() for premise in premises)

    def falls_with(self, sentence: str) -> frozenset[str]:
        """Give the conclusions that cannot stand without a sentence: a step needs all of its premises."""
        return reached(sentence, self.edges) & frozenset(self.steps)


def reached(start: str, edges: Iterable[Edge]) -> frozenset[str]:
    """Give all that rests on something, directly or not, itself left out. Cost: linear in the edges."""
    over: dict[str, list[str]] = {}
    for premise, name in edges:
        over.setdefault(premise, []).append(name)
    found: set[str] = set()
    pending = [start]
    while pending:
        for name in over.get(pending.pop(), ()):
            if name not in found:
                found.add(name)
                pending.append(name)
    return frozenset(found - {start})


def fell_and_stood(found: Iterable[tuple[Tree, str, Collection[str]]]) -> tuple[list[bool], list[bool]]:
    """Tell, for retractions and what was found to fall, which conclusions fell that must, and stood that must."""
    fell: list[bool] = []
    stood: list[bool] = []
    for tree, sentence, fallen in found:
        must = tree.falls_with(sentence)
        fell += [name in fallen for name in must]
        stood += [name not in fallen for name in tree.steps if name not in must]
    return fell, stood


def read_trees(path: Path) -> tuple[Tree, ...]:
    """Read proof trees.

    Raises:
        MalformedInput: a line that is no tree: a step in a circle, or on something that is never stated.
    """
    return tuple(read_lines(path, _tree, "proof tree of EntailmentBank"))


def _tree(record: dict[str, Any]) -> Tree:
    stated = {str(name): str(text) for name, text in record["meta"]["triples"].items()}
    concluded = {str(name): str(text) for name, text in record["meta"]["intermediate_conclusions"].items()}
    steps: dict[str, tuple[str, ...]] = {}
    for part in filter(None, map(str.strip, str(record["proof"]).split(";"))):
        premises, _, conclusion = part.partition("->")
        steps[conclusion.partition(":")[0].strip()] = tuple(each.strip() for each in premises.split("&"))
    texts, ordered = dict(stated), dict[str, tuple[str, ...]]()
    while len(ordered) < len(steps):
        ready = [name for name in steps if name not in ordered and all(each in texts for each in steps[name])]
        if not ready:
            raise ValueError("a circle, or a premise that nobody states")
        for name in ready:
            ordered[name] = steps[name]
            texts[name] = str(record["hypothesis"]) if name == "hypothesis" else concluded[name]
    if not ordered:
        raise ValueError("no step")
    return Tree(id=str(record["id"]), texts=texts, steps=ordered)
