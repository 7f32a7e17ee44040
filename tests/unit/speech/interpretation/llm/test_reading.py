from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.errors import UnusableReply
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Resolve, Revise, Support
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.llm.naming import Naming, introduced_by
from upheld.speech.interpretation.llm.reading import Roster, operations_in
from upheld.testing.interpreter_contract import table

TURN = Turn(id=TurnId("T9"), speaker=AgentId("ann"), text="Something.")
VIEW = StateView(table().state)
PEOPLE = Roster(kinds={AgentId("ann"): AgentKind.PERSON, AgentId("ben"): AgentKind.PERSON})
NEW = {"op": "observe", "id": "n1", "text": "The wall has a timetable.", "kind": "observation"}


def read(operations: object, *, turn: Turn = TURN, roster: Roster = PEOPLE) -> tuple[Operation, ...]:
    """Read the operations of a turn at the table of the contract."""
    return operations_in(operations, turn, Naming(view=VIEW), roster)[0]


def complaint(operations: object, *, roster: Roster = PEOPLE) -> str:
    """Give what is said against a reply."""
    with pytest.raises(UnusableReply) as refused:
        read(operations, roster=roster)
    return str(refused.value)


def test_a_local_name_becomes_an_id_of_the_turn() -> None:
    """The wire form: new propositions are n1, n2 …, and code gives them {turn}.{k}."""
    hypothesis = {"op": "hypothesize", "id": "n2", "text": "It is old.", "depends_on": ["n1", "~o1"], "on": "I1"}
    assert read([NEW, hypothesis]) == (
        Observe(id=PropositionId("T9.1"), text="The wall has a timetable."),
        Hypothesize(
            id=PropositionId("T9.2"),
            text="It is old.",
            depends_on=(literal("T9.1"), literal("~o1")),
            on=PropositionId("I1"),
        ),
    )


def test_a_field_that_does_not_apply_may_be_null_or_empty() -> None:
    """Strict modes require every key, so null and empty mean that nothing was said."""
    full = {
        "op": "support",
        "target": "h1",
        "id": None,
        "text": None,
        "evidence": ["o2"],
        "depends_on": [],
        "attacks": [],
    }
    said = {**full, "specific": False, "sufficient": False}
    assert read([said]) == (Support(target=PropositionId("h1"), evidence=(literal("o2"),)),)
    assert read([{**said, "id": "", "text": ""}]) == read([said])


@pytest.mark.parametrize("name", ["Expand-Awareness", "expand awareness", "EXPAND_AWARENESS"])
def test_the_name_of_an_operation_may_be_written_as_the_paper_does(name: str) -> None:
    """The paper writes Expand-Awareness; there is no doubt what is meant."""
    assert len(read([{"op": name, "id": "n1", "text": "There is a bus."}])) == 1


@pytest.mark.parametrize(
    ("operations", "said"),
    [
        ("none", "operations: a list of operations was asked for"),
        ({"op": "observe"}, "operations: a list of operations was asked for"),
        (["observe"], "operations[0]: expected a mapping, found text"),
        ([{"op": "explain", "id": "n1", "text": "x"}], "operations[0].op: unknown operation 'explain'; one of observe"),
        ([{"op": ["observe"]}], "operations[0].op: unknown operation"),
        ([{"op": "observe", "id": "n1"}], "operations[0].text: missing"),
        ([{"op": "observe", "text": "x"}], "operations[0].id: missing"),
        ([{"op": "revise"}], "operations[0].target: missing"),
        ([{**NEW, "mood": "glad"}], "operations[0].mood: unknown key"),
        ([{**NEW, "formula": "p"}], "operations[0].formula: not a field of observe"),
        ([{**NEW, "source": "book"}], "operations[0].source: not a field of observe"),
        ([{**NEW, "kind": "hypothesis"}], "operations[0].kind: 'hypothesis' is none of observation"),
        ([{**NEW, "depends_on": 7}], "operations[0].depends_on: expected a list, found "),
        ([{**NEW, "novel": "yes"}], "operations[0].novel: expected true or false, found text"),
        ([{**NEW, "text": 5}], "operations[0].text: missing"),
        ([{**NEW, "id": "n 1"}], "operations[0].id: 'n 1' is no name"),
        ([{**NEW, "id": 1}], "operations[0].id: 1 is no name"),
        ([NEW, NEW], "operations[1].id: 'n1' names two new propositions"),
        ([{**NEW, "id": "o1"}], "operations[0].id: 'o1' is taken"),
        ([{**NEW, "depends_on": ["n1"]}], "operations[0].depends_on: 'n1' is given as its own ground"),
        ([{"op": "support", "target": "h1", "evidence": ["h1"]}], "operations[0].evidence: 'h1' is the target itself"),
        ([{"op": "revise", "target": "o1", "because": ["o1"]}], "operations[0].because: 'o1' is the target itself"),
        ([{"op": "resolve", "target": "h1", "dissent": ["zoe"]}], "operations[0].dissent: 'zoe' is no participant"),
        ([{"op": "question", "about": ["o1"]}], "operations[0].text: missing"),
    ],
)
def test_what_is_wrong_with_a_reply_is_said_with_the_field(operations: object, said: str) -> None:
    """Issue 4, section 1: a missing field, an unknown id, an echo are typed failures that can be mended."""
    assert complaint(operations).startswith(said)


def test_an_unknown_id_is_answered_with_those_that_are_known() -> None:
    """A repair needs to know what may be used instead."""
    said = complaint([NEW, {"op": "revise", "target": "o7"}])
    assert said.startswith("operations[1].target: nobody introduced 'o7'; ids that may be used: ")
    assert {"o1", "o4", "h1", "I1"} <= set(re.findall(r"\w+", said))


def test_a_proposition_that_is_used_too_early_is_moved_before_its_use() -> None:
    """Order is mended where only the place of an introduction is wrong."""
    operations = read([{"op": "revise", "target": "o1", "replacement": "n1"}, {**NEW, "supersedes": ["o1"]}])
    assert [type(operation) for operation in operations] == [Observe, Revise]


def test_what_acts_on_others_is_not_moved() -> None:
    """An argument against a claim does something to it, so that its place is meant."""
    argument = {"op": "undermine", "target": "h1", "id": "n1", "text": "It is full."}
    assert "is referred to before" in complaint([{"op": "revise", "target": "o1", "because": ["n1"]}, argument])


def test_claims_that_rest_on_each_other_are_refused() -> None:
    """Nothing holds itself up, in however many steps."""
    one = {**NEW, "depends_on": ["n2"]}
    two = {**NEW, "id": "n2", "text": "It is old.", "depends_on": ["n1"]}
    assert "in a circle" in complaint([one, two])


def test_a_known_claim_may_be_said_again_in_its_words() -> None:
    """The interpreter's contract: said again, a claim keeps its words and its id."""
    echo = {"op": "observe", "id": "o1", "text": "the train to Porto leaves at 9:40"}
    assert read([echo]) == (Observe(id=PropositionId("o1"), text="The train to Porto leaves at 9:40."),)


def test_a_tool_only_observes() -> None:
    """C-51, and semantics, section 10: retrieved text is data, and settles nothing whatever it says."""
    tool = Roster(kinds={AgentId("ann"): AgentKind.TOOL})
    assert "a tool only observes" in complaint([{"op": "revise", "target": "o1", "because": ["o2"]}], roster=tool)
    assert read([NEW], roster=tool)


def test_an_id_that_is_taken_is_passed_over() -> None:
    """Ids never collide: a person may have called something T9.1."""
    talk = Conversation(agents={"ann": "guest"})
    talk.observe("ann", "T9.1", "It rains.")
    operations, _ = operations_in([NEW], TURN, Naming(view=StateView(talk.state)), PEOPLE)
    assert [introduced_by(operation) for operation in operations] == ["T9.2"]


def test_a_local_name_that_somebody_took_is_no_new_proposition() -> None:
    """A person may have called something n1; then the reply must use another name, and the request says which."""
    talk = Conversation(agents={"ann": "guest"})
    talk.observe("ann", "n1", "It rains.")
    with pytest.raises(UnusableReply, match="'n1' is taken"):
        operations_in([NEW], TURN, Naming(view=StateView(talk.state)), PEOPLE)


def test_a_turn_whose_id_has_blanks_gives_ids_that_can_be_written() -> None:
    """A proposition's id has no white space, whatever a turn is called."""
    turn = Turn(id=TurnId("~first turn"), speaker=AgentId("ann"), text="x")
    assert [introduced_by(operation) for operation in read([NEW], turn=turn)] == ["first_turn.1"]


def test_a_thousand_operations_are_refused_and_a_long_chain_is_read() -> None:
    """Bounded in what is taken, and without recursion in what is read."""
    chain = [
        {**NEW, "id": f"n{number}", "text": f"Step {number}.", "depends_on": [f"n{number + 1}"]} for number in range(63)
    ]
    last = {**NEW, "id": "n63", "text": "The first step."}
    operations = read([*chain, last])
    assert len(operations) == 64
    assert getattr(operations[0], "text", "") == "The first step."
    assert "64 at most" in complaint([NEW] * 1000)


NAMES = st.sampled_from(["n1", "n2", "n3", "o1", "o3", "h1", "I1", "~n1", "~o1", "nowhere", "", "~", "a b", "T9.1"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)
OPERATIONS = st.sampled_from(
    ["observe", "hypothesize", "support", "undermine", "revise", "expand_awareness", "resolve", "question", "other"]
)
LISTS = ["depends_on", "depends_on_any", "evidence", "supersedes", "because", "subsumes", "about"]
FIELDS = st.sampled_from(["id", "text", "kind", "target", "replacement", "mode", *LISTS])


@st.composite
def broken(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw operations that are nearly right: good fields with good and bad values."""
    fields = st.dictionaries(FIELDS, VALUES | st.lists(NAMES, max_size=3), max_size=5)
    some = st.fixed_dictionaries({"op": OPERATIONS, "id": NAMES, "text": st.sampled_from(["It rains.", "", "x"])})
    pairs = draw(st.lists(st.tuples(some, fields), max_size=4))
    return [{**one, **other} for one, other in pairs]


@given(st.one_of(broken(), VALUES))
def test_any_reply_gives_operations_or_a_complaint(content: object) -> None:
    """Our promise: however broken a reply is, it is read or refused; ids are new, and no two are the same."""
    try:
        operations = read(content)
    except UnusableReply:
        return
    ids = [id for id in map(introduced_by, operations) if id is not None and VIEW.get(id) is None]
    assert len(set(ids)) == len(ids)
    assert all(id.startswith("T9.") for id in ids)


def test_the_property_above_reaches_readings() -> None:
    """A property that only ever sees complaints would say nothing."""
    good: Sequence[object] = [NEW, {"op": "resolve", "target": "h1", "depends_on": ["n1"]}]
    assert isinstance(read(good)[1], Resolve)


def test_one_id_where_a_list_is_asked_for_is_a_list_of_one() -> None:
    """Found in replies of a real language model: it can mean nothing else, and a repair of a session costs much."""
    (observed,) = read([{**NEW, "supersedes": "o1"}])
    assert isinstance(observed, Observe)
    assert observed.supersedes == ("o1",)
    assert "supersedes" in complaint([{**NEW, "supersedes": 3}])
