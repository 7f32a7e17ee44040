"""Plausibility without worlds: facts, and a stack of upgrades of which the newer outranks all older ones.

The base says exactly what an explicit plausibility model says after the same updates (:mod:`reference
<upheld.logic.epistemic.reference>`; the paper's Definition E.1), at a cost that follows the entries and not the 2^k
worlds. What explicit worlds cannot do: any entry can be taken back, and then the base is as if it had never been said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from upheld.errors import CouldNotCheck, RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.components import Partition
from upheld.logic.epistemic.entanglement import (
    UNTANGLED,
    Entanglement,
    entanglement_after,
    entanglement_before,
    premises_of,
)
from upheld.logic.epistemic.entries import Core, Entry, Mode
from upheld.logic.epistemic.judges import SatJudge, cube_of
from upheld.logic.epistemic.modality import is_true_of
from upheld.logic.language.formulas import And, Atom, Formula, Not, is_propositional

_GIVEN = "\0given"
"""Key of the entry that stands for the condition of a conditional belief, in a value that is dropped at once."""


@dataclass(slots=True)
class _Found:
    """What was already found out about one value, or where to start finding out: from ``earlier``, and what changed."""

    entanglement: Entanglement | None = None
    earlier: _Found | None = None
    recorded: Entry | None = None
    unchanged_before: int = 0

    def entangled(self, partition: Partition, first: int) -> Entanglement:
        """Give the entanglement; no conservative upgrade is older than ``first``."""
        if self.entanglement is None:
            self.entanglement = self._replayed(partition, first)
            self.earlier = self.recorded = None
        return self.entanglement

    def _replayed(self, partition: Partition, first: int) -> Entanglement:
        start, recorded = self, list[Entry]()
        unchanged = len(partition.entries) + first
        while start.entanglement is None and start.earlier is not None:
            unchanged = min(unchanged, start.unchanged_before)
            if start.recorded is not None:
                recorded.append(start.recorded)
            start = start.earlier
        known = start.entanglement
        if known is None:
            every = (entry for entry in partition.entries.values() if entry.position >= first)
            return entanglement_after(UNTANGLED, sorted(every, key=_position), partition)
        again = list(takewhile(lambda entry: entry.position >= unchanged, known.log))
        return entanglement_after(
            entanglement_before(known, unchanged), [*reversed(again), *reversed(recorded)], partition
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OrderedBase:
    """An immutable value: every change gives a new one that shares with the old whatever it did not touch.

    Entries are named by a key of the caller's and keep the position of their creation for ever. Inactive ones do not
    count at all. Recording solves nothing; the first question about a component solves that component, and what was
    found is shared by all values in which it is the same.
    """

    _partition: Partition = field(default_factory=Partition)
    _next_position: int = 0
    _first_conservative: int = -1
    _found: _Found = field(default_factory=_Found)

    def __contains__(self, key: object) -> bool:
        """Tell whether an entry has that key, active or not."""
        return key in self._partition.entries

    def __repr__(self) -> str:
        """Say how much there is, rather than all of it."""
        return f"<OrderedBase: {len(self._partition.entries)} entries, {len(self._partition.inactive)} inactive>"

    def __len__(self) -> int:
        """Give the number of entries, active or not."""
        return len(self._partition.entries)

    def is_active(self, key: str) -> bool:
        """Tell whether an entry counts.

        Raises:
            UnknownReference: no entry has that key.
        """
        return self._entry(key).key not in self._partition.inactive

    # --- recording -----------------------------------------------------------------------------------------------

    def announce(self, key: str, formula: Formula) -> OrderedBase:
        """Record a fact, ``!f``.

        One that the earlier facts exclude is kept in quarantine, and tried again whenever one of those is taken back.
        Cost: logarithmic in the entries.

        Raises:
            RepeatedIdentity: the key is taken.
            CouldNotCheck: the formula speaks of an agent's knowledge or belief.
        """
        return self.upgrade(key, formula, Mode.HARD)

    def upgrade(self, key: str, formula: Formula, mode: Mode) -> OrderedBase:
        """Record an update of any mode; raises and costs as :meth:`announce`."""
        if key in self._partition.entries:
            raise RepeatedIdentity(f"the base already has an entry {key!r}")
        if type(formula) is not Atom and not is_propositional(formula):
            raise CouldNotCheck("an update that speaks of knowledge or belief is for a knowledge structure to take")
        entry = Entry(key=key, position=self._next_position, mode=mode, formula=formula)
        first = self._first_conservative
        is_entangled = first >= 0
        if mode is Mode.CONSERVATIVE and not is_entangled:
            first = entry.position
        return OrderedBase(
            _partition=self._partition.with_newest(entry),
            _next_position=self._next_position + 1,
            _first_conservative=first,
            _found=_Found(earlier=self._found, recorded=entry, unchanged_before=entry.position)
            if is_entangled
            else _Found(),
        )

    def with_activity(self, activity: Mapping[str, bool]) -> OrderedBase:
        """Let entries count or not; one that counts again is back in its old position.

        Cost: the components of the entries that change.

        Raises:
            UnknownReference: no entry has one of the keys.
        """
        entries, inactive = self._partition.entries, self._partition.inactive
        changed: list[tuple[Entry, bool]] = []
        for key, is_active in activity.items():
            entry = entries.get(key) or self._entry(key)
            if is_active is (key in inactive):
                changed.append((entry, is_active))
        if not changed:
            return self
        return OrderedBase(
            _partition=self._partition.with_activity(changed),
            _next_position=self._next_position,
            _first_conservative=self._first_conservative,
            _found=_Found(earlier=self._found, unchanged_before=min(entry.position for entry, _ in changed)),
        )

    def without(self, key: str) -> OrderedBase:
        """Forget an entry, so that its key is free again.

        Raises:
            UnknownReference: no entry has that key.
        """
        rest = self.with_activity({key: False})
        return replace(rest, _partition=rest._partition.without(key))

    def without_entries(self, keys: Iterable[str]) -> OrderedBase:
        """Give the base as it would be had these entries not been recorded; unknown keys are passed over."""
        return self.with_activity({key: False for key in keys if key in self._partition.entries})

    # --- asking --------------------------------------------------------------------------------------------------

    def is_consistent_with(self, formula: Formula) -> bool:
        """Tell whether the facts leave the formula possible."""
        return self._conflict(formula, self._facts) is None

    def knows(self, formula: Formula) -> bool:
        """Tell whether the facts entail the formula: K f."""
        return all(self._conflict(Not(part), self._facts) is not None for part in _conjuncts(formula))

    def believes(self, formula: Formula) -> bool:
        """Tell whether the best worlds all satisfy the formula: B f."""
        return all(self._conflict(Not(part), self._premises) is not None for part in _conjuncts(formula))

    def believes_given(self, condition: Formula, formula: Formula) -> bool:
        """Tell whether the best worlds of the condition all satisfy the formula: B^condition f.

        Anything is, given what the facts exclude.
        """
        for root in self._partition.roots_of(condition):
            self._premises(root)
        given = self.announce(_GIVEN, condition)
        return given.is_quarantined(_GIVEN) or given.believes(formula)

    def is_quarantined(self, key: str) -> bool:
        """Tell whether a fact was refused because the earlier facts exclude it.

        Raises:
            UnknownReference: no entry has that key.
        """
        entry = self._entry(key)
        (root,) = self._partition.roots_of(entry.formula)
        return entry in set(self._partition.stage(root).refused)

    def quarantined(self) -> tuple[str, ...]:
        """Give the keys of all refused facts, in order. Cost: every component, each solved once."""
        refused = [entry for component in self._partition.roots.values() for entry in component.stage().refused]
        return _keys(refused)

    def positions(self) -> Mapping[str, int]:
        """Give the place of each update in the order of recording, by key; also of those that do not count."""
        return {key: entry.position for key, entry in self._partition.entries.items()}

    def counted(self) -> tuple[Entry, ...]:
        """Give the updates that count, in order: the active ones, refused facts left out. Cost: every component."""
        found = [
            entry
            for component in self._partition.components()
            for refused in (frozenset(component.stage().refused),)
            for entry in component.active
            if entry not in refused
        ]
        return tuple(sorted(found, key=lambda entry: entry.position))

    def holds(self, formula: Formula, *, aware: frozenset[str] | None = None) -> bool:
        """Tell whether a combination of statements about one agent holds: K, Kw, B, B^ and A over plain operands.

        ``aware`` are the atoms that the agent has in view. Whatever the agent is called, the statement is read of
        whoever's base this is.

        Raises:
            CouldNotCheck: knowledge about knowledge, group knowledge, a bare fact, or awareness without ``aware``.
        """
        return is_true_of(self, formula, aware)

    def explain_disbelief(self, formula: Formula) -> tuple[str, ...]:
        """Give the keys of entries that together make the best worlds exclude the formula, in order.

        Empty when they do not, or when nothing could satisfy it. Of several explanations the one that does without the
        oldest upgrades; no entry of it can be left out. Cost: one judgement for each premise of a first core.
        """
        core = self._conflict(formula, self._premises)
        if core is None:
            return ()
        roots = self._partition.roots_of(formula)
        needed = [entry for root in roots for entry in self._premises(root) if entry.position in core]
        judge, denied = SatJudge(is_passing=True), _question(formula)
        for entry in sorted(needed, key=lambda each: (each.mode is Mode.HARD, each.position)):
            others = [each for each in needed if each is not entry]
            if judge.conflict([denied], others) is not None:
                needed = others
        return _keys(needed)

    # --- within --------------------------------------------------------------------------------------------------

    def _entry(self, key: str) -> Entry:
        entry = self._partition.entries.get(key)
        if entry is None:
            raise UnknownReference(key, where="the ordered base")
        return entry

    def _facts(self, root: str) -> Iterable[Entry]:
        return self._partition.stage(root).hard

    def _premises(self, root: str) -> Iterable[Entry]:
        component = self._partition.component(root)
        if component is None or not component.conservatives:
            return self._partition.stage(root).premises
        found = self._found.entangled(self._partition, self._first_conservative)
        return premises_of(root, found, self._partition)

    def _conflict(self, formula: Formula, premises: Callable[[str], Iterable[Entry]]) -> Core | None:
        roots = self._partition.roots_of(formula)
        if len(roots) == 1:
            return self._conflict_in(roots[0], formula, premises)
        cube = cube_of(formula) if roots else None
        if cube is None:
            # Components that only a question connects are judged together once, and stay apart.
            held = [entry for root in roots for entry in premises(root)]
            return SatJudge(is_passing=True).conflict(held, [_question(formula)])
        shares: dict[str, list[Formula]] = {}
        for atom, sign in cube.items():
            literal = Atom(atom) if sign else Not(Atom(atom))
            shares.setdefault(self._partition.root_of(atom), []).append(literal)
        found = (self._conflict_in(root, And(tuple(shares[root])), premises) for root in roots)
        return next((core for core in found if core is not None), None)

    def _conflict_in(self, root: str, formula: Formula, premises: Callable[[str], Iterable[Entry]]) -> Core | None:
        return self._partition.judge(root).conflict(list(premises(root)), [_question(formula)])


def _position(entry: Entry) -> int:
    return entry.position


def _question(formula: Formula) -> Entry:
    return Entry(key="", position=-1, mode=Mode.HARD, formula=formula)


def _keys(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(entry.key for entry in sorted(entries, key=lambda each: each.position))


def _conjuncts(formula: Formula) -> list[Formula]:
    """Give the parts that must each follow, so that a conjunction over several components connects none of them."""
    found: list[Formula] = []
    pending = [formula]
    while pending:
        part = pending.pop()
        if isinstance(part, And):
            pending.extend(part.operands)
        else:
            found.append(part)
    return found
