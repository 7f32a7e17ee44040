"""The labelling network: rules, edits, rings, against the labelling from scratch."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import pytest

from upheld.logic.argumentation.network import Network, edited, labels_from_scratch
from upheld.logic.argumentation.rules import (
    UNHELD,
    AnyRule,
    Challenge,
    LabelOf,
    Negation,
    Rule,
    force_of,
    inputs_of,
    label_by,
)
from upheld.logic.language.standing import Label

IN, OUT, UNDECIDED = Label.IN, Label.OUT, Label.UNDECIDED
HELD = frozenset[str]()


def on(*groups: Iterable[str], by: Iterable[str | Challenge] = ()) -> Rule:
    """A rule with alternatives; no group at all stands for the empty one."""
    challenges = tuple(each if isinstance(each, Challenge) else Challenge(attacker=each) for each in by)
    return Rule(justifications=tuple(map(frozenset, groups)) or (HELD,), challenges=challenges)


def network(**rules: AnyRule) -> Network:
    """A network built in one edit."""
    return edited(Network(), rules).network


def labels(net: Network) -> dict[str, Label]:
    """The label of every vertex."""
    return {key: net.label(key) for key in net.rules}


FORCES = [
    ((IN, ()), False, IN),
    ((OUT, ()), False, OUT),
    ((OUT, ()), True, UNDECIDED),
    ((UNDECIDED, ()), False, UNDECIDED),
    ((IN, (IN,)), False, OUT),
    ((IN, (OUT,)), False, IN),
    ((IN, (UNDECIDED,)), False, UNDECIDED),
    ((OUT, (IN,)), True, OUT),
    ((OUT, (UNDECIDED,)), False, OUT),
]


@pytest.mark.parametrize(("given", "is_lasting", "wanted"), FORCES)
def test_a_challenge_bites_when_its_attacker_is_in_and_no_answer_is(
    given: tuple[Label, tuple[Label, ...]], is_lasting: bool, wanted: Label
) -> None:
    """Semantics, section 2: answers switch an attack off; a revise lasts when its reasons have fallen."""
    attacker, answers = given
    known = {"attacker": attacker, **{f"answer {place}": label for place, label in enumerate(answers)}}
    challenge = Challenge(attacker="attacker", answers=frozenset(known) - {"attacker"}, is_lasting=is_lasting)
    assert force_of(challenge, known.__getitem__) is wanted


RULES: list[tuple[AnyRule, dict[str, Label], Label]] = [
    (UNHELD, {}, OUT),
    (on(), {}, IN),
    (on("ab"), {"a": IN, "b": IN}, IN),
    (on("ab"), {"a": IN, "b": UNDECIDED}, UNDECIDED),
    (on("ab"), {"a": UNDECIDED, "b": OUT}, OUT),
    (on("a", "b"), {"a": OUT, "b": IN}, IN),
    (on("a", "b"), {"a": OUT, "b": UNDECIDED}, UNDECIDED),
    (on("a", "b"), {"a": UNDECIDED, "b": OUT}, UNDECIDED),
    (on("a", by="x"), {"a": IN, "x": OUT}, IN),
    (on("a", by="x"), {"a": IN, "x": UNDECIDED}, UNDECIDED),
    (on("a", by="xy"), {"a": UNDECIDED, "x": UNDECIDED, "y": IN}, OUT),
    (on("a", by="x"), {"a": OUT, "x": OUT}, OUT),
    (Negation(of="a"), {"a": IN}, OUT),
    (Negation(of="a"), {"a": OUT}, UNDECIDED),
    (Negation(of="a", challenges=(Challenge(attacker="x", falsifies=True),)), {"a": OUT, "x": IN}, IN),
    (Negation(of="a", challenges=(Challenge(attacker="x"),)), {"a": OUT, "x": IN}, UNDECIDED),
    (Negation(of="a", challenges=(Challenge(attacker="x", falsifies=True),)), {"a": IN, "x": UNDECIDED}, UNDECIDED),
]


@pytest.mark.parametrize(("rule", "known", "wanted"), RULES)
def test_a_vertex_is_labelled_by_its_rule(rule: AnyRule, known: Mapping[str, Label], wanted: Label) -> None:
    """Semantics, section 2, "Labelling" and "A premise ~a"."""
    assert label_by(rule, known.__getitem__) is wanted
    assert inputs_of(rule) == frozenset(known)


@pytest.mark.parametrize("rule", [rule for rule, _, _ in RULES])
def test_a_label_once_given_is_kept_when_more_is_known(rule: AnyRule) -> None:
    """Kleene 1952: rules are monotone from undecided upwards, else there is no least labelling."""
    names = sorted(inputs_of(rule))
    worlds = [dict(zip(names, labels, strict=True)) for labels in _every(len(names))]
    for known in worlds:
        label = label_by(rule, known.__getitem__)
        for more in worlds:
            if all(known[name] in (more[name], UNDECIDED) for name in names) and label is not UNDECIDED:
                assert label_by(rule, more.__getitem__) is label


def _every(count: int) -> list[tuple[Label, ...]]:
    found: list[tuple[Label, ...]] = [()]
    for _ in range(count):
        found = [(*each, label) for each in found for label in Label]
    return found


def test_a_vertex_that_nobody_holds_is_out() -> None:
    """Semantics, section 2: a literal that is named before anybody holds it does not stand."""
    net = network(a=on("b"))
    assert (net.label("a"), net.label("b"), net.label("never named")) == (OUT, OUT, OUT)


def test_an_edit_travels_on_and_says_what_changed() -> None:
    """Our promise: an edit gives every label that changed, before and after, and nothing else."""
    net = network(a=on(), b=on("a"), c=on(by="b"), d=on("c"), e=on())
    edit = edited(net, {"a": UNHELD})
    assert edit.changed == {"a": (IN, OUT), "b": (IN, OUT), "c": (OUT, IN), "d": (OUT, IN)}
    assert labels(net) == {"a": IN, "b": IN, "c": OUT, "d": OUT, "e": IN}
    assert edited(edit.network, {"e": on(by="b")}).changed == {}


def test_a_label_that_moves_and_moves_back_did_not_change() -> None:
    """Our promise: two rules of one edit that cancel out change nothing behind them."""
    net = network(a=on(), b=on(), c=on("a", "b"))
    assert edited(net, {"a": UNHELD, "b": on()}).changed == {"a": (IN, OUT)}


def test_a_circle_of_support_is_undecided_until_one_of_it_has_ground_outside() -> None:
    """Semantics, section 2: nothing holds itself up in a circle."""
    net = network(a=on("b"), b=on("a"), c=on("a"))
    assert labels(net) == dict.fromkeys("abc", UNDECIDED)
    assert net.in_ring("a") == frozenset("ab")
    assert net.in_ring("c") == frozenset()
    grounded = edited(net, {"a": on("b", "g"), "g": on()}).network
    assert labels(grounded) == dict.fromkeys("abcg", IN)
    assert labels(edited(grounded, {"g": UNHELD}).network) == dict.fromkeys("abc", UNDECIDED) | {"g": OUT}


def test_a_vertex_that_attacks_itself_is_undecided() -> None:
    """Dung 1995: a self-attacker is in no extension; the grounded labelling leaves it open."""
    net = network(a=on(by="a"), b=on(by="a"))
    assert labels(net) == {"a": UNDECIDED, "b": UNDECIDED}
    assert net.in_ring("a") == {"a"}


def test_rings_that_meet_become_one() -> None:
    """Our promise: a ring holds every cycle that its members lie on."""
    net = network(a=on("b"), b=on("a"), c=on("d"), d=on("c"), z=on("d"))
    net = edited(net, {"c": on("d", "a")}).network
    assert net.in_ring("a") == frozenset("ab")
    net = edited(net, {"a": on("b", "z")}).network
    assert net.in_ring("a") == net.in_ring("z") == frozenset("abcdz")
    assert labels(net) == labels_from_scratch(dict(net.rules))


@pytest.mark.parametrize("seed", range(60))
def test_edit_after_edit_gives_the_labels_and_the_order_from_scratch(seed: int) -> None:
    """Semantics, section 7: the incremental labelling equals the batch labelling; inputs come first outside rings."""
    draw = random.Random(seed)
    names = "abcdefgh"[: draw.randint(3, 8)]
    net = Network()
    for _ in range(25):
        changes = {name: _any_rule(draw, names) for name in draw.sample(names, draw.randint(1, 2))}
        before = labels(net)
        edit = edited(net, changes)
        assert labels(net) == before
        net = edit.network
        scratch = labels_from_scratch(dict(net.rules))
        assert labels(net) == scratch
        moved = {key: (before.get(key, OUT), label) for key, label in scratch.items()}
        assert edit.changed == {key: pair for key, pair in moved.items() if pair[0] is not pair[1]}
        assert all(
            source in net.in_ring(key) or net.vertices[source].rank < net.vertices[key].rank
            for key, rule in net.rules.items()
            for source in inputs_of(rule)
        )


def _any_rule(draw: random.Random, names: str) -> AnyRule:
    challenges = tuple(
        Challenge(
            attacker=draw.choice(names),
            answers=frozenset(draw.sample(names, draw.choice((0, 0, 1)))),
            is_lasting=draw.random() < 0.3,
            falsifies=draw.random() < 0.5,
        )
        for _ in range(draw.choice((0, 0, 1, 2)))
    )
    if draw.random() < 0.15:
        return Negation(of=draw.choice(names), challenges=challenges)
    groups = [frozenset(draw.sample(names, draw.choice((0, 1, 1, 2)))) for _ in range(draw.choice((0, 1, 1, 2)))]
    return Rule(justifications=tuple(groups), challenges=challenges)


def test_a_new_vertex_follows_an_input_that_the_same_edit_changes() -> None:
    """Our promise: a new vertex is labelled at once, and again when an input of it turns out otherwise."""
    net = network(a=on(), b=on("a"))
    edit = edited(net, {"n": on("b"), "m": on("n"), "a": UNHELD})
    assert labels(edit.network) == dict.fromkeys("abnm", OUT)
    assert edit.changed == {"a": (IN, OUT), "b": (IN, OUT)}
    assert edit.network.rank("b") < edit.network.rank("n") < edit.network.rank("m")


def test_what_is_read_and_not_held_is_no_member_of_a_network() -> None:
    """Our promise: naming a vertex gives it no rule."""
    net = network(a=on("z"))
    assert "a" in net
    assert "z" not in net
    assert net.rule("z") is None
    assert list(net.successors("z")) == ["a"]
    assert net.rank("y") == 0


def _above(shape: str, place: int) -> tuple[str, ...]:
    if shape == "fan" or place < 1 + (shape == "ladder"):
        return ("root",)
    return (f"n{place - 1}",) if shape == "chain" else (f"n{place - 2 - place % 2}", f"n{place - 1 - place % 2}")


@pytest.mark.parametrize("shape", ["fan", "chain", "ladder"])
def test_each_vertex_that_an_edit_reaches_is_labelled_once(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alpern et al. 1990: in the order of ranks no vertex is looked at before all its inputs are settled."""
    rules = {f"n{place}": on(_above(shape, place)) for place in range(300)}
    net = edited(Network(), {"root": on(), **rules, "aside": on()}).network
    looked_at: list[AnyRule] = []

    def counting(rule: AnyRule, label_of: LabelOf) -> Label:
        looked_at.append(rule)
        return label_by(rule, label_of)

    monkeypatch.setattr("upheld.logic.argumentation.network.label_by", counting)
    edit = edited(net, {"root": UNHELD})
    assert len(looked_at) == len(rules) + 1
    assert edit.changed == dict.fromkeys(("root", *rules), (IN, OUT))
    assert edited(edit.network, {"root": on()}).changed == dict.fromkeys(("root", *rules), (OUT, IN))
    assert labels(edit.network) == labels_from_scratch(edit.network.rules)
