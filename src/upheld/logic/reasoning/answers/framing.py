"""A state as a bare argumentation framework, for the solvers of the field."""

from __future__ import annotations

import re
from collections.abc import Iterable

from upheld.logic.argumentation.formats.apx import write_apx
from upheld.logic.argumentation.formats.flattening import flattened
from upheld.logic.argumentation.framework import Framework, framework_of
from upheld.logic.argumentation.rules import AnyRule, Challenge, Key, Negation, inputs_of
from upheld.logic.reasoning.state import State

_OPEN = "open"
"""Auxiliary argument that attacks itself: never in, never out."""


def framework_of_state(state: State) -> Framework[str]:
    """Give a framework whose grounded labelling is that of the state, on the vertices of the state.

    An answered attack becomes an argument of its own, which the answers attack; one that outlives its reason (a claim
    given up for a reason that fell is reopened, not reinstated) gets a companion that attacks itself, so that its
    target is undecided; a negation rests on whatever falsifies. Cost: the whole network.
    """
    frame = _Frame()
    rules = dict(state.network.rules.items())
    read = {key for rule in rules.values() for key in inputs_of(rule)}
    for key in sorted(read - rules.keys()):
        frame.ways[key] = []
    for key, rule in sorted(rules.items()):
        frame.add(key, rule)
    return framework_of(frame.arguments, frame.attacks, frame.ways)


def apx_of_state(state: State) -> str:
    """Write a state in ``apx``, supports said by attacks; a comment tells which vertex each argument is."""
    framework = framework_of_state(state)
    names = _names(framework.arguments)
    renamed = framework_of(
        names.values(),
        {(names[attacker], names[target]) for attacker, target in framework.attacks},
        {names[key]: [{names[item] for item in way} for way in ways] for key, ways in framework.justifications.items()},
    )
    legend = "".join(f"% {name} = {key}\n" for key, name in names.items() if name != key)
    return legend + write_apx(flattened(renamed))


class _Frame:
    def __init__(self) -> None:
        self.arguments: dict[str, None] = {}
        self.attacks: set[tuple[str, str]] = set()
        self.ways: dict[str, list[frozenset[str]]] = {}

    def add(self, key: Key, rule: AnyRule) -> None:
        self.arguments[key] = None
        for item in inputs_of(rule):
            self.arguments.setdefault(item)
        if isinstance(rule, Negation):
            self._add_negation(key, rule)
            return
        self.ways[key] = [frozenset(group) for group in rule.justifications]
        for number, challenge in enumerate(rule.challenges):
            self.attacks.add((self._bite(key, number, challenge), key))
            if challenge.is_lasting:
                self.attacks.add((self._lasting(key, number, challenge), key))

    def _add_negation(self, key: Key, rule: Negation) -> None:
        self.arguments.setdefault(_OPEN)
        self.attacks.update({(_OPEN, _OPEN), (rule.of, key)})
        bites = [
            self._bite(rule.of, number, challenge)
            for number, challenge in enumerate(rule.challenges)
            if challenge.falsifies
        ]
        self.ways[key] = [frozenset({each}) for each in (*bites, _OPEN)]

    def _bite(self, target: Key, number: int, challenge: Challenge) -> str:
        if not challenge.answers:
            return challenge.attacker
        name = f"{target} attack {number}"
        self.arguments[name] = None
        self.ways[name] = [frozenset({challenge.attacker})]
        self.attacks.update((answer, name) for answer in challenge.answers)
        return name

    def _lasting(self, target: Key, number: int, challenge: Challenge) -> str:
        name = f"{target} open {number}"
        self.arguments[name] = None
        self.attacks.add((name, name))
        self.attacks.update((answer, name) for answer in challenge.answers)
        return name


def _names(keys: Iterable[str]) -> dict[str, str]:
    """Give each key a name of letters, digits and underscores, its own where it can be had."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for key in keys:
        wanted = re.sub(r"\W", "_", key.replace("~", "not_"), flags=re.ASCII)
        wanted = wanted.lstrip("_") or "x"
        name, count = wanted, 1
        while name in taken:
            count += 1
            name = f"{wanted}_{count}"
        taken.add(name)
        names[key] = name
    return names
