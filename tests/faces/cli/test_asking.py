"""``verify``, ``status``, ``explain`` and ``replay``: questions to one state."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from upheld.conversation.checking.replaying import loaded
from upheld.speech.formats.reading import read_transcript

Program = Callable[..., Any]
STALE = "The Redis failure causes the auth failures."


def test_a_text_is_verified_as_of_a_turn(upheld: Program, outage: Path) -> None:
    """The issue: ``verify FILE TEXT --at T``. Once said, then given up at T9."""
    ended = upheld("verify", outage, f"Perhaps {STALE[0].lower()}{STALE[1:]}", "--at", "T6")
    assert ended.status == 0
    assert ended.out.startswith("✓ grounded")
    ended = upheld("verify", outage, STALE, "--at", "T13")
    assert ended.status == 1
    assert ended.out.splitlines()[0] == "✗ ungrounded: abandoned"
    assert "would be grounded if: somebody takes h2 up again with new evidence" in ended.out


def test_a_claim_is_verified_by_its_id_and_denied_with_a_tilde(upheld: Program, outage: Path) -> None:
    """Our promise (help of verify): TEXT may be an id."""
    assert upheld("verify", outage, "h2").status == 1
    assert upheld("verify", outage, "~h2").status == 0
    assert upheld("verify", outage, "h2", "--at", "T6", "--modality", "hypothesis").status == 0
    tree = upheld("verify", outage, "h2", "--at", "T6", "--json").tree
    assert (tree["outcome"], tree["reasons"], tree["at"]) == ("ungrounded", ["overclaimed"], "T6")


def test_words_that_match_nothing_abstain_and_pass_only_by_default(upheld: Program, outage: Path) -> None:
    """The semantics, section 11; docs/reference/cli.md, Exit status."""
    ended = upheld("verify", outage, "Purple weather sings.")
    assert (ended.status, ended.out.split()[:2]) == (0, ["?", "abstain"])
    assert upheld("verify", outage, "Purple weather sings.", "--fail-on", "abstain").status == 1


def test_what_a_speaker_was_never_told_is_out_of_view(upheld: Program) -> None:
    """The semantics, section 8."""
    turns = [
        {
            "id": "T1",
            "speaker": "ana",
            "audience": ["ben"],
            "text": "The offer is 40.",
            "operations": [{"op": "observe", "id": "o1", "text": "The offer is 40."}],
        }
    ]
    agents = [{"id": id, "name": id.title(), "kind": "person"} for id in ("ana", "ben", "cleo")]
    tree = {"format": "upheld/annotated-transcript@1", "id": "t", "agents": agents, "turns": turns}
    Path("t.json").write_text(json.dumps(tree), "utf-8")
    assert upheld("verify", "t.json", "o1", "--speaker", "ben").status == 0
    assert upheld("verify", "t.json", "o1", "--speaker", "cleo", "--json").tree["reasons"] == ["out_of_view"]
    assert upheld("status", "t.json", "--agent", "cleo", "--json").tree["claims"] == []
    assert [each["id"] for each in upheld("status", "t.json", "--agent", "ben", "--json").tree["claims"]] == ["o1"]


def test_status_lists_lifecycle_and_standing_apart(upheld: Program, outage: Path) -> None:
    """The semantics, section 5: two things that must not be mixed. Held against the library."""
    state = loaded(read_transcript(outage))
    claims = upheld("status", outage, "--json").tree["claims"]
    assert [each["id"] for each in claims] == [each.id for each in state.propositions]
    for each in claims:
        expected = state.status(each["id"])
        assert (each["lifecycle"], each["standing"]) == (expected.lifecycle.value, expected.standing.value)
    row = next(line for line in upheld("status", outage, "h2", "--at", "T7").out.splitlines() if " h2 " in line)
    assert row.split()[:5] == ["h2", "hypothesis", "weakened", "out", "T6"]


def test_status_lists_open_questions(upheld: Program, outage: Path) -> None:
    """Our promise (help of status)."""
    assert "open questions:" in upheld("status", outage).out
    assert upheld("status", outage, "--at", "T1", "--json").tree["open_questions"] == [
        "What causes the failing logins and checkouts?"
    ]


def test_explain_draws_the_tree_down_to_the_turns(upheld: Program, outage: Path) -> None:
    """The issue: ``explain``; the paper, Section 2: a claim with its provenance."""
    lines = upheld("explain", outage, "h4").out.splitlines()
    assert lines[0] == "✓ h4 The retries exhaust the Redis connection pool. (T12, Carol)"
    assert lines[2].startswith("│  └─ ✓ o5 ")
    assert lines[4].endswith("(T7, Alice)")
    assert "falls with any of:" in lines
    tree = upheld("explain", outage, "h4", "--json").tree
    assert {node["literal"] for node in tree["nodes"]} == {"h4", "h3", "o5", "o6", "o9"}
    assert set(tree["breaks_if"]) == {"h3", "o5", "o6", "o9"}


def test_explain_prints_the_claims_that_break_it_only_together(upheld: Program) -> None:
    """Reiter 1987: minimal hitting sets; one of two ways may fall, both may not."""
    operations = [
        {"op": "observe", "id": "o1", "text": "The log is there."},
        {"op": "observe", "id": "o2", "text": "A witness is there."},
        {"op": "observe", "id": "c", "text": "The job ran.", "depends_on_any": [["o1"], ["o2"]]},
    ]
    turns = [{"id": "T1", "speaker": "ana", "text": "So it is.", "operations": operations}]
    agents = [{"id": "ana", "name": "Ana", "kind": "person"}]
    tree = {"format": "upheld/annotated-transcript@1", "id": "t", "agents": agents, "turns": turns}
    Path("t.json").write_text(json.dumps(tree), "utf-8")
    found = upheld("explain", "t.json", "c", "--json").tree
    assert (found["breaks_if"], found["breaks_if_together"]) == ([], [["o1", "o2"]])
    lines = upheld("explain", "t.json", "c").out.splitlines()
    place = lines.index("falls with all of a line:")
    assert lines[place + 1].startswith("  o1 ")
    assert " + o2 " in lines[place + 1]


def test_explain_shows_what_is_held_against_a_claim(upheld: Program, outage: Path) -> None:
    """Our promise (help of explain)."""
    out = upheld("explain", outage, "h2").out
    assert "against it:\n" in out
    assert "Alice revises it (T9): stands" in out


def test_replay_prints_what_each_turn_changed(upheld: Program, outage: Path) -> None:
    """The issue: ``replay`` (step through the states)."""
    lines = upheld("replay", outage, "--at", "T9").out.splitlines()
    assert lines[0].startswith("T9 Alice: It isn't")
    assert [" ".join(line.split()[:6]) for line in lines[1:]] == ["h2 weakened, out → abandoned, out"]
    assert upheld("replay", outage, "--from", "T14").out.splitlines()[0].startswith("T14 Assistant: Move auth")


def test_the_changes_of_a_replay_add_up_to_the_status(upheld: Program, root: Path) -> None:
    """Our promise: the last change of each claim is its status now; one JSON object a line, a turn each."""
    for file in sorted((root / "tests" / "conversations").rglob("p*/phase*.yaml")):
        steps = [json.loads(line) for line in upheld("replay", file, "--json").out.splitlines()]
        conversation = loaded(read_transcript(file))
        assert [step["turn"] for step in steps] == list(conversation.timeline.turns)
        last = {id: change["after"] for step in steps for id, change in step["changes"].items()}
        changed = {id for id in last if id in conversation.state.propositions}
        assert changed
        for id in changed:
            status = conversation.status(id)
            assert last[id] == {"label": status.standing.value, "lifecycle": status.lifecycle.value}


def test_a_turn_that_is_not_there_is_refused_everywhere(upheld: Program, outage: Path) -> None:
    """Our promise: status 2, and the turn is named."""
    for arguments in (["verify", outage, "h2"], ["status", outage], ["replay", outage], ["affected", outage, "o9"]):
        ended = upheld(*arguments, "--at", "T99")
        assert ended.status == 2
        assert "T99" in ended.err
        assert ended.out == ""
