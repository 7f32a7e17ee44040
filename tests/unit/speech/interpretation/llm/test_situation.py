from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import TurnId
from upheld.logic.language.plain import Tree
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.llm.requesting import Asking, Condition, Dependencies
from upheld.speech.interpretation.llm.situation import (
    MOST_CONSIDERED,
    PlainSituation,
    Sizes,
    last_words,
    newest_known,
    open_problems,
    participants,
    records,
    situation_of,
)
from upheld.speech.view import Situation
from upheld.testing.interpreter_contract import ANN, BEN, spoken, table

VIEW = StateView(table().state)
SAID = [spoken(f"T{number}", ANN, f"Sentence number {number}.") for number in range(1, 9)]
SPOKEN = StateView(table().state, earlier=lambda count: SAID[-count:])


def long_talk(count: int) -> StateView:
    """Give a conversation of many observations; the third is about a lighthouse."""
    talk = Conversation(agents={"ann": "guest"})
    for number in range(count):
        text = "The lighthouse keeper owns a parrot." if number == 2 else f"Crate {number} holds {number} lamps."
        talk.observe("ann", f"o{number}", text)
    return StateView(talk.state)


def shown(text: str) -> list[str]:
    """Give the ids of the records shown."""
    return re.findall(r'<claim id="(\w+)"', text)


def test_the_state_is_shown_with_how_everything_stands() -> None:
    """The paper, section 4.1: the next step sees the engine's structured state."""
    text = records(VIEW, "", 5_000, has_standing=True)
    assert shown(text) == ["o1", "o2", "o3", "o4", "I1", "h1"]
    assert (
        'id="o3" kind="observation" turn="T3" speaker="ann" lifecycle="standing" standing="out" replaced-by="o4"'
        in text
    )
    assert 'rests-on="o1"' in text
    assert '<open id="I1">Which train should we take?</open>' in open_problems(VIEW)
    assert 'id="ann" role="traveller"' in participants(VIEW)


def test_without_standing_a_record_is_there_to_be_referred_to() -> None:
    """Table 1: the first two conditions see no engine state."""
    text = records(VIEW, "", 5_000, has_standing=False)
    assert shown(text) == ["o1", "o2", "o3", "o4", "I1", "h1"]
    assert "standing" not in re.sub(r">.*?<", "><", text)


def test_past_the_budget_the_recent_and_the_related_are_shown_and_the_rest_is_counted() -> None:
    """Most recent and most related first; what is cut is said."""
    text = records(long_talk(300), "What does the lighthouse keeper own?", 4_000, has_standing=True)
    ids = shown(text)
    assert {"o2", "o299", "o298"} <= set(ids)
    assert ids == sorted(ids, key=lambda id: int(id[1:]))
    assert len(text) < 4_600
    assert f'<not-shown claims="{300 - len(ids)}"/>' in text


def test_what_is_weighed_is_bounded_however_long_the_conversation_is() -> None:
    """Cost per turn does not grow without end."""
    known, older = newest_known(long_talk(MOST_CONSIDERED + 5))
    assert (len(known), older) == (MOST_CONSIDERED, 5)
    assert known[-1].proposition.id == f"o{MOST_CONSIDERED + 4}"


def test_last_words_are_the_newest_that_fit() -> None:
    """The history of the first two conditions is the last turns, oldest first, within a budget."""
    text = last_words(SPOKEN, Sizes(turns=3))
    assert re.findall(r'<turn id="(\w+)"', text) == ["T6", "T7", "T8"]
    tight = last_words(SPOKEN, Sizes(turns=5, words=130))
    assert re.findall(r'<turn id="(\w+)"', tight) == ["T7", "T8"]
    assert '<not-shown turns="3"/>' in tight
    assert last_words(SPOKEN, Sizes(turns=0)) == ""


def test_a_plain_view_is_a_situation_that_knows_its_propositions_alone() -> None:
    """Anything with the two methods of a view will do."""
    plain = PlainSituation(VIEW)
    assert isinstance(plain, Situation)
    assert situation_of(VIEW) is VIEW

    class Bare:
        known = VIEW.known
        get = VIEW.get

    situation = situation_of(Bare())
    assert len(shown(records(situation, "", 5_000, has_standing=True))) == 6
    assert (participants(situation), open_problems(situation), last_words(situation, Sizes())) == ("", "", "")


def test_a_condition_decides_what_is_told_and_what_is_shown() -> None:
    """Table 1: the names alone, definitions, and definitions with the state in place of most of the history."""
    turn = spoken("T9", BEN, "Yes.")
    told = {condition: Asking(condition=condition).requests_for(turn, SPOKEN)[0] for condition in Condition}
    system = {condition: request.messages[0].text for condition, request in told.items()}
    user = {condition: request.messages[1].text for condition, request in told.items()}
    assert "expand_awareness" in system[Condition.MINIMAL]
    assert "## Conventions" not in system[Condition.MINIMAL]
    assert "## Conventions" in system[Condition.DEFINITIONS]
    assert "lifecycle" not in system[Condition.DEFINITIONS]
    assert "lifecycle" in system[Condition.STATE_AUGMENTED]
    assert "lifecycle=" not in user[Condition.DEFINITIONS]
    assert "lifecycle=" in user[Condition.STATE_AUGMENTED]
    assert user[Condition.DEFINITIONS].count("<turn ") == 9
    assert user[Condition.STATE_AUGMENTED].count("<turn ") == 3
    pure = Asking(sizes=Sizes(turns=0)).requests_for(turn, SPOKEN)[0].messages[1].text
    assert pure.count("<turn ") == 1


def objects_in(schema: Tree) -> Iterator[Tree]:
    """Give every schema of an object inside a schema."""
    pending: list[Tree] = [schema]
    while pending:
        part = pending.pop()
        if part.get("type") == "object":
            yield part
            pending.extend(part["properties"].values())
        pending.extend(part.get("anyOf", []))
        pending.extend([part["items"]] if "items" in part else [])


@pytest.mark.parametrize("dependencies", list(Dependencies))
def test_the_schema_is_fit_for_strict_modes(dependencies: Dependencies) -> None:
    """Every object lists all its keys as required and allows no others; the root is an object."""
    turn = Turn(id=TurnId("T9"), speaker=ANN, text="x")
    asking = Asking(dependencies=dependencies)
    for request in (*asking.requests_for(turn, VIEW), asking.session_request([turn], VIEW)):
        assert request.shape is not None
        objects = list(objects_in(dict(request.shape.schema)))
        assert len(objects) >= 9
        for part in objects:
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False


def test_the_first_new_name_is_told_where_somebody_took_n1() -> None:
    """Local names never stand for something known."""
    talk = Conversation(agents={"ann": "guest"})
    talk.observe("ann", "n1", "It rains.")
    assert (
        "<first-new-name>n2</first-new-name>"
        in Asking().requests_for(spoken("T9", ANN, "x"), StateView(talk.state))[0].messages[1].text
    )
