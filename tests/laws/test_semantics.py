"""Laws of the semantics: all eight against enumeration, and against clingo and pygarg beyond what can be enumerated."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.logic.argumentation import reference
from upheld.logic.argumentation.framework import Framework, Justifications, framework_of
from upheld.logic.argumentation.semantics import defending
from upheld.logic.argumentation.semantics.acceptance import credulously_accepted, sceptically_accepted
from upheld.logic.argumentation.semantics.dynamic import Edit, Solved, reach, solved
from upheld.logic.argumentation.semantics.explaining import Cause, Step, WhyOut, why_out
from upheld.logic.argumentation.semantics.extensions import an_extension, extensions
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.language.standing import Label

MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
NAMES = "abcdefgh"
Sets = frozenset[frozenset[Any]]

ENUMERATED: dict[Semantics, Callable[[Framework[str]], Sets]] = {
    Semantics.ADMISSIBLE: reference.admissible_sets,
    Semantics.COMPLETE: reference.complete_extensions,
    Semantics.GROUNDED: lambda framework: frozenset({reference.grounded_extension(framework)}),
    Semantics.PREFERRED: reference.preferred_extensions,
    Semantics.STABLE: reference.stable_extensions,
    Semantics.SEMI_STABLE: reference.semi_stable_extensions,
    Semantics.IDEAL: lambda framework: frozenset({reference.ideal_extension(framework)}),
    Semantics.STAGE: reference.stage_extensions,
}
EVERY_SEMANTICS = pytest.mark.parametrize("semantics", list(Semantics))


def examples(count: int) -> settings:
    """Scale the examples of a law."""
    return settings(max_examples=max(1, round(count * MULTIPLIER)), deadline=None)


@st.composite
def frameworks(draw: st.DrawFn, *, most: int = 6) -> Framework[str]:
    """Up to ``most`` arguments, with self-attacks, circles, and in half of them justifications of every shape."""
    names = NAMES[: draw(st.integers(0, most))]
    if not names:
        return framework_of("")
    attacks = draw(st.frozensets(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=2 * len(names)))
    justifications: dict[str, list[frozenset[str]]] = {}
    if len(names) > 1 and draw(st.booleans()):
        for name in draw(st.frozensets(st.sampled_from(names))):
            others = st.sampled_from([other for other in names if other != name])
            justifications[name] = draw(st.lists(st.frozensets(others, max_size=2), max_size=2))
    return framework_of(names, attacks, justifications)


def drawn_frameworks(count: int, *, seed: int, size: int) -> Iterator[Framework[str]]:
    """The same frameworks on every run, most of them with circles of attack, half with circles of support."""
    draw = random.Random(seed)
    for _ in range(round(count * MULTIPLIER)):
        names = NAMES[: draw.randint(2, size)]
        density, need = draw.choice((0.05, 0.1, 0.2, 0.3)), draw.choice((0.0, 0.0, 0.5, 1.0))
        attacks = [pair for pair in product(names, names) if draw.random() < density]
        ways = {name: some_ways(draw, names, name) for name in names if draw.random() < need}
        yield framework_of(names, attacks, ways)


def some_ways(draw: random.Random, names: str, name: str) -> list[list[str]]:
    """At most two justifications of at most two premises; most often one of one, so that circles close."""
    others = [other for other in names if other != name]
    return [draw.sample(others, draw.choice((1, 1, min(2, len(others))))) for _ in range(draw.choice((0, 1, 1, 1, 2)))]


# Fast = reference


@EVERY_SEMANTICS
def test_every_extension_is_found_once(semantics: Semantics) -> None:
    """Definitions of ``names.py``, by enumeration; with supports the loop clauses are needed here."""
    for framework in drawn_frameworks(120, seed=11, size=7):
        found = extensions(framework, semantics, conflict_budget=None)
        assert found.is_complete
        assert len(set(found.extensions)) == len(found.extensions), framework
        assert set(found.extensions) == ENUMERATED[semantics](framework), framework


@EVERY_SEMANTICS
def test_eight_arguments_are_no_other_than_six(semantics: Semantics) -> None:
    """Definitions of ``names.py``: larger circles, fewer of them."""
    for framework in drawn_frameworks(12, seed=12, size=8):
        assert set(extensions(framework, semantics).extensions) == ENUMERATED[semantics](framework), framework


@examples(60)
@given(frameworks(), st.sampled_from(Semantics))
def test_one_extension_is_found_and_proved(framework: Framework[str], semantics: Semantics) -> None:
    """Our promise: without a limit the answer is an extension, or that there is none."""
    found = an_extension(framework, semantics, conflict_budget=None)
    expected = ENUMERATED[semantics](framework)
    assert found.is_proved
    assert found.extension in expected if expected else found.extension is None


@pytest.mark.parametrize(
    ("few", "first_try", "climb"), [(8, 1_000, 5_000), (1, 1_000, 5_000), (1, 0, 5_000), (1, 0, 0)]
)
def test_one_preferred_extension_whoever_is_asked_for_it(
    few: int, first_try: int, climb: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Definition 7 of Dung (1995): by growing, by relaxing, by climbing, and by what is left for hard circles."""
    monkeypatch.setattr(defending, "FEW", few)
    monkeypatch.setattr(defending, "CLIMB", climb)
    monkeypatch.setattr(defending, "FIRST_TRY", first_try)
    for framework in drawn_frameworks(200, seed=19, size=8):
        found = an_extension(framework, Semantics.PREFERRED, conflict_budget=None)
        assert found.is_proved
        assert found.extension in reference.preferred_extensions(framework), framework


@examples(60)
@given(frameworks(), st.sampled_from(Semantics), st.integers(0, 4))
def test_any_budget_gives_what_can_be_relied_on(framework: Framework[str], semantics: Semantics, budget: int) -> None:
    """Our promise: anytime. What is called proved is; what is not is at least admissible, or conflict-free (stage)."""
    found = an_extension(framework, semantics, conflict_budget=budget)
    expected = ENUMERATED[semantics](framework)
    if found.is_proved:
        assert found.extension in expected if expected else found.extension is None
    elif semantics is Semantics.STAGE:
        assert found.extension in reference.conflict_free_sets(framework)
    elif semantics is not Semantics.STABLE:
        assert found.extension in reference.admissible_sets(framework)
    some = extensions(framework, semantics, conflict_budget=budget)
    assert set(some.extensions) <= expected
    assert not some.is_complete or set(some.extensions) == expected


@EVERY_SEMANTICS
def test_acceptance_is_membership_in_some_and_in_every_extension(semantics: Semantics) -> None:
    """Dung (1995), section 2; a witness is an extension, with the argument or without it."""
    for framework in drawn_frameworks(60, seed=13, size=6):
        expected = ENUMERATED[semantics](framework)
        for name in framework.arguments:
            some = credulously_accepted(framework, name, semantics, conflict_budget=None)
            assert some.is_accepted == any(name in extension for extension in expected), (framework, name)
            assert some.is_accepted == (some.witness is not None and name in some.witness)
            every = sceptically_accepted(framework, name, semantics, conflict_budget=None)
            assert every.is_accepted == all(name in extension for extension in expected), (framework, name)
            assert every.is_accepted != (every.witness is not None and name not in every.witness)
            assert {some.witness, every.witness} - {None} <= expected, (framework, name)


@examples(80)
@given(frameworks(), st.sampled_from(Semantics), st.integers(0, 6))
def test_what_a_budget_leaves_undecided_is_not_guessed(
    framework: Framework[str], semantics: Semantics, budget: int
) -> None:
    """Our promise: within any budget an answer is right, or is missing."""
    expected = ENUMERATED[semantics](framework)
    for name in framework.arguments:
        some = credulously_accepted(framework, name, semantics, conflict_budget=budget)
        assert some.is_accepted in {None, any(name in extension for extension in expected)}
        every = sceptically_accepted(framework, name, semantics, conflict_budget=budget)
        assert every.is_accepted in {None, all(name in extension for extension in expected)}
        assert {some.witness, every.witness} - {None} <= expected


@examples(40)
@given(frameworks())
def test_the_semantics_include_one_another(framework: Framework[str]) -> None:
    """Stable, semi-stable, preferred, complete, admissible; stable, stage (Caminada 2006; Verheij 1996)."""
    found = {semantics: set(extensions(framework, semantics).extensions) for semantics in Semantics}
    line = (Semantics.STABLE, Semantics.SEMI_STABLE, Semantics.PREFERRED, Semantics.COMPLETE, Semantics.ADMISSIBLE)
    for narrow, wide in pairwise(line):
        assert found[narrow] <= found[wide]
    if found[Semantics.STABLE]:
        assert found[Semantics.STABLE] == found[Semantics.SEMI_STABLE] == found[Semantics.STAGE]
    (grounded,), (ideal,) = found[Semantics.GROUNDED], found[Semantics.IDEAL]
    assert grounded <= ideal
    assert all(ideal <= preferred for preferred in found[Semantics.PREFERRED])
    assert ideal in found[Semantics.COMPLETE]


# Edits


def some_edit(framework: Framework[str], draw: random.Random) -> Edit[str]:
    """Something of everything: arguments, attacks and justifications come, go and change."""
    removed = frozenset(name for name in framework.arguments if draw.random() < 0.1)
    added = [name for name in NAMES[:6] if name not in framework.arguments and draw.random() < 0.3]
    left = "".join(name for name in framework.arguments if name not in removed) + "".join(added)
    justifications: dict[str, Justifications[str] | None] = {}
    for name in left if len(left) > 1 else "":
        if draw.random() < 0.15:
            ways = tuple(map(frozenset[str], some_ways(draw, left, name)))
            justifications[name] = draw.choice((None, ways))
    return Edit(
        remove_arguments=removed,
        remove_attacks=frozenset(pair for pair in framework.attacks if draw.random() < 0.1),
        add_arguments=tuple(added),
        add_attacks=frozenset((draw.choice(left), draw.choice(left)) for _ in range(draw.randint(0, 2)) if left),
        justifications=justifications,
    )


@EVERY_SEMANTICS
def test_after_every_edit_the_extension_is_one_of_the_edited_framework(semantics: Semantics) -> None:
    """Baroni and Giacomin (2007), directionality, where it holds; our promise for the others."""
    draw = random.Random(14)
    for framework in drawn_frameworks(25, seed=15, size=6):
        current: Solved[str] = solved(framework, semantics, conflict_budget=None)
        for _ in range(4):
            current = current.after(some_edit(current.framework, draw))
            expected = ENUMERATED[semantics](current.framework)
            assert current.is_proved
            assert current.extension in expected if expected else current.extension is None, current


@pytest.mark.parametrize("semantics", [Semantics.GROUNDED, Semantics.PREFERRED])
def test_what_an_edit_does_not_reach_keeps_its_label(semantics: Semantics) -> None:
    """T4 of ``postulates.py``: outside the forward cone nothing is looked at again."""
    draw = random.Random(16)
    for framework in drawn_frameworks(60, seed=17, size=6):
        before = solved(framework, semantics)
        edit = some_edit(framework, draw)
        after = before.after(edit)
        beyond = set(after.framework.arguments) - reach(framework, edit)
        assert all(before.labels[name] is after.labels[name] for name in beyond), (before, edit)


# Reasons


@EVERY_SEMANTICS
def test_every_reason_holds(semantics: Semantics) -> None:
    """Our promise: an explanation can be checked against the definitions, and is there for all that falls."""
    for framework in drawn_frameworks(60, seed=18, size=6):
        expected = ENUMERATED[semantics](framework)
        is_asked_for_some = semantics is Semantics.ADMISSIBLE
        for name in framework.arguments:
            reason = why_out(framework, name, semantics, conflict_budget=None)
            holds = (any if is_asked_for_some else all)(name in extension for extension in expected)
            if reason is None:
                assert holds, (framework, name)
                assert expected, (framework, name)
            else:
                assert not holds or not expected, (framework, name)
                check(reason, framework)


def check(reason: WhyOut[str], framework: Framework[str]) -> None:
    """Hold a reason against the definitions."""
    labels = reference.grounded_labelling(framework)
    match reason.cause:
        case Cause.REJECTED:
            assert labels[reason.argument] is Label.OUT
            assert reason.steps[0].argument == reason.argument
            check_derivation(reason.steps, framework)
        case Cause.CIRCULAR:
            assert all(labels[step.argument] is step.label is Label.UNDECIDED for step in reason.steps)
            following = {step.argument: (*step.attackers, *step.premises) for step in reason.steps}
            for place, name in enumerate(reason.circle):
                assert following[name] == (reason.circle[(place + 1) % len(reason.circle)],)
        case Cause.OMITTED:
            assert reason.extension is not None
            assert reason.argument not in reason.extension
            assert reference.labelling_of(framework, reason.extension)[reason.argument] is reason.label
        case Cause.INDEFENSIBLE:
            assert not is_defensible(reason.argument, reason.unanswered, framework)
            for left in reason.unanswered:
                fewer = [name for name in reason.unanswered if name != left]
                assert is_defensible(reason.argument, fewer, framework)
        case Cause.NO_EXTENSION:
            assert not reference.stable_extensions(framework)
        case Cause.UNSETTLED:
            pytest.fail("there was no budget to spend")


def check_derivation(steps: tuple[Step[str], ...], framework: Framework[str]) -> None:
    """Each label follows, by the rule of the grounded labelling, from labels that have their own step later."""
    later: dict[str, Label] = {}
    for step in reversed(steps):
        ways = framework.justifications.get(step.argument, (frozenset[str](),))
        attackers = {attacker for attacker, target in framework.attacks if target == step.argument}
        if step.label is Label.IN:
            assert set(step.attackers) == attackers
            assert frozenset(step.premises) in ways
        else:
            assert len(step.attackers) == 1 or all(way & set(step.premises) for way in ways)
            assert attackers.issuperset(step.attackers)
        opposite = Label.OUT if step.label is Label.IN else Label.IN
        assert all(later[attacker] is opposite for attacker in step.attackers)
        assert all(later[premise] is step.label for premise in step.premises)
        later[step.argument] = step.label


def is_defensible(name: str, attackers: list[str] | tuple[str, ...], framework: Framework[str]) -> bool:
    """Whether some admissible set had the argument, if only these attacked it."""
    attacks = [pair for pair in framework.attacks if pair[1] != name or pair[0] in attackers]
    eased = framework_of(framework.arguments, attacks, framework.justifications)
    return any(name in chosen for chosen in reference.admissible_sets(eased))


# Peers


CONFLICT_FREE = "{in(X)} :- arg(X). out(X) :- att(Y,X), in(Y). :- in(X), out(X). "
ADMISSIBLE = CONFLICT_FREE + ":- in(X), att(Y,X), not out(Y). "
COMPLETE = ADMISSIBLE + ":- arg(X), not in(X), out(Y) : att(Y,X). "
STABLE = CONFLICT_FREE + ":- arg(X), not in(X), not out(X). "
RANGE = "range(X) :- in(X). range(X) :- out(X). "
LARGEST_SET = "#heuristic in(X) : arg(X). [1,true] "
LARGEST_RANGE = RANGE + "#heuristic range(X) : arg(X). [1,true] "


def by_clingo(framework: Framework[int], program: str, *, shown: str = "in", is_largest: bool = False) -> Sets:
    """Enumerate by answer set programming: every ``shown`` set, or only the largest by inclusion."""
    clingo: Any = pytest.importorskip("clingo")
    control = clingo.Control(["--heuristic=Domain", "--enum-mode=domRec", "0"] if is_largest else ["0"])
    facts = "".join(f"arg({name})." for name in framework.arguments)
    facts += "".join(f"att({attacker},{target})." for attacker, target in sorted(framework.attacks))
    control.add("base", [], f"{program} #show {shown}/1. att(-1,-1). " + facts)
    control.ground([("base", [])])
    found: list[frozenset[int]] = []

    def keep(answer: Any) -> None:
        found.append(frozenset(symbol.arguments[0].number for symbol in answer.symbols(shown=True)))

    control.solve(on_model=keep)
    return frozenset(found)


def by_largest_range(framework: Framework[int], program: str) -> Sets:
    """Find the largest ranges first, and then every set that has one of them."""
    found: set[frozenset[int]] = set()
    for largest in by_clingo(framework, program + LARGEST_RANGE, shown="range", is_largest=True):
        demanded = "".join(f":- not range({name})." for name in largest)
        found |= by_clingo(framework, program + RANGE + demanded)
    return frozenset(found)


def ideal_by_clingo(framework: Framework[int]) -> Sets:
    """Take the largest admissible set within all preferred extensions, by definition."""
    preferred = by_clingo(framework, COMPLETE + LARGEST_SET, is_largest=True)
    unshared = [name for name in framework.arguments if not all(name in extension for extension in preferred)]
    within = "".join(f":- in({name})." for name in unshared)
    return by_clingo(framework, ADMISSIBLE + within + LARGEST_SET, is_largest=True)


PEERS: dict[Semantics, Callable[[Framework[int]], Sets]] = {
    Semantics.COMPLETE: lambda framework: by_clingo(framework, COMPLETE),
    Semantics.PREFERRED: lambda framework: by_clingo(framework, COMPLETE + LARGEST_SET, is_largest=True),
    Semantics.STABLE: lambda framework: by_clingo(framework, STABLE),
    Semantics.SEMI_STABLE: lambda framework: by_largest_range(framework, COMPLETE),
    Semantics.IDEAL: ideal_by_clingo,
    Semantics.STAGE: lambda framework: by_largest_range(framework, CONFLICT_FREE),
}


def larger_frameworks(count: int, *, size: int, seed: int) -> Iterator[Framework[int]]:
    """Two attacks an argument drawn alike, one in eight answered: circles of every length, and extensions to list."""
    draw = random.Random(seed)
    for _ in range(max(1, round(count * MULTIPLIER))):
        attacks = {(draw.randrange(size), draw.randrange(size)) for _ in range(size * 2)}
        answered = {(target, attacker) for attacker, target in sorted(attacks) if draw.random() < 0.125}
        yield framework_of(range(size), attacks | answered)


@pytest.mark.parametrize("semantics", list(PEERS))
def test_all_extensions_are_those_of_an_answer_set_program(semantics: Semantics) -> None:
    """An independent solver (clingo) with encodings of our own, in the manner of Egly, Gaggl and Woltran (2010)."""
    for size in (12, 25, 50, 100):
        for framework in larger_frameworks(3, size=size, seed=size):
            found = extensions(framework, semantics, conflict_budget=None)
            assert found.is_complete
            assert set(found.extensions) == PEERS[semantics](framework), framework


@pytest.mark.parametrize(("first_try", "climb"), [(1_000, 5_000), (0, 5_000), (0, 0)])
def test_one_preferred_extension_is_one_of_an_answer_set_program(
    first_try: int, climb: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above, for the search that takes one set after the other; with no first try every circle counts as hard."""
    monkeypatch.setattr(defending, "FIRST_TRY", first_try)
    monkeypatch.setattr(defending, "CLIMB", climb)
    for size in (12, 25, 50, 100):
        for framework in larger_frameworks(5, size=size, seed=size + 1):
            found = an_extension(framework, Semantics.PREFERRED, conflict_budget=None)
            assert found.is_proved
            assert found.extension in PEERS[Semantics.PREFERRED](framework), framework


@pytest.mark.parametrize(
    ("semantics", "theirs"),
    [(Semantics.PREFERRED, "PR"), (Semantics.STABLE, "ST"), (Semantics.SEMI_STABLE, "SST"), (Semantics.IDEAL, "ID")],
)
def test_acceptance_and_extensions_are_those_of_pygarg(semantics: Semantics, theirs: str) -> None:
    """An independent implementation (pygarg), up to a hundred arguments."""
    peer: Any = pytest.importorskip("pygarg.dung.solver")
    for framework in larger_frameworks(2, size=100, seed=21):
        arguments = [str(name) for name in framework.arguments]
        attacks = [[str(attacker), str(target)] for attacker, target in sorted(framework.attacks)]
        one = an_extension(framework, semantics)
        assert one.is_proved
        assert (one.extension is None) == (peer.compute_some_extension(arguments, attacks, theirs) == "NO")
        for name in random.Random(22).sample(range(100), 5):
            some, _ = peer.credulous_acceptability(arguments, attacks, str(name), theirs)
            assert credulously_accepted(framework, name, semantics).is_accepted == some
            every, _ = peer.skeptical_acceptability(arguments, attacks, str(name), theirs)
            assert sceptically_accepted(framework, name, semantics).is_accepted == every
