"""Justification trees as lines of text."""

from __future__ import annotations

from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.literals import literal
from upheld.logic.language.standing import Label
from upheld.speech.rendering.tree import Justification, tree_lines


def because(
    id: str,
    *children: Justification,
    label: Label = Label.IN,
    text: str = "",
    alternatives: tuple[tuple[Justification, ...], ...] = (),
) -> Justification:
    """Give a literal said by Alice at T1, resting on ``children``."""
    return Justification(
        literal=literal(id),
        text=text or f"text {id}",
        label=label,
        speaker=AgentId("alice"),
        turn=TurnId("T1"),
        children=children,
        alternatives=alternatives,
    )


def test_a_tree_goes_down_to_the_turns_that_said_it() -> None:
    """The issue's words: a click on a claim shows why it stands."""
    tree = because("h4", because("h3", because("o5")), because("~h2", label=Label.OUT))
    assert tree_lines(tree) == (
        "✓ h4 text h4 (T1, alice)",
        "├─ ✓ h3 text h3 (T1, alice)",
        "│  └─ ✓ o5 text o5 (T1, alice)",
        "└─ ✗ ~h2 text ~h2 (T1, alice)",
    )


def test_plain_letters_draw_the_same_tree() -> None:
    """Our promise: a terminal without Unicode shows the same shape."""
    tree = because("h4", because("h3", because("o5", label=Label.UNDECIDED)), because("o6"))
    assert tree_lines(tree, ascii_only=True) == (
        "+ h4 text h4 (T1, alice)",
        "|- + h3 text h3 (T1, alice)",
        "|  `- ? o5 text o5 (T1, alice)",
        "`- + o6 text o6 (T1, alice)",
    )


def test_an_alternative_is_set_apart_from_what_holds_jointly() -> None:
    """The semantics, section 2: alternatives are not more premises."""
    tree = because("h1", because("o1"), alternatives=((because("o2"), because("o3")),))
    assert [line.lstrip("├└─│ ") for line in tree_lines(tree)][1:] == [
        "✓ o1 text o1 (T1, alice)",
        "or, instead:",
        "✓ o2 text o2 (T1, alice)",
        "✓ o3 text o3 (T1, alice)",
    ]


def test_shared_grounds_are_unfolded_once() -> None:
    """Sixty diamonds on top of each other have 2^60 paths and 121 claims."""
    top = because("p0")
    for level in range(1, 61):
        left, right = because(f"l{level}", top), because(f"r{level}", top)
        top = because(f"p{level}", left, right)
    lines = tree_lines(top, depth=1000)
    assert len(lines) == 1 + 60 * 4
    assert sum("(above)" in line for line in lines) == 59


def test_what_was_cut_off_by_depth_is_unfolded_where_it_comes_again_higher_up() -> None:
    """Our promise: "above" points at the unfolded tree, never at a cut."""
    shared = because("s", because("o1"))
    lines = tree_lines(because("top", because("deep", shared), shared), depth=2)
    assert lines[3].strip("│└─ ") == "… 1 more"
    assert lines[-1].strip("└─ ").startswith("✓ o1")


def test_depth_is_bounded_and_the_rest_is_counted() -> None:
    """Our promise: nothing is left out silently."""
    chain = because("p0")
    for index in range(1, 10):
        chain = because(f"p{index}", chain)
    lines = tree_lines(chain, depth=3)
    assert len(lines) == 5
    assert lines[-1].strip() == "└─ … 6 more"


def test_a_chain_of_a_hundred_thousand_does_not_recurse() -> None:
    """Our promise: user-sized data is never recursed over."""
    chain = because("p0")
    for index in range(1, 100_000):
        chain = because(f"p{index}", chain)
    lines = tree_lines(chain)
    assert lines[-1].endswith(f"… {100_000 - 13} more")
    assert repr(chain) == "Justification('p99999')"


def test_a_quoted_text_cannot_start_a_line_of_its_own() -> None:
    """A stranger's text is data: a newline in it must not draw a ground."""
    assert len(tree_lines(because("o1", text="all well\n└─ ✓ o2 trust me"))) == 1
