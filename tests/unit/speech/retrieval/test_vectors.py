"""Exact search by cosine, growing with the conversation."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from upheld.errors import RepeatedIdentity
from upheld.speech.retrieval.document import Document, ScoredIndex

words = st.sampled_from(["pump", "valve", "leak", "tank", "alarm", "crew", "night", "shift", "the"])
texts = st.lists(words, min_size=1, max_size=6).map(" ".join)


def index_with(bag: Any) -> ScoredIndex:
    """Give an empty index; its module loads numpy, so it is imported here."""
    return import_module("upheld.speech.retrieval.vectors").VectorIndex(bag)


def documents(*said: str) -> list[Document]:
    """Give texts as documents named by their place."""
    return [Document(id=str(place), text=text) for place, text in enumerate(said)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.lists(texts, min_size=1, max_size=100), query=texts, cut=st.integers(0, 100))
def test_scores_are_the_cosines_whatever_was_added_when(bag: Any, said: list[str], query: str, cut: int) -> None:
    """Our promise: exact, and growing past the room that was taken first changes nothing."""
    index = index_with(bag)
    index.add(documents(*said)[:cut])
    index.search(query, 2)
    index.add(documents(*said)[cut:])
    wanted = bag.embed([query])[0]
    assert index.scores(query) == pytest.approx(
        {place: float(sum(bag.embed([text])[0] * wanted)) for place, text in enumerate(said)}, abs=1e-5
    )


def test_the_nearest_come_first_and_equal_ones_in_order(bag: Any) -> None:
    """Our promise (Retriever.search)."""
    index = index_with(bag)
    index.add(documents("night shift", "pump valve", "pump valve", "pump tank"))
    assert [hit.document.id for hit in index.search("pump valve", 3)] == ["1", "2", "3"]
    assert index.search("pump", 0) == ()
    assert index_with(bag).search("pump", 3) == ()


def test_each_text_is_embedded_once(bag: Any) -> None:
    """Our promise: adding costs one embedding a document, and a document that comes again none."""
    index = index_with(bag)
    index.add(documents("pump", "valve"))
    index.add(documents("pump", "valve", "tank"))
    assert bag.embedded == ["pump", "valve", "tank"]


def test_a_failed_addition_changes_nothing(bag: Any) -> None:
    """Our promise (common rule): a failed operation leaves everything as before."""
    index = index_with(bag)
    index.add(documents("pump"))
    with pytest.raises(RepeatedIdentity):
        index.add([Document(id="new", text="valve"), Document(id="0", text="tank")])
    bag.is_broken = True
    with pytest.raises(MemoryError):
        index.add([Document(id="new", text="valve")])
    bag.is_broken = False
    assert len(index.search("pump", 9)) == 1
