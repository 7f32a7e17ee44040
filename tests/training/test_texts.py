"""The training text of this repository: well formed, and parted so that nothing is learned that is measured on."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from upheld.speech.trained.moves import OPERATIONS
from upheld_training.texts import LINK, NONE, UNKNOWN, is_held_out, judgements, pairs, said_again, utterances

TEXT = Path(__file__).parents[2] / "training" / "text"
LISTS = sorted(TEXT.glob("lists-*.jsonl"))
TALKS = sorted(TEXT.glob("operations-*.jsonl"))


def rows(path: Path) -> list[dict[str, Any]]:
    """Give the rows of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_a_judgement_names_what_is_on_its_list_and_quotes_its_candidate(path: Path) -> None:
    """A dangling id or a claim that nobody made would be learned as it stands."""
    for row in rows(path):
        ids = {each["id"] for each in row["propositions"]}
        assert (row["label"] == "grounded") == (row["reason"] is None), row["id"]
        for claim in row["claims"]:
            assert claim["span"] in row["candidate"], row["id"]
            assert {id.removeprefix("~") for id in (*claim["links"], *claim["contradicts"])} <= ids, row["id"]


@pytest.mark.parametrize("path", TALKS, ids=lambda path: path.stem)
def test_clauses_are_parts_of_their_turn_and_have_one_of_the_classes(path: Path) -> None:
    """Otherwise a clause would be learned that is not in its turn."""
    for row in rows(path):
        assert all(each["text"] in row["text"] for each in row["clauses"]), row["id"]
        assert row["ops"] == sorted({each["op"] for each in row["clauses"]} - {"none"}), row["id"]
    for each in utterances([path]):
        assert len(each.operations) == len(each.talk.clauses)
        assert all(len(own) == len(OPERATIONS) and set(own) <= {UNKNOWN, 0, 1} for own in each.operations)


def test_what_is_held_out_shares_no_list_with_what_is_learned() -> None:
    """Candidates of one list share its propositions: parted by candidate, they would leak."""
    found = list(judgements(LISTS))
    groups = {each.group for each in found}
    held = {group for group in groups if is_held_out(group)}
    assert 0 < len(held) < len(groups) / 3
    held_texts = {each.propositions for each in found if each.group in held}
    learned_texts = {each.propositions for each in found if each.group not in held}
    assert not held_texts & learned_texts


def test_a_proposition_said_again_links_to_itself_alone() -> None:
    """Without such claims a network finds that a sentence does not say itself; it was seen to."""
    again = list(said_again(list(judgements(LISTS[:1])), random.Random(1)))
    assert again
    for each in again:
        assert [target for target in each.targets if target != NONE] == [LINK]
        said = each.propositions[each.targets.index(LINK)].rstrip(".").casefold()
        assert said in each.claim.casefold()


def test_a_pair_that_says_more_than_its_claim_tells_nothing_about_the_link(tmp_path: Path) -> None:
    """It commits to the claim and is not supported by it: neither answer would be right."""
    told = {
        "domain": "x",
        "claim": "The tap drips.",
        "candidate": "The tap drips because its seal is worn.",
        "relation": "asserts",
        "modality": "fact",
        "supported": False,
    }
    path = tmp_path / "stance-z.jsonl"
    path.write_text(json.dumps(told) + "\n", encoding="utf-8")
    (pair,) = pairs([path])
    assert pair.targets == ((-1, 0, 0),)
