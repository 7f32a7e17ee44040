"""Components that a conservative upgrade ties together.

``↑f`` lifts the best f-worlds *of that moment*, whole worlds: with f they carry what was best in every other component.
When a later update leaves none of those, anywhere, the upgrade has nothing left to lift, and f is no longer believed
for its sake. So the components in which such an upgrade changed something are replayed together, in order. In each of
them every other one's upgrade has a *witness*, which says what was best here at that moment: an upgrade counts only
while all its witnesses fit. Components without such upgrades tell when their best worlds changed, and no more.
Upgrades to what was already believed change nothing and tie nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rpds import HashTrieMap

from upheld.logic.epistemic.components import Component
from upheld.logic.epistemic.entries import Core, Entry, Mode, Notes, newest_first
from upheld.logic.epistemic.selection import (
    NONE_BARRED,
    Stage,
    is_lifting,
    kept_since_lift,
    stage_after,
    stage_before,
    stage_reconsidered,
    with_top_lifted,
)
from upheld.logic.language.formulas import Top

_WITNESS = "\0witness"
"""Key of what stands, in one component, for an upgrade of another."""

_NO_STAGES: HashTrieMap[str, Stage] = HashTrieMap()
_NO_BREACHES: HashTrieMap[int, frozenset[str]] = HashTrieMap()
_NO_REFUSALS: HashTrieMap[int, tuple[str, Core]] = HashTrieMap()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entanglement:
    """The tied components at one moment.

    ``stages`` are theirs, ``barred`` the positions of upgrades that no longer count, ``breaches`` the components
    outside that keep them from it, ``refusals`` a tied component that does and its core, ``lifting`` all upgrades that
    tie, newest first.
    """

    stages: HashTrieMap[str, Stage] = _NO_STAGES
    lifting: tuple[Entry, ...] = ()
    barred: frozenset[int] = NONE_BARRED
    breaches: HashTrieMap[int, frozenset[str]] = _NO_BREACHES
    refusals: HashTrieMap[int, tuple[str, Core]] = _NO_REFUSALS

    def kept(self, root: str) -> list[Entry]:
        """Give what a tied component keeps."""
        return [entry for entry in self.stages[root].kept if entry.key != _WITNESS]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """An entry of a tied component, or the stage at which one that is not yet tied jumped, or was when it is tied."""

    position: int
    root: str
    what: Entry | Stage
    ties: bool = False


@dataclass(slots=True)
class Entanglements:
    """The last replay of a lineage, with its moments, so that the next one starts where the two part."""

    moments: list[tuple[_Event, Entanglement]] = field(default_factory=list[tuple[_Event, Entanglement]])

    def of(self, components: Mapping[str, Component]) -> Entanglement:
        """Give the entanglement of the components, by root. Cost: a look at each, and the events that are new."""
        tied_from = {
            root: min(entry.position for entry in component.stage().lifting)
            for root, component in components.items()
            if component.conservatives and len(component.stage().lifting)
        }
        events = sorted(_events(components, tied_from), key=lambda event: event.position)
        known = self.moments
        same = 0
        while same < min(len(known), len(events)) and _is_same(known[same][0], events[same]):
            same += 1
        moments = known[:same]
        replay = _Replay(components, moments[-1][1] if moments else Entanglement())
        for event in events[same:]:
            moments.append((event, replay.after(event)))
        self.moments = moments
        return replay.found


def _events(components: Mapping[str, Component], tied_from: Mapping[str, int]) -> Iterator[_Event]:
    oldest = min(tied_from.values(), default=-1)
    for root, component in components.items():
        if component.newest < oldest:
            continue
        until = tied_from.get(root, component.newest + 1)
        stage = stage_before(component.stage(), until)
        if root in tied_from:
            yield _Event(position=until, root=root, what=stage, ties=True)
        for jump in itertools.takewhile(lambda position: position > oldest, stage.jumps):
            stage = stage_before(stage, jump + 1)
            yield _Event(position=jump, root=root, what=stage)
        for entry in itertools.takewhile(lambda each, until=until: each.position >= until, component.active):
            yield _Event(position=entry.position, root=root, what=entry)


def _is_same(one: _Event, other: _Event) -> bool:
    return one.what is other.what and one.root == other.root and one.ties is other.ties


class _Replay:
    """A replay under way; ``found`` is the moment that it has come to."""

    def __init__(self, components: Mapping[str, Component], found: Entanglement) -> None:
        self.components = components
        self.found = found

    def after(self, event: _Event) -> Entanglement:
        """Take in the next event."""
        match event.what:
            case Stage() as stage if event.ties:
                self._tie(event.root, stage)
            case Stage() as stage:
                self._breach(event.root, stage)
            case Entry(mode=Mode.CONSERVATIVE) as entry:
                self._lift(event.root, entry)
            case entry:
                self._update(event.root, entry)
        return self.found

    def _update(self, root: str, entry: Entry) -> None:
        before = self.found.stages[root]
        stage = stage_after(before, entry, self.components[root].judge, self.found.barred)
        self._put(root, stage)
        if stage.jumps is not before.jumps:
            self._sweep({root})

    def _lift(self, root: str, entry: Entry) -> None:
        judge = self.components[root].judge
        if not is_lifting(self.found.stages[root], entry, judge):
            return
        # First as if all f-worlds rose: the rest of the order then falls in place, and the best worlds are those meant.
        self._update(root, replace(entry, mode=Mode.RADICAL, notes=Notes()))
        plain = self.found.stages[root]
        top = replace(next(iter(plain.kept)), mode=Mode.CONSERVATIVE, notes=Notes())
        stage = with_top_lifted(
            replace(
                plain,
                stack=plain.stack.drop_first().push_front(top),
                kept=plain.kept.drop_first().push_front(top),
            )
        )
        for other, standing in self.found.stages.items():
            if other != root and len(standing.kept):
                self._put(other, _with_witness(standing, _witness(entry.position, standing.kept)))
        self._put(root, stage)
        self.found = replace(self.found, lifting=(next(iter(stage.lifting)), *self.found.lifting))

    def _put(self, root: str, stage: Stage) -> None:
        self.found = replace(self.found, stages=self.found.stages.insert(root, stage))

    def _tie(self, root: str, stage: Stage) -> None:
        """Take a component in, as it was just before its first such upgrade, with witnesses of all earlier ones."""
        now = {entry.position for entry in stage.kept}
        stack, kept, rejected = list(stage.stack), list(stage.kept), stage.rejected
        breaches = self.found.breaches
        for upgrade in self.found.lifting:
            then = stage_before(stage, upgrade.position).kept
            breaches = breaches.insert(upgrade.position, breaches.get(upgrade.position, frozenset()) - {root})
            if not len(then):
                continue
            witness = _witness(upgrade.position, then)
            stack.append(witness)
            if upgrade.position not in self.found.barred and {each.position for each in then} <= now:
                kept.append(witness)
            else:
                rejected = rejected.insert(upgrade.position, None)
        tied = replace(
            stage,
            stack=newest_first(sorted(stack, key=lambda each: -each.position)),
            kept=newest_first(sorted(kept, key=lambda each: -each.position)),
            rejected=rejected,
        )
        self.found = replace(self.found, breaches=breaches, stages=self.found.stages.insert(root, tied))

    def _breach(self, root: str, stage: Stage) -> None:
        """Note which upgrades lifted worlds of which a component outside has none left."""
        now = {entry.position for entry in stage.kept}
        breaches = self.found.breaches
        for upgrade in self.found.lifting:
            standing = breaches.get(upgrade.position, frozenset())
            then = stage_before(stage, upgrade.position).kept
            is_breach = not all(entry.position in now for entry in then)
            if is_breach is not (root in standing):
                breaches = breaches.insert(upgrade.position, standing ^ {root})
        if breaches is not self.found.breaches:
            self.found = replace(self.found, breaches=breaches)
            self._sweep(set())

    def _sweep(self, changed: set[str]) -> None:
        """Decide anew, newest first, which upgrades count; ``changed`` are the components that chose anew."""
        for upgrade in self.found.lifting:
            position = upgrade.position
            is_open = not self.found.breaches.get(position)
            if position not in self.found.barred:
                fits = is_open and not any(position in self.found.stages[root].rejected for root in changed)
            else:
                fits = is_open and not self._is_refused(position)
            if fits is (position in self.found.barred):
                self.found = replace(self.found, barred=self.found.barred ^ {position})
                changed |= self._reconsider(position)

    def _is_refused(self, position: int) -> bool:
        """Tell whether a tied component has no place for a barred upgrade; a refusal stands while its core does."""
        known = self.found.refusals.get(position)
        if known is not None:
            root, core = known
            stage = self.found.stages[root]
            if not any(each in stage.rejected for each in core):
                return True
        for root in self.found.stages:
            core = self._refusal(root, position)
            if core is not None:
                self.found = replace(self.found, refusals=self.found.refusals.insert(position, (root, core)))
                return True
        return False

    def _refusal(self, root: str, position: int) -> Core | None:
        stage = self.found.stages[root]
        share = _entry_at(stage.stack, position)
        if share is None:
            return None
        newer = itertools.takewhile(lambda each: each.position > position, stage.kept)
        core = self.components[root].judge.conflict([*stage.hard, *newer], [share])
        return None if core is None else core - {position}

    def _reconsider(self, position: int) -> set[str]:
        changed: set[str] = set()
        for root, stage in list(self.found.stages.items()):
            if _entry_at(stage.stack, position) is None:
                continue
            judge, barred = self.components[root].judge, self.found.barred
            self._put(root, stage_reconsidered(stage, judge, position=stage.position, barred=barred))
            changed.add(root)
        return changed


def _entry_at(entries: Iterable[Entry], position: int) -> Entry | None:
    """Give the entry at a position; newest first, so the search ends below it."""
    found = next(itertools.dropwhile(lambda each: each.position > position, entries), None)
    return found if found is not None and found.position == position else None


def _witness(position: int, kept: Iterable[Entry]) -> Entry:
    return Entry(
        key=_WITNESS,
        position=position,
        mode=Mode.CONSERVATIVE,
        formula=Top(),
        promoted=tuple(kept_since_lift(kept)),
    )


def _with_witness(stage: Stage, witness: Entry) -> Stage:
    return replace(stage, stack=stage.stack.push_front(witness), kept=stage.kept.push_front(witness))
