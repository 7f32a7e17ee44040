"""What decides the label of one vertex of the labelling network.

A vertex is labelled from others by one rule, monotone in the information order (undecided below in and out; Kleene
1952), so that a least labelling exists: the grounded one. Without answers and negations this is a Dung framework with
necessary supports (Dung 1995; Nouioua and Risch 2011), with alternatives between supports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from upheld.logic.language.standing import Label

Key = str
"""A vertex: a node of the conversation, the negation ``~p`` of one, or an auxiliary of the engine."""

LabelOf = Callable[[Key], Label]


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """An attack as the labelling sees it.

    Any of ``answers`` that is in switches it off. A ``lasting`` one holds its target back even when the attacker has
    fallen (a claim given up for a reason that fell is reopened, not reinstated). ``falsifies`` says that the attack
    establishes the negation of its target.
    """

    attacker: Key
    answers: frozenset[Key] = frozenset()
    is_lasting: bool = False
    falsifies: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Justifications are alternatives of joint premises; none at all means that nobody holds the vertex (out)."""

    justifications: tuple[frozenset[Key], ...] = ()
    challenges: tuple[Challenge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Negation:
    """The vertex ``~of``: in when a challenge that falsifies ``of`` is in, out when ``of`` is in, else undecided."""

    of: Key
    challenges: tuple[Challenge, ...] = ()


AnyRule = Rule | Negation

UNHELD = Rule()
"""Rule of a vertex that somebody names and nobody holds."""


def inputs_of(rule: AnyRule) -> frozenset[Key]:
    """Give the vertices whose labels a rule reads."""
    if isinstance(rule, Rule) and not rule.challenges and len(rule.justifications) == 1:
        # The plain claim, on one set of premises and unattacked: what it reads is that set.
        return rule.justifications[0]
    found: set[Key] = set()
    for challenge in rule.challenges:
        found.add(challenge.attacker)
        found.update(challenge.answers)
    if isinstance(rule, Negation):
        found.add(rule.of)
    else:
        for justification in rule.justifications:
            found.update(justification)
    return frozenset(found)


def label_by(rule: AnyRule, label_of: LabelOf) -> Label:
    """Label a vertex from the labels of its inputs. Cost: linear in the rule's size."""
    if isinstance(rule, Negation):
        return _negation_label(rule, label_of)
    grounds = _grounds_label(rule.justifications, label_of)
    if grounds is Label.OUT:
        return Label.OUT
    is_open = grounds is not Label.IN
    for challenge in rule.challenges:
        force = force_of(challenge, label_of)
        if force is Label.IN:
            return Label.OUT
        is_open = is_open or force is Label.UNDECIDED
    return Label.UNDECIDED if is_open else Label.IN


def force_of(challenge: Challenge, label_of: LabelOf) -> Label:
    """Tell whether a challenge bites: in (it does), out (fallen or answered), undecided (nobody can tell yet).

    A lasting one that fell without an answer stays undecided.
    """
    answers = [label_of(answer) for answer in challenge.answers]
    if Label.IN in answers:
        return Label.OUT
    attacker = label_of(challenge.attacker)
    if attacker is Label.OUT:
        return Label.UNDECIDED if challenge.is_lasting else Label.OUT
    if attacker is Label.UNDECIDED or Label.UNDECIDED in answers:
        return Label.UNDECIDED
    return Label.IN


def _grounds_label(justifications: tuple[frozenset[Key], ...], label_of: LabelOf) -> Label:
    best = Label.OUT
    for justification in justifications:
        worst = Label.IN
        for premise in justification:
            label = label_of(premise)
            if label is Label.OUT:
                worst = Label.OUT
                break
            if label is Label.UNDECIDED:
                worst = Label.UNDECIDED
        if worst is Label.IN:
            return Label.IN
        if worst is Label.UNDECIDED:
            best = Label.UNDECIDED
    return best


def _negation_label(rule: Negation, label_of: LabelOf) -> Label:
    forces = [force_of(challenge, label_of) for challenge in rule.challenges if challenge.falsifies]
    if Label.IN in forces:
        return Label.IN
    # An open challenge keeps the rule monotone: it must not say "out" now and "in" later.
    is_denied = Label.UNDECIDED not in forces and label_of(rule.of) is Label.IN
    return Label.OUT if is_denied else Label.UNDECIDED
