"""How questions and clauses are laid out for the network; training and checking share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.trained.inputs import (
    BETWEEN,
    CLAIM,
    CLAUSE,
    PROPOSITION,
    ROW,
    START,
    fits_claim,
    fits_turn,
    fitting,
    question_row,
    turn_row,
)
from upheld.speech.trained.judge import Question
from upheld.speech.trained.moves import TurnInTalk

WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=90).map(" ".join)


def pieces(text: str) -> Sequence[int]:
    """Give a piece a word, by its length."""
    return [1000 + len(word) for word in text.split()]


def asked(claim: str, *propositions: str, reply: str = "") -> Question:
    """Give a question whose propositions lie ever further away."""
    near = tuple(0.9 - 0.1 * place for place in range(len(propositions)))
    return Question(claim=claim, reply=reply, propositions=propositions, nearness=near)


def test_a_claim_stands_first_and_each_proposition_behind_a_mark() -> None:
    """The layout of a cross-encoder (Devlin et al. 2019), all propositions in one row."""
    row = question_row(asked("one two", "three", "four five"), pieces)
    assert row.pieces == (START, 1003, 1003, BETWEEN, BETWEEN, 1005, BETWEEN, 1004, 1004)
    assert row.segments == (0, 0, 0, 0, 1, 1, 1, 1, 1)
    assert [row.pieces[mark] for mark in row.marks] == [BETWEEN, BETWEEN]


def test_the_reply_stands_between_unless_it_is_the_claim() -> None:
    """A pronoun is read from the reply around it; a reply of one claim has nothing around it."""
    alone = question_row(asked("one two", "three", reply="one two"), pieces)
    around = question_row(asked("one two", "three", reply="zero one two"), pieces)
    assert len(around.pieces) == len(alone.pieces) + 4
    assert sum(around.segments) == sum(alone.segments)


def test_nearness_is_told_as_it_is_and_beside_the_greatest_and_the_mean() -> None:
    """A cosine means little by itself: what counts is how it lies to the others."""
    row = question_row(asked("one", "two", "three"), pieces)
    assert [tuple(round(each, 6) for each in near) for near in row.nearness] == [(0.9, 0.0, 0.05), (0.8, -0.1, -0.05)]


@given(WORDS, st.lists(WORDS, max_size=30), WORDS)
def test_no_row_is_longer_than_the_network_and_every_mark_has_its_numbers(
    claim: str, propositions: list[str], reply: str
) -> None:
    """Over the limit, propositions are left out from the end, and never cut without a mark."""
    row = question_row(asked(claim, *propositions, reply=reply), pieces)
    assert len(row.pieces) == len(row.segments) <= ROW
    assert len(row.marks) == len(row.nearness) <= len(propositions)
    assert all(row.pieces[mark] == BETWEEN for mark in row.marks)
    assert row.marks == tuple(sorted(row.marks))


def test_what_is_over_its_limit_is_said_not_to_fit() -> None:
    """Over limits: refuse, never pass silently."""
    assert fits_claim("word " * CLAIM, pieces)
    assert not fits_claim("word " * (CLAIM + 1), pieces)
    assert fitting(asked("word", "word " * PROPOSITION, "word"), pieces) == 2
    assert fitting(asked("word", "word", "word " * (PROPOSITION + 1), "word"), pieces) == 1


@given(WORDS, st.lists(WORDS, max_size=30), WORDS)
def test_what_is_said_to_fit_is_read_whole_and_the_next_one_is_not(
    claim: str, propositions: list[str], reply: str
) -> None:
    """A claim is judged beside what is read, and nothing else counts as seen."""
    question = asked(claim, *propositions, reply=reply)
    count = fitting(question, pieces)
    row = question_row(replace(question, propositions=question.propositions[:count]), pieces)
    assert len(row.marks) == count
    told = " ".join(propositions[:count]).split()
    assert [each for each, segment in zip(row.pieces, row.segments, strict=True) if segment and each != BETWEEN] == [
        1000 + len(word) for word in told
    ]
    assert count == len(propositions) or len(row.pieces) + 1 + len(pieces(propositions[count])) > ROW


def turn(*clauses: str, earlier: Sequence[str] = (), propositions: Sequence[str] = ()) -> TurnInTalk:
    """Give a turn of Ann's, whose clauses lie ever further from each proposition."""
    near = tuple(
        tuple(0.9 - 0.1 * (part + place) for place in range(len(propositions))) for part in range(len(clauses))
    )
    return TurnInTalk(
        speaker="Ann",
        clauses=clauses,
        earlier=tuple(earlier),
        propositions=tuple(propositions),
        nearness=near if propositions else (),
    )


def test_each_clause_and_each_proposition_of_a_turn_stands_behind_a_mark() -> None:
    """All clauses are read at once, and each beside all that is on the table (Cohan et al. 2019)."""
    row = turn_row(turn("one two", "three", propositions=["four four", "seven"]), pieces)
    assert [row.pieces[place + 1] for place in row.clauses] == [1003, 1005]
    assert [row.pieces[place + 1] for place in row.marks] == [1004, 1005]
    assert {row.segments[place] for place in row.clauses} == {0}
    assert {row.segments[place] for place in row.marks} == {1}
    assert [[round(near[0], 6) for near in part] for part in row.between] == [[0.9, 0.8], [0.8, 0.7]]


def test_the_turns_before_stand_between_the_latest_first() -> None:
    """Whether a fact supports depends on what was said just before."""
    row = turn_row(turn("aa", earlier=["x: first", "x: a", "x: bb", "x: ccc"]), pieces)
    told = [row.pieces[place + 2] for place, piece in enumerate(row.pieces) if piece == BETWEEN and row.segments[place]]
    assert told == [1003, 1002]
    assert row.marks == ()


@given(st.lists(WORDS, min_size=1, max_size=8), st.lists(WORDS, max_size=4), st.lists(WORDS, max_size=20))
def test_no_turn_is_longer_than_the_network_and_every_mark_has_its_numbers(
    clauses: list[str], earlier: list[str], propositions: list[str]
) -> None:
    """Over the limit, what is on the table is left out from the end; no place lies outside of the row."""
    row = turn_row(turn(*clauses, earlier=earlier, propositions=propositions), pieces)
    assert len(row.pieces) == len(row.segments) <= ROW
    assert len(row.clauses) == len(row.between) == len(clauses)
    assert all(0 < place < len(row.pieces) for place in (*row.clauses, *row.marks))
    assert all(len(near) == len(row.marks) for near in row.between)


def test_a_turn_over_its_limit_is_said_not_to_fit() -> None:
    """What is not read whole is not judged."""
    assert fits_turn(["word " * CLAUSE] * 4, pieces)
    assert not fits_turn(["word " * (CLAUSE + 1)], pieces)
    assert not fits_turn(["word " * CLAUSE] * 6, pieces)
