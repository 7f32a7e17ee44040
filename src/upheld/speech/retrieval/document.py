"""What can be found, and the port to whoever finds it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from upheld.logic.language.standing import Label, Lifecycle


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One piece of the conversation: a proposition of the engine, or a turn as it was said.

    ``text`` is a stranger's words: data to be quoted, never an instruction. ``turn`` is where it was put forward,
    ``at`` that turn's time in ISO 8601 or empty. ``label`` and ``lifecycle`` say how an engine item stands when the
    document was made; a turn has neither, for words are neither true nor taken back. ``session`` parts what was not
    said in one go.
    """

    id: str
    text: str
    turn: str = ""
    speaker: str = ""
    at: str = ""
    session: str = ""
    is_engine_item: bool = False
    label: Label | None = None
    lifecycle: Lifecycle | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A document that was found.

    ``score`` orders the hits of one search and means nothing beside another's. ``why`` names what found it, the
    strongest first: ``words``, ``meaning``, ``around`` (what was said before and after it), then ``ground of h1`` and
    the like for a step over the graph, and ``date``.
    """

    document: Document
    score: float
    why: tuple[str, ...] = ()


class Retriever(Protocol):
    """Finds what bears on a question."""

    @property
    def name(self) -> str:
        """Say what it is made of, weights included, for a report."""
        ...

    def search(self, query: str, limit: int, *, when: str | None = None) -> tuple[Hit, ...]:
        """Give at most ``limit`` documents, best first; equal ones in the order in which they were added.

        ``when`` is the time of asking in ISO 8601, from which "last week" is counted; without it, the latest time of
        a document. By words alone nothing is found for a question that shares none; by meaning everything is somewhere
        near, and the last hits may have little to do with it.
        """
        ...


class Index(Retriever, Protocol):
    """A retriever that grows with the conversation."""

    def add(self, documents: Iterable[Document], /) -> None:
        """Take documents in, in the order of the conversation.

        One of a known id and the same text takes the earlier one's place (its standing may have changed).

        Raises:
            RepeatedIdentity: the id is taken by another text; nothing was added.
        """
        ...


class ScoredIndex(Index, Protocol):
    """An index whose scores can be put together with others'."""

    def scores(self, query: str, /) -> dict[int, float]:
        """Give the score of each document that has one, by its place in the order of adding."""
        ...
