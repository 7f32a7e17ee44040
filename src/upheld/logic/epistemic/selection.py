"""The greedy selection: which updates count, when a newer one outranks any number of older ones.

Facts hold. From the newest upgrade down, each that is consistent with what is kept is kept. That is the lexicographic
order on worlds, told by formulas (Liberatore 2023, *Mixed Iterated Revisions*; 2023, *Representing states in iterated
belief revision*). Conservative upgrades are passed over here: what they lift depends on all components together
(:mod:`entanglement <upheld.logic.epistemic.entanglement>`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from rpds import HashTrieMap

from upheld.logic.epistemic.entries import NO_ENTRIES, Core, Entries, Entry, Mode, newest_first
from upheld.logic.epistemic.judges import Judge

Rejected: TypeAlias = "HashTrieMap[int, Core]"
"""Positions of upgrades that are not kept, with what rejects them."""

NOTHING_REJECTED: Rejected = HashTrieMap()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """What the entries up to ``position`` amount to.

    ``stack`` is ``kept`` and ``rejected`` together. ``jumped_at`` is the newest position where no world that was best
    before stayed so. ``before`` are several where components came together.
    """

    position: int
    hard: Entries = NO_ENTRIES
    refused: Entries = NO_ENTRIES
    stack: Entries = NO_ENTRIES
    kept: Entries = NO_ENTRIES
    rejected: Rejected = NOTHING_REJECTED
    jumped_at: int = -1
    before: Stage | tuple[Stage, ...] | None = None

    @property
    def premises(self) -> list[Entry]:
        """Facts and kept upgrades: what is believed follows from these."""
        return [*self.hard, *self.kept]


UNTOUCHED = Stage(position=-1)


def stage_before(stage: Stage, position: int) -> Stage:
    """Give the latest stage older than a position. Cost: the stages passed over; a sort if components joined since."""
    found: list[Stage] = []
    pending = [stage]
    while pending:
        current = pending.pop()
        before = current.before
        if current.position < position or before is None:
            found.append(current)
        elif isinstance(before, Stage):
            pending.append(before)
        else:
            pending.extend(before)
    return joined_stage(found)


def joined_stage(stages: Sequence[Stage]) -> Stage:
    """Give the stage of several components together, which have no atom in common. Cost: a sort of their entries."""
    touched = [stage for stage in stages if stage.position >= 0]
    if len(touched) < 2:
        return touched[0] if touched else UNTOUCHED
    largest = max(touched, key=lambda stage: len(stage.rejected))
    rejected = largest.rejected
    for stage in touched:
        if stage is not largest:
            for position, core in stage.rejected.items():
                rejected = rejected.insert(position, core)
    return Stage(
        position=max(stage.position for stage in touched),
        hard=_together([stage.hard for stage in touched]),
        refused=_together([stage.refused for stage in touched]),
        stack=_together([stage.stack for stage in touched]),
        kept=_together([stage.kept for stage in touched]),
        rejected=rejected,
        jumped_at=max(stage.jumped_at for stage in touched),
        before=tuple(touched),
    )


def _together(lists: Sequence[Entries]) -> Entries:
    filled = [entries for entries in lists if len(entries)]
    if len(filled) < 2:
        return filled[0] if filled else NO_ENTRIES
    return newest_first(sorted(chain.from_iterable(filled), key=lambda entry: -entry.position))


def stage_after(stage: Stage, entry: Entry, judge: Judge) -> Stage:
    """Give the next stage; the same after a conservative upgrade.

    Cost: one judgement if the best worlds satisfy the entry; otherwise logarithmic in the kept entries for each one
    that falls, and one for each rejected entry whose reason fell.
    """
    match entry.mode:
        case Mode.HARD:
            return _after_fact(stage, entry, judge)
        case Mode.RADICAL:
            return _after_radical(stage, entry, judge)
        case _:
            return stage


def _after_fact(stage: Stage, entry: Entry, judge: Judge) -> Stage:
    following = replace(stage, position=entry.position, before=stage, hard=stage.hard.push_front(entry))
    if judge.conflict(stage.premises, [entry]) is None:
        return following
    if judge.conflict(list(stage.hard), [entry]) is None:
        return _jumped(stage, judge, following)
    return replace(stage, position=entry.position, before=stage, refused=stage.refused.push_front(entry))


def _after_radical(stage: Stage, entry: Entry, judge: Judge) -> Stage:
    following = replace(stage, position=entry.position, before=stage, stack=stage.stack.push_front(entry))
    if judge.conflict(stage.premises, [entry]) is None:
        return replace(following, kept=stage.kept.push_front(entry))
    core = judge.conflict(list(stage.hard), [entry])
    if core is not None:
        return replace(following, rejected=stage.rejected.insert(entry.position, core - {entry.position}))
    return _jumped(stage, judge, following)


def _jumped(stage: Stage, judge: Judge, following: Stage) -> Stage:
    kept, reasons = _selected(judge, list(following.hard), list(following.stack), stage.rejected)
    return replace(following, kept=newest_first(kept), rejected=HashTrieMap(reasons), jumped_at=following.position)


def _selected(
    judge: Judge, facts: Sequence[Entry], stack: Sequence[Entry], rejected: Rejected
) -> tuple[list[Entry], dict[int, Core]]:
    """Select greedily, newest first, asking anew only about what may have changed.

    Entries that were kept are tried together; a rejected one is tried again only if one of those that rejected it fell.
    """
    selection = _Selection(judge=judge, stack=stack, rejected=rejected, held=list(facts))
    place = 0
    while place < len(stack):
        place = selection.advanced(place)
    return selection.held[len(facts) :], selection.reasons


class _Selection:
    """A selection under way: ``held`` are the facts and what is kept so far."""

    def __init__(self, *, judge: Judge, stack: Sequence[Entry], rejected: Rejected, held: list[Entry]) -> None:
        self.judge = judge
        self.stack = stack
        self.rejected = rejected
        self.held = held
        self.reasons: dict[int, Core] = {}
        self.fallen: set[int] = set()

    def advanced(self, place: int) -> int:
        """Decide a stretch of the stack from ``place`` on; give the place after it."""
        stretch, still, end = self._stretch(place)
        misfit, core = _first_misfit(self.judge, self.held, [self.stack[index] for index in stretch])
        self.held.extend(self.stack[index] for index in stretch[:misfit])
        after = end if misfit == len(stretch) else stretch[misfit] + 1
        self.reasons.update((position, core) for index, position, core in still if index < after)
        if misfit < len(stretch):
            self._drop(self.stack[stretch[misfit]], core)
        elif end < len(self.stack):
            self._try(self.stack[end])
            after = end + 1
        return after

    def _stretch(self, place: int) -> tuple[list[int], list[tuple[int, int, Core]], int]:
        """Give the places to try together, the rejections that stand if those are kept, and where to look anew."""
        stretch: list[int] = []
        still: list[tuple[int, int, Core]] = []
        for index in range(place, len(self.stack)):
            position = self.stack[index].position
            core = self.rejected.get(position)
            if core is None:
                stretch.append(index)
            elif core & self.fallen:
                return stretch, still, index
            else:
                still.append((index, position, core))
        return stretch, still, len(self.stack)

    def _try(self, entry: Entry) -> None:
        core = self.judge.conflict(self.held, [entry])
        if core is None:
            self.held.append(entry)
        else:
            self.reasons[entry.position] = core - {entry.position}

    def _drop(self, entry: Entry, core: Core) -> None:
        self.fallen.add(entry.position)
        self.reasons[entry.position] = core - {entry.position}


def _first_misfit(judge: Judge, held: Sequence[Entry], run: Sequence[Entry]) -> tuple[int, Core]:
    """Give the first place of a run that the ones before it exclude, and the core; the length if all fit."""
    core = judge.conflict(held, run) if run else None
    if core is None:
        return len(run), frozenset()
    places = {entry.position: place for place, entry in enumerate(run)}
    low, high = 0, max(places[position] for position in core if position in places)
    while low < high:
        middle = (low + high) // 2
        nearer = judge.conflict(held, run[: middle + 1])
        if nearer is None:
            low = middle + 1
        else:
            core, high = nearer, max(places[position] for position in nearer if position in places)
    return low, core
