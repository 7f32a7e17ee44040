"""The state as text for a context window, in the three ways of the paper, kept in step turn by turn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from upheld.logic.language.identities import PropositionId
from upheld.speech.rendering.context.items import Group, Item, ItemSource
from upheld.speech.rendering.context.notation import omission
from upheld.speech.rendering.context.pages import Page, Rendering
from upheld.speech.rendering.context.quoting import name
from upheld.speech.rendering.context.searching import HitSource, TermSearch, spread
from upheld.speech.rendering.context.shelves import Kept, Shelves
from upheld.speech.rendering.context.tokens import EstimatedTokens, Tokens, counted

MOST_ITEMS = 64
"""Items that a question brings on a page, before what they rest on; the budget is usually spent first."""

_FIRST_HITS = 15
"""Hits whose neighbours are looked at."""

_QUESTIONS, _STANDING, _REST = (0,), (1, 2), (3, 4)
"""Tiers of the shelves."""

_QUESTION_SHARE = 0.2
"""Part of a budget that open questions may take: most that is asked in a long conversation is never closed."""

_MOST_QUESTIONS = 3
"""Open questions among what is retrieved: they show what nobody knows, and answer nothing."""


class Mode(StrEnum):
    """What a context window shows (the paper's Table 4): bare ids, the items, or the items that a question needs."""

    DEPENDENCY_MAP = "dependency_map"
    CONTENT = "content"
    RETRIEVAL = "retrieval"


class ContextRenderer:
    """Keeps the line of every item, and makes pages of them.

    Items are read anew only where the state changed, so that a turn costs what it touched, and a page what it shows.
    One renderer serves one conversation, and one thread at a time.
    """

    def __init__(self, tokens: Tokens | Callable[[str], int] | None = None, *, search: HitSource | None = None) -> None:
        """``tokens`` counts as the reader does; ``search`` finds items instead of the words that they share."""
        self._tokens = counted(tokens) if tokens is not None else EstimatedTokens()
        self._shelves = Shelves(self._tokens)
        self._terms = TermSearch()
        self._unread: dict[PropositionId, Item | None] = {}
        self._search = search
        self._problems: set[PropositionId] = set()
        self._turn = ""

    @property
    def terms(self) -> TermSearch:
        """The words of the items, as they are known to the search that comes with the renderer. Cost: what is new.

        They are read when somebody searches: many a conversation is shown and never searched.
        """
        for id, item in self._unread.items():
            if item is None:
                self._terms.drop(id)
            else:
                self._terms.put(item)
        self._unread = {}
        return self._terms

    def item(self, id: PropositionId) -> Item | None:
        """Give an item as it is shown, or ``None`` for what nobody put forward."""
        kept = self._shelves.get(id)
        return kept.item if kept is not None else None

    def refresh(self, source: ItemSource, touched: Iterable[PropositionId] | None = None) -> None:
        """Bring the lines up to a state: those of what was touched since, or of everything when nobody knows.

        A value is touched when its text, standing, lifecycle, grounds or replacement may be another. Cost: what was
        touched, and the open questions.
        """
        self._turn = source.turn
        if touched is None:
            self._shelves, self._terms, self._unread = Shelves(self._tokens), TermSearch(), {}
            self._problems = set()
            touched = source.ids()
        for id in touched:
            item = source.get(id)
            if item is None:
                self._drop(id)
            else:
                self._put(item)
        self._refresh_problems(source.problems())

    def render(self, mode: Mode, *, budget: int, query: str = "") -> Rendering:
        """Give the page of a mode; without a query, what would be retrieved is the content.

        Raises:
            LimitExceeded: the budget has no room for the first and the last line.
        """
        if mode is Mode.DEPENDENCY_MAP:
            return self.dependency_map(budget=budget)
        return self.retrieved(query, budget=budget) if mode is Mode.RETRIEVAL and query else self.content(budget=budget)

    def content(self, *, budget: int, shows_given_up: bool = False) -> Rendering:
        """Give what stands: open questions and decisions, then what most rests on, then the newest.

        Below each value what it replaced, as far as the budget reaches; with ``shows_given_up`` all else that was given
        up or lost its ground as well. Cost: what is shown.
        """
        page = self._page(budget)
        _fill(page, self._shelves.in_order(_QUESTIONS), upto=int(_QUESTION_SHARE * budget))
        _fill(page, self._shelves.in_order(_STANDING))
        _fill(page, [former for id in page.on_it() for former in self._shelves.formers_of(id)])
        _fill(page, self._shelves.in_order(_REST if shows_given_up else ()))
        _fill(page, self._shelves.in_order(_QUESTIONS))
        return page.written()

    def retrieved(self, query: str, *, budget: int, limit: int = MOST_ITEMS) -> Rendering:
        """Give the ``limit`` items that a question is about, whatever became of them, and what they rest on.

        What was given up or lost its ground is there when the question reaches it, and marked. A question that shares
        nothing with any item gets the content. Cost: the search, and what is shown.
        """
        found = _with_few_questions(self.ranked(query))[:limit]
        if not found:
            return self.content(budget=budget, shows_given_up=True)
        page = self._page(budget)
        _fill(page, found)
        grounds = (each.proposition for kept in found if page.has(kept.item.id) for each in kept.item.grounds)
        _fill(page, (below for id in grounds if (below := self._shelves.get(id)) is not None))
        return page.written()

    def ranked(self, query: str) -> tuple[Kept, ...]:
        """Give the items that a question is about, best first: the hits, and what has to do with them."""
        source = self.terms if self._search is None else self._search
        hits = tuple(hit for hit in source.search(query, _FIRST_HITS) if self._shelves.get(hit[0]) is not None)
        ranked = spread(hits, self._shelves.neighbours_of)
        return tuple(kept for id, _ in ranked if (kept := self._shelves.get(id)) is not None)

    def dependency_map(self, *, budget: int) -> Rendering:
        """Give ids alone, as the paper published it: what stands, and what each rests on, as one object of JSON."""
        written: list[str] = []
        shown: list[PropositionId] = []
        resting = [kept.item for kept in self._shelves.in_order(_STANDING) if kept.item.grounds]
        left = budget - self._tokens.count("{}\n" + omission(max(len(resting), 2)))
        for item in resting:
            entry = _entry(item)
            cost = self._tokens.count(f"{entry},\n")
            if cost > left:
                break
            left -= cost
            written.append(entry)
            shown.append(item.id)
        left_out = len(resting) - len(shown)
        text = "{" + ", ".join(written) + "}\n" + omission(left_out)
        return Rendering(text=text, tokens=self._tokens.count(text), shown=tuple(shown), left_out=left_out)

    def _page(self, budget: int) -> Page:
        return Page(self._shelves, self._tokens, budget=budget, turn=self._turn)

    def _put(self, item: Item) -> None:
        self._shelves.put(item)
        self._unread[item.id] = item

    def _drop(self, id: PropositionId) -> None:
        self._shelves.drop(id)
        self._unread[id] = None

    def _refresh_problems(self, problems: Iterable[Item]) -> None:
        found = {item.id: item for item in problems}
        for id in self._problems - set(found):
            self._drop(id)
        for item in found.values():
            self._put(item)
        self._problems = set(found)


def _fill(page: Page, items: Iterable[Kept], *, upto: int = 0) -> None:
    """Put items on a page until it is full, or until ``upto`` tokens are used."""
    for kept in items:
        if page.is_full or (upto and page.spent >= upto):
            return
        page.add(kept)


def _with_few_questions(ranked: Sequence[Kept]) -> list[Kept]:
    questions = [kept for kept in ranked if kept.item.group is Group.OPEN]
    late = {kept.item.id for kept in questions[_MOST_QUESTIONS:]}
    return [kept for kept in ranked if kept.item.id not in late]


def _entry(item: Item) -> str:
    grounds = [name(str(each)) for each in item.grounds]
    return f"{json.dumps(name(item.id), ensure_ascii=False)}: {json.dumps(grounds, ensure_ascii=False)}"
