"""Which entries have to do with each other: the components that shared atoms make, as a persistent union-find.

Entries without a common atom, even over others, cannot disturb each other, so each component is solved alone. The
partition only ever grows coarser, also when an entry is taken back: coarser is slower and never wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from typing import cast

from rpds import HashTrieMap, HashTrieSet

from upheld.logic.epistemic.entries import (
    NO_ENTRIES,
    NOWHERE,
    Entries,
    Entry,
    Mode,
    atom_of,
    atoms_in,
    newest_first,
)
from upheld.logic.epistemic.judges import SatJudge
from upheld.logic.epistemic.selection import UNTOUCHED, Stage, joined_stage, stage_after, stage_before
from upheld.logic.language.formulas import Atom, Formula, atoms_of


@dataclass(slots=True)
class _Solved:
    """What a component was found to be, or where to start finding out: the only thing about it that changes."""

    stage: Stage | None = None
    earlier: Component | None = None
    unchanged_before: int = 0
    parts: tuple[Component, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Component:
    """The active entries over one set of connected atoms.

    ``weight`` counts its atoms; ``joined_by`` is the entry that last made one component of several. What
    its entries amount to is found when first asked, from the component that it grew out of.
    """

    active: Entries = NO_ENTRIES
    weight: int = 1
    joined_by: Entry | None = None
    conservatives: int = 0
    judge: SatJudge = field(default_factory=SatJudge)
    solved: _Solved = field(default_factory=_Solved, repr=False)

    def stage(self) -> Stage:
        """Give the state after all active entries. Cost: the entries since the first change, one judgement each."""
        pending: list[Component] = [self]
        while pending:
            current = pending[-1]
            unsolved = [] if current.solved.stage is not None else current._unsolved()
            pending.extend(unsolved)
            if not unsolved:
                pending.pop()._solve()
        return self.solved.stage or UNTOUCHED

    def _start(self) -> tuple[Component, int]:
        """Give the latest that is solved, or made of several, and from which position on it differs from this one."""
        start, unchanged = self, self.newest + 1
        while start.solved.stage is None and (earlier := start.solved.earlier) is not None:
            unchanged = min(unchanged, start.solved.unchanged_before)
            start = earlier
        return start, unchanged

    def _unsolved(self) -> list[Component]:
        start, _ = self._start()
        return [] if start.solved.stage else [part for part in start.solved.parts if part.solved.stage is None]

    def _solve(self) -> None:
        if self.solved.stage is not None:
            return
        start, unchanged = self._start()
        if start.solved.stage is None:
            start.solved.stage = start._replayed(joined_stage([part.stage() for part in start.solved.parts]))
            start.solved.parts = ()
        if start is not self:
            self.solved.stage = self._replayed(stage_before(start.solved.stage, unchanged))
            self.solved.earlier = None

    def _replayed(self, stage: Stage) -> Stage:
        remaining: list[Entry] = []
        for entry in self.active:
            if entry.position <= stage.position:
                break
            remaining.append(entry)
        for entry in reversed(remaining):
            stage = stage_after(stage, entry, self.judge)
        return stage

    @property
    def joined_at(self) -> int:
        """Position of the entry that last made one component of several, -1 if none did."""
        return -1 if self.joined_by is None else self.joined_by.position

    @property
    def newest(self) -> int:
        """Position of the newest active entry, -1 without any."""
        return next((entry.position for entry in self.active), -1)

    def with_newest(self, entry: Entry, *, new_atoms: int) -> Component:
        """Give the component with one more entry, newer than all of its own."""
        return Component(
            weight=self.weight + new_atoms,
            joined_by=self.joined_by,
            active=self.active.push_front(entry),
            judge=self.judge,
            conservatives=self.conservatives + (entry.mode is Mode.CONSERVATIVE),
            solved=_Solved(earlier=self, unchanged_before=entry.position),
        )

    def with_activity(self, changes: Mapping[int, Entry | None]) -> Component:
        """Give the component with entries put in their old places, or (``None``) out of them."""
        kept = [entry for entry in self.active if entry.position not in changes]
        added = sorted((entry for entry in changes.values() if entry), key=_age)
        active = list(merge(kept, added, key=_age))
        return Component(
            weight=self.weight,
            joined_by=self.joined_by,
            judge=self.judge,
            active=newest_first(active),
            conservatives=sum(entry.mode is Mode.CONSERVATIVE for entry in active),
            solved=_Solved(earlier=self, unchanged_before=min(changes)),
        )

    def joined(self, other: Component, by: Entry) -> Component:
        """Give the component of both, in order of position, once a newer entry connects them."""
        small, large = sorted((self, other), key=lambda component: len(component.active))
        return Component(
            active=newest_first(sorted([*large.active, *small.active], key=_age)),
            weight=small.weight + large.weight,
            joined_by=by,
            conservatives=small.conservatives + large.conservatives,
            judge=large.judge,
            solved=_Solved(parts=(large, small)),
        )


def _age(entry: Entry) -> int:
    return -entry.position


def lone_component(entry: Entry) -> Component:
    """Give the component of an entry that has its atom to itself: it holds, and there is nothing to find out."""
    alone = NO_ENTRIES.push_front(entry)
    if entry.mode is Mode.HARD:
        stage = Stage(position=entry.position, hard=alone, before=UNTOUCHED)
    else:
        stage = Stage(position=entry.position, stack=alone, kept=alone, before=UNTOUCHED)
    return Component(active=alone, solved=_Solved(stage=stage))


_NO_LINKS: HashTrieMap[str, str] = HashTrieMap()
_NOTHING_JOINED: HashTrieMap[str, int] = HashTrieMap()
_NO_COMPONENTS: HashTrieMap[str, Component] = HashTrieMap()
_NO_ENTRIES: HashTrieMap[str, Entry] = HashTrieMap()
_NO_KEYS: HashTrieSet[str] = HashTrieSet()


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """All entries by key, and which of them do not count; atoms, and the components that they belong to.

    Most claims are atoms that are affirmed once, under their own name, and mentioned by nothing else. Such an entry
    makes no component before something else touches its atom: the write and the five objects would be most of what a
    claim costs.

    ``above`` leads from an atom to one that stands for its component; ``joined`` tells of those that entries spoke of
    before which entry brought that about, by its position.
    """

    entries: HashTrieMap[str, Entry] = _NO_ENTRIES
    inactive: HashTrieSet[str] = _NO_KEYS
    above: HashTrieMap[str, str] = _NO_LINKS
    joined: HashTrieMap[str, int] = _NOTHING_JOINED
    roots: HashTrieMap[str, Component] = _NO_COMPONENTS

    def component(self, root: str) -> Component | None:
        """Give the component that an atom stands for, if any entry speaks of it."""
        found = self.roots.get(root)
        if found is None and (entry := self.lone(root)) is not None:
            return Component() if root in self.inactive else lone_component(entry)
        return found

    def components(self) -> Iterator[Component]:
        """Give every component, lone entries that count as well. Cost: all entries."""
        yield from self.roots.values()
        for entry in self.entries.values():
            if self._is_apart(entry) and entry.key not in self.inactive:
                yield lone_component(entry)

    def lone(self, root: str) -> Entry | None:
        """Give the entry that has an atom to itself, where no component stands for it."""
        entry = self.entries.get(root)
        return entry if entry is not None and root not in self.roots and is_lone(entry) else None

    def stage(self, root: str) -> Stage:
        """Give what the entries of a component amount to; of one that :meth:`roots_of` gave."""
        found = self.component(root)
        return UNTOUCHED if found is None else found.stage()

    def judge(self, root: str) -> SatJudge:
        """Give the judge of a component; for a lone entry one that is as passing as its component."""
        found = self.roots.get(root)
        return SatJudge(is_passing=True) if found is None else found.judge

    def root_of(self, atom: str) -> str:
        """Give the atom that stands for the component. Cost: logarithmic, as the lighter always joins the heavier."""
        while (higher := self.above.get(atom)) is not None:
            atom = higher
        return atom

    def root_then(self, atom: str, position: int) -> str:
        """Give the atom that stood for the component after the entry at a position."""
        *_, (root, _) = self.names_of(atom, position)
        return root

    def names_of(self, atom: str, position: int) -> Iterator[tuple[str, int]]:
        """Give the atoms that stood for the component of one up to a position, in order, each with where it began."""
        since = -1
        yield atom, since
        while (higher := self.above.get(atom)) is not None:
            joined_at = self.joined.get(atom, -1)
            if joined_at > position:
                return
            atom, since = higher, max(since, joined_at)
            yield atom, since

    def counts(self, entry: Entry) -> bool:
        """Tell whether an entry is one of these still, and active."""
        return self.entries.get(entry.key) is entry and entry.key not in self.inactive

    def roots_of(self, formula: Formula) -> tuple[str, ...]:
        """Give the components that a formula touches; atoms that no entry speaks of are in none."""
        found = {self.root_of(atom) for atom in atoms_of(formula) or {NOWHERE}}
        return tuple(sorted(root for root in found if root in self.roots or self.lone(root) is not None))

    def with_newest(self, entry: Entry) -> Partition:
        """Give the partition with a new entry, joining the components that it connects."""
        entries = self.entries.insert(entry.key, entry)
        if self._is_apart(entry):
            return replace(self, entries=entries)
        touched = {self.root_of(atom) for atom in atoms_in(entry)}
        known = {root: found for root in touched if (found := self.component(root)) is not None}
        root = max(known, key=lambda each: (known[each].weight, each)) if known else min(touched)
        whole = known.pop(root, None) or Component()
        above, joined, roots = self.above, self.joined, self.roots
        for other in touched - {root}:
            above = above.insert(other, root)
        for other, component in known.items():
            joined = joined.insert(other, entry.position)
            roots = roots.discard(other)
            whole = whole.joined(component, entry)
        whole = whole.with_newest(entry, new_atoms=len(touched) - len(known) - 1)
        return Partition(
            entries=entries, inactive=self.inactive, above=above, joined=joined, roots=roots.insert(root, whole)
        )

    def with_activity(self, changes: Sequence[tuple[Entry, bool]]) -> Partition:
        """Give the partition with entries put back in their places, or out of them."""
        by_root: dict[str, dict[int, Entry | None]] = {}
        for entry, is_active in changes:
            if self._is_apart(entry):
                # It makes no component, whether it counts or not.
                continue
            root = self.root_of(atom_of(entry))
            by_root.setdefault(root, {})[entry.position] = entry if is_active else None
        roots = self.roots
        for root, inside in by_root.items():
            whole = self.component(root) or Component()
            roots = roots.insert(root, whole.with_activity(inside))
        # In one go each: a set is copied along one path with each single change.
        inactive = self.inactive.update([entry.key for entry, is_active in changes if not is_active])
        back = [entry.key for entry, is_active in changes if is_active]
        if back:
            inactive = cast("HashTrieSet[str]", inactive.difference(HashTrieSet(back)))
        return replace(self, inactive=inactive, roots=roots)

    def without(self, key: str) -> Partition:
        """Give the partition without an entry that is in no component any more."""
        rest, inactive = self.entries.remove(key), self.inactive.discard(key)
        return replace(self, entries=rest, inactive=inactive)

    def _is_apart(self, entry: Entry) -> bool:
        """Tell whether an entry makes no component: it has its atom to itself, and nothing else touched it."""
        return is_lone(entry) and entry.key not in self.above and entry.key not in self.roots


def is_lone(entry: Entry) -> bool:
    """Tell whether an entry affirms just the atom that it is named after."""
    return type(entry.formula) is Atom and entry.formula.name == entry.key and entry.mode is not Mode.CONSERVATIVE
