"""The suite ``taubench-staleness`` (protocol P6, c): replies that repeat what was read before a call changed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from upheld.errors import MalformedInput
from upheld.logic.language.verdicts import Outcome
from upheld_evals.external.trajectories.reading import read_trajectories
from upheld_evals.external.trajectories.records import AS_READ, BY_FIELD, STALE, changes_in, repeated_items
from upheld_evals.external.trajectories.repeating import ReadingsArm, RepeatedArm, Telling
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Scored, Suite
from upheld_evals.suites.tables import costs, share


def staleness_suite(
    path: Path, *, interpreters: Sequence[str] = ("cues",), matchers: Sequence[str] = ("text",)
) -> Suite:
    """Give the suite over the trajectories of one file.

    Raises:
        MalformedInput: no trajectories, or none with a call that replaces a value that was read.
    """
    trajectories = read_trajectories(path)
    items = repeated_items(trajectories)
    if not items:
        raise MalformedInput("no call replaces a value that was read before it", source=str(path))
    changes = [each for trajectory in trajectories for each in changes_in(trajectory)]
    replacing = len({(item.conversation, item.content.place) for item in items})
    baseline = ReadingsArm(is_newest=True)
    arms: list[Arm] = [
        RepeatedArm(interpreter=interpreter, matching=matching, telling=telling)
        for interpreter in interpreters
        for matching in matchers
        for telling in Telling
    ]
    return Suite(
        name="taubench-staleness",
        version="1",
        purpose="Whether a reply is flagged that repeats a value read before a call replaced it.",
        data=f"{path.name} of tau-bench: {len(trajectories)} trajectories, {len(changes)} calls that gave a changed"
        f" record back, {replacing} of which replaced a value read before; {len(items)} replies",
        digest=digest_of([path]),
        items=items,
        arms=(*arms, ReadingsArm(is_newest=False), baseline),
        baseline=baseline.name,
        score=is_told_apart,
        measures=staleness_measures,
        tuned_on="none of it",
        notes=(
            "A cancellation or a booking replaces no value of a record that was read, it only adds to one: no reply is"
            " made of it. What a call changes elsewhere (a balance, seats) no tool says, and nobody is asked about it.",
            "Replaced readings told: an observation of a newer reading names the older ones that it replaces, as a"
            " program around tools can. Values told one by one: that, and every value is a sentence, the same in which"
            f" replies say it {BY_FIELD}: there, anything below all is a fault of the engine. Without either, nothing"
            " tells the engine that two outputs are of one record.",
            "The searches are told which record a reply is about; the newest reading by what it was made from, so that"
            f" {AS_READ} it cannot err.",
            "Could not check is neither flagged nor passed, and not right in the paired test.",
        ),
    )


def is_told_apart(item: Item, answer: Answer) -> float:
    """Score 1 when a stale reply is flagged, and any other passes."""
    expected = Outcome.UNGROUNDED if item.label == STALE else Outcome.GROUNDED
    return float(answer.value["outcome"] == expected)


def staleness_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the protocol's numbers, the two wordings apart."""
    del seed
    known = [each for each in scored if each[1].value is not None]
    return [*(each for wording in (BY_FIELD, AS_READ) for each in _told_apart(known, wording)), *costs(scored)]


def _told_apart(known: Sequence[Scored], wording: str) -> Iterator[Measure]:
    chosen = [each for each in known if each[0].facets["wording"] == wording]
    stale = [outcome.value for item, outcome in chosen if item.label == STALE]
    others = [outcome.value for item, outcome in chosen if item.label != STALE]
    yield share("stale replies flagged (TPR)", (each["outcome"] == Outcome.UNGROUNDED for each in stale), group=wording)
    yield share("stale replies flagged as superseded", (each["superseded"] for each in stale), group=wording)
    yield share("stale replies passed", (each["outcome"] == Outcome.GROUNDED for each in stale), group=wording)
    yield share(
        "other replies flagged (FPR)", (each["outcome"] == Outcome.UNGROUNDED for each in others), group=wording
    )
    yield share("other replies passed", (each["outcome"] == Outcome.GROUNDED for each in others), group=wording)
    checked = (*stale, *others)
    yield share("could not check", (each["outcome"] == Outcome.ABSTAIN for each in checked), group=wording)
