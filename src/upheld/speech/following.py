"""What is new in a view since it was looked at last: an index then costs what was said, not how long ago it began."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from upheld.logic.language.propositions import Proposition
from upheld.speech.view import GrowingView, View


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Propositions to take in, oldest first; ``is_afresh`` when all that was taken in before must be forgotten."""

    propositions: Sequence[Proposition]
    is_afresh: bool


class Follower:
    """Remembers which propositions of a growing conversation were seen.

    A view that goes on from the last one gives what is new; any other starts afresh, so that an answer never depends
    on what was asked before. Cost: what is new, for a view that can be read from its end; else one comparison a
    proposition.
    """

    def __init__(self) -> None:
        """Have seen nothing."""
        self._seen: list[Proposition] = []

    @property
    def seen(self) -> Sequence[Proposition]:
        """The propositions of the last view, in the order in which they were put forward."""
        return self._seen

    def catch_up(self, view: View) -> News:
        """Give what to take in so that exactly the propositions of ``view`` are seen."""
        fresh = self._newest(view) if isinstance(view, GrowingView) and self._seen else None
        if fresh is not None:
            self._seen.extend(fresh)
            return News(propositions=fresh, is_afresh=False)
        return self._compared(known.proposition for known in view.known())

    def _newest(self, view: GrowingView) -> list[Proposition] | None:
        """Give what came after the last proposition seen; ``None`` where that one is not there any more.

        A state shares its propositions with those that it came from, and one whose past was told otherwise has made
        them anew: the same object in the same place means the same past.
        """
        missing = view.count() - len(self._seen)
        if missing < 0:
            return None
        fresh: list[Proposition] = []
        for proposition in view.newest():
            if len(fresh) == missing:
                return fresh[::-1] if proposition is self._seen[-1] else None
            fresh.append(proposition)
        return None

    def _compared(self, propositions: Iterable[Proposition]) -> News:
        now = list(propositions)
        count = len(self._seen)
        goes_on = count <= len(now) and all(
            old is new or old == new for old, new in zip(self._seen, now[:count], strict=True)
        )
        self._seen = now
        return News(propositions=now[count:] if goes_on else now, is_afresh=not goes_on)
