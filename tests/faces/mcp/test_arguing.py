"""Tools for what is said about claims of others, called as a host calls them."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Desk


def claim(desk: Desk, id: str) -> dict[str, Any]:
    """How a claim stands."""
    return next(each for each in desk.ask("list_claims")["claims"] if each["id"] == id)


def standing(desk: Desk, id: str) -> str:
    """Whether a claim holds now."""
    return claim(desk, id)["standing"]


def falsify(desk: Desk, id: str) -> None:
    """Have a claim be false."""
    desk.ask("retract", change={"act": "falsify", "target": id})


def test_evidence_without_words_joins_the_premises_of_a_claim(desk: Desk) -> None:
    """Semantics, section 2: Dep and e are joint, so that the claim falls with evidence that was brought later."""
    told = desk.ask("support", speaker="ben", target="h3", evidence=["o2"])
    assert told["operations"] == [{"op": "support", "target": "h3", "evidence": ["o2"]}]
    falsify(desk, "o2")
    assert (standing(desk, "h3"), claim(desk, "h3")["fallen"]) == ("out", ["o2"])


def test_sufficient_evidence_is_another_ground_beside_the_premises(desk: Desk) -> None:
    """Semantics, section 2: a sufficient support is an alternative; who has both cannot lose one and fall."""
    desk.ask("support", speaker="ben", target="h3", evidence=["o2"], sufficient=True)
    falsify(desk, "o1")
    assert standing(desk, "h3") == "in"
    falsify(desk, "o2")
    assert standing(desk, "h3") == "out"


def test_an_argument_against_a_claim_keeps_it_from_being_settled_until_it_is_answered(desk: Desk) -> None:
    """The paper's Table 8: what is undermined is weakened; all settle it once specific evidence has answered."""
    told = desk.ask("undermine", speaker="ann", target="h3", text="The pump was serviced.", source="file:log.txt")
    assert [each["id"] for each in told["operations"]] == ["u4"]
    assert told["effects"]["defeated"] == ["h3"]
    assert claim(desk, "h3")["lifecycle"] == "weakened"
    settle: dict[str, Any] = {"speaker": "ben", "target": "h3", "text": "We repair the pump."}
    assert "ann still objects" in desk.refused("decide", **settle)
    told = desk.ask("support", speaker="ben", target="h3", text="Its fuse is blown.", evidence=["o2"])
    assert (told["operations"][0]["id"], told["operations"][0]["evidence"]) == ("s5", ["o2"])
    assert (standing(desk, "h3"), standing(desk, "s5")) == ("out", "in")
    desk.ask("support", speaker="ben", target="h3", evidence=["s5"], specific=True)
    assert standing(desk, "h3") == "in"
    assert desk.ask("decide", **settle)["operations"][0]["target"] == "h3"


def test_who_held_a_claim_revises_it_and_another_takes_its_place(desk: Desk) -> None:
    """The paper's Revise: what rested on the older value loses its ground, and the newer one is what may be said."""
    desk.ask("observe", speaker="ann", text="The soil of the left bed is wet.", id="o9")
    told = desk.ask("revise", speaker="ann", target="o1", replacement="o9", text="I misread the probe.")
    assert told["operations"] == [{"op": "revise", "target": "o1", "replacement": "o9"}]
    assert "h3" in told["effects"]["lost"]
    found = desk.ask("verify", claims=[{"literal": "o1"}])
    assert (found["outcome"], found["reasons"]) == ("ungrounded", ["superseded"])
    assert desk.ask("revise", speaker="ben", target="o2", withdrawn=True)["effects"]["given_up"] == ["o2"]


def test_an_issue_is_open_until_a_decision_on_it(desk: Desk) -> None:
    """Our promise: a question has an id, takes positions, and is listed until it is closed."""
    asked = desk.ask("question", speaker="ann", text="Who repairs the pump?", about=["o2"])
    issue = asked["operations"][0]["id"]
    assert desk.ask("status")["open_questions"] == ["Who repairs the pump?"]
    desk.ask("propose", speaker="bot", text="Ben repairs the pump.", id="p1", kind="position", on=issue)
    assert desk.ask("status")["open_questions"] == ["Who repairs the pump?"]
    desk.ask("decide", speaker="ben", target="p1", text="Ben does it.", issue=issue)
    assert desk.ask("status")["open_questions"] == []


def test_what_nobody_had_in_view_is_brought_up_once(desk: Desk) -> None:
    """The paper's ExpandAwareness: what is in view already is none."""
    told = desk.ask("expand_awareness", speaker="ann", text="Moles may have cut the hose.", reinterprets=["o1"])
    assert told["operations"][0] == {
        "op": "expand_awareness",
        "id": "e4",
        "text": "Moles may have cut the hose.",
        "reinterprets": ["o1"],
    }
    refused = desk.refused("expand_awareness", speaker="ben", text="Moles may have cut the hose.")
    assert "in view already" in refused


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("support", {"target": "h3", "text": "So it is.", "sufficient": True}, "only bare evidence is sufficient"),
        ("support", {"target": "h3", "evidence": ["o1"]}, "h3 rests on all of this already"),
        ("support", {"target": "o99"}, "nobody introduced 'o99'"),
        ("undermine", {"target": "h3", "evidence": ["h3"]}, "h3"),
        ("undermine", {"target": "h3", "evidence": "o1"}, "evidence: Input should be a valid tuple"),
        ("revise", {"target": "o2"}, "use undermine"),
        ("revise", {"target": "o1", "replacement": "o99"}, "nobody introduced 'o99'"),
        ("revise", {"target": "o1", "text": "x" * 501}, "501 characters, and the most is 500"),
        ("question", {"text": "It rains."}, "it asks nothing"),
        ("expand_awareness", {"text": "It may rain.", "reinterprets": ["o99"]}, "nobody introduced 'o99'"),
        ("undermine", {"target": "h3", "text": "No.", "idempotency_key": "k" * 201}, "at most 200 characters"),
    ],
)
def test_a_refusal_says_what_to_do_and_changes_nothing(
    desk: Desk, tool: str, arguments: dict[str, Any], told: str
) -> None:
    """Our promise: as with every tool, in the words of the library, and the record is as before."""
    assert told in desk.refused(tool, speaker="ann", **arguments)
