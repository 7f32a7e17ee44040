"""The suite ``corrections`` (protocol P3): correcting turns, replaced values, replies that go on with a stale one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from upheld.conversation.scoring.tallies import Tally
from upheld.logic.language.verdicts import Outcome
from upheld_evals.external.corrections.arms import CueArm, EngineArm, Moment
from upheld_evals.external.corrections.dialogues import MULTIWOZ, SGD, Correction, Dialogue, read_dialogues
from upheld_evals.external.corrections.replies import BY_SLOT, CURRENT, IN_THEIR_WORDS, STALE, UNTOUCHED
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Scored, Suite
from upheld_evals.suites.tables import clustered, costs, overlapped, share

CORRECTS, GOES_ON = "corrects", "goes on"


def moment_items(dialogues: Sequence[Dialogue]) -> tuple[Item, ...]:
    """Give every turn of a user; the label tells whether a value was corrected in it."""
    return tuple(
        Item(
            id=f"{dialogue.origin}/{dialogue.id}/{said.id}",
            conversation=f"{dialogue.origin}/{dialogue.id}",
            label=CORRECTS if said.corrections else GOES_ON,
            facets={"data": dialogue.origin},
            content=Moment(dialogue=dialogue, place=place),
        )
        for dialogue in dialogues
        for place, said in enumerate(dialogue.turns)
        if said.is_user
    )


def corrections_suite(
    paths: Sequence[Path], *, interpreters: Sequence[str] = ("local",), matchers: Sequence[str] = ("text",)
) -> Suite:
    """Give the suite over the dialogues of some files."""
    dialogues = read_dialogues(paths)
    items = moment_items(dialogues)
    baseline = CueArm()
    arms: list[Arm] = [
        EngineArm(interpreter=interpreter, matching=matching, has_system=has_system)
        for interpreter in interpreters
        for matching in matchers
        for has_system in (False, True)
    ]
    count = sum(len(said.corrections) for dialogue in dialogues for said in dialogue.turns)
    files = ", ".join(path.name for path in paths)
    return Suite(
        name="corrections",
        version="1",
        purpose="Which earlier value a turn replaces, and whether a reply that repeats it passes.",
        data=f"{files}: {len(dialogues)} dialogues, {len(items)} user turns, {count} corrections",
        digest=digest_of(paths),
        items=items,
        arms=(*arms, baseline),
        baseline=baseline.name,
        score=is_turn_right,
        measures=correction_measures,
        tuned_on="none of it; the labels of MultiWOZ 2.1 are known to be noisy",
        notes=(
            "Only dialogues with a correction are in these files: precision is flattered, for every arm alike.",
            "The paired test is over the decision whether a turn corrects; few turns do, so that whoever never says so"
            " is right on most.",
            "A value is found in words once case, endings, articles and number words are levelled. The cue words are"
            " told the slot, the engine is not.",
            "Flagged: ungrounded. Could not check is neither flagged nor passed, and stands in a row of its own.",
        ),
    )


def is_turn_right(item: Item, answer: Answer) -> float:
    """Score 1 when the arm says of a turn what its label says."""
    return float(answer.value["corrects"] == (item.label == CORRECTS))


def correction_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the protocol's numbers, the two sources apart."""
    answered = [each for each in scored if each[1].value is not None]
    measures: list[Measure] = []
    for origin in (MULTIWOZ, SGD):
        chosen = [each for each in answered if each[0].facets["data"] == origin]
        if chosen:
            measures += [*_turns(chosen, origin, seed), *_slots(chosen, origin), *_replies(chosen, origin)]
    return [*measures, *costs(scored)]


def _turns(scored: Sequence[Scored], origin: str, seed: int) -> Iterator[Measure]:
    found = [item.label == CORRECTS for item, outcome in scored if outcome.value["corrects"]]
    expected = [bool(outcome.value["corrects"]) for item, outcome in scored if item.label == CORRECTS]
    yield share("turns decided right", (outcome.score == 1 for _, outcome in scored), group=origin)
    yield share("correcting turns, precision", found, group=origin)
    yield share("correcting turns, recall", expected, group=origin)
    yield overlapped("correcting turns, F1", scored, _tally, seed=seed, group=origin)
    engine = [each for each in scored if "new" in each[1].value]
    if engine:
        yield clustered("false retractions per 100 propositions", engine, _false, _per_hundred, seed=seed, group=origin)


def _tally(each: Scored) -> Tally:
    expected, found = each[0].label == CORRECTS, bool(each[1].value["corrects"])
    return Tally(int(expected), int(found), int(expected and found))


def _false(scored: Sequence[Scored]) -> tuple[int, int]:
    """Count what was given up where no label changed, and all that was put forward."""
    wrong = sum(outcome.value["fallen"] for item, outcome in scored if item.label == GOES_ON)
    return wrong, sum(outcome.value["new"] for _, outcome in scored)


def _per_hundred(counts: Sequence[tuple[int, int]]) -> float | None:
    of = sum(count for _, count in counts)
    return 100 * sum(wrong for wrong, _ in counts) / of if of else None


def _slots(scored: Sequence[Scored], origin: str) -> Iterator[Measure]:
    pairs: list[tuple[Correction, dict[str, bool]]] = [
        (correction, found)
        for item, outcome in scored
        for correction, found in zip(item.content.said.corrections, outcome.value["slots"], strict=True)
    ]
    parts = {
        origin: pairs,
        f"{origin}, new value literal": [each for each in pairs if each[0].is_literal],
        f"{origin}, user negates": [each for each in pairs if each[0].is_negated],
    }
    for group, chosen in parts.items():
        if chosen:
            both = (found["superseded"] and found["current"] for _, found in chosen)
            yield share("old superseded and new current", both, group=group)
            yield share("old superseded", (found["superseded"] for _, found in chosen), group=group)


def _replies(scored: Sequence[Scored], origin: str) -> Iterator[Measure]:
    told: list[list[str]] = [each for _, outcome in scored for each in outcome.value["replies"]]
    for wording in (BY_SLOT, IN_THEIR_WORDS):
        found = {
            kind: [outcome for which, how, outcome in told if (which, how) == (kind, wording)]
            for kind in (STALE, CURRENT, UNTOUCHED)
        }
        group, other = f"{origin}, {wording}", [*found[CURRENT], *found[UNTOUCHED]]
        flagged = (each == Outcome.UNGROUNDED for each in found[STALE])
        yield share("stale replies flagged (TPR)", flagged, group=group)
        yield share("other replies flagged (FPR)", (each == Outcome.UNGROUNDED for each in other), group=group)
        for kind, outcomes in found.items():
            yield share(f"{kind} replies passed", (each == Outcome.GROUNDED for each in outcomes), group=group)
        yield share("could not check", (each == Outcome.ABSTAIN for each in (*found[STALE], *other)), group=group)
