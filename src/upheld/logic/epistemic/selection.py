"""The greedy selection: which updates count, when a newer one outranks any number of older ones.

Facts hold. From the newest upgrade down, each that is consistent with what is kept is kept. That is the lexicographic
order on worlds, told by formulas (Liberatore 2023, *Mixed Iterated Revisions*; 2023, *Representing states in iterated
belief revision*). A conservative upgrade is kept as its formula and what stood beside it at its moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rpds import HashTrieMap, List

from upheld.logic.epistemic.entries import NO_ENTRIES, Core, Entries, Entry, Mode, Notes, newest_first
from upheld.logic.epistemic.judges import Judge
from upheld.logic.language.formulas import Not

Rejected: TypeAlias = "HashTrieMap[int, Core | None]"
"""Positions of upgrades that are not kept, with what rejects them (``None``: look again at the next change)."""

NOTHING_REJECTED: Rejected = HashTrieMap()
NO_JUMPS: List[int] = List()
NONE_BARRED: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """What the entries up to ``position`` amount to.

    ``stack`` is ``kept`` and ``rejected`` together; conservative upgrades that changed nothing are in neither, those
    that did are also in ``lifting``. ``jumps`` are the positions, newest first, where no world that was best before
    stayed so.
    """

    position: int
    hard: Entries = NO_ENTRIES
    refused: Entries = NO_ENTRIES
    stack: Entries = NO_ENTRIES
    kept: Entries = NO_ENTRIES
    rejected: Rejected = NOTHING_REJECTED
    lifting: Entries = NO_ENTRIES
    jumps: List[int] = NO_JUMPS
    before: Stage | None = None

    @property
    def premises(self) -> list[Entry]:
        """Facts and kept upgrades: what is believed follows from these."""
        return [*self.hard, *self.kept]


UNTOUCHED = Stage(position=-1)


def stage_before(stage: Stage, position: int) -> Stage:
    """Give the latest stage older than a position. Cost: the stages passed over."""
    while stage.position >= position and stage.before is not None:
        stage = stage.before
    return stage


def stage_after(stage: Stage, entry: Entry, judge: Judge, barred: frozenset[int] = NONE_BARRED) -> Stage:
    """Give the next stage.

    Cost: one judgement if the best worlds satisfy the entry; otherwise logarithmic in the kept entries for each one
    that falls, and one for each rejected entry whose reason fell. ``barred`` upgrades cannot count, whatever they say.
    """
    match entry.mode:
        case Mode.HARD:
            return _after_fact(stage, entry, judge, barred)
        case Mode.RADICAL:
            return _after_radical(stage, entry, judge, barred)
        case _:
            return _after_conservative(stage, entry, judge, barred)


def stage_reconsidered(stage: Stage, judge: Judge, *, position: int, barred: frozenset[int]) -> Stage:
    """Give the stage at a position where nothing was said, but other upgrades are barred than before."""
    return _jumped(stage, judge, barred, replace(stage, position=position, before=stage))


def _after_fact(stage: Stage, entry: Entry, judge: Judge, barred: frozenset[int]) -> Stage:
    following = replace(stage, position=entry.position, before=stage, hard=stage.hard.push_front(entry))
    if judge.conflict(stage.premises, [entry]) is None:
        return following
    if judge.conflict(list(stage.hard), [entry]) is None:
        return _jumped(stage, judge, barred, following)
    return replace(stage, position=entry.position, before=stage, refused=stage.refused.push_front(entry))


def _after_radical(stage: Stage, entry: Entry, judge: Judge, barred: frozenset[int]) -> Stage:
    following = replace(stage, position=entry.position, before=stage, stack=stage.stack.push_front(entry))
    if judge.conflict(stage.premises, [entry]) is None:
        return replace(following, kept=stage.kept.push_front(entry))
    core = judge.conflict(list(stage.hard), [entry])
    if core is not None:
        return replace(following, rejected=stage.rejected.insert(entry.position, core - {entry.position}))
    return _jumped(stage, judge, barred, following)


def _after_conservative(stage: Stage, entry: Entry, judge: Judge, barred: frozenset[int]) -> Stage:
    if not is_lifting(stage, entry, judge):
        return replace(stage, position=entry.position, before=stage)
    return with_top_lifted(_after_radical(stage, entry, judge, barred))


def is_lifting(stage: Stage, entry: Entry, judge: Judge) -> bool:
    """Tell whether a conservative upgrade changes anything: it is possible, and not already believed."""
    denial = replace(entry, formula=Not(entry.formula), notes=Notes())
    is_believed = judge.conflict(stage.premises, [denial]) is not None
    return not is_believed and judge.conflict(list(stage.hard), [entry]) is None


def with_top_lifted(stage: Stage) -> Stage:
    """Give the stage whose newest upgrade lifts just the worlds that are best now, rather than all of its own."""
    entry, *others = stage.kept
    lifted = replace(entry, promoted=tuple(kept_since_lift(others)), notes=Notes())
    return replace(
        stage,
        stack=stage.stack.drop_first().push_front(lifted),
        kept=stage.kept.drop_first().push_front(lifted),
        lifting=stage.lifting.push_front(lifted),
    )


def kept_since_lift(kept: Iterable[Entry]) -> list[Entry]:
    """Give what is kept, newest first, down to the first conservative upgrade, which says all that is older."""
    since: list[Entry] = []
    for entry in kept:
        since.append(entry)
        if entry.mode is Mode.CONSERVATIVE:
            break
    return since


def _jumped(stage: Stage, judge: Judge, barred: frozenset[int], following: Stage) -> Stage:
    kept, reasons = _selected(judge, list(following.hard), list(following.stack), stage.rejected, barred)
    return replace(
        following,
        kept=newest_first(kept),
        rejected=HashTrieMap(reasons),
        jumps=stage.jumps.push_front(following.position),
    )


def _selected(
    judge: Judge,
    facts: Sequence[Entry],
    stack: Sequence[Entry],
    rejected: Rejected,
    barred: frozenset[int],
) -> tuple[list[Entry], dict[int, Core | None]]:
    """Select greedily, newest first, asking anew only about what may have changed.

    Entries that were kept are tried together; a rejected one is tried again only if one of those that rejected it fell.
    """
    selection = _Selection(judge=judge, barred=barred, stack=stack, rejected=rejected, held=list(facts))
    place = 0
    while place < len(stack):
        place = selection.advanced(place)
    return selection.held[len(facts) :], selection.reasons


class _Selection:
    """A selection under way: ``held`` are the facts and what is kept so far."""

    def __init__(
        self, *, judge: Judge, barred: frozenset[int], stack: Sequence[Entry], rejected: Rejected, held: list[Entry]
    ) -> None:
        self.judge = judge
        self.barred = barred
        self.stack = stack
        self.rejected = rejected
        self.held = held
        self.reasons: dict[int, Core | None] = {}
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

    def _stretch(self, place: int) -> tuple[list[int], list[tuple[int, int, Core | None]], int]:
        """Give the places to try together, the rejections that stand if those are kept, and where to look anew."""
        stretch: list[int] = []
        still: list[tuple[int, int, Core | None]] = []
        for index in range(place, len(self.stack)):
            position = self.stack[index].position
            if position in self.barred:
                self.fallen.add(position)
                still.append((index, position, None))
            elif position not in self.rejected:
                stretch.append(index)
            else:
                core = self.rejected[position]
                if core is None or core & self.fallen:
                    return stretch, still, index
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
