"""What was said and done to a structure, step by step, so that any step can be taken back.

A structure keeps no history: whatever is epistemic in a later update may have been true only because of an earlier
one. So taking back means replaying without: what stands after is what would have been, had it never been said. This is
for many agents what :class:`~upheld.logic.epistemic.ordered_base.OrderedBase` is for one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from rpds import List

from upheld.errors import RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.structures.events import EventModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An announcement to all or an upgrade for some (all, without ``listeners``): :meth:`KnowledgeStructure.updated`.

    Several formulas announced at once are one conjunction.
    """

    formula: Formula
    mode: Mode = Mode.HARD
    listeners: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """Something that not all notice alike: :meth:`KnowledgeStructure.after`, named by the key of the step."""

    events: EventModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduced:
    """Atoms that were not talked of before: :meth:`KnowledgeStructure.with_atoms`."""

    atoms: tuple[str, ...]
    observes: Mapping[str, Collection[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CameIntoView:
    """Atoms that an agent became aware of: :meth:`KnowledgeStructure.with_aware`."""

    agent: str
    atoms: tuple[str, ...]


Update = Said | Happened | Introduced | CameIntoView


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Step:
    key: str
    update: Update
    structure: KnowledgeStructure
    was_refused: bool


_NO_STEPS: List[_Step] = List()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Script:
    """A structure with the updates that led to it, each under its key; an immutable value.

    An announcement that no world survives, or events that cannot happen, are kept in quarantine: the structure is as
    before, and they are tried again in their place whenever an earlier step is taken back.
    """

    start: KnowledgeStructure
    _steps: List[_Step] = _NO_STEPS

    def __repr__(self) -> str:
        """Say how much there is, rather than all of it."""
        return f"<Script: {len(self._steps)} steps>"

    def __len__(self) -> int:
        """Give the number of steps, refused ones included."""
        return len(self._steps)

    @property
    def structure(self) -> KnowledgeStructure:
        """Give the structure as it stands."""
        return next((step.structure for step in self._steps), self.start)

    @property
    def keys(self) -> tuple[str, ...]:
        """Give the keys of the steps, in order."""
        return tuple(step.key for step in self._steps)[::-1]

    def quarantined(self) -> tuple[str, ...]:
        """Give the keys of the steps that were refused, in order."""
        return tuple(step.key for step in self._steps if step.was_refused)[::-1]

    def then(self, key: str, update: Update) -> Script:
        """Give the script with one more step.

        Raises:
            RepeatedIdentity: the key is taken.
            UnknownReference: the update speaks of an atom or an agent that is not there.
        """
        if any(step.key == key for step in self._steps):
            raise RepeatedIdentity(f"the script already has a step {key!r}")
        return self._with_step(key, update)

    def without(self, key: str) -> Script:
        """Give the script without a step. Cost: that of the steps after it; those before are shared.

        Raises:
            UnknownReference: no step has that key, or a later step speaks of an atom that this one brought in.
        """
        later: list[_Step] = []
        rest = self._steps
        for step in self._steps:
            rest = rest.drop_first()
            if step.key == key:
                break
            later.append(step)
        else:
            raise UnknownReference(key, where="the script")
        script = replace(self, _steps=rest)
        for step in reversed(later):
            script = script._with_step(step.key, step.update)
        return script

    def _with_step(self, key: str, update: Update) -> Script:
        before = self.structure
        after = _updated(before, key, update)
        step = _Step(key=key, update=update, structure=after, was_refused=_is_refused(before, after, update))
        return replace(self, _steps=self._steps.push_front(step))


def replayed(start: KnowledgeStructure, updates: Iterable[tuple[str, Update]]) -> Script:
    """Give the script of updates, made one after the other; raises as :meth:`Script.then`."""
    script = Script(start=start)
    for key, update in updates:
        script = script.then(key, update)
    return script


def _updated(structure: KnowledgeStructure, key: str, update: Update) -> KnowledgeStructure:
    match update:
        case Said(formula=formula, mode=mode, listeners=listeners):
            return structure.updated(formula, mode, listeners=listeners)
        case Happened(events=events):
            return structure.after(events, name=key)
        case Introduced(atoms=atoms, observes=observes):
            return structure.with_atoms(atoms, observes=observes)
        case _:
            return structure.with_aware(update.agent, update.atoms)


def _is_refused(before: KnowledgeStructure, after: KnowledgeStructure, update: Update) -> bool:
    match update:
        case Said(formula=formula, mode=Mode.HARD):
            return after is before and not before.is_consistent_with(formula)
        case Happened():
            return after is before
        case _:
            return False
