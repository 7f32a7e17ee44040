"""What every store that can search promises; a part of no other suite, since a store need not be one.

::

    class TestMySearch(SearchContract):
        @pytest.fixture
        def store(self) -> Iterator[SearchableStore]:
            with MyStore(clock=ticking()) as store:
                yield store
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import count

import pytest

from upheld.errors import MalformedInput, RepeatedIdentity, StoreError, VersionConflict
from upheld.logic.language.identities import ConversationId, PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.record.ledger.search import Filing, Found, Moment, Query, SearchableStore, Vector
from upheld.testing.store_materials import HERE, THERE, at_once, said

EMBEDDER = "toy@1"


def ticking() -> Callable[[], str]:
    """Give a clock that goes on by a second whenever it is looked at."""
    seconds = count()
    return lambda: f"2026-01-01T00:{(second := next(seconds)) // 60:02d}:{second % 60:02d}.000+00:00"


def filing(id: str, text: str, *, label: Label = Label.IN, lifecycle: Lifecycle = Lifecycle.STANDING) -> Filing:
    """Give how an observation stands."""
    return Filing(id=PropositionId(id), text=text, kind=Kind.OBSERVATION, label=label, lifecycle=lifecycle)


def given_up(id: str, text: str) -> Filing:
    """Give an observation that was replaced."""
    return filing(id, text, label=Label.OUT, lifecycle=Lifecycle.SUPERSEDED)


def row(*numbers: float) -> bytes:
    """Give a vector as a store keeps it."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def ids(found: tuple[Found, ...]) -> list[str]:
    """Give the ids of what was found, in order."""
    return [each.id for each in found]


class FindingContract:
    """What is found, of which moment."""

    def test_a_claim_is_found_by_its_words(self, store: SearchableStore) -> None:
        """Issue 6, section 1: search beside the entries."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump in hall three leaks."), filing("o2", "A lamp.")])
        (found,) = store.find(Query(words="pump"))
        assert (found.conversation, found.id, found.text) == (HERE, "o1", "The pump in hall three leaks.")
        assert (found.since, found.kind, found.stands) == (1, Kind.OBSERVATION, True)
        assert store.find(Query(words="windmill")) == ()
        assert store.find(Query(words="... !")) == ()

    def test_what_was_given_up_is_not_found_a_moment_longer(self, store: SearchableStore) -> None:
        """Issue 6, section 1: only what stands, unless one asks for the rest."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        store.append(HERE, [said(2)], filings=[given_up("o1", "The pump leaks."), filing("o2", "The pump is dry.")])
        assert ids(store.find(Query(words="pump"))) == ["o2"]
        found = {str(each.id): each for each in store.find(Query(words="pump", has_superseded=True))}
        assert set(found) == {"o1", "o2"}
        assert (found["o1"].lifecycle, found["o1"].since, found["o1"].stands) == (Lifecycle.SUPERSEDED, 2, False)

    def test_what_is_not_in_is_not_found(self, store: SearchableStore) -> None:
        """A claim that is attacked stands no more than one that its speaker took back."""
        for label in (Label.OUT, Label.UNDECIDED):
            store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.", label=label)])
            assert store.find(Query(words="pump")) == ()
        store.append(HERE, [said(2)], filings=[filing("o1", "The pump leaks.")])
        assert ids(store.find(Query(words="pump"))) == ["o1"]

    def test_one_can_ask_how_things_stood(self, store: SearchableStore) -> None:
        """Issue 6, section 1: ``as_of``, an epoch or a time."""
        first = store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])[-1]
        second = store.append(HERE, [said(2)], filings=[given_up("o1", "The pump leaks.")])[-1]
        third = store.append(HERE, [said(3)], filings=[filing("o1", "The pump leaks.")])[-1]
        for entry, expected in ((first, ["o1"]), (second, []), (third, ["o1"])):
            assert ids(store.find(Query(words="pump", conversation=HERE, as_of=entry.epoch))) == expected
            assert ids(store.find(Query(words="pump", as_of=entry.recorded_at))) == expected
        assert store.find(Query(words="pump", conversation=HERE, as_of=0)) == ()
        assert store.find(Query(words="pump", as_of="2025-12-31")) == ()
        assert ids(store.find(Query(words="pump", as_of="2026-01-01"))) == ["o1"]
        past = store.find(Query(words="pump", conversation=HERE, as_of=second.epoch, has_superseded=True))
        assert [(each.lifecycle, each.since) for each in past] == [(Lifecycle.SUPERSEDED, 2)]

    def test_a_conversation_is_a_partition(self, store: SearchableStore) -> None:
        """The same id in two conversations is two claims, and one search may be kept to one of them."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        store.append(THERE, [said(1)], filings=[filing("o1", "The pump is fine.")])
        assert {each.conversation for each in store.find(Query(words="pump"))} == {HERE, THERE}
        (found,) = store.find(Query(words="pump", conversation=THERE))
        assert found.text == "The pump is fine."
        assert store.find(Query(words="pump", conversation=ConversationId("nobody's"))) == ()

    def test_no_more_is_given_than_was_asked_for(self, store: SearchableStore) -> None:
        """A limit is kept, best first."""
        some = [filing(f"o{number}", f"Pump {number} leaks.") for number in range(30)]
        store.append(HERE, [said(1)], filings=some)
        assert len(store.find(Query(words="pump leaks", limit=7))) == 7
        assert ids(store.find(Query(words="pump 23", limit=1))) == ["o23"]

    @pytest.mark.parametrize("words", ['"', "pump AND", "NEAR(", "pump*", "-pump", "a:b", "'; DROP TABLE claims", "%"])
    def test_no_word_is_an_operator(self, store: SearchableStore, words: str) -> None:
        """Security: what people type is looked for, and never run."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        assert ids(store.find(Query(words=words))) in ([], ["o1"])
        assert ids(store.find(Query(words="pump"))) == ["o1"]


class MeaningContract:
    """What is found by vectors."""

    def test_the_nearest_vector_is_found_first(self, store: SearchableStore) -> None:
        """By meaning everything is somewhere near; the nearest comes first, and what was given up not at all."""
        store.append(HERE, [said(1)], filings=[filing("o1", "one"), filing("o2", "two"), filing("o3", "three")])
        numbers = {text: number for number, text in store.unembedded(EMBEDDER, 10)}
        rows = {"one": row(1, 0), "two": row(0, 1), "three": row(0.8, 0.6)}
        store.embed(EMBEDDER, [Vector(number=numbers[text], row=rows[text]) for text in numbers])
        assert store.unembedded(EMBEDDER, 10) == ()
        wanted = Query(vector=row(1, 0), embedder=EMBEDDER)
        assert ids(store.find(wanted)) == ["o1", "o3", "o2"]
        assert [round(each.score, 3) for each in store.find(wanted)] == [1.0, 0.8, 0.0]
        store.append(HERE, [said(2)], filings=[given_up("o1", "one")])
        assert ids(store.find(wanted)) == ["o3", "o2"]

    def test_vectors_of_two_embedders_are_never_mixed(self, store: SearchableStore) -> None:
        """A vector means something beside those of its own embedder alone, whatever their lengths."""
        store.append(HERE, [said(1)], filings=[filing("o1", "one"), filing("o2", "two")])
        (first, _), (second, _) = store.unembedded(EMBEDDER, 10)
        store.embed(EMBEDDER, [Vector(number=first, row=row(1, 0))])
        store.embed("other@1", [Vector(number=second, row=row(1, 0, 0))])
        assert [text for _, text in store.unembedded(EMBEDDER, 10)] == ["two"]
        assert ids(store.find(Query(vector=row(1, 0), embedder=EMBEDDER))) == ["o1"]
        assert ids(store.find(Query(vector=row(1, 0, 0), embedder="other@1"))) == ["o2"]
        assert store.find(Query(vector=row(1, 0), embedder="nobody's@1")) == ()

    def test_a_claim_is_embedded_once(self, store: SearchableStore) -> None:
        """A vector outlives what the claim goes through, and the first one stays."""
        store.append(HERE, [said(1)], filings=[filing("o1", "one")])
        ((number, _),) = store.unembedded(EMBEDDER, 10)
        store.embed(EMBEDDER, [Vector(number=number, row=row(1, 0))])
        store.embed(EMBEDDER, [Vector(number=number, row=row(0, 1)), Vector(number=10**6, row=row(0, 1))])
        store.append(HERE, [said(2)], filings=[given_up("o1", "one")])
        store.append(HERE, [said(3)], filings=[filing("o1", "one")])
        assert store.unembedded(EMBEDDER, 10) == ()
        assert [each.score for each in store.find(Query(vector=row(1, 0), embedder=EMBEDDER))] == [1.0]


class SteppingContract:
    """That an index which is not in step is not asked."""

    def test_an_append_that_files_nothing_puts_the_conversation_out_of_step(self, store: SearchableStore) -> None:
        """Our promise: nothing is found that may have been taken back since; it is said that nobody looked."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        store.append(THERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        assert (store.unfiled(), store.filed(HERE)) == ((), 1)
        store.append(HERE, [said(2)])
        assert (store.unfiled(), store.filed(HERE)) == ((HERE,), 1)
        assert [each.conversation for each in store.find(Query(words="pump"))] == [THERE]

    def test_an_append_without_changes_keeps_step(self, store: SearchableStore) -> None:
        """An empty list says that nothing changed."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        store.append(HERE, [said(2)], filings=[])
        assert (store.unfiled(), store.filed(HERE)) == ((), 2)
        assert [each.since for each in store.find(Query(words="pump"))] == [1]

    def test_filing_anew_puts_it_in_step(self, store: SearchableStore) -> None:
        """What was filed before is gone; the moments are those of the entries."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        store.append(HERE, [said(2), said(3)])
        moments = [
            Moment(epoch=1, filings=(filing("o1", "The tap drips."),)),
            Moment(epoch=3, filings=(given_up("o1", "The tap drips."), filing("o2", "The tap is dry."))),
        ]
        with pytest.raises(VersionConflict):
            store.refile(HERE, moments, expected=2)
        store.refile(HERE, moments, expected=3)
        assert (store.unfiled(), store.filed(HERE)) == ((), 3)
        assert store.find(Query(words="pump", has_superseded=True)) == ()
        assert ids(store.find(Query(words="tap"))) == ["o2"]
        assert ids(store.find(Query(words="tap", conversation=HERE, as_of=2))) == ["o1"]

    def test_a_claim_in_other_words_is_the_same_claim(self, store: SearchableStore) -> None:
        """What it was called before is found only of the time when it was."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        store.append(HERE, [said(2)], filings=[filing("o1", "The pump is broken.")])
        assert [each.text for each in store.find(Query(words="pump"))] == ["The pump is broken."]
        assert ids(store.find(Query(words="leaks", conversation=HERE, as_of=1))) == ["o1"]

    def test_an_erasure_lets_go_of_what_was_filed(self, store: SearchableStore) -> None:
        """Our promise: what was erased is not found, nor is its meaning, until somebody files what is left."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        ((number, _),) = store.unembedded(EMBEDDER, 1)
        store.embed(EMBEDDER, [Vector(number=number, row=row(1, 0))])
        store.erase(HERE, [1], reason="asked for")
        assert (store.find(Query(words="pump", has_superseded=True)), store.unfiled()) == ((), (HERE,))
        assert store.unembedded(EMBEDDER, 10) == ()
        store.refile(HERE, [], expected=2)
        assert store.unfiled() == ()
        assert store.find(Query(vector=row(1, 0), embedder=EMBEDDER, has_superseded=True)) == ()


class SearchContract(FindingContract, MeaningContract, SteppingContract):
    """Everything that a store promises which can search."""

    def test_filings_are_kept_with_their_entries_or_not_at_all(self, store: SearchableStore) -> None:
        """One transaction: a refused append files nothing, and refused filings append nothing."""
        store.append(HERE, [said(1)], filings=[filing("o1", "The pump leaks.")])
        with pytest.raises(VersionConflict):
            store.append(HERE, [said(2)], expected=0, filings=[given_up("o1", "The pump leaks.")])
        with pytest.raises(MalformedInput):
            store.append(HERE, [said(2)], filings=[filing("o2", "Twice."), filing("o2", "Twice.")])
        with pytest.raises(MalformedInput):
            store.append(HERE, [said(2)], filings=[filing("o2", "A null \0 character.")])
        assert store.version(HERE) == 1
        assert ids(store.find(Query(words="pump"))) == ["o1"]

    def test_a_retry_files_nothing_twice(self, store: SearchableStore) -> None:
        """With the key of an earlier append nothing is written, filings included."""
        for _ in range(2):
            store.append(HERE, [said(1)], key="k", filings=[filing("o1", "The pump leaks.")])
        with pytest.raises(RepeatedIdentity):
            store.append(HERE, [said(2)], key="k", filings=[given_up("o1", "The pump leaks.")])
        assert [(each.id, each.since) for each in store.find(Query(words="pump"))] == [("o1", 1)]

    def test_several_writers_file_in_the_order_of_their_entries(self, store: SearchableStore) -> None:
        """Whoever comes last says how the claim stands."""
        at_once(
            [
                lambda n=n: store.append(HERE, [said(n)], filings=[filing("o1", f"The pump has run {n} hours.")])
                for n in range(12)
            ]
        )
        (found,) = store.find(Query(words="pump"))
        assert found.since == store.version(HERE) == 12

    @pytest.mark.parametrize(
        "wrong",
        [
            {},
            {"words": "pump", "vector": row(1.0), "embedder": EMBEDDER},
            {"vector": row(1.0)},
            {"words": "pump", "embedder": EMBEDDER},
            {"words": "pump", "as_of": 3},
            {"words": "pump", "as_of": "yesterday"},
            {"words": "pump", "limit": 0},
        ],
    )
    def test_what_cannot_be_answered_is_refused(self, wrong: dict[str, object]) -> None:
        """Bad input gets a clear typed error."""
        with pytest.raises(MalformedInput):
            Query(**wrong)  # pyright: ignore[reportArgumentType] - wrong on purpose

    def test_a_closed_store_finds_nothing(self, store: SearchableStore) -> None:
        """Any use after closing is refused."""
        store.close()
        with pytest.raises(StoreError):
            store.find(Query(words="pump"))
        with pytest.raises(StoreError):
            store.unfiled()
