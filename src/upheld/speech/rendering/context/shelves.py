"""The lines of all items in the order in which a budget is spent on them, kept in step item by item."""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import GIVEN_UP
from upheld.speech.rendering.context.items import Group, Item
from upheld.speech.rendering.context.notation import echo_line, former_line, line_of
from upheld.speech.rendering.context.tokens import Tokens

MOST_BESIDE = 64
"""Items that lean on one item and are looked at from it; of more, the newest: a hub has to do with everything."""

_TIERS = {Group.OPEN: 0, Group.DECISIONS: 1, Group.STANDS: 2, Group.CONSIDERED: 2, Group.DOUBTED: 3, Group.GIVEN_UP: 4}

_Place = tuple[int, int, PropositionId]
"""What most rests on first, then the newest: the number of dependants and the moment, both negated, and the id."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line and how many tokens it takes."""

    text: str
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An item with its lines, each with its cost: its own, under the value that replaced it, under its like."""

    item: Item
    own: Line
    former: Line
    echo: Line


class Shelves:
    """Every item on the shelf of its tier. Cost of a change: the item, its grounds, and a search in a sorted list."""

    def __init__(self, tokens: Tokens) -> None:
        """Start empty."""
        self._tokens = tokens
        self._kept: dict[PropositionId, Kept] = {}
        self._places: dict[PropositionId, tuple[int, _Place]] = {}
        self._tiers: tuple[list[_Place], ...] = tuple([] for _ in range(1 + max(_TIERS.values())))
        self._resting: dict[PropositionId, int] = {}
        self._beside: dict[PropositionId, set[PropositionId]] = {}
        self._formers: dict[PropositionId, set[PropositionId]] = {}
        self.standing = self.asked = 0

    def __len__(self) -> int:
        """Give the number of items."""
        return len(self._kept)

    def get(self, id: PropositionId) -> Kept | None:
        """Give what is kept of an item."""
        return self._kept.get(id)

    def put(self, item: Item) -> None:
        """Take an item in, or take it in anew."""
        before = self._kept.get(item.id)
        if before is not None and before.item == item:
            return
        self.drop(item.id)
        kept = Kept(
            item=item,
            own=self._line(line_of(item)),
            former=self._line(former_line(item)),
            echo=self._line(echo_line(item)),
        )
        self._kept[item.id] = kept
        self._count(item, 1)
        self._link(item)
        self._shelve(item.id)

    def drop(self, id: PropositionId) -> None:
        """Forget an item, if it is there."""
        kept = self._kept.pop(id, None)
        if kept is None:
            return
        self._count(kept.item, -1)
        self._take_off(id)
        for other in kept.item.neighbours:
            _discard(self._beside, other, id)
        if kept.item.current is not None:
            _discard(self._formers, kept.item.current, id)
        for ground in _grounds(kept.item):
            self._resting[ground] -= 1
            self._shelve(ground)

    def in_order(self, tiers: Iterable[int]) -> Iterator[Kept]:
        """Give the items of some tiers, the first first."""
        return (self._kept[place[2]] for tier in tiers for place in self._tiers[tier])

    def formers_of(self, id: PropositionId) -> list[Kept]:
        """Give the values that an item replaced, oldest first."""
        found = [self._kept[each] for each in self._formers.get(id, ())]
        return sorted(found, key=lambda kept: (kept.item.moment, kept.item.id))

    def neighbours_of(self, id: PropositionId) -> list[PropositionId]:
        """Give what an item has to do with, in either direction; of what leans on it, the newest."""
        kept = self._kept.get(id)
        own = [each for each in kept.item.neighbours if each in self._kept] if kept is not None else []
        beside = (each for each in self._beside.get(id, ()) if each in self._kept)
        newest = heapq.nsmallest(MOST_BESIDE, beside, key=lambda each: (-self._kept[each].item.moment, each))
        return list(dict.fromkeys((*own, *newest)))

    def _count(self, item: Item, by: int) -> None:
        self.standing += by * stands(item)
        self.asked += by * (item.group is Group.OPEN)

    def _line(self, text: str) -> Line:
        return Line(text, self._tokens.count(text))

    def _link(self, item: Item) -> None:
        for other in item.neighbours:
            self._beside.setdefault(other, set()).add(item.id)
        if item.current is not None:
            self._formers.setdefault(item.current, set()).add(item.id)
        for ground in _grounds(item):
            self._resting[ground] = self._resting.get(ground, 0) + 1
            self._shelve(ground)

    def _shelve(self, id: PropositionId) -> None:
        kept = self._kept.get(id)
        if kept is None:
            return
        self._take_off(id)
        tier = tier_of(kept.item)
        place = (-self._resting.get(id, 0), -kept.item.moment, id)
        self._places[id] = (tier, place)
        insort(self._tiers[tier], place)

    def _take_off(self, id: PropositionId) -> None:
        known = self._places.pop(id, None)
        if known is not None:
            tier, place = known
            del self._tiers[tier][bisect_left(self._tiers[tier], place)]


def tier_of(item: Item) -> int:
    """Give the tier of an item: 0 to 2 are what stands, 3 what lost its ground, 4 what was given up."""
    is_answered = item.kind is Kind.ISSUE and item.group is not Group.OPEN
    return _TIERS[Group.GIVEN_UP] if is_answered else _TIERS[item.group]


def stands(item: Item) -> bool:
    """Tell whether an item counts among what stands, or is alive as what it was put forward as."""
    return _TIERS[Group.DECISIONS] <= tier_of(item) < _TIERS[Group.DOUBTED]


def _grounds(item: Item) -> set[PropositionId]:
    """Give what an item adds weight to; one that was given up adds none."""
    if item.lifecycle in GIVEN_UP:
        return set()
    return {each.proposition for each in item.grounds if not each.negated and each.proposition != item.id}


def _discard(sets: dict[PropositionId, set[PropositionId]], key: PropositionId, member: PropositionId) -> None:
    members = sets.get(key)
    if members is not None:
        members.discard(member)
        if not members:
            del sets[key]
