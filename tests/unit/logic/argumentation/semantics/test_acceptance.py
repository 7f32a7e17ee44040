"""Acceptance: named cases, what may be left out of the search, and what a budget leaves undecided."""

from __future__ import annotations

import random

import pytest

from upheld.errors import UnknownReference
from upheld.logic.argumentation.framework import Framework, framework_of
from upheld.logic.argumentation.semantics.acceptance import Acceptance, credulously_accepted, sceptically_accepted
from upheld.logic.argumentation.semantics.extensions import extensions
from upheld.logic.argumentation.semantics.names import Semantics


def pairs(text: str) -> list[tuple[str, str]]:
    """Attacks as ``ab bc``: a on b, and b on c."""
    return [(pair[0], pair[1]) for pair in text.split()]


FLOATING = framework_of("abcd", pairs("ab ba ac bc cd"))
KILLED_ELSEWHERE = framework_of("abxyz", pairs("ab ba xy yz zx"))


def hard_part_elsewhere(*, is_upstream: bool) -> Framework[int]:
    """A pair 0, 1 that exclude each other, beside a hard framework that attacks 1, or that 1 attacks."""
    draw = random.Random(5)
    hard = {(draw.randrange(2, 402), draw.randrange(2, 402)) for _ in range(2_400)}
    return framework_of(range(402), hard | {(0, 1), (1, 0), (2, 1) if is_upstream else (1, 2)})


def test_a_floating_argument_is_accepted_sceptically_by_preferred_alone() -> None:
    """Makinson and Schlechta (1991), floating conclusions."""
    assert sceptically_accepted(FLOATING, "d", Semantics.PREFERRED) == Acceptance(is_accepted=True, witness=None)
    assert sceptically_accepted(FLOATING, "d", Semantics.IDEAL).is_accepted is False
    assert sceptically_accepted(FLOATING, "d", Semantics.COMPLETE) == Acceptance(
        is_accepted=False, witness=frozenset[str]()
    )
    assert credulously_accepted(FLOATING, "c", Semantics.PREFERRED) == Acceptance(is_accepted=False, witness=None)


def test_where_nothing_is_stable_everything_is_accepted_by_all_and_nothing_by_some() -> None:
    """Dung (1995): the odd circle elsewhere decides about a, vacuously; semi-stable is there for that."""
    for name in "ax":
        assert sceptically_accepted(KILLED_ELSEWHERE, name, Semantics.STABLE).is_accepted
        assert credulously_accepted(KILLED_ELSEWHERE, name, Semantics.STABLE).is_accepted is False
    assert credulously_accepted(KILLED_ELSEWHERE, "a", Semantics.SEMI_STABLE).witness == {"a"}
    assert sceptically_accepted(KILLED_ELSEWHERE, "a", Semantics.SEMI_STABLE).witness == {"b"}


def test_of_the_admissible_sets_the_empty_one_has_nothing() -> None:
    """Dung (1995), definition 6: sceptical acceptance by all admissible sets is empty."""
    assert sceptically_accepted(framework_of("a"), "a", Semantics.ADMISSIBLE).witness == frozenset()
    assert credulously_accepted(framework_of("a"), "a", Semantics.ADMISSIBLE).witness == {"a"}


@pytest.mark.parametrize("semantics", list(Semantics))
def test_an_argument_that_nobody_put_forward_is_refused(semantics: Semantics) -> None:
    """Our promise: a foreign argument is an error, and no answer."""
    with pytest.raises(UnknownReference, match="'z'"):
        credulously_accepted(FLOATING, "z", semantics)
    with pytest.raises(UnknownReference, match="'z'"):
        sceptically_accepted(FLOATING, "z", semantics)


def test_a_hard_part_downstream_is_no_matter_for_preferred() -> None:
    """Baroni and Giacomin (2007), directionality: what does not bear on the argument is not searched to decide."""
    framework = hard_part_elsewhere(is_upstream=False)
    some = credulously_accepted(framework, 1, Semantics.PREFERRED, conflict_budget=50)
    every = sceptically_accepted(framework, 1, Semantics.PREFERRED, conflict_budget=50)
    # Decided, though no preferred extension of the whole could be proved to be one.
    assert some == Acceptance(is_accepted=True, witness=None)
    assert every == Acceptance(is_accepted=False, witness=None)


def test_a_hard_part_upstream_is_not_guessed_about() -> None:
    """Our promise: within a budget an answer is right, or is missing."""
    framework = hard_part_elsewhere(is_upstream=True)
    some = credulously_accepted(framework, 2, Semantics.PREFERRED, conflict_budget=1)
    assert some == Acceptance(is_accepted=None, witness=None)
    assert sceptically_accepted(framework, 2, Semantics.STABLE, conflict_budget=1).is_accepted is None
    assert sceptically_accepted(framework, 2, Semantics.IDEAL, conflict_budget=1).is_accepted is None


def test_what_the_grounded_labelling_decides_needs_no_budget() -> None:
    """Dung (1995), theorem 25: the grounded extension is in every complete one, and what it rejects in none."""
    framework = framework_of("abcxy", pairs("ab bc xy yx"))
    for semantics in (Semantics.COMPLETE, Semantics.PREFERRED, Semantics.SEMI_STABLE, Semantics.IDEAL):
        assert sceptically_accepted(framework, "c", semantics, conflict_budget=0).is_accepted
        assert credulously_accepted(framework, "b", semantics, conflict_budget=0).is_accepted is False
        assert credulously_accepted(framework, "c", semantics, conflict_budget=0).is_accepted


@pytest.mark.parametrize("semantics", [Semantics.PREFERRED, Semantics.SEMI_STABLE, Semantics.STAGE])
def test_search_for_a_counterexample_agrees_with_going_through_all(semantics: Semantics) -> None:
    """CEGARTIX (Dvořák and others 2014): the fast way against the obvious one, beyond what enumeration of sets can."""
    draw = random.Random(9)
    for _ in range(6):
        framework = framework_of(range(40), {(draw.randrange(40), draw.randrange(40)) for _ in range(90)})
        found = extensions(framework, semantics, conflict_budget=None)
        for name in range(0, 40, 3):
            every = sceptically_accepted(framework, name, semantics, conflict_budget=None)
            assert every.is_accepted == all(name in extension for extension in found.extensions)
            assert every.is_accepted or every.witness in found.extensions
            some = credulously_accepted(framework, name, semantics, conflict_budget=None)
            assert some.is_accepted == any(name in extension for extension in found.extensions)
            assert not some.is_accepted or some.witness in found.extensions
