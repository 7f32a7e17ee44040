"""The index of claims in an SQLite file: words in FTS5, vectors as bytes, and how each claim stood when."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence

from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.search import Filing, Moment
from upheld.record.stores.found import COLUMNS, IN_STEP

_WORD = re.compile(r"\w+")

BY_WORDS = (
    f"SELECT {COLUMNS}, -bm25(words_of_claims) FROM words_of_claims"
    f" JOIN claims ON claims.number = words_of_claims.rowid{IN_STEP} WHERE words_of_claims MATCH ?"
)
_OF_VECTOR = f" FROM vectors JOIN claims ON claims.number = vectors.claim{IN_STEP}"
IN_VIEW = f"SELECT DISTINCT vectors.number{_OF_VECTOR} WHERE vectors.embedder = ?"
BY_VECTOR = f"SELECT vectors.number, {COLUMNS}{_OF_VECTOR} WHERE vectors.number IN"
VECTORS = "SELECT number, vector FROM vectors WHERE embedder = ? AND number > ? ORDER BY number"
UNEMBEDDED = (
    "SELECT number, text FROM claims WHERE number NOT IN (SELECT claim FROM vectors WHERE embedder = ?)"
    " ORDER BY number LIMIT ?"
)
KEEP_VECTOR = "INSERT OR IGNORE INTO vectors (claim, embedder, vector) SELECT number, ?, ? FROM claims WHERE number = ?"
FILED = "SELECT filed FROM shelves WHERE conversation = ?"


def matched(words: str) -> str:
    """Give the question to FTS5 for any of the words; empty where there are none. No word is taken for an operator."""
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORD.findall(words)))


def file(
    connection: sqlite3.Connection,
    conversation: ConversationId,
    filings: Iterable[Filing],
    *,
    since: int,
    recorded_at: str,
) -> None:
    """Write how claims stand from an epoch on, and that the conversation is in step up to there."""
    for each in filings:
        number = _number(connection, conversation, each)
        # Of the same claim in other words, too: what it was called before is no claim any more.
        connection.execute(
            "UPDATE standings SET upto = ?, ended_at = ? WHERE upto IS NULL AND claim IN"
            " (SELECT number FROM claims WHERE conversation = ? AND proposition = ?)",
            (since, recorded_at, conversation, each.id),
        )
        connection.execute(
            "INSERT OR REPLACE INTO standings VALUES (?, ?, ?, NULL, NULL, ?, ?)",
            (number, since, recorded_at, each.label.value, each.lifecycle.value),
        )
    connection.execute("INSERT OR REPLACE INTO shelves VALUES (?, ?)", (conversation, since))


def _number(connection: sqlite3.Connection, conversation: ConversationId, filing: Filing) -> int:
    place = (conversation, filing.id, filing.text)
    row = connection.execute(
        "SELECT number FROM claims WHERE conversation = ? AND proposition = ? AND text = ?", place
    ).fetchone()
    if row is None:
        cursor = connection.execute(
            "INSERT INTO claims (conversation, proposition, text, kind) VALUES (?, ?, ?, ?)",
            (*place, filing.kind.value),
        )
        number = int(cursor.lastrowid or 0)
        connection.execute("INSERT INTO words_of_claims (rowid, text) VALUES (?, ?)", (number, filing.text))
        return number
    return int(row[0])


def unfile(connection: sqlite3.Connection, conversation: ConversationId) -> None:
    """Let go of all that was filed of a conversation, words included."""
    (count,) = connection.execute("SELECT count(*) FROM claims WHERE conversation = ?", (conversation,)).fetchone()
    connection.execute("DELETE FROM shelves WHERE conversation = ?", (conversation,))
    if not count:
        return
    connection.execute(
        "INSERT INTO words_of_claims (words_of_claims, rowid, text)"
        " SELECT 'delete', number, text FROM claims WHERE conversation = ?",
        (conversation,),
    )
    for table in ("standings", "vectors"):
        connection.execute(
            f"DELETE FROM {table} WHERE claim IN (SELECT number FROM claims WHERE conversation = ?)", (conversation,)
        )
    connection.execute("DELETE FROM claims WHERE conversation = ?", (conversation,))


def forget_words(connection: sqlite3.Connection) -> None:
    """Write the index of words anew: what was deleted from it is only marked so, and would stay readable."""
    connection.execute("INSERT INTO words_of_claims (words_of_claims) VALUES ('rebuild')")


def refile(
    connection: sqlite3.Connection,
    conversation: ConversationId,
    moments: Sequence[Moment],
    times: dict[int, str],
    *,
    upto: int,
) -> None:
    """Write everything anew; ``times`` has when the entry of each epoch was recorded."""
    unfile(connection, conversation)
    for each in moments:
        file(connection, conversation, each.filings, since=each.epoch, recorded_at=times[each.epoch])
    connection.execute("INSERT OR REPLACE INTO shelves VALUES (?, ?)", (conversation, upto))
