"""The conversations that are learned from: well formed, told by the engine, laid out as the product lays them out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from upheld.logic.language.operations import name_of
from upheld.logic.language.verdicts import Outcome
from upheld.speech.matching.tokens import frame
from upheld.speech.matching.trained.features import Near
from upheld.speech.trained.moves import ACTS, OPERATIONS
from upheld.speech.view import View
from upheld_training.talks import Talk, candidates, talks, told, transcript_of, utterances
from upheld_training.texts import CONTRADICTS, DENIES, LINK, NONE, is_held_out

TEXT = Path(__file__).parents[2] / "training" / "text"
FILES = sorted(path for kind in ("talks", "groups", "calibration") for path in TEXT.glob(f"{kind}-*.jsonl"))


class ByWords:
    """Finds by the share of common words."""

    def __call__(self, texts: Sequence[str], view: View, limit: int, /) -> Sequence[Sequence[Near]]:
        """Give the nearest, nearest first."""
        known = list(view.known())
        rows = self.cosines(texts, [each.proposition.text for each in known])
        found = [[Near(known=each, nearness=near) for each, near in zip(known, row, strict=True)] for row in rows]
        return [sorted(row, key=lambda each: -each.nearness)[:limit] for row in found]

    def cosines(self, texts: Sequence[str], others: Sequence[str], /) -> Sequence[Sequence[float]]:
        """Give the share of common words."""
        frames = [frame(other).terms for other in others]
        return [[len(frame(text).terms & other) / max(1, len(other)) for other in frames] for text in texts]


def trees(path: Path) -> Iterator[dict[str, Any]]:
    """Give the conversations of a file as they are written, an opening once with each of its endings."""
    for line in path.read_text(encoding="utf-8").splitlines():
        tree = json.loads(line)
        for ending in tree.get("endings", ()):
            turns = [*tree["opening"], *ending["turns"]]
            yield {**tree, "turns": turns, "candidates": [{**each, "at": len(turns)} for each in ending["candidates"]]}
        if "endings" not in tree:
            yield tree


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_clauses_cover_their_turn_and_every_reference_is_known(path: Path) -> None:
    """A dangling target, or a clause that nobody said, would be learned as it stands."""
    for tree in trees(path):
        known: set[str] = set()
        by_turn: list[set[str]] = []
        for turn in tree["turns"]:
            place = 0
            for clause in turn["clauses"]:
                found = turn["text"].find(clause["text"], place)
                assert found >= 0, (tree["id"], clause["text"])
                assert not turn["text"][place:found].strip(), (tree["id"], clause["text"])
                place = found + len(clause["text"])
                new = {each["id"] for each in clause["ops"] if "id" in each}
                assert not new & known, (tree["id"], new & known)
                known |= new
                assert set(_referred(clause)) <= known, (tree["id"], clause)
            assert not turn["text"][place:].strip(), (tree["id"], turn["text"])
            by_turn.append(set(known))
        for candidate in tree["candidates"]:
            assert (candidate["label"] == "grounded") == (candidate["reason"] is None), tree["id"]
            for claim in candidate["claims"]:
                named = {id.removeprefix("~") for id in (*claim["links"], *claim["contradicts"])}
                assert claim["span"] in candidate["text"], (tree["id"], claim["span"])
                assert named <= by_turn[candidate["at"] - 1], (tree["id"], named)


def _referred(clause: Mapping[str, Any]) -> list[str]:
    return [
        id
        for each in clause["ops"]
        for id in (*([each["target"]] if "target" in each else []), *each.get("on", ()), *each.get("about", ()))
    ]


@pytest.fixture(scope="module")
def some() -> list[Talk]:
    """Give a few whole conversations."""
    return list(talks([TEXT / "talks-a.jsonl"]))[:3]


def test_a_talk_is_an_annotated_transcript_with_its_candidates_to_verify(some: list[Talk]) -> None:
    """The rule is fitted on them as on any annotated conversation."""
    for talk in some:
        transcript = transcript_of(talk)
        assert transcript.gold is not None
        assert len(transcript.gold.verify) == len(talk.candidates) > 0
        labels = {item.label for item in transcript.gold.verify}
        assert labels == {Outcome.GROUNDED, Outcome.UNGROUNDED}


def test_the_engine_takes_every_talk_and_shows_what_was_said_before_each_turn(some: list[Talk]) -> None:
    """What is on the table comes from the product's own state, one view a turn and one after the last."""
    for talk in some:
        views = dict(told(talk))
        assert list(views) == list(range(len(talk.turns) + 1))
        counts = [view.count() for view in views.values()]
        assert counts[0] == 0
        assert counts == sorted(counts)
        assert [each.id for each in views[5].earlier(2)] == [talk.turns[3].id, talk.turns[4].id]


def test_targets_are_told_for_each_clause_and_each_proposition(some: list[Talk]) -> None:
    """Shapes must agree, and what a clause does to a proposition is an act that the clause performs."""
    acts = 0
    for talk in some:
        for each in utterances(talk, ByWords()):
            assert len(each.operations) == len(each.acts) == len(each.talk.clauses)
            for operations, row in zip(each.operations, each.acts, strict=True):
                assert len(operations) == len(OPERATIONS)
                assert len(row) == len(each.talk.propositions)
                for act in row:
                    done = {name for name, is_done in zip(ACTS, act, strict=True) if is_done} - {"rest_on"}
                    assert done <= {name for name, is_done in zip(OPERATIONS, operations, strict=True) if is_done}
                    acts += len(done)
    assert acts > 20


def test_most_targets_are_among_what_is_shown(some: list[Talk]) -> None:
    """What is not shown cannot be learned; the same choice is made when a turn is read."""
    wanted = sum(name_of(each) in ACTS for talk in some for turn in talk.turns for each in turn.operations)
    shown = sum(
        any(act) for talk in some for each in utterances(talk, ByWords()) for row in each.acts for *act, _ in row
    )
    assert shown / wanted > 0.7


def test_a_candidates_claims_stand_beside_what_they_are_about(some: list[Talk]) -> None:
    """And their order tells nothing: they are not sorted by nearness."""
    for talk in some:
        for each in candidates(talk, ByWords()):
            assert len(each.targets) == len(each.propositions)
            assert set(each.targets) <= {NONE, LINK, DENIES, CONTRADICTS}


def test_whole_conversations_are_held_out() -> None:
    """Turns of one conversation share its propositions: parted by turn, they would leak."""
    learned = [talk for path in FILES if not path.name.startswith("calibration-") for talk in talks([path])]
    assert len({talk.id for talk in learned}) == len(learned)
    groups = {talk.group for talk in learned}
    held = [group for group in groups if is_held_out(group)]
    assert 0 < len(held) < len(groups) / 4


def test_rival_endings_are_held_out_together_and_their_opening_is_learned_once() -> None:
    """Our promise: what is measured on was never learned, and nothing counts five times."""
    found = list(talks([TEXT / "groups-a.jsonl"]))[:5]
    assert len({talk.group for talk in found}) == 1
    assert [talk.shared for talk in found] == [0, *[found[1].shared] * 4]
    first, *others = ([each.talk.clauses for each in utterances(talk, ByWords())] for talk in found)
    assert all(len(own) < len(talk.turns) for own, talk in zip(others, found[1:], strict=True))
    said = [clauses for own in (first, *others) for clauses in own]
    opening = [tuple(clause["text"].strip() for clause in turn) for turn in found[0].clauses[: found[1].shared]]
    assert all(said.count(clauses) == 1 for clauses in opening)


def test_the_engine_takes_every_rival_ending(some: list[Talk]) -> None:
    """A label that the engine refuses would stop an hour of training at its start."""
    for path in FILES:
        if path.name.startswith(("groups-", "calibration-chats-")):
            for talk in talks([path]):
                assert sum(1 for _ in told(talk)) == len(talk.turns) + 1
