"""The suite ``taubench`` (protocol P6): provenance of values, swapped values, and what unsupported claims tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from upheld_evals.external.hand import TAU_BENCH, hand_labels, labelled_by
from upheld_evals.external.trajectories.arms import LINKED, UNCHECKED, UNSUPPORTED, SearchArm, VerifierArm
from upheld_evals.external.trajectories.messages import AS_SAID, FROM_ELSEWHERE, FROM_HERE, SWAPPED, message_items
from upheld_evals.external.trajectories.reading import read_trajectories
from upheld_evals.external.trajectories.values import Kind, has_literally
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Printed, Scored, Status, Suite
from upheld_evals.statistics import auroc, by_group
from upheld_evals.suites.tables import clustered, costs, share

FOLLOWS, WRONG, INVENTED = "follows", "wrong", "invented"
"""Labels by hand of values that no source has: worked out rightly, worked out wrongly, out of nothing."""


def value_name(item: Item, place: int) -> str:
    """Name a value of a message by the message, its place in it, and the start of a hash of the text."""
    return f"{item.id}#{place}@{sha256(item.content.text.encode()).hexdigest()[:8]}"


def taubench_suite(
    path: Path,
    *,
    interpreters: Sequence[str] = ("cues",),
    matchers: Sequence[str] = ("text",),
    labels: Mapping[str, str] | None = None,
) -> Suite:
    """Give the suite over the trajectories of one file; ``labels`` by :func:`value_name`, ours where none are given."""
    labels = hand_labels(TAU_BENCH) if labels is None else labels
    trajectories = read_trajectories(path)
    items = message_items(trajectories)
    baseline = SearchArm()
    arms: list[Arm] = [
        VerifierArm(interpreter=interpreter, matching=matching) for interpreter in interpreters for matching in matchers
    ]
    said = [item for item in items if item.label == AS_SAID]
    values = sum(len(item.content.values) for item in said)
    return Suite(
        name="taubench",
        version="1",
        purpose="Where the values in an agent's messages came from, and whether a swapped one is flagged.",
        data=f"{path.name} of tau-bench: {len(trajectories)} trajectories, {len(said)} messages with {values} values,"
        f" {len(items) - len(said)} copies with one swapped",
        digest=digest_of([path]),
        items=items,
        arms=(*arms, SearchArm(is_normal=True), baseline),
        baseline=baseline.name,
        score=is_told_apart,
        measures=partial(trajectory_measures, labels=labels),
        printed=(
            Printed(source="the protocol's literal match, all trials", name="values linked", value="0.967", n="2278"),
        ),
        tuned_on="the few-shot conversations of the airline; trial 0 is for reporting",
        notes=(
            "Sources of a value are the rules, the user and the tools; what the agent said earlier is none.",
            "A search for the value alone cannot flag one that was told here of something else.",
            "The paired test is over messages and swapped copies: flagged or not, could not check being wrong.",
            "The area of reward counts an agent's unsupported values (a search) or claims (the verifier): above 0.5"
            " when failed trajectories have more. Those without a message that has a value are not in it.",
            "By hand: values that no source has in any way to write them were read one by one (trial 0 alone); figures"
            f" that use those labels say so, all others use none. {labelled_by()}",
        ),
    )


def is_told_apart(item: Item, answer: Answer) -> float:
    """Score 1 when a swapped message is flagged, and one as it was said is not."""
    return float(bool(answer.value["flagged"]) == (item.label == SWAPPED))


def trajectory_measures(
    scored: Sequence[Scored], seed: int, *, labels: Mapping[str, str] | None = None
) -> Sequence[Measure]:
    """Give the protocol's numbers (a), (b) and (d), and (a) by the labels of values where there are any."""
    known = [each for each in scored if each[1].value is not None]
    said = [each for each in known if each[0].label == AS_SAID]
    return [
        *_provenance(said),
        *_by_hand(said, labels or {}, seed),
        *_swaps(known, said),
        _rewards(said, seed, _unsupported),
        *costs(scored),
    ]


def _provenance(said: Sequence[Scored]) -> Iterator[Measure]:
    found = [(item, place, *each) for item, outcome in said for place, each in enumerate(outcome.value["values"])]
    yield share("values linked to a turn", (state == LINKED for _, _, _, state, _ in found))
    yield share("values unsupported", (state == UNSUPPORTED for _, _, _, state, _ in found))
    yield share("values that could not be checked", (state == UNCHECKED for _, _, _, state, _ in found))
    linked = [(item, place, turn) for item, place, _, state, turn in found if state == LINKED]
    yield share("linked turn has the value literally", (_has(item, place, turn) for item, place, turn in linked))
    for kind in Kind:
        states = [state for _, _, which, state, _ in found if which == kind]
        if states:
            yield share("values linked to a turn", (state == LINKED for state in states), group=kind.value)


def _by_hand(said: Sequence[Scored], labels: Mapping[str, str], seed: int) -> Iterator[Measure]:
    """Tell values that follow from what was told from those that do not; a value without a label has a source."""
    found = [
        (labels.get(value_name(item, place), ""), state)
        for item, outcome in said
        for place, (_, state, _) in enumerate(outcome.value["values"])
    ]
    if not any(label for label, _ in found):
        return
    group, faults = "by hand", (WRONG, INVENTED)
    yield share("values linked, or following from what was told",
                (state == LINKED or label == FOLLOWS for label, state in found), group=group)  # fmt: skip
    unsupported = [label for label, state in found if state == UNSUPPORTED]
    yield share(
        "values unsupported that are wrong or invented", (label in faults for label in unsupported), group=group
    )
    for name, which in (("wrong or invented", faults), ("following", (FOLLOWS,)), ("with a source", ("",))):
        states = [state for label, state in found if label in which]
        yield share(f"values {name}, called unsupported", (state == UNSUPPORTED for state in states), group=group)
    yield _rewards(said, seed, partial(_faults, labels), "values by hand, those that follow left out")


def _has(item: Item, place: int, turn: str) -> bool:
    message = next(each for each in item.content.trajectory.messages if each.id == turn)
    return has_literally(message.text, item.content.values[place])


def _swaps(known: Sequence[Scored], said: Sequence[Scored]) -> Iterator[Measure]:
    for how in (FROM_HERE, FROM_ELSEWHERE):
        swapped = [each for each in known if each[0].facets.get("swap") == how]
        yield share("swapped messages flagged (TPR)", map(_is_flagged, swapped), group=how)
        yield share("swapped messages that could not be checked", map(_is_unchecked, swapped), group=how)
    yield share("messages as said flagged (FPR)", map(_is_flagged, said))
    yield share("messages as said that could not be checked", map(_is_unchecked, said))


def _is_flagged(each: Scored) -> bool:
    return bool(each[1].value["flagged"])


def _is_unchecked(each: Scored) -> bool:
    return each[1].status is Status.ABSTAINED


def _rewards(said: Sequence[Scored], seed: int, count: Callable[[Scored], float], group: str = "") -> Measure:
    """Rank trajectories by how much in them is unsupported; n counts trajectories."""

    def summed(chosen: Sequence[Scored]) -> tuple[float, bool]:
        return sum(map(count, chosen)), chosen[0][0].facets["reward"] == "0"

    name = "area under the curve: unsupported, for reward 0"
    found = clustered(name, said, summed, auroc, seed=seed, group=group)
    trajectories = len(by_group((item.conversation, item) for item, _ in said))
    return Measure(name=name, value=found.value, n=trajectories, interval=found.interval, group=group)


def _unsupported(each: Scored) -> float:
    return float(each[1].value["unsupported"])


def _faults(labels: Mapping[str, str], each: Scored) -> float:
    """Count the unsupported values of a message that do not follow from what was told."""
    item, outcome = each
    values = enumerate(outcome.value["values"])
    return sum(
        state == UNSUPPORTED and labels.get(value_name(item, place)) != FOLLOWS for place, (_, state, _) in values
    )
