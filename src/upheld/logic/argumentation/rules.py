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

# A member of an enumeration is looked up in two classes each time it is named, and labelling names little else.
_IN, _OUT, _UNDECIDED = Label.IN, Label.OUT, Label.UNDECIDED


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
    if grounds is _OUT:
        return _OUT
    is_open = grounds is not _IN
    for challenge in rule.challenges:
        force = force_of(challenge, label_of)
        if force is _IN:
            return _OUT
        is_open = is_open or force is _UNDECIDED
    return _UNDECIDED if is_open else _IN


def force_of(challenge: Challenge, label_of: LabelOf) -> Label:
    """Tell whether a challenge bites: in (it does), out (fallen or answered), undecided (nobody can tell yet).

    A lasting one that fell without an answer stays undecided.
    """
    answers = [label_of(answer) for answer in challenge.answers]
    if _IN in answers:
        return _OUT
    attacker = label_of(challenge.attacker)
    if attacker is _OUT:
        return _UNDECIDED if challenge.is_lasting else _OUT
    if attacker is _UNDECIDED or _UNDECIDED in answers:
        return _UNDECIDED
    return _IN


def _grounds_label(justifications: tuple[frozenset[Key], ...], label_of: LabelOf) -> Label:
    best = _OUT
    for justification in justifications:
        worst = _IN
        for premise in justification:
            label = label_of(premise)
            if label is _OUT:
                worst = _OUT
                break
            if label is _UNDECIDED:
                worst = _UNDECIDED
        if worst is _IN:
            return _IN
        if worst is _UNDECIDED:
            best = _UNDECIDED
    return best


def _negation_label(rule: Negation, label_of: LabelOf) -> Label:
    forces = [force_of(challenge, label_of) for challenge in rule.challenges if challenge.falsifies]
    if _IN in forces:
        return _IN
    # An open challenge keeps the rule monotone: it must not say "out" now and "in" later.
    is_denied = _UNDECIDED not in forces and label_of(rule.of) is _IN
    return _OUT if is_denied else _UNDECIDED
