"""Which entries have to do with each other: the components that shared atoms make, as a persistent union-find.

Entries without a common atom, even over others, cannot disturb each other, so each component is solved alone. The
partition only ever grows coarser, also when an entry is taken back: coarser is slower and never wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import merge

from rpds import HashTrieMap

from upheld.logic.epistemic.entries import NO_ENTRIES, Entries, Entry, Mode, newest_first
from upheld.logic.epistemic.judges import SatJudge
from upheld.logic.epistemic.selection import UNTOUCHED, Stage, stage_after, stage_before
from upheld.logic.language.formulas import Atom, Formula, atoms_of

_FEW = 4
"""A component of no more entries than this joins the solver of the larger one; two of size get a fresh one."""

NOWHERE = "\0"
"""Stands in for the atoms of a formula that has none."""


@dataclass(slots=True)
class _Solved:
    """What a component was found to be, or where to start finding out: the only thing about it that changes."""

    stage: Stage | None = None
    earlier: Component | None = None
    unchanged_before: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Component:
    """The active entries over one set of connected atoms.

    ``weight`` counts its atoms. What its entries amount to is found when first asked, from the component that it grew
    out of.
    """

    active: Entries = NO_ENTRIES
    weight: int = 1
    conservatives: int = 0
    judge: SatJudge = field(default_factory=SatJudge)
    solved: _Solved = field(default_factory=_Solved, repr=False)

    def stage(self) -> Stage:
        """Give the state after all active entries. Cost: the entries since the first change, one judgement each."""
        if self.solved.stage is None:
            self.solved.stage = self._replayed()
            self.solved.earlier = None
        return self.solved.stage

    def _replayed(self) -> Stage:
        start, unchanged = self, self.newest + 1
        while start.solved.stage is None and (earlier := start.solved.earlier) is not None:
            unchanged = min(unchanged, start.solved.unchanged_before)
            start = earlier
        stage = UNTOUCHED if start.solved.stage is None else stage_before(start.solved.stage, unchanged)
        remaining: list[Entry] = []
        for entry in self.active:
            if entry.position <= stage.position:
                break
            remaining.append(entry)
        for entry in reversed(remaining):
            stage = stage_after(stage, entry, self.judge)
        return stage

    @property
    def newest(self) -> int:
        """Position of the newest active entry, -1 without any."""
        return next((entry.position for entry in self.active), -1)

    def with_newest(self, entry: Entry, *, new_atoms: int) -> Component:
        """Give the component with one more entry, newer than all of its own."""
        return Component(
            weight=self.weight + new_atoms,
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
            judge=self.judge,
            active=newest_first(active),
            conservatives=sum(entry.mode is Mode.CONSERVATIVE for entry in active),
            solved=_Solved(earlier=self, unchanged_before=min(changes)),
        )

    def joined(self, other: Component) -> Component:
        """Give the component of both, in order of position."""
        small, large = sorted((self, other), key=lambda component: len(component.active))
        oldest = min((entry.position for entry in small.active), default=large.newest + 1)
        return Component(
            active=newest_first(list(merge(large.active, small.active, key=_age))),
            weight=small.weight + large.weight,
            conservatives=small.conservatives + large.conservatives,
            judge=large.judge if len(small.active) <= _FEW else SatJudge(),
            solved=_Solved(earlier=large, unchanged_before=oldest),
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
_NO_COMPONENTS: HashTrieMap[str, Component] = HashTrieMap()
_NO_ENTRIES: HashTrieMap[str, Entry] = HashTrieMap()


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """All entries by key; atoms, and the components that they belong to.

    Most claims are atoms that are affirmed once, under their own name, and mentioned by nothing else. Such an entry
    makes no component before something else touches its atom: the write and the five objects would be most of what a
    claim costs.
    """

    entries: HashTrieMap[str, Entry] = _NO_ENTRIES
    above: HashTrieMap[str, str] = _NO_LINKS
    roots: HashTrieMap[str, Component] = _NO_COMPONENTS

    def component(self, root: str) -> Component | None:
        """Give the component that an atom stands for, if any entry speaks of it."""
        found = self.roots.get(root)
        if found is None and (entry := self.lone(root)) is not None:
            return lone_component(entry)
        return found

    def components(self) -> Iterator[Component]:
        """Give every component, lone entries as well. Cost: all entries."""
        yield from self.roots.values()
        for entry in self.entries.values():
            if is_lone(entry) and entry.key not in self.roots and entry.key not in self.above:
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

    def roots_of(self, formula: Formula) -> tuple[str, ...]:
        """Give the components that a formula touches; atoms that no entry speaks of are in none."""
        found = {self.root_of(atom) for atom in atoms_of(formula) or {NOWHERE}}
        return tuple(sorted(root for root in found if root in self.roots or self.lone(root) is not None))

    def with_newest(self, entry: Entry) -> Partition:
        """Give the partition with a new entry, joining the components that it connects."""
        entries = self.entries.insert(entry.key, entry)
        if is_lone(entry) and entry.key not in self.above and entry.key not in self.roots:
            return Partition(entries=entries, above=self.above, roots=self.roots)
        touched = {self.root_of(atom) for atom in atoms_of(entry.formula) or {NOWHERE}}
        known = {root: found for root in touched if (found := self.component(root)) is not None}
        root = max(known, key=lambda each: (known[each].weight, each)) if known else min(touched)
        whole = known.pop(root, None) or Component()
        above, roots = self.above, self.roots
        for other in touched - {root}:
            above = above.insert(other, root)
        for other, component in known.items():
            roots = roots.discard(other)
            whole = whole.joined(component)
        whole = whole.with_newest(entry, new_atoms=len(touched) - len(known) - 1)
        return Partition(entries=entries, above=above, roots=roots.insert(root, whole))

    def with_activity(self, changes: Iterable[tuple[Entry, bool]]) -> Partition:
        """Give the partition with entries put back in their places, or out of them."""
        by_root: dict[str, dict[int, Entry | None]] = {}
        for entry, is_active in changes:
            root = self.root_of(min(atoms_of(entry.formula), default=NOWHERE))
            by_root.setdefault(root, {})[entry.position] = entry if is_active else None
        roots = self.roots
        for root, inside in by_root.items():
            whole = self.component(root) or Component()
            roots = roots.insert(root, whole.with_activity(inside))
        return Partition(entries=self.entries, above=self.above, roots=roots)

    def without(self, key: str) -> Partition:
        """Give the partition without an entry that is in no component any more."""
        return Partition(entries=self.entries.remove(key), above=self.above, roots=self.roots)


def is_lone(entry: Entry) -> bool:
    """Tell whether an entry affirms just the atom that it is named after."""
    return type(entry.formula) is Atom and entry.formula.name == entry.key and entry.mode is not Mode.CONSERVATIVE
