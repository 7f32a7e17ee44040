"""A layered map against the trie that it stands in for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rpds import HashTrieMap

from upheld.record.snapshots.layered import LayeredMap

KEYS = st.sampled_from("abcdefgh")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("insert"), KEYS, st.integers()),
        st.tuples(st.just("discard"), KEYS),
        st.tuples(st.just("remove"), KEYS),
        st.tuples(st.just("update"), st.dictionaries(KEYS, st.integers(), max_size=3)),
    ),
    max_size=12,
)


def look(found: Any) -> dict[str, Any]:
    """Give everything that can be asked of a map."""
    return {
        "items": sorted(found.items()),
        "keys": sorted(found),
        "values": sorted(found.values()),
        "length": len(found),
        "known": {key: (key in found, found.get(key), found.get(key, "none")) for key in "abcdefgh"},
    }


@given(st.dictionaries(KEYS, st.integers()), STEPS)
def test_every_change_gives_what_the_trie_gives(beginning: dict[str, int], steps: list[tuple[Any, ...]]) -> None:
    """Our promise: the engine cannot tell the two apart, and values from before a change stay as they were."""
    fast: Any = LayeredMap(beginning)
    slow: Any = HashTrieMap(beginning)
    passed: list[tuple[Any, dict[str, Any]]] = []
    for name, *arguments in steps:
        passed.append((fast, look(fast)))
        if name == "remove" and arguments[0] not in slow:
            with pytest.raises(KeyError):
                fast.remove(*arguments)
            continue
        fast, slow = getattr(fast, name)(*arguments), getattr(slow, name)(*arguments)
        assert look(fast) == look(slow)
        assert fast == slow
        assert slow == fast
        assert fast == LayeredMap(dict(slow.items()))
        assert fast != slow.insert("z", 1)
    assert [look(each) for each, _ in passed] == [before for _, before in passed]


def test_what_is_missing_is_a_key_error() -> None:
    """Demanded by the protocol of mappings."""
    with pytest.raises(KeyError):
        LayeredMap({"a": 1})["b"]
    assert LayeredMap({"a": None})["a"] is None
    assert repr(LayeredMap({"a": 1}).insert("b", 2)) == "LayeredMap({'a': 1, 'b': 2})"


def test_equal_layered_maps_have_equal_hashes() -> None:
    """Demanded by the protocol of hashing."""
    assert hash(LayeredMap({"a": 1}).insert("b", 2)) == hash(LayeredMap({"b": 2, "a": 1}))
    assert LayeredMap({"a": 1}) != "a"
