"""A framework that changes: what an edit reaches is solved again, and nothing else.

Where labels flow only forward (grounded, preferred) an edit changes nothing outside its forward cone, so the labels
there are kept and the cone is settled given them (theorem T4 of ``postulates.py``; Baroni and Giacomin 2007). The
others are not directional: an odd circle anywhere takes every stable extension away. There the old extension is kept
if it is stable in the new framework as well, which is quickly seen; else the whole is solved again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Generic

from upheld.errors import UnknownReference
from upheld.logic.argumentation.framework import (
    A,
    Framework,
    Indexed,
    Justifications,
    indexed,
    members_of,
    places_of,
    without,
)
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.postulates import forward_cone, is_admissible, rejected
from upheld.logic.argumentation.semantics.choosing import HAVING_GROUNDED
from upheld.logic.argumentation.semantics.extensions import an_extension, named_in, settle
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.argumentation.semantics.oracle import DEFAULT_CONFLICTS, Budget
from upheld.logic.argumentation.semantics.parts import Members, circles, forward, inputs_of, part_of
from upheld.logic.language.standing import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Generic[A]):
    """A change of a framework: first what goes, then what comes.

    A removed argument takes its attacks and the justifications that need it along, as in ``without``.
    ``justifications`` replaces those of the arguments that it names; ``None`` says that one needs nothing any more.
    """

    remove_arguments: frozenset[A] = frozenset()
    remove_attacks: frozenset[tuple[A, A]] = frozenset()
    add_arguments: tuple[A, ...] = ()
    add_attacks: frozenset[tuple[A, A]] = frozenset()
    justifications: Mapping[A, Justifications[A] | None] = field(default_factory=dict[A, Justifications[A] | None])

    def __post_init__(self) -> None:
        """Keep a copy of the justifications that nobody can change."""
        object.__setattr__(self, "justifications", MappingProxyType(dict(self.justifications)))

    def __hash__(self) -> int:
        added = (self.add_arguments, self.add_attacks, frozenset(self.justifications.items()))
        return hash((self.remove_arguments, self.remove_attacks, added))


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved(Generic[A]):
    """A framework with one extension of it, ready for the next edit (:func:`solved` makes the first).

    ``labelling`` is that of the extension, in the order of ``framework.arguments``; ``None`` when there is none, or
    none was found. ``is_proved`` means what it means in ``Found``. ``conflict_budget`` is for each edit anew.
    """

    framework: Framework[A]
    semantics: Semantics
    labelling: tuple[Label, ...] | None
    is_proved: bool
    conflict_budget: int | None = DEFAULT_CONFLICTS

    @property
    def extension(self) -> frozenset[A] | None:
        """Give the extension; ``None`` when there is none, or none was found. Linear."""
        return None if self.labelling is None else named_in(self.labelling, self.framework)

    @property
    def labels(self) -> Mapping[A, Label]:
        """Label each argument, all undecided when there is no extension. Linear."""
        labelling = self.labelling or [Label.UNDECIDED] * len(self.framework.arguments)
        return dict(zip(self.framework.arguments, labelling, strict=True))

    def after(self, edit: Edit[A]) -> Solved[A]:
        """Give this after an edit; what was not proved before is searched for again as a whole.

        Cost: linear for the framework itself; of what the edit reaches (grounded, preferred) the solver sees only the
        circles that it touches, and those that a changed label leads to.

        Raises:
            UnknownReference: the edit removes or names what is not there.
            RepeatedIdentity: it adds an argument that is there.
            SelfSupport: it makes an argument a premise of itself.
        """
        framework = edited(self.framework, edit)
        is_directional = self.semantics in HAVING_GROUNDED or self.semantics is Semantics.PREFERRED
        if is_directional and self.is_proved:
            labelling, is_proved = self._labelled_again(framework, edit)
            return replace(self, framework=framework, labelling=labelling, is_proved=is_proved)
        kept = None if self.semantics is Semantics.IDEAL else _stable_labelling(self.extension, framework)
        if kept is not None:
            return replace(self, framework=framework, labelling=kept, is_proved=True)
        return solved(framework, self.semantics, conflict_budget=self.conflict_budget)

    def _labelled_again(self, framework: Framework[A], edit: Edit[A]) -> tuple[tuple[Label, ...], bool]:
        index, place, before = indexed(framework), places_of(framework), self.labels
        labels = [before.get(name, Label.UNDECIDED) for name in framework.arguments]
        touched = {place[name] for name in _touched(self.framework, edit) if name in place}
        changed: set[int] = set()
        budget = Budget(self.conflict_budget)
        for circle in circles(index, forward(index, touched)):
            if touched.isdisjoint(circle) and changed.isdisjoint(inputs_of(index, circle)):
                continue
            old = [labels[name] for name in circle]
            _settle_circle(index, labels, circle, self.semantics, budget)
            changed.update(name for name, label in zip(circle, old, strict=True) if labels[name] is not label)
        return tuple(labels), not budget.is_spent


def solved(
    framework: Framework[A], semantics: Semantics, *, conflict_budget: int | None = DEFAULT_CONFLICTS
) -> Solved[A]:
    """Give a framework with one extension; costs what ``an_extension`` does."""
    found = an_extension(framework, semantics, conflict_budget=conflict_budget)
    labelling = None if found.extension is None else _labelling_of(found.extension, framework)
    return Solved(
        framework=framework,
        semantics=semantics,
        labelling=labelling,
        is_proved=found.is_proved,
        conflict_budget=conflict_budget,
    )


def edited(framework: Framework[A], edit: Edit[A]) -> Framework[A]:
    """Give the framework after an edit. Linear. Raises like :meth:`Solved.after`."""
    unknown = edit.remove_attacks - framework.attacks
    if unknown:
        attacker, target = min(unknown, key=lambda pair: (str(pair[0]), str(pair[1])))
        raise UnknownReference(f"{attacker} attacks {target}", where="the attacks to remove")
    left = without(framework, edit.remove_arguments) if edit.remove_arguments else framework
    justifications = {**left.justifications}
    for name, ways in edit.justifications.items():
        if ways is None:
            justifications.pop(name, None)
        else:
            justifications[name] = ways
    changed = Framework(
        arguments=(*left.arguments, *edit.add_arguments),
        attacks=(left.attacks - edit.remove_attacks) | edit.add_attacks,
        justifications=justifications,
    )
    members_of(changed, edit.justifications)
    return changed


def reach(before: Framework[A], edit: Edit[A], after: Framework[A] | None = None) -> frozenset[A]:
    """Give what an edit touches and all that follows from it, in the framework ``after`` it. Linear.

    Nothing else can change its grounded label, nor need it change its label in a preferred extension (T4).
    """
    after = edited(before, edit) if after is None else after
    return forward_cone(frozenset(_touched(before, edit)).intersection(after.arguments), after)


def _touched(before: Framework[A], edit: Edit[A]) -> Iterable[A]:
    yield from edit.add_arguments
    yield from (target for _, target in edit.remove_attacks | (edit.add_attacks - before.attacks))
    yield from (
        name for name, ways in edit.justifications.items() if ways is None or ways != before.justifications.get(name)
    )
    if edit.remove_arguments:
        yield from (target for attacker, target in before.attacks if attacker in edit.remove_arguments)
        for name, ways in before.justifications.items():
            if any(not way.isdisjoint(edit.remove_arguments) for way in ways):
                yield name


def _settle_circle(index: Indexed, labels: list[Label], circle: Members, semantics: Semantics, budget: Budget) -> None:
    """Label a circle again, in place, given what is before it: by force first, then by the solver what is left."""
    forced = grounded_labels(part_of(index, circle, labels))
    for place, name in enumerate(circle):
        labels[name] = forced[place]
    if semantics is Semantics.PREFERRED:
        left = tuple(name for name in circle if labels[name] is Label.UNDECIDED)
        settle(index, labels, circles(index, left), semantics, budget)


def _labelling_of(extension: frozenset[A], framework: Framework[A]) -> tuple[Label, ...]:
    outside = rejected(extension, framework)
    return tuple(
        Label.IN if name in extension else Label.OUT if name in outside else Label.UNDECIDED
        for name in framework.arguments
    )


def _stable_labelling(extension: frozenset[A] | None, framework: Framework[A]) -> tuple[Label, ...] | None:
    """Give the labelling of a set that is stable in ``framework``; ``None`` when it is not. Linear."""
    if extension is None or not extension.issubset(framework.arguments):
        return None
    labelling = _labelling_of(extension, framework)
    return labelling if Label.UNDECIDED not in labelling and is_admissible(extension, framework) else None
