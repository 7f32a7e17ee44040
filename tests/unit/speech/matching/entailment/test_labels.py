"""Names of outputs as exports have them, and those that say nothing."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedInput
from upheld.speech.matching.entailment.labels import LABELS, order_of


@given(order=st.permutations((0, 1, 2)), change=st.sampled_from([str.lower, str.upper, str.title, str.casefold]))
def test_the_place_of_each_label_is_found_in_every_order_and_spelling(order: list[int], change: object) -> None:
    """Exports disagree on both: {0: contradiction, 1: entailment, 2: neutral} is as common as the other way round."""
    assert callable(change)
    named = {str(place): change(LABELS[label]) for place, label in enumerate(order)}
    found = order_of({"id2label": named}, "config.json")
    assert [order[place] for place in found] == [0, 1, 2]


def test_all_six_orders_differ() -> None:
    """The law above could hold of a constant otherwise."""
    found = {
        order_of({"id2label": {str(place): LABELS[label] for place, label in enumerate(order)}}, "")
        for order in permutations(range(3))
    }
    assert len(found) == 6


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (None, "has no id2label"),
        ([], "has no id2label"),
        ({}, "names nothing"),
        ({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, "names 0: LABEL_0"),
        ({"0": "entailment", "1": "not_entailment"}, "not_entailment"),
        ({"0": "entailment", "1": "contradiction"}, "needed are three outputs"),
        ({"0": "entailment", "1": "neutral", "2": "neutral"}, "needed are three outputs"),
        ({"0": "entailment", "1": "neutral", "2": "contradiction", "3": "other"}, "needed are three outputs"),
        ({"1": "entailment", "2": "neutral", "3": "contradiction"}, "needed are three outputs"),
        ({"a": "entailment", "b": "neutral", "c": "contradiction"}, "needed are three outputs"),
    ],
)
def test_names_that_do_not_tell_the_three_labels_apart_are_refused_with_what_is_needed(
    named: object, said: str
) -> None:
    """Our promise: never guessed; a wrong guess would call grounded what contradicts the record."""
    with pytest.raises(MalformedInput, match=said) as refused:
        order_of({} if named is None else {"id2label": named}, "config.json")
    assert refused.value.key == "id2label"
    assert refused.value.source == "config.json"


@given(
    st.dictionaries(st.text(max_size=3), st.one_of(st.text(max_size=12), st.integers(), st.none(), st.lists(st.text())))
)
def test_whatever_stands_in_a_configuration_is_read_or_refused(named: dict[str, object]) -> None:
    """Over bad input: an error of ours, never a traceback."""
    try:
        found = order_of({"id2label": named}, "")
    except MalformedInput:
        return
    assert sorted(found) == [0, 1, 2]
