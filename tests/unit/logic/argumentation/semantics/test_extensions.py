"""The named cases of the literature under every semantics, budgets, limits, and large circles."""

from __future__ import annotations

import random
from itertools import islice, pairwise

import pytest

from upheld.logic.argumentation.framework import Framework, framework_of
from upheld.logic.argumentation.postulates import is_admissible, is_conflict_free
from upheld.logic.argumentation.semantics.extensions import (
    Enumeration,
    Found,
    an_extension,
    extensions,
    iter_extensions,
)
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.argumentation.semantics.oracle import Budget


def pairs(text: str) -> list[tuple[str, str]]:
    """Attacks as ``ab bc``: a on b, and b on c."""
    return [(pair[0], pair[1]) for pair in text.split()]


NIXON = framework_of(["dove", "hawk"], [("dove", "hawk"), ("hawk", "dove")])
ODD_CIRCLE = framework_of("abc", pairs("ab bc ca"))
EVEN_CIRCLE = framework_of("abcd", pairs("ab bc cd da"))
FLOATING = framework_of("abcd", pairs("ab ba ac bc cd"))
KILLED_ELSEWHERE = framework_of("abxyz", pairs("ab ba xy yz zx"))


def dense(size: int, each: int, seed: int) -> Framework[int]:
    """Attacks between arguments drawn alike, ``each`` an argument: hard when there are many."""
    draw = random.Random(seed)
    return framework_of(range(size), {(draw.randrange(size), draw.randrange(size)) for _ in range(size * each)})


def listed(framework: Framework[str], semantics: Semantics) -> list[str]:
    """All extensions, each as its members in alphabetical order."""
    found = extensions(framework, semantics)
    assert found.is_complete
    return ["".join(sorted(extension)) for extension in found.extensions]


@pytest.mark.parametrize("semantics", list(Semantics))
def test_of_nothing_the_empty_set_is_the_one_extension(semantics: Semantics) -> None:
    """Dung (1995): in the empty framework the empty set is even stable."""
    nothing = framework_of("")
    assert extensions(nothing, semantics) == Enumeration(extensions=(frozenset[str](),), is_complete=True)
    assert an_extension(nothing, semantics) == Found(extension=frozenset[str](), is_proved=True)


@pytest.mark.parametrize("semantics", [one for one in Semantics if one is not Semantics.ADMISSIBLE])
def test_what_nobody_attacks_is_in_every_extension(semantics: Semantics) -> None:
    """Dung (1995): isolated arguments stand under whatever semantics; of the admissible sets some lack them."""
    assert listed(framework_of("ab"), semantics) == ["ab"]
    assert listed(framework_of("ab"), Semantics.ADMISSIBLE) == ["", "a", "ab", "b"]


@pytest.mark.parametrize(
    ("semantics", "found"),
    [
        (Semantics.ADMISSIBLE, ["", "dove", "hawk"]),
        (Semantics.COMPLETE, ["", "dove", "hawk"]),
        (Semantics.GROUNDED, [""]),
        (Semantics.PREFERRED, ["dove", "hawk"]),
        (Semantics.STABLE, ["dove", "hawk"]),
        (Semantics.SEMI_STABLE, ["dove", "hawk"]),
        (Semantics.IDEAL, [""]),
        (Semantics.STAGE, ["dove", "hawk"]),
    ],
)
def test_the_nixon_diamond_under_every_semantics(semantics: Semantics, found: list[str]) -> None:
    """Reiter and Criscuolo (1981): two ways out, of which the sceptical semantics take none."""
    assert [" ".join(extension) for extension in extensions(NIXON, semantics).extensions] == found


def test_an_odd_circle_has_no_stable_extension_and_three_stages() -> None:
    """Dung (1995), section 2, for stable and preferred; Verheij (1996): one argument at a time is a stage."""
    assert an_extension(ODD_CIRCLE, Semantics.STABLE) == Found(extension=None, is_proved=True)
    assert listed(ODD_CIRCLE, Semantics.STABLE) == []
    assert listed(ODD_CIRCLE, Semantics.PREFERRED) == listed(ODD_CIRCLE, Semantics.SEMI_STABLE) == [""]
    assert listed(ODD_CIRCLE, Semantics.STAGE) == ["a", "b", "c"]


def test_an_even_circle_is_taken_one_way_or_the_other() -> None:
    """Dung (1995), section 2: every second argument."""
    assert listed(EVEN_CIRCLE, Semantics.STABLE) == listed(EVEN_CIRCLE, Semantics.PREFERRED) == ["ac", "bd"]
    assert listed(EVEN_CIRCLE, Semantics.IDEAL) == [""]


def test_a_floating_argument_is_in_every_preferred_extension_and_not_in_the_ideal_one() -> None:
    """Makinson and Schlechta (1991), floating conclusions: d is defended one way or the other, by nothing alone."""
    assert listed(FLOATING, Semantics.PREFERRED) == ["ad", "bd"]
    assert listed(FLOATING, Semantics.IDEAL) == listed(FLOATING, Semantics.GROUNDED) == [""]


def test_the_ideal_extension_can_be_larger_than_the_grounded_one() -> None:
    """Dung, Mancarella and Toni (2007), section 3: b attacks a and itself, so no admissible set attacks a."""
    framework = framework_of("ab", pairs("ab ba bb"))
    assert listed(framework, Semantics.GROUNDED) == [""]
    assert listed(framework, Semantics.IDEAL) == ["a"]


def test_what_needs_a_premise_that_can_be_attacked_is_not_ideal() -> None:
    """Dung, Mancarella and Toni (2007), theorem 3.3, with supports: nobody attacks c, but q attacks what it needs."""
    framework = framework_of("cpq", pairs("pq qp"), {"c": ["p"]})
    assert listed(framework, Semantics.PREFERRED) == ["cp", "q"]
    assert listed(framework, Semantics.IDEAL) == [""]


def test_what_attacks_itself_is_in_nothing_and_kills_stability() -> None:
    """Dung (1995): b is never in, and with nobody else against it never out, so no set is stable."""
    framework = framework_of("abc", pairs("bb bc ac"))
    assert listed(framework, Semantics.STABLE) == []
    for semantics in (Semantics.PREFERRED, Semantics.SEMI_STABLE, Semantics.STAGE):
        assert listed(framework, semantics) == ["a"]


def test_stable_is_killed_by_an_odd_circle_elsewhere_and_semi_stable_is_not() -> None:
    """Caminada (2006): the reason for semi-stable; the circle has nothing to do with a and b."""
    assert listed(KILLED_ELSEWHERE, Semantics.STABLE) == []
    assert listed(KILLED_ELSEWHERE, Semantics.SEMI_STABLE) == ["a", "b"]
    assert len(listed(KILLED_ELSEWHERE, Semantics.STAGE)) == 6


def test_a_stage_extension_need_not_contain_the_grounded_one() -> None:
    """Verheij (1996): what nobody attacks is in no set of largest range that has the argument it attacks."""
    assert listed(framework_of("abc", pairs("ab bc cc")), Semantics.STAGE) == ["a", "b"]


def test_a_stage_extension_does_not_hold_itself_up() -> None:
    """Definitions of ``framework.py``: a and b need each other, so neither is in a supported set."""
    framework = framework_of("abx", pairs("xx"), {"a": ["b"], "b": ["a"]})
    assert listed(framework, Semantics.STAGE) == [""]


def test_a_lost_premise_counts_to_the_range() -> None:
    """Definitions of ``framework.py``: x rejects p, and c that needs it, so {x} is stable and reaches all."""
    framework = framework_of("pcxy", pairs("xp xy yx"), {"c": ["p"]})
    for semantics in (Semantics.STABLE, Semantics.SEMI_STABLE, Semantics.STAGE):
        assert listed(framework, semantics) == ["cpy", "x"]


def test_the_order_of_extensions_is_that_of_their_members() -> None:
    """Our promise: deterministic, whatever the order in which attacks are given."""
    framework = dense(40, 2, 3)
    again = framework_of(framework.arguments, sorted(framework.attacks, reverse=True))
    found = extensions(framework, Semantics.PREFERRED).extensions
    assert found == extensions(again, Semantics.PREFERRED).extensions
    assert [sorted(extension) for extension in found] == sorted(map(sorted, found))


def test_a_limit_that_is_met_leaves_open_whether_there_are_more() -> None:
    """Our promise: complete is only called what was searched to the end."""
    assert not extensions(EVEN_CIRCLE, Semantics.PREFERRED, limit=1).is_complete
    assert not extensions(EVEN_CIRCLE, Semantics.PREFERRED, limit=2).is_complete
    assert extensions(EVEN_CIRCLE, Semantics.PREFERRED, limit=3).is_complete
    assert extensions(EVEN_CIRCLE, Semantics.PREFERRED, limit=0) == Enumeration(extensions=(), is_complete=False)


@pytest.mark.parametrize(
    "semantics", [Semantics.COMPLETE, Semantics.PREFERRED, Semantics.STABLE, Semantics.SEMI_STABLE, Semantics.STAGE]
)
def test_the_first_of_very_many_extensions_come_at_once(semantics: Semantics) -> None:
    """Our promise: lazy. Three hundred pairs have 2^300 extensions, and one large circle waits at the end."""
    pairs = framework_of(range(600), [(name, name ^ 1) for name in range(600)])
    budget = Budget()
    found = list(islice(iter_extensions(pairs, semantics, budget=budget), 5))
    assert len(set(found)) == 5
    assert not budget.is_spent
    assert not extensions(pairs, semantics, conflict_budget=1_500).is_complete


@pytest.mark.parametrize("semantics", list(Semantics))
def test_a_hard_framework_ends_within_the_budget(semantics: Semantics) -> None:
    """Our promise: anytime. What could not be proved is not called proved, and still can be relied on."""
    hard = dense(400, 6, 2)
    found = an_extension(hard, semantics, conflict_budget=200)
    if semantics is Semantics.STABLE:
        assert found == Found(extension=None, is_proved=False)
        return
    assert found.extension is not None
    assert found.is_proved == (semantics in {Semantics.ADMISSIBLE, Semantics.COMPLETE, Semantics.GROUNDED})
    assert is_conflict_free(found.extension, hard)
    assert semantics is Semantics.STAGE or is_admissible(found.extension, hard)
    assert not extensions(hard, semantics, conflict_budget=200, limit=1_000).is_complete or found.is_proved


@pytest.mark.parametrize("semantics", [Semantics.STABLE, Semantics.SEMI_STABLE, Semantics.STAGE, Semantics.PREFERRED])
def test_a_long_even_circle_is_settled_without_recursion(semantics: Semantics) -> None:
    """Our promise: no recursion over what users give, and one circle is easy however long."""
    size = 4_000
    ring = framework_of(range(size), [*pairwise(range(size)), (size - 1, 0)])
    found = an_extension(ring, semantics)
    assert found.is_proved
    assert found.extension in (frozenset(range(0, size, 2)), frozenset(range(1, size, 2)))


def test_a_long_chain_needs_no_budget_under_any_semantics() -> None:
    """Our promise: where the grounded labelling decides everything, every semantics agrees with it."""
    chain = framework_of(range(20_000), pairwise(range(20_000)))
    for semantics in Semantics:
        assert an_extension(chain, semantics, conflict_budget=0) == Found(
            extension=frozenset(range(0, 20_000, 2)), is_proved=True
        )
