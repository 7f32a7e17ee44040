"""Scores over the annotated files, and labels planted wrong, which must be counted as misses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from upheld.conversation.scoring.score import Score, score
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import Lifecycle
from upheld.logic.language.turns import Falsify, Retract
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.formats.gold import AffectedQuery, Gold, VerifyItem
from upheld.speech.formats.reading import read_transcript
from upheld.speech.formats.transcript import Transcript


@pytest.fixture(scope="module")
def files(root: Path) -> list[tuple[str, Transcript]]:
    """Give the copies of the corpus that the repository carries."""
    folder = root / "tests/conversations"
    paths = [*sorted((folder / "dev").glob("*.yaml")), *sorted((folder / "paper").glob("*.yaml"))]
    assert len(paths) >= 10
    return [(path.name, read_transcript(path)) for path in paths]


@pytest.fixture(scope="module")
def small(files: list[tuple[str, Transcript]]) -> Transcript:
    """Give one file that has labels of every kind but worlds."""
    return next(transcript for name, transcript in files if name.startswith("dev04"))


def gold_of(transcript: Transcript) -> Gold:
    """Give the labels."""
    assert transcript.gold is not None
    return transcript.gold


def scored(transcript: Transcript, gold: Gold, *, matching: str = "gold", interpreter: str = "annotated") -> Score:
    """Score one file with other labels."""
    return score([("planted", replace(transcript, gold=gold))], matching=matching, interpreter=interpreter)


def test_every_answer_on_the_files_is_right(files: list[tuple[str, Transcript]]) -> None:
    """Our promise: status, dependencies, affected, verify, reasons, reopens and worlds, as labelled."""
    seen: list[str] = []
    total = score(files, progress=seen.append)
    assert total.misses == []
    assert seen == [name for name, _ in files]
    for ratio in (total.status, total.affected, total.reopens, total.reasons, total.verify, total.worlds, total.exact):
        assert ratio.of > 0
        assert ratio.share == 1.0
    assert total.dependencies.as_tree() == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert (total.false_grounded, total.false_ungrounded, total.abstained) == (0, 0, 0)
    assert total.turns == sum(len(transcript.turns) for _, transcript in files)
    assert sum(ratio.of for ratio in total.by_category.values()) == total.verify.of


def test_a_wrong_status_is_a_miss(small: Transcript) -> None:
    """A scorer that cannot fail says nothing."""
    gold = gold_of(small)
    id, right = next(iter(gold.status.items()))
    wrong = next(each for each in Lifecycle if each is not right)
    total = scored(small, replace(gold, status={**gold.status, id: wrong}))
    assert [(miss.kind, miss.item, miss.expected, miss.found) for miss in total.misses] == [
        ("status", id, wrong.value, right.value)
    ]
    assert total.status.right == total.status.of - 1


def test_a_status_that_no_operation_can_give_is_left_out(small: Transcript) -> None:
    """Our promise: what the labeller marked as not following from the operations is not asked."""
    gold = gold_of(small)
    id, right = next(iter(gold.status.items()))
    wrong = next(each for each in Lifecycle if each is not right)
    planted = replace(gold, status={**gold.status, id: wrong}, status_not_from_operations={id: wrong})
    total = scored(small, planted)
    assert total.misses == []
    assert total.status.of == len(gold.status) - 1


def test_a_wrong_dependency_is_a_miss(small: Transcript) -> None:
    """A scorer that cannot fail says nothing."""
    gold = gold_of(small)
    id, grounds = next((id, grounds) for id, grounds in gold.dependencies.items() if grounds)
    total = scored(small, replace(gold, dependencies={**gold.dependencies, id: grounds[1:]}))
    assert [(miss.kind, miss.item) for miss in total.misses] == [("dependencies", id)]
    assert total.dependencies.precision is not None
    assert total.dependencies.precision < 1


def test_a_wrong_member_of_affected_is_a_miss(small: Transcript) -> None:
    """A scorer that cannot fail says nothing: too many, too few, and what would return."""
    gold = gold_of(small)
    (query, *_) = [query for query in gold.affected if query.affected]
    stranger = next(id for id in gold.status if id not in query.affected)
    for planted, kind in (
        (replace(query, affected=(*query.affected, stranger)), "affected"),
        (replace(query, unaffected=(*query.unaffected, query.affected[0])), "affected"),
        (replace(query, reopens=(stranger,)), "reopens"),
    ):
        total = scored(small, replace(gold, affected=(planted,)))
        assert [miss.kind for miss in total.misses] == [kind]


def test_a_change_of_what_is_unknown_affects_nothing(small: Transcript) -> None:
    """Our promise: a query about an id that there is not counts as a miss, and does not end the run."""
    gold = gold_of(small)
    known = next(iter(gold.status))
    query = AffectedQuery(change=Retract(target=PropositionId("nowhere")), affected=(known,), unaffected=(known,))
    total = scored(small, replace(gold, affected=(query,)))
    assert (total.affected.right, total.affected.of) == (1, 2)


def flipped(item: VerifyItem) -> VerifyItem:
    """Give an item with the other label."""
    other = Outcome.UNGROUNDED if item.label is Outcome.GROUNDED else Outcome.GROUNDED
    return replace(item, label=other, reason=None, category="")


def test_a_wrong_label_of_a_candidate_is_a_miss(small: Transcript) -> None:
    """A scorer that cannot fail says nothing; which way it failed is counted."""
    gold = gold_of(small)
    items = [item for item in gold.verify if not item.beyond]
    for label in (Outcome.GROUNDED, Outcome.UNGROUNDED):
        item = next(item for item in items if item.label is label)
        total = scored(small, replace(gold, verify=(flipped(item),)))
        assert [(miss.kind, miss.item) for miss in total.misses] == [("verify", item.id)]
        assert (total.verify.right, total.verify.of) == (0, 1)
        is_passed = label is Outcome.GROUNDED
        assert (total.false_grounded, total.false_ungrounded) == (int(is_passed), int(not is_passed))
        assert {name: ratio.as_tree() for name, ratio in total.by_category.items()} == {"none": {"right": 0, "of": 1}}


def test_a_wrong_reason_is_a_miss(small: Transcript) -> None:
    """A scorer that cannot fail says nothing; an ambiguous item has no reason to hold it to."""
    gold = gold_of(small)
    item = next(item for item in gold.verify if item.category == "superseded")
    planted = replace(item, reason=Reason.OUT_OF_VIEW)
    total = scored(small, replace(gold, verify=(planted,)))
    assert [(miss.kind, miss.expected, miss.found) for miss in total.misses] == [
        ("reason", "out_of_view", "superseded")
    ]
    assert scored(small, replace(gold, verify=(replace(planted, ambiguous=True),))).reasons.of == 0
    grounded = next(item for item in gold.verify if item.label is Outcome.GROUNDED)
    wrong = replace(grounded, label=Outcome.UNGROUNDED, category="", reason=Reason.UNDERMINED)
    total = scored(small, replace(gold, verify=(wrong,)))
    assert ("reason", "undermined", "none") in [(miss.kind, miss.expected, miss.found) for miss in total.misses]


def test_a_wrong_world_is_a_miss(files: list[tuple[str, Transcript]]) -> None:
    """A scorer that cannot fail says nothing."""
    puzzle = next(transcript for _, transcript in files if gold_of(transcript).worlds is not None)
    gold = gold_of(puzzle)
    assert gold.worlds is not None
    assert gold.worlds.initial is not None
    planted = replace(gold.worlds, initial=replace(gold.worlds.initial, count=5))
    total = scored(puzzle, replace(gold, worlds=planted))
    assert [(miss.kind, miss.item) for miss in total.misses] == [("worlds", "number of worlds at the start")]


def test_what_no_proposition_decides_is_left_out_unless_words_are_read(small: Transcript) -> None:
    """Our promise: items marked ``beyond`` count where only the words are looked at."""
    gold = gold_of(small)
    beyond = replace(gold, verify=tuple(replace(item, beyond=True) for item in gold.verify))
    assert scored(small, beyond).verify.of == 0
    assert scored(small, beyond, matching="text").verify.of == len(gold.verify)


def test_by_words_what_cannot_be_matched_is_abstained_on_and_counted(small: Transcript) -> None:
    """C-45: an abstention is counted apart; nothing of it is NaN, and nothing is silently grounded."""
    total = scored(small, gold_of(small), matching="text")
    assert total.abstained > 0
    assert total.verify.of == len(gold_of(small).verify)
    assert total.verify.right + total.abstained + total.false_grounded + total.false_ungrounded >= total.verify.of
    assert total.reasons.of == 0
    own_words = VerifyItem(
        id="e1", label=Outcome.GROUNDED, text="The budget for the rangers' reporting app is 90,000 euros."
    )
    assert scored(small, replace(gold_of(small), verify=(own_words,)), matching="text").verify.share == 1.0


def test_a_reader_of_words_is_scored_by_what_it_read(small: Transcript) -> None:
    """Our promise: propositions are matched by their words, turn by turn; what matches none is not found."""
    total = score([("read", small)], interpreter="cues")
    assert 0 < (total.operations.f1 or 0) < 1
    assert 0 < (total.status.share or 0) < 1
    assert (total.exact.share or 0) < 1
    assert "not found" in {miss.found for miss in total.misses if miss.kind == "status"}


def test_changes_that_match_nothing_are_not_made(small: Transcript) -> None:
    """Our promise: an item asked after a change is asked without it when what changes was never read."""
    gold = gold_of(small)
    item = replace(gold.verify[0], after=(Falsify(target=PropositionId("nowhere")),))
    total = scored(small, replace(gold, verify=(item,)), interpreter="cues")
    assert total.verify.of == 1


def test_a_file_without_labels_counts_its_turns(small: Transcript) -> None:
    """Our promise: no labels, no answers; the file and its turns are counted all the same."""
    total = score([("bare", replace(small, gold=None))])
    assert (total.files, total.turns) == (1, len(small.turns))
    assert (total.verify.of, total.status.of) == (0, 0)


def test_the_tree_is_what_is_printed(small: Transcript) -> None:
    """Our promise (`upheld score --json`): counts of both sides, and no worlds where none were asked."""
    tree = score([("one", small)]).as_tree()
    assert tree["files"] == 1
    assert tree["verify"]["of"] == sum(ratio["of"] for ratio in tree["verify"]["by_category"].values())
    assert tree["worlds"] is None
    assert tree["operations"] == {"type_f1": 1.0, "exact": 1.0}


def test_a_candidate_asked_before_the_end_is_asked_of_then(small: Transcript) -> None:
    """Our promise: ``at`` and ``after`` of an item are where and after what it is asked."""
    gold = gold_of(small)
    budget = VerifyItem(
        id="e1", label=Outcome.GROUNDED, at=TurnId("T1"), rests_on=(Literal(PropositionId("c2")),), text="90,000."
    )
    too_early = replace(budget, rests_on=(Literal(PropositionId("f1")),), label=Outcome.UNGROUNDED)
    gone = replace(budget, after=(Retract(target=PropositionId("c2")),), label=Outcome.UNGROUNDED)
    early_query = AffectedQuery(change=Retract(target=PropositionId("c1")), at=TurnId("T1"))
    total = scored(small, replace(gold, verify=(budget, too_early, gone), affected=(early_query,)))
    assert total.misses == []
    assert total.verify.of == 3
