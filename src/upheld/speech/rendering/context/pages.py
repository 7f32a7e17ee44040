"""A page of a context window: items put on it while the budget lasts, then written out under their headings."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.errors import LimitExceeded
from upheld.logic.language.identities import PropositionId
from upheld.speech.rendering.context.items import Group, Item
from upheld.speech.rendering.context.notation import heading, omission, preamble
from upheld.speech.rendering.context.shelves import Kept, Line, Shelves, stands
from upheld.speech.rendering.context.tokens import Tokens

MOST_MISFITS = 8
"""Items that may be too long for what is left before the page is taken to be full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """A text for a context window, its length in tokens, what it shows, and how much that stands or is open is not."""

    text: str
    tokens: int
    shown: tuple[PropositionId, ...]
    left_out: int


def folded(text: str) -> str:
    """Give a text without case, spacing and closing marks: what makes two wordings the same."""
    return " ".join(text.casefold().split()).rstrip(".!? ")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """An item on the page, with the line that it has there; ``under`` is the item below which it stands, if any."""

    item: Item
    line: str
    under: PropositionId | None = None


class Page:
    """Takes items in the order of their worth, and writes them in the order of reading."""

    def __init__(self, shelves: Shelves, tokens: Tokens, *, budget: int, turn: str) -> None:
        """Begin a page of at most ``budget`` tokens.

        Raises:
            LimitExceeded: not even its first and last line fit.
        """
        self._shelves = shelves
        self._tokens = tokens
        self._budget = budget
        self._preamble = preamble(turn)
        self._entries: dict[PropositionId, _Entry] = {}
        self._costs = {group: tokens.count(heading(group)) for group in Group}
        self._open: set[Group] = set()
        self._said: dict[tuple[Group, str], PropositionId] = {}
        self._misfits = 0
        least = tokens.count(self._preamble) + tokens.count(omission(max(shelves.standing, 2), max(shelves.asked, 2)))
        self._left = budget - least
        if self._left < 0:
            raise LimitExceeded(f"a context needs a budget of {least} tokens or more, not {budget}")

    @property
    def spent(self) -> int:
        """Tokens of the budget that are used so far."""
        return self._budget - self._left

    @property
    def is_full(self) -> bool:
        """Tell whether too many items did not fit for it to be worth trying further."""
        return self._misfits >= MOST_MISFITS

    def has(self, id: PropositionId) -> bool:
        """Tell whether an item is on the page."""
        return id in self._entries

    def on_it(self) -> tuple[PropositionId, ...]:
        """Give the items on the page so far, in the order in which they were put there."""
        return tuple(self._entries)

    def add(self, kept: Kept) -> None:
        """Put an item on the page where it fits.

        A former value goes under the one that replaced it, which is put there first, so that the old one is never read
        alone; what says the same as an item of the same heading goes under that.
        """
        item = kept.item
        if item.id in self._entries:
            return
        newer = self._shelves.get(item.current) if item.current is not None else None
        if newer is not None and item.group is Group.GIVEN_UP and newer.item.group is not Group.GIVEN_UP:
            self.add(newer)
        under, line, needed = self._place_of(kept)
        if needed > self._left:
            self._misfits += 1
            return
        self._left -= needed
        self._entries[item.id] = _Entry(item=item, line=line.text, under=under)
        if under is None:
            self._open.add(item.group)
            self._said[item.group, folded(item.text)] = item.id

    def _place_of(self, kept: Kept) -> tuple[PropositionId | None, Line, int]:
        """Give below what an item stands, with which line, and what that costs."""
        item = kept.item
        if item.group is Group.GIVEN_UP and self._is_above(item.current):
            return item.current, kept.former, kept.former.cost
        like = self._said.get((item.group, folded(item.text)))
        if like is not None:
            return like, kept.echo, kept.echo.cost
        return None, kept.own, kept.own.cost + self._cost_of_heading(item.group)

    def _is_above(self, id: PropositionId | None) -> bool:
        return id is not None and id in self._entries and self._entries[id].under is None

    def written(self) -> Rendering:
        """Write it out: within the budget, whatever the counter makes of lines that stand together."""
        while True:
            text = self._text()
            length = self._tokens.count(text)
            if length <= self._budget or not self._entries:
                return Rendering(text=text, tokens=length, shown=tuple(self._entries), left_out=sum(self._left_out()))
            self._drop_last()

    def _cost_of_heading(self, group: Group) -> int:
        return 0 if group in self._open else self._costs[group]

    def _drop_last(self) -> None:
        id, _ = self._entries.popitem()
        for other in [key for key, entry in self._entries.items() if entry.under == id]:
            del self._entries[other]

    def _left_out(self) -> tuple[int, int]:
        """Give how many items that stand, and how many open questions, are not on the page."""
        items = [entry.item for entry in self._entries.values()]
        standing = self._shelves.standing - sum(stands(item) for item in items)
        return standing, self._shelves.asked - sum(item.group is Group.OPEN for item in items)

    def _text(self) -> str:
        groups: dict[Group, list[_Entry]] = {group: [] for group in Group}
        below: dict[PropositionId, list[_Entry]] = {}
        for entry in self._entries.values():
            if entry.under is None:
                groups[entry.item.group].append(entry)
            else:
                below.setdefault(entry.under, []).append(entry)
        parts = [self._preamble]
        for group, members in groups.items():
            parts.extend([heading(group)] if members else [])
            for entry in members:
                parts.append(entry.line)
                parts.extend(each.line for each in sorted(below.get(entry.item.id, ()), key=_order))
        return "".join((*parts, omission(*self._left_out())))


def _order(entry: _Entry) -> tuple[int, PropositionId]:
    return entry.item.moment, entry.item.id
