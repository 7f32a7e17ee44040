"""Conservative upgrades as they lifted: each knows which others counted for the worlds that it lifted.

A lift counts while all best worlds are among those that it lifted. These were the best of its formula when it was made:
what counted for them then counts for them now, and what did not does not. So lifts form a forest, and those that count
are at any moment the newest that does, and its line of parents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from rpds import HashTrieMap

from upheld.logic.epistemic.entries import Core, Entry

Heads: TypeAlias = "HashTrieMap[str, Lift]"
_NO_HEADS: Heads = HashTrieMap()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Lift:
    """A conservative upgrade that changed which worlds are best.

    ``entry`` says what it lifted in its own component, for which ``root`` stood then. ``parent`` is the newest lift
    that counted for the worlds that it lifted, ``further`` one that is older still. ``above`` are the newest of each
    component among those that it stands on. From ``firm_from`` on, whoever of the line is older than one that is
    possible in a component is possible there too. ``shares`` are what it lifted in each component, as far as found out,
    and ``parts`` the same of those that lifts had a part in; both with what had joined the component when that was.
    """

    entry: Entry
    root: str
    firm_from: int
    parent: Lift | None = None
    further: Lift | None = None
    depth: int = 1
    above: Heads = _NO_HEADS
    shares: dict[str, tuple[Entry | None, Entry]] = field(default_factory=dict[str, "tuple[Entry | None, Entry]"])
    parts: dict[str, tuple[Entry | None, Entry | None]] = field(
        default_factory=dict[str, "tuple[Entry | None, Entry | None]"]
    )

    @property
    def position(self) -> int:
        """Place in the order of creation."""
        return self.entry.position

    def head(self, root: str) -> Lift | None:
        """Give the newest lift of a component that counts when this one does."""
        return self if root == self.root else self.above.get(root)

    def newest(self, fits: Callable[[Lift], bool]) -> Lift | None:
        """Give the newest of the line, this one first, that fits, where whatever is older than one that fits does too.

        Cost: logarithmic in the line (Myers 1983, *An applicative random-access stack*).
        """
        if fits(self):
            return self
        lift = self
        while True:
            further, parent = lift.further, lift.parent
            if further is not None and not fits(further):
                lift = further
            elif parent is None or parent is further or fits(parent):
                return parent
            else:
                lift = parent


def lift_upon(parent: Lift | None, entry: Entry, root: str, *, is_firm: bool) -> Lift:
    """Give the lift of an entry, with the line that it stands on.

    It is firm if the parent counted just before, for all that is best.
    """
    if parent is None:
        return Lift(entry=entry, root=root, firm_from=entry.position)
    further, span = parent, parent.further
    if span is not None and parent.depth - span.depth == span.depth - (span.further.depth if span.further else 0):
        further = span.further
    return Lift(
        entry=entry,
        root=root,
        firm_from=parent.firm_from if is_firm else entry.position,
        parent=parent,
        further=further,
        depth=parent.depth + 1,
        above=parent.above.insert(parent.root, parent),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Doubt:
    """A lift that may count, or the firm ones of its line.

    It was possible in every component after the entry at ``since``.
    """

    lift: Lift
    since: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Refuted:
    """A doubt that one component settles, as long as the entries of ``core`` are kept."""

    doubt: Doubt
    core: Core


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Doubts:
    """Doubts by age, the newest on top: a leftist heap (Crane 1972), so that every version of it stays."""

    top: Doubt
    rank: int = 1
    left: Doubts | None = None
    right: Doubts | None = None


def merged(one: Doubts | None, other: Doubts | None) -> Doubts | None:
    """Give the doubts of both. Cost: logarithmic."""
    spine: list[Doubts] = []
    while one is not None and other is not None:
        if one.top.lift.position < other.top.lift.position:
            one, other = other, one
        spine.append(one)
        one = one.right
    rest = one or other
    for heap in reversed(spine):
        left, right = heap.left, rest
        if _rank(left) < _rank(right):
            left, right = right, left
        rest = Doubts(top=heap.top, rank=_rank(right) + 1, left=left, right=right)
    return rest


def rest_of(doubts: Doubts) -> Doubts | None:
    """Give the doubts without the newest. Cost: logarithmic."""
    return merged(doubts.left, doubts.right)


def _rank(doubts: Doubts | None) -> int:
    return 0 if doubts is None else doubts.rank
