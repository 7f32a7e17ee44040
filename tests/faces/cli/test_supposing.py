"""``affected``, ``review``, ``whatif`` and ``brief``: what would follow, with nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]


@pytest.fixture
def deliberation(root: Path) -> Path:
    """The paper's deliberation: a decision with a condition for looking again, and a dissent."""
    return root / "tests" / "conversations" / "paper" / "phase3-deliberation.yaml"


def test_affected_names_what_falls_and_what_reopens(upheld: Program, outage: Path) -> None:
    """The issue: ``affected FILE P``; the semantics, section 7; the labels of the example."""
    assert upheld("affected", outage, "o9").out == (
        'lost:\n  h4 "The retries exhaust the Redis connection pool."\n'
        'no longer explained:\n  h1 "Without Redis the rate limiter lets every call through, and that causes the 429s '
        'from Stripe."\n'
        'reopened:\n  h2 "The Redis failure causes the auth failures."\n'
    )
    tree = upheld("affected", outage, "o5", "--json").tree
    assert tree["affected"] == ["h3", "h4"]
    assert tree["lost"][1]["path"] == ["o5", "h3", "h4"]
    assert upheld("affected", outage, "o5", "--direct", "--json").tree == ["h3"]


def test_affected_of_what_nothing_rests_on_says_so(upheld: Program, outage: Path) -> None:
    """Our promise: an empty answer is an answer."""
    assert upheld("affected", outage, "o4").out == "nothing changes\n"


def test_review_is_wider_than_affected(upheld: Program, outage: Path) -> None:
    """The semantics, section 7: all edge kinds and recorded reasons."""
    assert set(upheld("review", outage, "o9", "--json").tree) == {"h1", "h2", "h4"}
    assert "h1 " in upheld("review", outage, "o9").out


def test_whatif_shows_a_claim_before_and_after(upheld: Program, outage: Path) -> None:
    """The issue: ``whatif``; docs/ideas/retract-or-falsify.md."""
    lines = upheld("whatif", outage, "--retract", "o9", "--ask", "h2").out.splitlines()
    assert lines[0] == "h2"
    assert lines[1].startswith("  now: ungrounded: abandoned")
    assert lines[2].startswith("  then: ungrounded: reopened")
    asked = upheld("whatif", outage, "--retract", "o9", "--ask", "h2", "--json").tree
    assert asked["changes"] == [{"act": "retract", "target": "o9"}]
    assert asked["asked"][0]["after"]["verdict"]["findings"][0]["reason"] == "reopened"


def test_whatif_without_a_question_lists_all_that_moves(upheld: Program, outage: Path) -> None:
    """Our promise (help of --ask). Several changes are tried together."""
    tree = upheld("whatif", outage, "--withdraw", "T2", "--supersede", "o1=o9", "--json").tree
    assert {each["claim"] for each in tree["moved"]} == {"o1", "o5", "o6", "h3", "h4"}
    assert len(tree["changes"]) == 2
    out = upheld("whatif", outage, "--falsify", "o5").out
    assert [line.split()[0] for line in out.splitlines()] == ["o5", "h3", "h4"]
    assert upheld("status", outage, "o5", "--json").tree["claims"][0]["standing"] == "in"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to suppose"),
        (["--supersede", "o1"], "write OLD=NEW"),
        (["--supersede", "o1=o99"], "o99"),
        (["--retract", "o99"], "o99"),
        (["--withdraw", "T99"], "T99"),
        (["--retract", "o9", "--ask", "h99"], "h99"),
    ],
)
def test_a_supposition_that_means_nothing_is_refused(
    upheld: Program, outage: Path, arguments: list[str], message: str
) -> None:
    """Our promise (docs/reference/cli.md, Exit status)."""
    ended = upheld("whatif", outage, *arguments)
    assert ended.status == 2
    assert message in ended.err


def test_brief_has_its_points_in_order(upheld: Program, deliberation: Path) -> None:
    """The semantics, section 9: the seven points, from the record alone; the paper's scenario (Phase 3)."""
    lines = upheld("brief", deliberation, "a3").out.splitlines()
    titles = [line for line in lines if not line.startswith(" ")]
    assert titles[1:] == [
        "decisions that rested on it:",
        "agreed conditions for looking again:",
        "concerns now live:",
        "alternatives to compare:",
        "not to be reopened:",
        "dissent:",
    ]
    assert titles[0].startswith("if a3 ")
    assert "  ~a3 has come about (agreed with arg18)" in lines
    tree = upheld("brief", deliberation, "a3", "--json").tree
    assert [each["id"] for each in tree["decisions"]] == ["arg18"]
    assert [each["id"] for each in tree["dissent"]] == ["arg19"]
    assert tree["change"] == {"act": "falsify", "target": "a3"}


def test_a_brief_of_a_retraction_says_less_than_one_of_a_falsity(upheld: Program, deliberation: Path) -> None:
    """The semantics, section 2: retract says nothing of falsity, so ~a3 has not come about."""
    tree = upheld("brief", deliberation, "a3", "--retract", "--json").tree
    assert [each["has_come_about"] for each in tree["conditions"]] == [False]


def test_affected_counts_and_limits_and_says_what_it_left_off(upheld: Program, outage: Path) -> None:
    """Our promise (help of affected): an answer too large to read is counted, and nothing is left off in silence."""
    whole = upheld("affected", outage, "o5", "--json").tree
    counted = upheld("affected", outage, "o5", "--count", "--json").tree
    assert counted == {"lost": len(whole["lost"]), "thinned": len(whole["thinned"])}
    assert upheld("affected", outage, "o5", "--count").out == f"{counted['lost']} lost, {counted['thinned']} thinned\n"
    part = upheld("affected", outage, "o5", "--limit", "1", "--json").tree
    assert len(part["affected"]) + part["left_off"] == len(whole["affected"])
    assert f"  and {len(whole['lost']) - 1} more" in upheld("affected", outage, "o5", "--limit", "1").out.splitlines()
    ended = upheld("affected", outage, "o5", "--direct", "--count")
    assert (ended.status, "takes neither" in ended.err) == (2, True)
