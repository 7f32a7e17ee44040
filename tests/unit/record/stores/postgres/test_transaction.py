"""How often a store goes to its server, and what that changes for nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("psycopg_pool", reason="the extra 'postgres' is not installed")

from upheld.errors import StoreError
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.search import Moment, Query
from upheld.record.stores.postgres import connection, transaction
from upheld.testing.search_contract import filing
from upheld.testing.store_materials import said

Opened = Callable[..., Any]
TALK = ConversationId("talk")
HOSTILE = "Robert'); DROP TABLE heads;-- %s %(x)s \\ $$ \x07 é 🦊"


@pytest.fixture
def journeys(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Give what is sent to the server, message by message."""
    sent: list[bytes] = []
    plain = transaction.answers

    def noted(to: Any, statements: bytes, values: Any = None) -> Any:
        sent.append(statements)
        return plain(to, statements, values)

    monkeypatch.setattr(transaction, "answers", noted)
    monkeypatch.setattr(connection, "answers", noted)
    return sent


@pytest.mark.parametrize("key", ["", "k1"])
def test_a_turn_takes_two_journeys_and_a_question_one(opened: Opened, journeys: list[bytes], key: str) -> None:
    """Our promise (docs/benchmarks.md): a server far away is waited for twice a turn, however much is filed with it."""
    with opened() as store:
        journeys.clear()
        filings = [filing(f"o{number}", f"Pump {number}.") for number in range(200)]
        store.append(TALK, [said(1), said(2)], key=key, filings=filings)
        assert len(journeys) == 2
        assert journeys[-1].endswith(b"COMMIT")
        journeys.clear()
        assert store.version(TALK) == 2
        assert len(journeys) == 1


def test_what_is_quoted_by_the_driver_comes_back_as_it_was(opened: Opened) -> None:
    """Our promise: no text is taken for a statement, a place for a value, or another text."""
    name = ConversationId(HOSTILE)
    with opened() as store:
        (entry,) = store.append(name, [said(1, text=HOSTILE)], key=HOSTILE, filings=[filing("o1", HOSTILE)])
        assert entry.content.text == HOSTILE
        assert list(store.read(name)) == [entry]
        assert store.append(name, [said(1, text=HOSTILE)], key=HOSTILE) == (entry,)
        assert store.conversations() == (name,)
        assert [each.text for each in store.find(Query(words="Robert tables"))] == [HOSTILE]


def test_what_is_refused_at_the_end_leaves_nothing(opened: Opened) -> None:
    """Our promise: statements that go together last together; the error of one is that of all."""
    with opened() as store:
        with pytest.raises(StoreError, match="does not exist"):
            write_two(store)
        assert store.version(TALK) == 0
        assert store.append(TALK, [said(1)])[0].epoch == 1


def write_two(store: Any) -> None:
    """Write something, and then what cannot be written."""
    with store._database.writing(TALK) as writing:
        writing.tell("INSERT INTO heads (conversation, epoch, chain) VALUES (%s, 1, 'x')", (TALK,))
        writing.tell("INSERT INTO nowhere VALUES (1)")


def test_more_rows_than_go_into_one_statement_are_all_there(opened: Opened) -> None:
    """Our promise: statements are kept short enough to be planned, and nothing is left out at their seams."""
    count = transaction.MOST_ROWS + 1
    with opened() as store:
        filings = [filing(f"o{number}", f"Pump {number}.") for number in range(count)]
        store.append(TALK, [said(number) for number in range(count)], filings=filings)
        assert [entry.epoch for entry in store.read(TALK)] == list(range(1, count + 1))
        found = store.find(Query(words="pump", limit=count))
        assert sorted(each.text for each in found) == sorted(each.text for each in filings)


def test_a_record_that_is_filed_anew_does_not_wait_in_memory(opened: Opened, journeys: list[bytes]) -> None:
    """Our promise: what is told goes on its way when there is much of it, and lasts or falls with the whole."""
    count = 300
    with opened() as store:
        store.append(TALK, [said(number) for number in range(count)])
        moments = [Moment(epoch=epoch, filings=(filing("o1", f"Pump {epoch}."),)) for epoch in range(1, count + 1)]
        journeys.clear()
        store.refile(TALK, moments, expected=count)
        assert len(journeys) > 2
        assert [each.text for each in store.find(Query(words="pump"))] == [f"Pump {count}."]
        assert [each.text for each in store.find(Query(words="pump", conversation=TALK, as_of=7))] == ["Pump 7."]
