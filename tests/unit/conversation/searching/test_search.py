"""Search over all conversations of a store: what stands, from when on, and how it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from upheld import Conversation
from upheld.conversation.searching.filing import refiled
from upheld.conversation.searching.search import ClaimSearch, Searched
from upheld.errors import MalformedInput
from upheld.logic.language.identities import ConversationId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.standing import Lifecycle
from upheld.logic.language.turns import Turn
from upheld.record.ledger.search import SearchableStore
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore

np = pytest.importorskip("numpy")


def in_postgres(request: pytest.FixtureRequest) -> Any:
    """Open a fresh ledger in Postgres; without a server the test is skipped."""
    address, tenant = request.getfixturevalue("postgres"), request.getfixturevalue("tenant")
    return import_module("upheld.record.stores.postgres.store").PostgresStore(address, tenant=tenant)


@pytest.fixture(params=["ephemeral", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SearchableStore]:
    """Give each store that can search."""
    makers: dict[str, Callable[[], Any]] = {
        "ephemeral": EphemeralStore,
        "sqlite": lambda: SqliteStore(tmp_path / "talk.db"),
        "postgres": lambda: in_postgres(request),
    }
    with makers[request.param]() as store:
        yield store


def ids(searched: Searched) -> list[str]:
    """Give the ids of what was found, sorted."""
    return sorted(hit.found.id for hit in searched.hits)


class Toy:
    """An embedder of two dimensions: how many letters a and e a text has."""

    name = "letters@1"

    def __init__(self) -> None:
        """Have embedded nothing."""
        self.embedded: list[str] = []

    def fits(self, text: str, /) -> bool:
        """Tell that any text is read whole."""
        return True

    def embed(self, texts: Sequence[str], /) -> Any:
        """Give a row a text."""
        self.embedded += texts
        rows = np.array([[text.count("a") + 0.1, text.count("e") + 0.1] for text in texts])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_a_claim_that_was_taken_back_is_not_found_a_moment_longer(store: SearchableStore) -> None:
    """Issue 6, section 1: retracted, superseded, falsified, its source withdrawn, its ground lost."""
    talk = Conversation({"ann": "engineer"}, id="pump", store=store)
    search = ClaimSearch(store)
    for number in range(1, 6):
        talk.observe("ann", f"o{number}", f"Pump number {number} leaks.")
    talk.observe("ann", "o6", "Hall three floods, since the pump leaks.", depends_on=["o1"])
    assert len(search.search("pump").hits) == 6
    talk.retract("o1")
    assert ids(search.search("pump")) == ["o2", "o3", "o4", "o5"], "and what rested on it"
    talk.observe("ann", "o7", "The second pump is dry.", supersedes=["o2"])
    talk.falsify("o3")
    talk.withdraw("T4")
    assert ids(search.search("pump")) == ["o5", "o7"]
    assert len(search.search("pump", has_superseded=True).hits) == 7
    assert search.search("pump").unsearched == ()


def test_what_comes_back_is_found_again(store: SearchableStore) -> None:
    """A rebuttal that falls reinstates what it had defeated."""
    talk = Conversation({"ann": "engineer"}, id="pump", store=store)
    search = ClaimSearch(store)
    talk.observe("ann", "o1", "The pump leaks.")
    talk.observe("ann", "o2", "The valve drips, and nothing else.", contradicts=["o1"])
    assert "o1" not in ids(search.search("pump"))
    talk.retract("o2")
    assert ids(search.search("pump")) == ["o1"]


def test_one_can_ask_how_things_stood(store: SearchableStore) -> None:
    """Issue 6, section 1: ``as_of``."""
    talk = Conversation({"ann": "engineer"}, id="pump", store=store)
    search = ClaimSearch(store)
    talk.observe("ann", "o1", "The pump leaks.")
    then = talk.version
    talk.observe("ann", "o2", "The pump is dry.")
    talk.supersede("o1", "o2")
    assert ids(search.search("pump", conversation="pump", as_of=then)) == ["o1"]
    assert ids(search.search("pump", conversation="pump", as_of=talk.version)) == ["o2"]
    (old,) = search.search("leaks", has_superseded=True).hits
    assert (old.found.lifecycle, old.found.since) == (Lifecycle.SUPERSEDED, talk.version)
    assert search.search("pump", as_of="2020-01-01").hits == ()


def test_another_meaning_is_found_and_the_older_one_is_not(store: SearchableStore) -> None:
    """An amendment changes what stands, and so what is found, in the same transaction."""
    talk = Conversation({"ann": "engineer"}, id="pump", store=store)
    search = ClaimSearch(store)
    talk.tell(Turn(id=TurnId("T1"), speaker="ann", operations=(Observe(id="o1", text="The pump leaks."),)))  # pyright: ignore[reportArgumentType]
    talk.amend("T1", [Observe(id="o1", text="The pump drips."), Observe(id="o2", text="A valve is open.")])  # pyright: ignore[reportArgumentType]
    assert ids(search.search("leaks")) == []
    assert ids(search.search("pump drips valve")) == ["o1", "o2"]
    talk.amend("T1", [])
    assert search.search("pump drips valve").hits == ()
    assert search.search("pump").unsearched == ()


def test_what_was_erased_is_found_by_nobody(store: SearchableStore) -> None:
    """Erasing a turn with its meaning takes it from the index; the rest is filed anew."""
    talk = Conversation({"ann": "engineer"}, id="pump", store=store)
    search = ClaimSearch(store)
    talk.say("ann", "My number is 4711.", [Observe(id="o1", text="Ann's number is 4711.")])  # pyright: ignore[reportArgumentType]
    talk.observe("ann", "o2", "Ann's pump leaks.")
    talk.erase("T1", reason="asked for", meaning=True)
    assert ids(search.search("Ann number 4711", has_superseded=True)) == ["o2"]
    assert search.search("Ann").unsearched == ()


def test_a_record_that_nobody_filed_is_named_and_can_be_filed(store: SearchableStore) -> None:
    """Older records, and writers that file nothing: could not search is not searched."""
    talk = Conversation({"ann": "engineer"}, id="pump", store=store)
    talk.observe("ann", "o1", "The pump leaks.")
    copied = EphemeralStore()
    copied.append(ConversationId("old"), [entry.content for entry in store.read(ConversationId("pump"))])
    search = ClaimSearch(copied)
    assert (search.search("pump").hits, search.search("pump").unsearched) == ((), ("old",))
    assert Conversation(id="old", store=copied).observe("ann", "o2", "It rains.").turn == "T2"
    assert search.search("pump").unsearched == ("old",), "one more turn does not make it whole"
    assert refiled(copied, ConversationId("old")) == copied.version(ConversationId("old"))
    assert (ids(search.search("pump rains")), search.search("pump").unsearched) == (["o1", "o2"], ())


def test_meaning_is_added_when_it_is_asked_for(store: SearchableStore) -> None:
    """An append waits for no embedder; each claim is embedded once, and the two legs are put together."""
    talk = Conversation({"ann": "engineer"}, id="pump", store=store)
    toy = Toy()
    search = ClaimSearch(store, toy)
    talk.observe("ann", "o1", "Banana.")
    talk.observe("ann", "o2", "Beetle.")
    assert toy.embedded == []
    hits = search.search("papaya").hits
    assert [(hit.found.id, hit.why) for hit in hits] == [("o1", ("meaning",)), ("o2", ("meaning",))]
    assert search.search("beetle").hits[0].why == ("words", "meaning")
    assert toy.embedded.count("Banana.") == 1
    talk.retract("o1")
    assert [hit.found.id for hit in search.search("papaya").hits] == ["o2"]


def test_a_store_that_cannot_search_is_refused() -> None:
    """Bad input gets a clear typed error."""
    with pytest.raises(MalformedInput, match="cannot search"):
        ClaimSearch(object())  # pyright: ignore[reportArgumentType]


def test_words_that_were_read_late_are_filed_anew_in_order(store: SearchableStore) -> None:
    """Filed turn by turn or anew, the same stands: a meaning that came late counts from then on."""
    talk = Conversation({"ann": "engineer"}, id="pump", store=store)
    talk.say("ann", "The pump leaks.")
    talk.observe("ann", "o2", "The pump is old.")
    talk.amend("T1", [Observe(id="o1", text="The pump leaks.")])  # pyright: ignore[reportArgumentType]
    talk.retract("o2")
    search = ClaimSearch(store)
    live = [ids(search.search("pump", conversation="pump", as_of=epoch)) for epoch in (talk.version - 1, talk.version)]
    assert live == [["o1", "o2"], ["o1"]]
    refiled(store, ConversationId("pump"))
    anew = [ids(search.search("pump", conversation="pump", as_of=epoch)) for epoch in (talk.version - 1, talk.version)]
    assert anew == live
