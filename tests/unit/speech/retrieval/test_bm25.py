"""BM25 that grows with the conversation, beside the formula spelled out."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import RepeatedIdentity
from upheld.logic.language.standing import Lifecycle
from upheld.speech.retrieval.bm25 import K1, B, Bm25Index
from upheld.speech.retrieval.document import Document
from upheld.speech.retrieval.terms import plain_terms, stemmed_terms

words = st.sampled_from(["pump", "valve", "leak", "tank", "alarm", "crew", "night", "shift", "the"])
texts = st.lists(words, max_size=8).map(" ".join)


def documents(*said: str) -> list[Document]:
    """Give texts as documents named by their place."""
    return [Document(id=str(place), text=text) for place, text in enumerate(said)]


def spelled_out(said: list[str], query: str) -> dict[int, float]:
    """Robertson & Zaragoza 2009, formula 3.15, one document at a time."""
    counted = [Counter(plain_terms(text)) for text in said]
    mean = sum(each.total() for each in counted) / len(said)
    scores: dict[int, float] = {}
    for place, counts in enumerate(counted):
        for term in plain_terms(query):
            having = sum(term in each for each in counted)
            if counts[term]:
                idf = math.log(1 + (len(said) - having + 0.5) / (having + 0.5))
                part = counts[term] / (counts[term] + K1 * (1 - B + B * counts.total() / mean))
                scores[place] = scores.get(place, 0.0) + idf * part
    return scores


@given(said=st.lists(texts, min_size=1, max_size=12), query=texts, cut=st.integers(0, 12))
def test_scores_are_those_of_the_formula_whatever_was_added_when(said: list[str], query: str, cut: int) -> None:
    """Robertson & Zaragoza 2009, section 3.4; our promise: growing changes no score."""
    index = Bm25Index(terms=plain_terms)
    index.add(documents(*said)[:cut])
    index.search(query, 3)
    index.add(documents(*said)[cut:])
    assert index.scores(query) == pytest.approx(spelled_out(said, query))


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    """Sparck Jones 1972: the weight of a term falls with the number of documents that have it."""
    index = Bm25Index()
    index.add(documents("pump valve", "pump tank", "pump alarm"))
    assert [hit.document.id for hit in index.search("pump alarm", 2)] == ["2", "0"]


def test_a_document_that_shares_no_term_is_not_found() -> None:
    """Our promise: a search by words gives nothing to pad the list with."""
    index = Bm25Index()
    index.add(documents("pump valve", "night shift"))
    assert [hit.document.id for hit in index.search("valve", 10)] == ["0"]
    assert index.search("the of and", 10) == ()
    assert index.search("valve", 0) == ()
    assert Bm25Index().search("valve", 3) == ()


def test_stemmed_terms_find_other_forms_and_plain_ones_do_not() -> None:
    """Our promise: a plain baseline stays plain."""
    found: dict[str, int] = {}
    for terms in (plain_terms, stemmed_terms):
        index = Bm25Index(terms=terms)
        index.add(documents("the valves were leaking"))
        found[terms.__name__] = len(index.search("does a valve leak", 1))
    assert found == {"plain_terms": 0, "stemmed_terms": 1}


def test_a_known_document_is_replaced_and_its_words_count_once() -> None:
    """Our promise (ScoredIndex.add): an item whose standing changed is the same text under the same id."""
    index = Bm25Index()
    index.add(documents("pump valve", "tank"))
    before = index.scores("pump")
    index.add([Document(id="0", text="pump valve", lifecycle=Lifecycle.SUPERSEDED)])
    assert index.scores("pump") == before
    assert len(index) == 2
    assert index.search("pump", 1)[0].document.lifecycle is Lifecycle.SUPERSEDED


def test_an_id_with_another_text_is_refused_and_nothing_is_added() -> None:
    """Our promise (common rule): a failed operation leaves everything as before."""
    index = Bm25Index()
    index.add(documents("pump"))
    with pytest.raises(RepeatedIdentity):
        index.add([Document(id="new", text="valve"), Document(id="0", text="tank")])
    assert len(index) == 1
    assert index.search("valve", 1) == ()
