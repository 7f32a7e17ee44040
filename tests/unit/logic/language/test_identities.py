"""Sets of names, small and large."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from rpds import HashTrieSet

from upheld.logic.language.identities import FEW, excluding, including, listed

NAMES = [f"n{number}" for number in range(3 * FEW)]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(NAMES)), max_size=80))
def test_a_set_of_names_is_a_set_whatever_its_size(changes: list[tuple[bool, str]]) -> None:
    """Our promise: which of the two forms a set has shows in nothing but its speed."""
    names: frozenset[str] = frozenset()
    plain: set[str] = set()
    for is_added, name in changes:
        before = set(names)
        after = including(names, name) if is_added else excluding(names, name)
        assert set(names) == before
        names = after
        plain = plain | {name} if is_added else plain - {name}
        assert names == plain
        assert sorted(listed(names)) == sorted(plain)
        assert len(names) == len(plain)
        assert all((each in names) is (each in plain) for each in NAMES)


def test_the_form_of_a_set_follows_from_what_is_in_it() -> None:
    """Our promise: equal sets have one form, so that equal states are kept as equal bytes."""
    names: frozenset[str] = frozenset()
    order = random.Random(1).sample(NAMES, len(NAMES))
    forms: list[bool] = []
    for name in order:
        names = including(including(names, name), name)
        forms.append(isinstance(names, HashTrieSet))
    assert forms == [place >= FEW for place in range(len(NAMES))]
    for left in reversed(range(len(NAMES))):
        names = excluding(excluding(names, order[left]), order[left])
        assert isinstance(names, HashTrieSet) == (left > FEW)
