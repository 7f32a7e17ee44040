"""What conservative upgrades lift: whole worlds, and so something of every component.

``↑f`` lifts the best f-worlds *of that moment*: with f they carry what was best in every other component. When a later
update leaves none of those, anywhere, the upgrade has nothing left to lift, and f is no longer believed for its sake.
All that has to be known of this at any moment is which lift is the newest that counts (:mod:`lifts
<upheld.logic.epistemic.lifts>`). What is best in a component is then its facts, what the plain selection keeps of the
upgrades since the newest lift of its own in that line, and what that lift lifted. Where none is, it is the plain
selection.

A lift that does not count is remembered under one component that leaves nothing of it, and looked at again when that
component comes to select otherwise: the two watched literals of SAT solvers, with one (Moskewicz and others 2001,
*Chaff*).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeAlias

from rpds import HashTrieMap, List

from upheld.logic.epistemic.components import Component, Partition
from upheld.logic.epistemic.entries import Core, Entries, Entry, Mode, Notes, atom_of, atoms_in
from upheld.logic.epistemic.lifts import Doubt, Doubts, Lift, Refuted, lift_upon, merged, rest_of
from upheld.logic.epistemic.selection import Stage, stage_after, stage_before
from upheld.logic.language.formulas import Not, Top

_WITNESS = "\0witness"
"""Key of what stands, in one component, for a lift of another."""

_Refutations: TypeAlias = "HashTrieMap[str, List[Refuted]]"
_NOTHING_REFUTED: _Refutations = HashTrieMap()
_NOBODY: List[Refuted] = List()
_NO_LOG: List[Entry] = List()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Entanglement:
    """Which lifts count after the entry at ``position``.

    ``newest`` is the newest that does. Every other that might is in ``doubts`` (``newest`` on top), or stands in the
    line of one that is, or is refuted by a component that ``refuted`` has it under. ``log`` are the entries so far,
    newest first, also those that do not count.
    """

    position: int = -1
    newest: Lift | None = None
    doubts: Doubts | None = None
    refuted: _Refutations = _NOTHING_REFUTED
    log: List[Entry] = _NO_LOG
    before: Entanglement | None = None


UNTANGLED = Entanglement()


def entanglement_before(found: Entanglement, position: int) -> Entanglement:
    """Give the latest moment older than a position. Cost: the moments passed over."""
    while found.position >= position and found.before is not None:
        found = found.before
    return found


def entanglement_after(found: Entanglement, entries: Iterable[Entry], partition: Partition) -> Entanglement:
    """Give the entanglement after more entries, which are in order.

    Cost: for an entry that the best worlds satisfy, one judgement at most; for another, a judgement for each lift that
    falls, times the logarithm of its line, and one for each component that was touched since a lift that returns.
    """
    for entry in entries:
        found = _Moment(found, entry, partition).found
    return found


def premises_of(root: str, found: Entanglement, partition: Partition) -> list[Entry]:
    """Give what is believed in a component, facts included."""
    stage = partition.stage(root)
    here = ComponentsAt(partition, found.position)
    return [*stage.hard, *here.standing(root, stage, found.newest)]


class ComponentsAt:
    """The components as they were after the entry at a position."""

    def __init__(self, partition: Partition, position: int) -> None:
        """Look at components, perhaps of a later time, as of a position."""
        self.partition = partition
        self.position = position
        self.supposed: dict[str, Stage] = {}

    def stage(self, root: str) -> Stage:
        """Give what the plain selection made of a component by then."""
        return self.supposed.get(root) or stage_before(self.partition.stage(root), self.position + 1)

    def component(self, root: str) -> Component:
        """Give a component, empty where there is none."""
        return self.partition.component(root) or Component()

    def standing(self, root: str, stage: Stage, newest: Lift | None) -> Iterable[Entry]:
        """Give what is best in a component at a stage, beside the facts, when ``newest`` is the newest that counts."""
        own = self._own(root, newest)
        if own is None:
            return stage.kept
        since, lifted = own
        return [*_newer(stage.kept, since), *lifted]

    def is_plain(self, root: str, newest: Lift | None) -> bool:
        """Tell whether no lift of its own counts in a component."""
        return self._own(root, newest) is None

    def misfit(self, root: str, lift: Lift) -> Core | None:
        """Give a core of what leaves nothing of a lift in a component, or ``None`` where something is left."""
        stage = self.stage(root)
        if stage.position < lift.position:
            return None
        if stage.jumped_at < lift.position and self.is_plain(root, lift):
            return None
        share = self._share(root, lift)
        newer = _newer(stage.kept, lift.position)
        core = self.component(root).judge.conflict([*stage.hard, *newer], [share])
        return None if core is None else core - {lift.position}

    def _own(self, root: str, newest: Lift | None) -> tuple[int, Iterable[Entry]] | None:
        """Give what the lifts of a component itself come to, and up to where; ``None`` where there are none."""
        component = self.component(root)
        if newest is None or not component.conservatives:
            return None
        joined = component.joined_at
        if joined <= newest.position:
            head = newest.head(root)
            if head is not None and head.position >= joined:
                return head.position, [head.entry]
            newest = newest.newest(lambda lift: lift.position < joined) if joined >= 0 else None
        if newest is None:
            return None
        witness = self._parts(root, component, newest)
        return None if witness is None else (newest.position, witness.promoted)

    def _share(self, root: str, lift: Lift) -> Entry:
        """Give what a lift lifted in a component."""
        component = self.component(root)
        if component.joined_at <= lift.position and lift.root == root:
            return lift.entry
        known = lift.shares.get(root)
        if known is None or known[0] is not component.joined_by:
            stage = stage_before(self.partition.stage(root), lift.position)
            known = component.joined_by, _witness(lift.position, self.standing(root, stage, lift))
            lift.shares[root] = known
        return known[1]

    def _parts(self, root: str, component: Component, lift: Lift) -> Entry | None:
        """Give what a lift lifted in a component that was several then; ``None`` if none of them had one of its own."""
        known = lift.parts.get(root)
        if known is None or known[0] is not component.joined_by:
            stage = stage_before(self.partition.stage(root), lift.position)
            known = component.joined_by, self._parts_at(stage, component, lift)
            lift.parts[root] = known
        return known[1]

    def _parts_at(self, stage: Stage, component: Component, lift: Lift) -> Entry | None:
        older = (each for each in component.active if each.mode is Mode.CONSERVATIVE and each.position <= lift.position)
        lifts = {head for each in older if (head := self._over(each, lift)) is not None}
        if not lifts:
            return None
        kept = [
            entry for entry in stage.kept if (head := self._over(entry, lift)) is None or entry.position > head.position
        ]
        return _witness(lift.position, [*sorted((head.entry for head in lifts), key=_age), *kept])

    def _over(self, entry: Entry, newest: Lift) -> Lift | None:
        """Give the newest of a line that lifted something of a component when the atoms of an entry were in it."""
        found: Lift | None = None
        for name, since in self.partition.names_of(atom_of(entry), newest.position):
            head = newest.head(name)
            if head is not None and head.position >= since and (found is None or head.position > found.position):
                found = head
        return found


class _Moment:
    """One entry being taken in."""

    def __init__(self, before: Entanglement, entry: Entry, partition: Partition) -> None:
        self.partition = partition
        self.entry = entry
        self.root = partition.root_of(atom_of(entry))
        self.here = ComponentsAt(partition, entry.position)
        self.since = before.position
        self.found = Entanglement(
            position=entry.position,
            newest=before.newest,
            doubts=before.doubts,
            refuted=self._joined(before.refuted) if len(before.refuted) else before.refuted,
            log=before.log.push_front(entry),
            before=before,
        )
        if not partition.counts(entry):
            return
        if entry.mode is Mode.CONSERVATIVE:
            self._lift()
        else:
            self._update()

    def _joined(self, refuted: _Refutations) -> _Refutations:
        """Bring together what components refuted that the entry connects."""
        atoms = atoms_in(self.entry)
        if len(atoms) < 2:
            return refuted
        position = self.entry.position
        others = {self.partition.root_then(atom, position - 1) for atom in atoms}
        if len(others) == 1:
            return refuted
        whole = self.partition.root_then(min(atoms), position)
        for other in others - {whole}:
            for each in refuted.get(other, _NOBODY):
                refuted = refuted.insert(whole, refuted.get(whole, _NOBODY).push_front(each))
            refuted = refuted.discard(other)
        return refuted

    def _update(self) -> None:
        stage, newest = self.here.stage(self.root), self.found.newest
        if stage.position < self.entry.position:
            return
        before = stage.before if isinstance(stage.before, Stage) else stage_before(stage, self.entry.position)
        has_jumped = stage.jumped_at == self.entry.position
        if next(iter(stage.refused), None) is self.entry or (not has_jumped and self.entry.position in stage.rejected):
            return
        if newest is None:
            has_moved = False
        elif self.here.is_plain(self.root, newest):
            has_moved = has_jumped
        else:
            standing = self.here.standing(self.root, before, newest)
            judge = self.here.component(self.root).judge
            has_moved = judge.conflict([*before.hard, *standing], [self.entry]) is not None
        self._reconsider(has_jumped=has_jumped, has_moved=has_moved)

    def _reconsider(self, *, has_jumped: bool, has_moved: bool) -> None:
        """Find the newest lift that counts, after the component selected otherwise or lost its best worlds."""
        if has_jumped:
            self._release()
        if has_moved:
            self._doubt_newest()
        if has_jumped or has_moved:
            self._search(verified=None if has_moved else self.found.newest)

    def _release(self) -> None:
        """Doubt again what the component refuted for reasons that fell."""
        key = self._key(self.entry)
        standing, doubts = _NOBODY, self.found.doubts
        rejected = self.here.stage(self.root).rejected
        for each in self.found.refuted.get(key, _NOBODY):
            if any(position in rejected for position in each.core):
                doubts = merged(doubts, Doubts(top=each.doubt))
            else:
                standing = standing.push_front(each)
        self.found = replace(self.found, doubts=doubts, refuted=self.found.refuted.insert(key, standing))

    def _doubt_newest(self) -> None:
        """Note that the newest was possible everywhere until now."""
        newest, doubts = self.found.newest, self.found.doubts
        if newest is None or doubts is None:
            return
        doubts = merged(_without(doubts, newest), Doubts(top=Doubt(lift=newest, since=self.since)))
        self.found = replace(self.found, doubts=doubts)

    def _search(self, verified: Lift | None) -> None:
        doubts, refuted = self.found.doubts, self.found.refuted
        while doubts is not None and doubts.top.lift is not verified:
            doubt = doubts.top
            refutation = self._refutation(doubt)
            if refutation is None:
                break
            entry, core = refutation
            core, older = self._still_possible(self.partition.root_of(atom_of(entry)), doubt.lift, core)
            key = self._key(entry)
            refuted = refuted.insert(key, refuted.get(key, _NOBODY).push_front(Refuted(doubt=doubt, core=core)))
            doubts = _without(doubts, doubt.lift)
            if older is not None:
                doubts = merged(doubts, Doubts(top=Doubt(lift=older, since=doubt.since)))
        newest = None if doubts is None else doubts.top.lift
        self.found = replace(self.found, newest=newest, doubts=doubts, refuted=refuted)

    def _still_possible(self, root: str, lift: Lift, core: Core) -> tuple[Core, Lift | None]:
        """Give the newest firm one of the line that a component does not refute, and what refutes those before it."""
        oldest = lift

        def is_possible(other: Lift) -> bool:
            nonlocal core, oldest
            if other is lift:
                return False
            if other.position < lift.firm_from:
                return True
            found = self.here.misfit(root, other)
            if found is not None and other.position < oldest.position:
                core, oldest = found, other
            return found is None

        possible = lift.newest(is_possible)
        return core, None if possible is None or possible.position < lift.firm_from else possible

    def _refutation(self, doubt: Doubt) -> tuple[Entry, Core] | None:
        seen: set[str] = set()
        for entry in takewhile(lambda each: each.position > doubt.since, self.found.log):
            root = self.partition.root_of(atom_of(entry))
            if root not in seen:
                seen.add(root)
                core = self.here.misfit(root, doubt.lift)
                if core is not None:
                    return entry, core
        return None

    def _key(self, entry: Entry) -> str:
        return self.partition.root_then(atom_of(entry), self.entry.position)

    def _lift(self) -> None:
        judge = self.here.component(self.root).judge
        stage = self.here.stage(self.root)
        standing = list(self.here.standing(self.root, stage, self.found.newest))
        held = [*stage.hard, *standing]
        denial = Entry(key="", position=-1, mode=Mode.HARD, formula=Not(self.entry.formula))
        if judge.conflict(held, [denial]) is not None:
            return
        parent, is_firm = self.found.newest, True
        if judge.conflict(held, [self.entry]) is not None:
            if judge.conflict(list(stage.hard), [self.entry]) is not None:
                return
            parent, standing = self._supposing(stage)
            is_firm = False
        lifted = replace(self.entry, promoted=tuple(standing), notes=Notes())
        lift = lift_upon(parent, lifted, self._key(self.entry), is_firm=is_firm)
        doubts = self.found.doubts
        if is_firm and parent is not None and doubts is not None:
            doubts = _without(doubts, parent)
        elif not is_firm:
            self._doubt_newest()
            doubts = self.found.doubts
        self.found = replace(
            self.found,
            newest=lift,
            doubts=merged(doubts, Doubts(top=Doubt(lift=lift, since=self.entry.position))),
        )

    def _supposing(self, stage: Stage) -> tuple[Lift | None, list[Entry]]:
        """Give what would stand, and the newest lift to count, if all worlds of the formula had risen.

        The rest of the order falls in place then, and the best worlds are those meant.
        """
        found = self.found
        radical = replace(self.entry, mode=Mode.RADICAL, notes=Notes())
        risen = stage_after(stage, radical, self.here.component(self.root).judge)
        self.here.supposed[self.root] = risen
        self._reconsider(has_jumped=risen.jumped_at == radical.position, has_moved=True)
        parent = self.found.newest
        standing = [each for each in self.here.standing(self.root, risen, parent) if each is not radical]
        self.here.supposed.clear()
        self.found = found
        return parent, standing


def _without(doubts: Doubts, lift: Lift) -> Doubts | None:
    """Give the doubts without a lift that is on top, perhaps more than once."""
    rest: Doubts | None = doubts
    while rest is not None and rest.top.lift is lift:
        rest = rest_of(rest)
    return rest


def _newer(entries: Entries, position: int) -> Iterator[Entry]:
    return takewhile(lambda each: each.position > position, entries)


def _age(entry: Entry) -> int:
    return -entry.position


def _witness(position: int, standing: Iterable[Entry]) -> Entry:
    return Entry(key=_WITNESS, position=position, mode=Mode.CONSERVATIVE, formula=Top(), promoted=tuple(standing))
