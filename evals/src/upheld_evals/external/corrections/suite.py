"""The suite ``corrections`` (protocol P3): correcting turns, replaced values, replies that go on with a stale one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from upheld.conversation.scoring.tallies import Tally
from upheld.logic.language.verdicts import Outcome
from upheld_evals.external.corrections.arms import CueArm, EngineArm, Moment
from upheld_evals.external.corrections.dialogues import MULTIWOZ, SGD, Correction, Dialogue, read_dialogues
from upheld_evals.external.corrections.replies import BY_SLOT, CURRENT, IN_THEIR_WORDS, STALE, UNTOUCHED
from upheld_evals.external.hand import MULTIWOZ as BY_HAND
from upheld_evals.external.hand import hand_labels, labelled_by
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Scored, Suite
from upheld_evals.statistics import wilson
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
    paths: Sequence[Path],
    *,
    interpreters: Sequence[str] = ("cues",),
    matchers: Sequence[str] = ("text",),
    labels: Mapping[str, str] | None = None,
) -> Suite:
    """Give the suite over the dialogues of some files; ``labels`` of turns read by hand, ours where none are given."""
    labels = hand_labels(BY_HAND) if labels is None else labels
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
        measures=partial(correction_measures, labels=labels),
        tuned_on="none of MultiWOZ, whose figures were seen; 100 dialogues of SGD were read while the rules for wishes"
        " were written; the labels of MultiWOZ 2.1 are known to be noisy",
        notes=(
            "Only dialogues with a correction are in these files: precision is flattered, for every arm alike.",
            "The paired test is over the decision whether a turn corrects; few turns do, so that whoever never says so"
            " is right on most.",
            "A value is found in words once case, endings, articles and number words are levelled. The cue words are"
            " told the slot, the engine is not.",
            "Flagged: ungrounded. Could not check is neither flagged nor passed, and stands in a row of its own.",
            *_about_hand(items, labels),
        ),
    )


def is_turn_right(item: Item, answer: Answer) -> float:
    """Score 1 when the arm says of a turn what its label says."""
    return float(answer.value["corrects"] == (item.label == CORRECTS))


def _about_hand(items: Sequence[Item], labels: Mapping[str, str]) -> Iterator[str]:
    read = [labels[item.id] == item.label for item in items if item.id in labels]
    if read:
        interval = wilson(sum(read), len(read))
        bounds = f", {interval.low:.3f} to {interval.high:.3f}" if interval is not None else ""
        yield (
            f"By hand: {len(read)} turns on which cue words and file disagree were read; the file is right on"
            f" {sum(read)} of them ({sum(read) / len(read):.3f}{bounds}). Figures that put those labels in the file's"
            f" place say so; chosen like this, the cue words can only gain by them. {labelled_by()}"
        )


def correction_measures(
    scored: Sequence[Scored], seed: int, *, labels: Mapping[str, str] | None = None
) -> Sequence[Measure]:
    """Give the protocol's numbers, the two sources apart, and those of turns again with ``labels`` by hand."""
    by_hand = labels or {}
    answered = [each for each in scored if each[1].value is not None]
    measures: list[Measure] = []
    for origin in (MULTIWOZ, SGD):
        chosen = [each for each in answered if each[0].facets["data"] == origin]
        if chosen:
            measures += [*_turns(chosen, origin, seed), *_false_retractions(chosen, origin, seed)]
            read = [each for each in chosen if each[0].id in by_hand]
            if read:
                corrected = partial(_labelled, by_hand)
                measures += _turns(chosen, f"{origin}, {len(read)} labels by hand", seed, corrected)
                measures += _turns(read, f"{origin}, these {len(read)} alone", seed, corrected)
            measures += [*_slots(chosen, origin), *_replies(chosen, origin)]
    return [*measures, *costs(scored)]


def _labelled(labels: Mapping[str, str], item: Item) -> str:
    return labels.get(item.id, item.label)


def _by_file(item: Item) -> str:
    return item.label


def _turns(
    scored: Sequence[Scored], group: str, seed: int, label: Callable[[Item], str] = _by_file
) -> Iterator[Measure]:
    pairs = [(label(item) == CORRECTS, bool(outcome.value["corrects"])) for item, outcome in scored]
    yield share("turns decided right", (expected == found for expected, found in pairs), group=group)
    yield share("correcting turns, precision", (expected for expected, found in pairs if found), group=group)
    yield share("correcting turns, recall", (found for expected, found in pairs if expected), group=group)
    yield overlapped("correcting turns, F1", scored, partial(_tally, label), seed=seed, group=group)


def _false_retractions(scored: Sequence[Scored], group: str, seed: int) -> Iterator[Measure]:
    engine = [each for each in scored if "new" in each[1].value]
    if engine:
        yield clustered("false retractions per 100 propositions", engine, _false, _per_hundred, seed=seed, group=group)


def _tally(label: Callable[[Item], str], each: Scored) -> Tally:
    expected, found = label(each[0]) == CORRECTS, bool(each[1].value["corrects"])
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
