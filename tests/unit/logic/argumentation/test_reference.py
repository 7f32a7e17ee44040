"""The oracle itself, on cases that can be checked by hand."""

from __future__ import annotations

import pytest

from upheld.errors import LimitExceeded
from upheld.logic.argumentation import reference
from upheld.logic.argumentation.framework import framework_of


def as_text(found: frozenset[frozenset[str]]) -> set[str]:
    """Each set as its members in alphabetical order."""
    return {"".join(sorted(chosen)) for chosen in found}


def test_every_semantics_on_one_framework_by_hand() -> None:
    """Dung (1995), definitions 5 to 23: a and b exclude each other, b attacks c, and c attacks itself."""
    framework = framework_of("abc", [("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")])
    assert as_text(reference.conflict_free_sets(framework)) == {"", "a", "b"}
    assert as_text(reference.admissible_sets(framework)) == {"", "a", "b"}
    assert as_text(reference.complete_extensions(framework)) == {"", "a", "b"}
    assert as_text(reference.preferred_extensions(framework)) == {"a", "b"}
    assert as_text(reference.stable_extensions(framework)) == {"b"}
    assert reference.grounded_extension(framework) == frozenset()


def test_semantics_of_range_and_the_ideal_one_by_hand() -> None:
    """Caminada (2006), Verheij (1996), Dung, Mancarella and Toni (2007): an odd circle, and c that attacks itself."""
    framework = framework_of("xyzac", [*zip("xyz", "yzx", strict=True), ("c", "a"), ("a", "c"), ("c", "c")])
    assert as_text(reference.preferred_extensions(framework)) == {"a"}
    assert as_text(reference.semi_stable_extensions(framework)) == {"a"}
    assert as_text(reference.stage_extensions(framework)) == {"ax", "ay", "az"}
    assert "".join(reference.ideal_extension(framework)) == "a"
    assert reference.grounded_extension(framework) == frozenset()


def test_a_stage_extension_is_supported_by_hand() -> None:
    """Nouioua and Risch (2011): a and b hold each other up, so both stay outside, and outside the range."""
    framework = framework_of("abc", (), {"a": [["b"]], "b": [["a"]], "c": []})
    assert as_text(reference.stage_extensions(framework)) == {""}
    assert as_text(reference.semi_stable_extensions(framework)) == {""}


def test_supports_are_counted_in_by_hand() -> None:
    """Nouioua and Risch (2011): c needs p, and x attacks p; only with x out of the way could c stand."""
    framework = framework_of("pcxy", [("x", "p"), ("y", "x")], {"c": [["p"]]})
    assert as_text(reference.admissible_sets(framework)) == {"", "y", "py", "cpy"}
    assert reference.rejected_by(framework, frozenset("x")) == frozenset("pc")


def test_more_arguments_than_can_be_enumerated_are_refused() -> None:
    """Our promise: over a stated limit is refused, not waited for."""
    with pytest.raises(LimitExceeded, match="13 arguments"):
        reference.preferred_extensions(framework_of(range(13)))
