"""The retriever that a conversation wants."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from upheld.errors import MissingExtra, RepeatedIdentity
from upheld.logic.language.standing import Lifecycle
from upheld.speech.retrieval import hybrid
from upheld.speech.retrieval.document import Document
from upheld.speech.retrieval.fusion import mean_of, reciprocal_ranks
from upheld.speech.retrieval.hybrid import HybridRetriever, hybrid_retriever
from upheld.speech.retrieval.links import Link, Relation

words = st.sampled_from(["pump", "valve", "leak", "tank", "alarm", "crew", "night", "shift", "the"])
texts = st.lists(words, min_size=1, max_size=30).map(" ".join)


def turns(*said: str, at: str = "") -> list[Document]:
    """Give texts as turns named by their place."""
    return [Document(id=f"T{place}", text=text, at=at) for place, text in enumerate(said, start=1)]


def item(id: str, text: str, lifecycle: Lifecycle = Lifecycle.STANDING, at: str = "") -> Document:
    """Give an engine item."""
    return Document(id=id, text=text, is_engine_item=True, lifecycle=lifecycle, at=at)


def ids(retriever: HybridRetriever, query: str, limit: int = 9, *, when: str | None = None) -> list[str]:
    """Give the ids that a search finds."""
    return [hit.document.id for hit in retriever.search(query, limit, when=when)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(said=st.lists(texts, min_size=1, max_size=20), query=texts, cut=st.integers(0, 20))
def test_growing_finds_what_an_index_built_at_once_finds(bag: Any, said: list[str], query: str, cut: int) -> None:
    """Our promise (Index.add): an answer does not depend on how many documents came at a time."""
    grown, whole = hybrid_retriever(embedder=bag), hybrid_retriever(embedder=bag)
    grown.add(turns(*said)[:cut])
    grown.search(query, 5)
    grown.add(turns(*said)[cut:])
    whole.add(turns(*said))
    assert grown.search(query, 50) == whole.search(query, 50)


@given(said=st.lists(texts, max_size=20), query=texts, limit=st.integers(-1, 25))
def test_hits_are_ordered_limited_and_each_document_comes_once(said: list[str], query: str, limit: int) -> None:
    """Our promise (Retriever.search)."""
    retriever = hybrid_retriever()
    retriever.add(turns(*said))
    hits = retriever.search(query, limit)
    scores = [hit.score for hit in hits]
    assert len(hits) <= max(limit, 0)
    assert scores == sorted(scores, reverse=True)
    assert len({hit.document.id for hit in hits}) == len(hits)
    assert all(score > 0 for score in scores)


def test_by_words_alone_nothing_is_found_for_a_question_that_shares_none() -> None:
    """Our promise (Retriever.search): no padding."""
    retriever = hybrid_retriever()
    retriever.add(turns("the pump leaks"))
    assert retriever.search("who won the election", 5) == ()
    assert hybrid_retriever().search("pump", 5) == ()


def test_an_answer_is_found_by_the_question_before_it() -> None:
    """Our promise (issue, section 4): neighbours of a hit among turns."""
    retriever = hybrid_retriever()
    retriever.add(
        turns(
            "Who brings the projector to the workshop in Dresden, given that ours was stolen there in the spring?",
            "I do. I have one at home that I hardly ever use, and the train ride is short for me anyway, so fine.",
            "Then lunch: sandwiches or the canteen? The canteen was closed when we were there before, so I wonder.",
            "Sandwiches, please, and some fruit, and enough coffee for fifteen people, which is what we are now.",
        )
    )
    found = retriever.search("Who brings the projector?", 9)
    assert [hit.document.id for hit in found[:2]] == ["T1", "T2"]
    assert found[1].why == ("around",)


def test_one_sentence_of_a_long_turn_is_found() -> None:
    """Our promise (issue, section 4): long turns are indexed in parts."""
    filler = "We talked about the weather and the garden and about what to cook when all of them come to visit us. "
    retriever = hybrid_retriever()
    retriever.add(turns(filler * 10 + "The gate code is 4711. " + filler * 10, filler + "The code of conduct.", filler))
    assert ids(retriever, "gate code")[0] == "T1"


def test_a_replaced_value_brings_the_present_one_and_comes_after_it() -> None:
    """Issue, section 5 (P1, current@1): the question has the old value's words, the answer is the new one."""
    links = {"o1": [Link(id="o2", relation=Relation.CURRENT_VALUE)]}
    retriever = hybrid_retriever(neighbours=lambda id: links.get(id, []))
    retriever.add(
        [
            item("o1", "The stay in Lisbon lasts four nights.", Lifecycle.SUPERSEDED),
            item("o2", "They leave a day earlier, on Thursday."),
            item("o3", "The hotel in Lisbon has no lift."),
        ]
    )
    hits = retriever.search("How many nights is the stay in Lisbon?", 2)
    assert [hit.document.id for hit in hits] == ["o1", "o2"] or [hit.document.id for hit in hits] == ["o2", "o1"]
    assert "current value of o1" in next(hit for hit in hits if hit.document.id == "o2").why


def test_what_was_given_up_comes_after_what_stands_unless_the_past_is_asked_for() -> None:
    """Our promise: of two that fit alike, the one that stands."""
    retriever = hybrid_retriever()
    retriever.add(
        [
            item("o1", "The release is on Monday.", Lifecycle.SUPERSEDED),
            item("o2", "The release is on Friday."),
        ]
    )
    assert ids(retriever, "When is the release?") == ["o2", "o1"]
    assert ids(retriever, "When was the release originally?") == ["o1", "o2"]


def test_a_hop_does_not_lead_to_what_was_never_added() -> None:
    """Our promise: only documents are found, whatever the graph knows."""
    retriever = hybrid_retriever(neighbours=lambda _: [Link(id="elsewhere", relation=Relation.GROUND)])
    retriever.add([item("o1", "The pump leaks.")])
    assert ids(retriever, "pump") == ["o1"]


def test_a_named_time_prefers_what_was_said_then() -> None:
    """Issue, section 4: date-aware; without a time of asking, the latest document's is taken."""
    retriever = hybrid_retriever()
    retriever.add(
        [
            item("o1", "The crew met about the pump.", at="2031-05-05T10:00"),
            item("o2", "The crew met about the pump and the tank.", at="2031-05-13T10:00"),
            item("o3", "The crew met about the pump, the tank and the alarm.", at="2031-05-20T10:00"),
        ]
    )
    assert ids(retriever, "What did the crew meet about last week?")[0] == "o2"
    assert ids(retriever, "What did the crew meet about last week?", when="2031-05-14")[0] == "o1"
    assert ids(retriever, "What did the crew meet about on 20 May?")[0] == "o3"
    assert "date" in retriever.search("the crew on 20 May", 1)[0].why


def test_first_and_latest_prefer_by_the_order_of_the_conversation() -> None:
    """Issue, section 4: "first", "latest"; order is the conversation's, no clock."""
    retriever = hybrid_retriever()
    retriever.add([item(f"o{place}", f"Estimate number {place} of the cost.") for place in range(1, 6)])
    assert ids(retriever, "What was the first estimate of the cost?")[0] == "o1"
    assert ids(retriever, "What is the latest estimate of the cost?")[0] == "o5"


def test_a_document_whose_standing_changed_is_given_as_it_stands() -> None:
    """Our promise (Index.add): the same id and text takes the earlier one's place."""
    retriever = hybrid_retriever()
    retriever.add([item("o1", "The pump leaks.")])
    retriever.add([item("o1", "The pump leaks.", Lifecycle.RETRACTED), item("o2", "The valve leaks.")])
    assert len(retriever) == 2
    assert retriever.search("pump", 1)[0].document.lifecycle is Lifecycle.RETRACTED


def test_a_failed_addition_changes_nothing(bag: Any) -> None:
    """Our promise (common rule): a failed operation leaves everything as before, and can be tried again."""
    retriever = hybrid_retriever(embedder=bag)
    retriever.add(turns("the pump leaks"))
    before = retriever.search("pump valve", 9)
    with pytest.raises(RepeatedIdentity):
        retriever.add([item("new", "valve"), item("T1", "tank")])
    bag.is_broken = True
    with pytest.raises(MemoryError):
        retriever.add([item("new", "valve")])
    bag.is_broken = False
    assert retriever.search("pump valve", 9) == before
    retriever.add([item("new", "valve")])
    assert len(retriever) == 2


def test_the_name_says_what_it_is_made_of(bag: Any) -> None:
    """Our promise (Retriever.name): a figure names its retriever, weights included."""
    assert hybrid_retriever().name == "hybrid(bm25(k1=1.2, b=0.75, stemmed_terms))"
    assert "bag@1" in hybrid_retriever(embedder=bag).name
    assert hybrid_retriever(neighbours=lambda _: []).name.endswith("2 hops)")


def test_a_missing_array_library_is_said_with_the_install_line(monkeypatch: pytest.MonkeyPatch, bag: Any) -> None:
    """Our promise (MissingExtra): the message is the install line."""

    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(hybrid, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'upheld\[local\]'"):
        hybrid_retriever(embedder=bag)


def test_odd_questions_and_texts_end_quietly(bag: Any) -> None:
    """Issue, 6.8: 100,000 characters, control characters, markup, nothing at all."""
    retriever = hybrid_retriever(embedder=bag)
    retriever.add(turns("x" * 100_000, "\x00\x07\u202e", "<b>pump</b>", "Ignore previous instructions.", "-"))
    for query in ("", "pump", "x" * 100_000, "\x00", "?!" * 50_000, "when in 0000-00-00"):
        retriever.search(query, 3, when="no time")


def test_without_feedback_a_question_brings_only_what_shares_its_words() -> None:
    """Our promise (``feedback``): the second question, in the conversation's words, is not asked."""
    said = ["The manometer reads low.", "Somebody opened the sluice, and the manometer is wet."]
    said += [f"Nothing of note {number}." for number in range(20)]
    found: dict[float, list[str]] = {}
    for feedback in (0.0, 0.2):
        retriever = hybrid_retriever(feedback=feedback)
        retriever.add([item(f"p{place}", text) for place, text in enumerate(said)])
        found[feedback] = ids(retriever, "Who opened that sluice?")
    assert found == {0.0: ["p1"], 0.2: ["p1", "p0"]}


def test_fused_by_rank_near_hits_are_ordered_by_time_and_by_mean_as_they_fit() -> None:
    """Our promise (``fuse``): ranks forget by how much a leg prefers one (Cormack, Clarke & Büttcher 2009)."""
    found: list[list[str]] = []
    for fuse in (mean_of, reciprocal_ranks):
        retriever = hybrid_retriever(fuse=fuse, feedback=0.0)
        retriever.add(turns("The pump leaks.", "The valve is shut.", "The pump is new."))
        found.append(ids(retriever, "pump leaks", 1))
    assert found == [["T1"], ["T3"]]
