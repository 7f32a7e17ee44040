"""The grounded labelling: what stands by force, when nothing is given the benefit of a doubt."""

from __future__ import annotations

from collections.abc import Mapping

from upheld.logic.argumentation.framework import A, Framework, Indexed, indexed
from upheld.logic.language.standing import Label


def grounded(framework: Framework[A]) -> Mapping[A, Label]:
    """Label each argument, in the order of ``framework.arguments``, by the least fixpoint.

    An argument is in iff all its attackers are out and all premises of some justification are in; out iff some attacker
    is in or every justification has a premise out; else undecided. Least in the order of Kleene: a label is given only
    when those given before force it, so a circle of support with no ground outside is undecided, as is a circle of
    attack.

    Cost: linear in arguments, attacks and premises, whatever the shape.
    Source: Dung (1995), section 2, for the fixpoint; Caminada (2006) for the labels.
    """
    labels = grounded_labels(indexed(framework))
    return dict(zip(framework.arguments, labels, strict=True))


def grounded_labels(index: Indexed) -> list[Label]:
    """Label each number of ``index``: :func:`grounded` below the names."""
    labels, _ = labels_and_order(index)
    return labels


def labels_and_order(index: Indexed) -> tuple[list[Label], list[int]]:
    """Label each number, and list the decided ones, each after what forces its label; fewer steps come first."""
    search = _Propagation(index)
    for name, attackers in enumerate(index.attackers):
        if index.ways[name] == ():
            search.settle(name, Label.OUT)
        elif index.ways[name] is None and not attackers:
            search.settle(name, Label.IN)
    search.run()
    return search.labels, search.settled


class _Propagation:
    """Counters that reach zero when a label is forced; each attack and each premise is looked at once."""

    def __init__(self, index: Indexed) -> None:
        self.index = index
        self.labels = [Label.UNDECIDED] * len(index)
        self.settled: list[int] = []
        self.unanswered = list(map(len, index.attackers))  # attackers not yet out
        self.lacking = list(map(len, index.premises))  # premises not yet in, by justification
        self.is_held = [ways is None for ways in index.ways]  # some justification is complete
        self.open_ways = [len(ways or ()) for ways in index.ways]  # justifications without a premise out
        self.is_open = [True] * len(index.premises)

    def settle(self, name: int, label: Label) -> None:
        """Give ``name`` its label, once: later grounds can only repeat it."""
        if self.labels[name] is Label.UNDECIDED:
            self.labels[name] = label
            self.settled.append(name)

    def run(self) -> None:
        """Carry every label on to what it forces, until nothing more is forced."""
        for name in self.settled:  # it grows meanwhile
            if self.labels[name] is Label.IN:
                self._carry_in(name)
            else:
                self._carry_out(name)

    def _carry_in(self, name: int) -> None:
        for target in self.index.targets[name]:
            self.settle(target, Label.OUT)
        for way in self.index.serves[name]:
            self.lacking[way] -= 1
            if not self.lacking[way]:
                owner = self.index.owner[way]
                self.is_held[owner] = True
                if not self.unanswered[owner]:
                    self.settle(owner, Label.IN)

    def _carry_out(self, name: int) -> None:
        for target in self.index.targets[name]:
            self.unanswered[target] -= 1
            if not self.unanswered[target] and self.is_held[target]:
                self.settle(target, Label.IN)
        for way in self.index.serves[name]:
            if self.is_open[way]:
                self.is_open[way] = False
                owner = self.index.owner[way]
                self.open_ways[owner] -= 1
                if not self.open_ways[owner]:
                    self.settle(owner, Label.OUT)
