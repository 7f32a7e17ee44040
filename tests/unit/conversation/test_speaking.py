"""The eight operations as methods: every keyword argument arrives, and nothing else is let through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from upheld.conversation.conversation import Conversation
from upheld.conversation.speaking import agents_of, operations_of
from upheld.errors import MalformedInput, RefusedTurn, UnknownReference
from upheld.logic.language.agents import Agent
from upheld.logic.language.formulas import And, Atom, Formula
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.notation import format_formula
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    ResolveMode,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.propositions import Kind
from upheld.logic.language.provenance import Provenance
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State

FactsOf = Callable[[State], dict[str, object]]

RAIN = And((Atom("rain"), Atom("wind")))


def p(id: str) -> PropositionId:
    """Write an id for short."""
    return PropositionId(id)


def lit(id: str) -> Literal:
    """Write a literal for short."""
    return Literal(PropositionId(id.removeprefix("~")), id.startswith("~"))


@pytest.fixture
def table() -> Conversation:
    """A lenient conversation with claims to refer to; three turns long."""
    talk = Conversation({"alice": "backend", "bob": "lead"}, is_lenient=True)
    talk.observe("alice", "o1", "One.")
    talk.observe("alice", "o2", "Two.")
    talk.say("alice", "And so on.", [
        Observe(id=p("o3"), text="Three."),
        Question(id=p("I1"), text="What now?"),
        Hypothesize(id=p("h1"), text="The first.", on=p("I1")),
        Hypothesize(id=p("h2"), text="The second.", on=p("I1")),
    ])  # fmt: skip
    return talk


CASES: dict[str, tuple[Callable[[Conversation], Any], Operation]] = {
    "observe": (
        lambda c: c.observe(
            "alice", "x1", "Rain and wind.", kind="fact", contradicts=["o1"], supersedes=["o2"], depends_on=["o3"],
            depends_on_any=[["o1"], ["~o2", "o3"]], reinterprets=["o1"], against=["h1"], prefers=["h2"],
            formula="rain & wind", novel=True,
            source={"uri": "doc.md", "version": "2", "span": "lines 1-2", "method": "read"},
        ),
        Observe(
            id=p("x1"), text="Rain and wind.", kind=Kind.FACT, contradicts=(p("o1"),), supersedes=(p("o2"),),
            depends_on=(lit("o3"),), depends_on_any=((lit("o1"),), (lit("~o2"), lit("o3"))), reinterprets=(p("o1"),),
            against=(p("h1"),), prefers=(p("h2"),), formula=RAIN, novel=True,
            source=Provenance(uri="doc.md", version="2", span="lines 1-2", method="read"),
        ),
    ),
    "hypothesize": (
        lambda c: c.hypothesize(
            "alice", "x1", "Perhaps.", kind=Kind.POSITION, depends_on=(Literal(PropositionId("o1")), "~o2"),
            depends_on_any=[["o3"]], explains=["o1"], on="I1", refines="h1", formula=RAIN, novel=False, source="doc.md",
        ),
        Hypothesize(
            id=p("x1"), text="Perhaps.", kind=Kind.POSITION, depends_on=(lit("o1"), lit("~o2")),
            depends_on_any=((lit("o3"),),), explains=(p("o1"),), on=p("I1"), refines=p("h1"), formula=RAIN,
            source=Provenance(uri="doc.md"),
        ),
    ),
    "support": (
        lambda c: c.support(
            "alice", "h1", id="x1", text="Because.", evidence=["o1"], specific=True, attacks=["h2"], sufficient=True,
            depends_on=["o2"], depends_on_any=[["o3"]], formula="rain", novel=True, source="doc.md",
        ),
        Support(
            target=p("h1"), id=p("x1"), text="Because.", evidence=(lit("o1"),), specific=True, attacks=(p("h2"),),
            sufficient=True, depends_on=(lit("o2"),), depends_on_any=((lit("o3"),),), formula=Atom("rain"), novel=True,
            source=Provenance(uri="doc.md"),
        ),
    ),
    "undermine": (
        lambda c: c.undermine(
            "bob", "h1", id="x1", text="But.", evidence=["o1"], specific=True, attacks=["h2"], depends_on=["o2"],
            depends_on_any=[["o3"]], formula="rain", novel=True, source="doc.md",
        ),
        Undermine(
            target=p("h1"), id=p("x1"), text="But.", evidence=(lit("o1"),), specific=True, attacks=(p("h2"),),
            depends_on=(lit("o2"),), depends_on_any=((lit("o3"),),), formula=Atom("rain"), novel=True,
            source=Provenance(uri="doc.md"),
        ),
    ),
    "revise": (
        lambda c: c.revise("alice", "o1", replacement="o2", because=["o3"], withdrawn=True),
        Revise(target=p("o1"), replacement=p("o2"), because=(lit("o3"),), withdrawn=True),
    ),
    "expand_awareness": (
        lambda c: c.expand_awareness(
            "alice", "x1", "There is also this.", reinterprets=["o1"], formula="rain", novel=True, source="doc.md"
        ),
        ExpandAwareness(
            id=p("x1"), text="There is also this.", reinterprets=(p("o1"),), formula=Atom("rain"), novel=True,
            source=Provenance(uri="doc.md"),
        ),
    ),
    "resolve": (
        lambda c: c.resolve(
            "bob", "~h1", mode="authoritative", id="x1", text="Not the first.", subsumes=["h2"], depends_on=["o1"],
            depends_on_any=[["o2"], ["o3"]], dissent=["alice"], issue="I1", reopen_if=["~o2"], formula="rain",
            novel=True, source="doc.md",
        ),
        Resolve(
            target=lit("~h1"), mode=ResolveMode.AUTHORITATIVE, id=p("x1"), text="Not the first.", subsumes=(p("h2"),),
            depends_on=(lit("o1"),), depends_on_any=((lit("o2"),), (lit("o3"),)), dissent=(AgentId("alice"),),
            issue=p("I1"), reopen_if=(lit("~o2"),), formula=Atom("rain"), novel=True, source=Provenance(uri="doc.md"),
        ),
    ),
    "question": (
        lambda c: c.question("bob", "And why?", id="x1", about=["o1", "o2"]),
        Question(text="And why?", id=p("x1"), about=(p("o1"), p("o2"))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_keyword_argument_is_a_field_of_its_operation(table: Conversation, name: str) -> None:
    """Our promise (the docstring of ``Speaking``): the method tells the turn that the operation written out would."""
    tell, operation = CASES[name]
    told = tell(table)
    assert told.operations == (operation,)
    assert table.timeline.told(told.turn).operations == (operation,)


@pytest.mark.parametrize("name", CASES)
def test_what_a_method_tells_is_what_the_operation_tells(table: Conversation, name: str, facts: FactsOf) -> None:
    """Compare with the slow and obvious: ``say`` with the operation itself."""
    tell, operation = CASES[name]
    other = Conversation({"alice": "backend", "bob": "lead"}, is_lenient=True)
    for turn in table.timeline.turns:
        other.tell(table.timeline.told(turn))
    other.say(table.timeline.told(tell(table).turn).speaker, "", [operation])
    assert facts(other.state) == facts(table.state)


def test_a_formula_may_be_a_value_or_its_text() -> None:
    """Our promise: both ways of writing a formula mean the same."""
    formula: Formula = RAIN
    first, second = Conversation(is_lenient=True), Conversation(is_lenient=True)
    told = first.observe("alice", "o1", "Rain and wind.", formula=formula)
    assert told.operations == (Observe(id=p("o1"), text="Rain and wind.", formula=RAIN),)
    assert second.observe("alice", "o1", "Rain and wind.", formula=format_formula(RAIN)) == told


def test_how_it_was_said_is_kept_with_the_turn(talk: Conversation) -> None:
    """Demanded by semantics, section 1: words, audience, session and time are the turn's, not the operation's."""
    talk.observe("alice", "o1", "It rains.", said="Raining again!", audience=["bob"], session="s1", at="2026-01-02")
    assert talk.timeline.told(TurnId("T1")) == Turn(
        id=TurnId("T1"),
        speaker=AgentId("alice"),
        operations=(Observe(id=p("o1"), text="It rains."),),
        text="Raining again!",
        audience=frozenset({AgentId("bob")}),
        session="s1",
        at="2026-01-02",
    )


WRONG: list[tuple[str, Callable[[Any], object]]] = [
    ("observe.text", lambda c: c.observe("alice", "x1", 5)),
    ("observe.id", lambda c: c.observe("alice", "no id", "x")),
    ("observe.kind", lambda c: c.observe("alice", "x1", "x", kind="guess")),
    ("observe.novel", lambda c: c.observe("alice", "x1", "x", novel="yes")),
    ("observe.depends_on", lambda c: c.observe("alice", "x1", "x", depends_on="o1")),
    ("observe.depends_on", lambda c: c.observe("alice", "x1", "x", depends_on=7)),
    ("observe.depends_on[0]", lambda c: c.observe("alice", "x1", "x", depends_on=[7])),
    ("observe.depends_on_any[0]", lambda c: c.observe("alice", "x1", "x", depends_on_any=["o1"])),
    ("observe.formula", lambda c: c.observe("alice", "x1", "x", formula="rain &")),
    ("observe.formula", lambda c: c.observe("alice", "x1", "x", formula=3)),
    ("observe.source", lambda c: c.observe("alice", "x1", "x", source=3)),
    ("observe.source.page", lambda c: c.observe("alice", "x1", "x", source={"uri": "u", "page": "3"})),
    ("hypothesize.on", lambda c: c.hypothesize("alice", "x1", "x", on=["I1"])),
    ("support.specific", lambda c: c.support("alice", "h1", specific=1)),
    ("undermine.evidence", lambda c: c.undermine("alice", "h1", evidence="o1")),
    ("revise.withdrawn", lambda c: c.revise("alice", "o1", withdrawn="no")),
    ("expand_awareness.reinterprets", lambda c: c.expand_awareness("alice", "x1", "x", reinterprets="o1")),
    ("resolve.mode", lambda c: c.resolve("alice", "h1", mode="by vote")),
    ("resolve.target", lambda c: c.resolve("alice", "")),
    ("question.about", lambda c: c.question("alice", "Why?", about="o1")),
    ("observe.colour", lambda c: c.observe("alice", "x1", "x", colour="red")),
    ("revise.text", lambda c: c.revise("alice", "o1", text="no more")),
    ("colour", lambda c: c.say("alice", "Hello.", colour="red")),
    ("speaker", lambda c: c.observe(5, "x1", "x")),
    ("speaker", lambda c: c.observe("", "x1", "x")),
    ("said", lambda c: c.observe("alice", "x1", "x", said=5)),
    ("said", lambda c: c.say("alice", None)),
    ("session", lambda c: c.observe("alice", "x1", "x", session=5)),
    ("at", lambda c: c.observe("alice", "x1", "x", at=5)),
    ("key", lambda c: c.observe("alice", "x1", "x", key=5)),
    ("audience", lambda c: c.observe("alice", "x1", "x", audience="bob")),
    ("audience", lambda c: c.observe("alice", "x1", "x", audience=5)),
    ("audience[1]", lambda c: c.observe("alice", "x1", "x", audience=["bob", 5])),
    ("operations", lambda c: c.say("alice", "Hello.", Observe(id=p("x1"), text="x"))),
    ("operations[1]", lambda c: c.say("alice", "Hello.", [Observe(id=p("x1"), text="x"), "o2"])),
    ("operations", lambda c: c.amend("T1", 5)),
]  # fmt: skip


@pytest.mark.parametrize(("argument", "call"), WRONG, ids=[f"{place}-{name}" for place, (name, _) in enumerate(WRONG)])
def test_a_wrong_argument_is_named_and_changes_nothing(
    table: Conversation, argument: str, call: Callable[[Conversation], object]
) -> None:
    """Our promise (``Speaking``): strict reading, as of files; a failed call leaves everything as before."""
    state, version = table.state, table.version
    with pytest.raises(MalformedInput) as caught:
        call(table)
    assert caught.value.key == argument
    assert table.state is state
    assert table.version == version
    assert table.timeline.turns == ("T1", "T2", "T3")


def test_operations_may_come_from_a_generator(talk: Conversation) -> None:
    """Our promise: any iterable that can be read once."""
    observed = Observe(id=p("o1"), text="It rains.")
    assert operations_of(each for each in [observed]) == (observed,)
    assert talk.say("alice", "It rains.", iter([observed])).operations == (observed,)  # pyright: ignore[reportArgumentType]


def test_a_refused_operation_says_which_precondition_failed(talk: Conversation) -> None:
    """Demanded by semantics, section 4: a named failure, with which an interpreter is asked again."""
    with pytest.raises(RefusedTurn) as caught:
        talk.hypothesize("alice", "h1", "Perhaps.")
    assert caught.value.failure == "nothing_to_explain"
    assert (caught.value.turn, caught.value.operation) == ("T1", 0)
    with pytest.raises(UnknownReference):
        talk.support("alice", "h1", evidence=["o1"])
    assert talk.timeline.turns == ()


def test_agents_are_given_as_roles_or_as_agents() -> None:
    """Our promise: a mapping of ids to roles for the quick start, agents for the rest."""
    bob = Agent(id=AgentId("bob"), authority=True)
    assert agents_of({"alice": "backend", "bob": bob}) == (
        Agent(id=AgentId("alice"), name="alice", role="backend"),
        bob,
    )
    assert agents_of([bob]) == (bob,)
    assert agents_of(()) == ()
