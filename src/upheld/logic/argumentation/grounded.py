"""The grounded labelling: what stands by force, when nothing is given the benefit of a doubt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from upheld.logic.argumentation.framework import A, Framework, Indexed, indexed
from upheld.logic.language.standing import Label

# A member of an enumeration is looked up in two classes each time it is named, and labelling names little else.
_IN, _OUT, _UNDECIDED = Label.IN, Label.OUT, Label.UNDECIDED


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
    return Propagation(index).labels


def labels_and_order(index: Indexed) -> tuple[list[Label], list[int]]:
    """Label each number, and list the decided ones, each after what forces its label; fewer steps come first."""
    search = Propagation(index)
    return search.labels, search.settled


class Propagation:
    """The grounded labels of a framework, and what follows when further ones are settled on top of them.

    Counters reach zero when a label is forced, so each attack and each premise is looked at once, however often
    something is settled. ``settled`` has the decided numbers, each after what forces its label.
    """

    def __init__(self, index: Indexed) -> None:
        """Label what is forced from the start."""
        size = len(index)
        self.index = index
        self.labels = [_UNDECIDED] * size
        self.settled: list[int] = []
        self._carried = 0
        self._unanswered = list(map(len, index.attackers))  # attackers not yet out
        self._is_held = [True] * size  # some justification is complete
        self._lacking = list(map(len, index.premises))  # premises not yet in, by justification
        self._is_open = [True] * len(index.premises)
        self._open_ways = [0] * size  # justifications without a premise out
        if index.ways.count(None) < size:
            self._is_held = [ways is None for ways in index.ways]
            self._open_ways = [0 if ways is None else len(ways) for ways in index.ways]
            self.settle([name for name, ways in enumerate(index.ways) if ways == ()], _OUT)
        free = [name for name, count in enumerate(self._unanswered) if not count and self._is_held[name]]
        self.settle(free, _IN)

    def settle(self, names: Iterable[int], label: Label) -> None:
        """Give a label to those of ``names`` that have none, and carry it on to what it forces, until nothing more is.

        Later grounds for a label can only repeat it.
        """
        for name in names:
            self._give(name, label)
        carry_support = self._carry_support if self.index.premises else None
        labels, settled, targets = self.labels, self.settled, self.index.targets
        unanswered, is_held = self._unanswered, self._is_held
        while self._carried < len(settled):
            name = settled[self._carried]
            self._carried += 1
            is_in = labels[name] is _IN
            if is_in:
                for target in targets[name]:
                    if labels[target] is _UNDECIDED:
                        labels[target] = _OUT
                        settled.append(target)
            else:
                for target in targets[name]:
                    unanswered[target] -= 1
                    if not unanswered[target] and is_held[target] and labels[target] is _UNDECIDED:
                        labels[target] = _IN
                        settled.append(target)
            if carry_support is not None:
                carry_support(name, is_in=is_in)

    def _give(self, name: int, label: Label) -> None:
        if self.labels[name] is _UNDECIDED:
            self.labels[name] = label
            self.settled.append(name)

    def _carry_support(self, name: int, *, is_in: bool) -> None:
        owner = self.index.owner
        for way in self.index.serves[name]:
            held = owner[way]
            if is_in:
                self._lacking[way] -= 1
                if not self._lacking[way]:
                    self._is_held[held] = True
                    if not self._unanswered[held]:
                        self._give(held, _IN)
            elif self._is_open[way]:
                self._is_open[way] = False
                self._open_ways[held] -= 1
                if not self._open_ways[held]:
                    self._give(held, _OUT)
