"""``believe``: who believes what, and what all know of each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from upheld import Conversation

Program = Callable[..., Any]


def test_belief_is_asked_of_an_agent_at_a_turn(upheld: Program, outage: Path) -> None:
    """The issue: ``believe FILE FORMULA --agent --at``; the paper, Appendix E."""
    out = upheld("believe", outage, "h2", "--agent", "carol", "--at", "T6").out
    assert out == "Carol believes h2\nCarol does not know h2\n"
    out = upheld("believe", outage, "h2", "--agent", "carol").out
    assert out == "Carol does not believe h2\nCarol does not know h2\n"
    assert upheld("believe", outage, "B_carol h2", "--at", "T6", "--json").tree["holds"] is True
    assert upheld("believe", outage, "h1 & ~h2", "--agent", "carol", "--json").tree["believes"] is True


def test_without_an_agent_everybody_is_asked(upheld: Program, outage: Path) -> None:
    """Our promise: a bare formula needs no flag."""
    lines = upheld("believe", outage, "h2", "--at", "T6").out.splitlines()
    assert lines[2:4] == ["Assistant believes h2", "Assistant does not know h2"]
    assert [line.split()[0] for line in lines[::2]] == ["Alice", "Assistant", "Bob", "Carol"]
    found = upheld("believe", outage, "h2", "--at", "T6", "--json").tree["agents"]
    assert found["bob"] == {"believes": True, "knows": False}


def test_what_agents_know_of_each_other_can_be_asked(upheld: Program, outage: Path) -> None:
    """Issue: every formula of the notation can be asked of any state, nested and common knowledge too."""
    pytest.importorskip("oxidd", reason="knowledge structures need the extra 'epistemic'")
    for formula in ("K_alice K_bob o8 & C o8", "B_carol B_alice h1", "D_{alice,bob} o9 & ~Kw_carol h1"):
        assert upheld("believe", outage, formula).out == f"{formula} holds\n"
    assert upheld("believe", outage, "C h1").out == "C h1 does not hold\n"


def test_an_answer_that_depends_on_how_things_are_is_refused_and_given_with_given(
    upheld: Program, outage: Path
) -> None:
    """Our promise: "could not check" is not "no"."""
    pytest.importorskip("oxidd", reason="knowledge structures need the extra 'epistemic'")
    ended = upheld("believe", outage, "Sb_alice h1", "--at", "T5")
    assert ended.status == 2
    assert "depends on how things are" in ended.err
    assert upheld("believe", outage, "Sb_alice h1", "--at", "T5", "--given", "h1").out == "Sb_alice h1 holds\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["B_nobody h2"], "nobody"),
        (["h2", "--agent", "nobody"], "nobody called 'nobody'"),
        (["h2", "--given", "h1"], "names its agents"),
        (["h2 &", "--agent", "carol"], "missing"),
    ],
)
def test_a_formula_that_cannot_be_asked_is_named(
    upheld: Program, outage: Path, arguments: list[str], message: str
) -> None:
    """Our promise (docs/reference/cli.md): status 2 and what to do."""
    ended = upheld("believe", outage, *arguments)
    assert ended.status == 2
    assert message in ended.err


def test_belief_in_what_nobody_said_is_remarked_on(upheld: Program, outage: Path) -> None:
    """Our promise: a typing error does not look like an answer."""
    assert "nobody introduced h99" in upheld("believe", outage, "h99", "--agent", "carol").err


def test_what_was_said_in_private_is_known_only_to_those_who_heard_it(upheld: Program, tmp_path: Path) -> None:
    """Semantics, section 8; asked of the end of a file as of a turn."""
    talk = Conversation(agents={"ann": "", "bob": "", "cleo": ""})
    talk.observe("ann", "o1", "The key is under the mat.", audience=["bob"])
    file = tmp_path / "talk.db"
    talk.save(f"sqlite:///{file}")
    for asked in ([], ["--at", "T1"]):
        found = upheld("believe", f"sqlite:///{file}", "o1", "--json", *asked).tree["agents"]
        assert {agent: each["knows"] for agent, each in found.items()} == {"ann": True, "bob": True, "cleo": False}
