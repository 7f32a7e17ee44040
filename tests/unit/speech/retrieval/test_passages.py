"""Turns cut into passages of a few sentences, across short ones and within long ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.retrieval.document import Document
from upheld.speech.retrieval.passages import STEP, WORDS, Passage, Run, spoken

lengths = st.lists(st.tuples(st.integers(1, 3 * WORDS), st.sampled_from(["s1", "s2"])), max_size=12)


def turn(place: int, count: int, session: str = "", *, is_engine_item: bool = False) -> tuple[int, Document]:
    """Give a turn of so many words, eight to the sentence, each word saying where it stands."""
    words = [f"w{place}-{number}" + ("." if number % 8 == 7 else "") for number in range(count)]
    return place, Document(id=str(place), text=" ".join(words), session=session, is_engine_item=is_engine_item)


def cut(documents: list[tuple[int, Document]]) -> list[Passage]:
    """Give the passages, those that wait for more words included."""
    run, made = Run().extended(documents)
    return made + run.extended([(len(documents), Document(id="end", text="end", session="another"))])[1]


@given(turns=lengths, at=st.integers(0, 12))
def test_passages_do_not_depend_on_how_many_turns_come_at_once(turns: list[tuple[int, str]], at: int) -> None:
    """Our promise: an index that grew answers as one that was built at once."""
    documents = [turn(place, count, session) for place, (count, session) in enumerate(turns)]
    run, first = Run().extended(documents[:at])
    end, second = run.extended(documents[at:])
    assert (end, first + second) == Run().extended(documents)


@given(turns=lengths)
def test_every_word_is_in_a_passage_and_no_passage_is_long_or_of_two_sessions(turns: list[tuple[int, str]]) -> None:
    """Our promise: what was said can be found by what stands around it, within one sitting."""
    documents = [turn(place, count, session) for place, (count, session) in enumerate(turns)]
    passages = cut(documents)
    said = {word for _, document in documents for word in document.text.split()}
    assert said <= {word for passage in passages for word in passage.text.split()}
    for passage in passages:
        assert len(passage.text.split()) <= WORDS
        assert len({turns[place][1] for place in passage.places if place < len(turns)}) <= 1
        assert {f"w{place}" for place in passage.places if place < len(turns)} == {
            word.split("-")[0] for word in passage.text.split() if word != "end"
        }


def test_short_turns_are_read_together_with_their_neighbours() -> None:
    """Our promise: an answer of two words is found by its question."""
    asked = Document(id="0", text="Can we ship before the audit, or does that have to wait until the books close?")
    made = cut([(0, asked), (1, Document(id="1", text="Not before Friday.", speaker="Ann"))])
    assert made[-1].places == (0, 1)
    assert made[-1].text.endswith("Ann: Not before Friday.")


def test_a_long_turn_is_read_in_parts() -> None:
    """Our promise: one sentence of a long message is found by itself."""
    made = cut([turn(0, 10 * WORDS)])
    assert len(made) >= 10 * WORDS / (STEP + 8)
    assert {passage.places for passage in made} == {(0,)}


def test_an_engine_item_is_in_no_passage() -> None:
    """Our promise: a proposition stands by itself, and does not part the turns that it comes between."""
    made = cut([turn(0, 25), turn(1, 50, is_engine_item=True), turn(2, 25)])
    assert [passage.places for passage in made] == [(0, 2)]


def test_a_turn_is_indexed_with_its_speaker_and_an_item_without() -> None:
    """Our promise: "what did Ann say" finds Ann's turns; an item's text is self-contained."""
    said = Document(id="1", text="Ship it.", speaker="Ann")
    held = Document(id="o1", text="It ships.", speaker="Ann", is_engine_item=True)
    assert [spoken(said), spoken(held)] == ["Ann: Ship it.", "It ships."]
