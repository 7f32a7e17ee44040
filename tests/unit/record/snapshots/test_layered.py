"""A layered map against the trie that it stands in for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rpds import HashTrieMap, HashTrieSet

from upheld.record.snapshots.layered import LayeredMap, LayeredSet

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


MEMBERS = st.lists(
    st.tuples(st.sampled_from(["insert", "discard", "remove", "update", "union", "difference"]), KEYS), max_size=12
)


@given(st.sets(KEYS), MEMBERS)
def test_a_layered_set_gives_what_the_trie_gives(beginning: set[str], steps: list[tuple[str, str]]) -> None:
    """Our promise: as for maps; the engine cannot tell."""
    fast: Any = LayeredSet(LayeredMap(dict.fromkeys(beginning, True)))
    slow: Any = HashTrieSet(beginning)
    for name, key in steps:
        if name == "remove" and key not in slow:
            with pytest.raises(KeyError):
                fast.remove(key)
            continue
        argument = key if name in ("insert", "discard", "remove") else HashTrieSet([key, "a"])
        before = fast, set(fast)
        fast, slow = getattr(fast, name)(argument), getattr(slow, name)(argument)
        assert set(before[0]) == before[1]
        assert (sorted(fast), len(fast)) == (sorted(slow), len(slow))
        assert [each in fast for each in "abcdefgh"] == [each in slow for each in "abcdefgh"]
        assert fast == slow
        assert slow == fast
        assert fast == LayeredSet(LayeredMap(dict.fromkeys(slow, True)))
        assert fast != slow.insert("z")
        others = HashTrieSet({"a", "b", "z"})
        assert set(fast.intersection(others)) == set(slow.intersection(others)) == set(fast & set(others))
        assert set(fast.symmetric_difference(others)) == set(slow.symmetric_difference(others))
        assert set(fast | set(others)) == set(fast.union(others)) == set(slow.union(others))
        assert set(fast - set(others)) == set(fast.difference(others)) == set(slow.difference(others))


def test_a_layered_set_says_what_is_in_it() -> None:
    """Demanded by the protocols of hashing and of representation."""
    found = LayeredSet(LayeredMap({"a": True}))
    assert repr(found) == "LayeredSet({'a'})"
    assert hash(found) == hash(found.insert("b").discard("b"))
    assert found != "a"
