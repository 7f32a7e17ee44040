"""What agents know of each other, asked of a conversation."""

from __future__ import annotations

import pytest

from upheld import Conversation
from upheld.errors import CouldNotCheck
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.notation import parse_formula
from upheld.logic.language.operations import Observe
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.turns import Turn

pytest.importorskip("oxidd", reason="knowledge structures need the extra 'epistemic'")


@pytest.fixture
def talk() -> Conversation:
    """Three agents; what bob is told in private, carol is not."""
    talk = Conversation(agents={"alice": "", "bob": "", "carol": ""})
    talk.observe("alice", "o1", "The lamp is off.")
    talk.hypothesize("bob", "h1", "The fuse is blown.", explains=["o1"])
    talk.observe("alice", "o2", "The fuse was changed yesterday.", audience=["bob"])
    return talk


def test_what_all_were_told_is_common_knowledge(talk: Conversation) -> None:
    """Semantics, section 3: an announcement that all hear is common knowledge (Plaza 1989)."""
    assert talk.holds("C o1")
    assert talk.holds("K_alice K_bob K_carol o1")
    assert not talk.holds("C h1")
    assert talk.holds("B_alice B_carol h1 & ~K_alice h1")


def test_what_some_were_told_is_known_to_them_and_to_be_known_to_them(talk: Conversation) -> None:
    """Semantics, section 8: what was said in private is in nobody else's view."""
    assert talk.holds("C_{alice,bob} o2 & D_{alice,carol} o2")
    assert talk.holds("~K_carol o2 & ~K_carol ~o2")
    assert talk.holds("K_alice ~K_carol o2")


def test_whoever_was_not_told_believes_that_nobody_was(talk: Conversation) -> None:
    """Baltag and Smets 2008, section 4: an unsuspected whisper changes what is so, and no belief of the others."""
    assert talk.holds("B_carol ~K_bob o2")
    assert not talk.holds("K_carol ~K_bob o2")
    assert talk.holds("K_bob o2")


def test_what_depends_on_how_things_are_is_not_made_up(talk: Conversation) -> None:
    """Our promise: "could not check" is not "no"; whoever says how things are gets an answer."""
    with pytest.raises(CouldNotCheck, match="depends on how things are"):
        talk.holds("Sb_alice h1")
    assert talk.holds("Sb_alice h1", given="h1")
    assert not talk.holds("Sb_alice h1", given="~h1")
    with pytest.raises(CouldNotCheck, match="possible"):
        talk.holds("Sb_alice h1", given="~o1")


def test_a_bare_fact_is_so_once_it_was_told(talk: Conversation) -> None:
    """Semantics, section 3: facts cut worlds, and a formula may be true in all that are left, in none, or in some."""
    assert talk.holds("o1")
    assert not talk.holds("~o1")
    with pytest.raises(CouldNotCheck, match="nobody said"):
        talk.holds("h1")
    assert talk.holds("h1", given="h1 & o1")
    with pytest.raises(CouldNotCheck, match="possible"):
        talk.holds("h1", given="~o1")


def test_what_is_taken_back_is_no_longer_common_knowledge(talk: Conversation) -> None:
    """Semantics, section 3: taking an announcement back drops it, for everybody who had heard it."""
    talk.retract("o1")
    assert not talk.holds("C o1")
    assert talk.at("T3").holds("C o1")


def test_explicit_knowledge_needs_what_the_agent_has_in_view(talk: Conversation) -> None:
    """Fagin and Halpern 1988, section 4: X is K and A."""
    assert talk.holds("X_bob o2 & ~A_carol o2 & ~X_carol o2")
    assert talk.holds("K_alice ~X_carol o2")


def muddy(*, is_simultaneous: bool) -> Conversation:
    """The paper's Appendix B, each "I don't know" with its formula."""
    sees = {"alice": {"m_b", "m_c"}, "bob": {"m_a", "m_c"}, "carol": {"m_a", "m_b"}, "father": set[str]()}
    agents = [Agent(id=AgentId(name), observes=frozenset(atoms)) for name, atoms in sees.items()]
    initial = [Proposition(id=PropositionId(f"m_{each}"), text=f"{each} is muddy.", kind=Kind.ISSUE) for each in "abc"]
    talk = Conversation(agents, initial=initial)
    says = [
        ("father", "m_a | m_b | m_c"),
        ("alice", "~Kw_alice m_a"),
        ("bob", "~Kw_bob m_b"),
        ("carol", "~Kw_carol m_c"),
    ]
    for number, (speaker, formula) in enumerate(says):
        claim = Observe(id=PropositionId(f"s{number}"), text=formula, formula=parse_formula(formula))
        turn = TurnId(f"T{number + 1}")
        together = "first" if is_simultaneous and number else ""
        talk.tell(Turn(id=turn, speaker=AgentId(speaker), operations=(claim,), simultaneous=together))
    return talk


MMC = "m_a & m_b & ~m_c"


def test_one_round_of_muddy_children_leaves_eight_seven_and_four_worlds() -> None:
    """The paper's Figure 3, with the round as one announcement; what each child then knows is in its Appendix B."""
    talk = muddy(is_simultaneous=True)
    assert talk.at("T1").count_worlds("m_a | ~m_a | m_b | m_c") == 7
    assert [talk.at(turn).count_worlds("m_a -> m_a") for turn in ("T2", "T3", "T4")] == [6, 5, 4]
    assert talk.at("T1").holds("~Kw_alice m_a & ~Kw_bob m_b & C (m_a | m_b | m_c)", given=MMC)
    assert talk.holds("K_alice m_a & K_bob m_b & ~Kw_carol m_c", given=MMC)
    assert talk.holds("C ((m_a & m_b) | (m_a & m_c) | (m_b & m_c))")


def test_one_after_the_other_the_actual_world_dies() -> None:
    """Pinned: read in order, Bob's "I don't know" is false at MMC, for Alice's has told him."""
    talk = muddy(is_simultaneous=False)
    assert talk.at("T3").count_worlds("m_a -> m_a") == 4
    with pytest.raises(CouldNotCheck, match="possible"):
        talk.holds("K_alice m_a", given=MMC)


def test_a_branch_keeps_what_was_private_private(talk: Conversation) -> None:
    """Semantics, section 8: what was never told to an agent is not known to it on a branch either."""
    with talk.what_if() as branch:
        branch.retract("o1")
        assert branch.then.knows("bob", "o2")
        assert not branch.then.knows("carol", "o2")
        assert not branch.then.knows("carol", "o1")
        assert branch.then.holds("~C o1 & C_{alice,bob} o2")


def test_as_far_as_an_agent_can_tell_others_know_what_both_were_told(talk: Conversation) -> None:
    """Semantics, section 8: what an agent was told in private is not thereby known to those who were not."""
    bob = talk.for_agent("bob")
    assert bob.knows("bob", "o2")
    assert bob.knows("alice", "o2")
    assert not bob.knows("carol", "o2")
    assert not talk.for_agent("carol").holds("K_bob o2")
