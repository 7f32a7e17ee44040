"""Event models: what is one, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from upheld.errors import MalformedInput
from upheld.logic.epistemic.structures.events import (
    DENIED,
    SILENCE,
    TOLD,
    EventModel,
    announcement,
    former,
    occurrence,
    telling_whether,
    whisper,
)
from upheld.logic.language.formulas import And, Atom, Not, Top

P, Q = Atom("p"), Atom("q")
BOTH = EventModel(
    events=("x", "y"),
    preconditions={"x": P, "y": Top()},
    partitions={"ann": (frozenset({"x", "y"}),)},
    ranks={"ann": {"x": 1, "y": 0}},
)


def test_whoever_is_not_listed_tells_all_events_apart_and_prefers_none() -> None:
    """Our promise (EventModel)."""
    assert BOTH.classes_of("ann") == (frozenset({"x", "y"}),)
    assert BOTH.classes_of("bob") == (frozenset({"x"}), frozenset({"y"}))
    assert [BOTH.rank("ann", "x"), BOTH.rank("ann", "y"), BOTH.rank("bob", "x")] == [1, 0, 0]
    assert BOTH.agents == {"ann"}


def test_an_event_is_remembered_under_the_name_of_its_update() -> None:
    """Our promise (occurrence): two updates with the same events stay apart."""
    assert occurrence("1", "x") != occurrence("2", "x")


@pytest.mark.parametrize("events", [(), ("x", "x")])
def test_no_event_and_an_event_twice_are_refused(events: tuple[str, ...]) -> None:
    """Baltag, Moss and Solecki 1998: a finite set that is not empty."""
    with pytest.raises(MalformedInput, match="at least one event"):
        EventModel(events=events, preconditions=dict.fromkeys(events, P))


def test_an_event_without_a_precondition_is_refused_by_name() -> None:
    """Our promise: nothing is guessed."""
    with pytest.raises(MalformedInput, match=r"preconditions: .*: y"):
        EventModel(events=("x", "y"), preconditions={"x": P})


def test_a_rank_for_an_event_that_is_not_there_is_refused_by_name() -> None:
    """Our promise: nothing is passed over."""
    with pytest.raises(MalformedInput, match=r"ranks\.ann: .*: z"):
        replace(BOTH, ranks={"ann": {"x": 1, "y": 0, "z": 0}})


@pytest.mark.parametrize(
    "classes",
    [
        (frozenset({"x"}),),
        (frozenset({"x", "y"}), frozenset({"y"})),
        (frozenset({"x", "y", "z"}),),
        (frozenset({"x", "y"}), frozenset[str]()),
    ],
    ids=["one is missing", "overlap", "unknown", "empty"],
)
def test_classes_that_are_no_partition_are_refused(classes: tuple[frozenset[str], ...]) -> None:
    """Van Ditmarsch, van der Hoek and Kooi 2007, chapter 6: S5 action models are partitions."""
    with pytest.raises(MalformedInput, match=r"partitions\.ann"):
        replace(BOTH, partitions={"ann": classes})


def test_an_actual_event_that_is_none_is_refused() -> None:
    """Our promise: nothing is passed over."""
    assert replace(BOTH, actual="x").actual == "x"
    with pytest.raises(MalformedInput, match="'z' is none of the events"):
        replace(BOTH, actual="z")


def test_changes_name_events_that_there_are() -> None:
    """Our promise: nothing is passed over."""
    assert BOTH.changed == ()
    assert replace(BOTH, changes={"x": {"q": P, "p": Q}, "y": {"q": Q}}).changed == ("p", "q")
    with pytest.raises(MalformedInput, match="changes: 'z' is none of the events"):
        replace(BOTH, changes={"z": {"p": Q}})


def test_what_was_before_has_a_name_of_its_own() -> None:
    """Our promise (former)."""
    assert len({former("1", "p"), former("2", "p"), former("1", "q"), occurrence("1", "p")}) == 4


def test_an_announcement_is_one_event_that_all_notice() -> None:
    """Baltag, Moss and Solecki 1998: public announcements are the simplest event models."""
    assert announcement(P).preconditions == {TOLD: P}
    assert announcement(P, Q).preconditions == {TOLD: And((P, Q))}


def test_who_is_not_told_cannot_tell_what_was_said() -> None:
    """Van Ditmarsch, van der Hoek and Kooi 2007, section 6.2."""
    events = telling_whether(P, to=["ann"], agents=["ann", "bob"])
    assert events.preconditions == {TOLD: P, DENIED: Not(P)}
    assert events.partitions == {"bob": (frozenset({TOLD, DENIED}),)}
    assert len(events.classes_of("ann")) == 2


def test_who_does_not_hear_a_whisper_thinks_that_nothing_was_said() -> None:
    """Baltag and Smets 2008, section 4."""
    events = whisper(P, to=["ann"], agents=["ann", "bob"])
    assert events.preconditions == {TOLD: P, SILENCE: Top()}
    assert events.rank("bob", SILENCE) < events.rank("bob", TOLD)
    assert events.rank("ann", SILENCE) == events.rank("ann", TOLD)
