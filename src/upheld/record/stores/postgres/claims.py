"""The index of claims in a Postgres schema: words as ``tsvector``, vectors as arrays, and how each claim stood when."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Sequence
from hashlib import sha256
from unicodedata import normalize

from upheld.errors import MalformedInput
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.search import Filing, Moment, Vector
from upheld.record.stores.found import COLUMNS, IN_STEP
from upheld.record.stores.postgres.transaction import Transaction, listed

TABLES = ("claims", "standings", "vectors")
"""What is let go of with a claim."""

_WORD = re.compile(r"[^\W_]+")

_DIACRITICS = re.compile("[\u0300-\u036f]")

_MOST_CHARACTERS = 65_536
"""Characters of a text by which it is found: a ``tsvector`` holds a megabyte, and a longer one is an error."""

_MOST_WORDS = 1000
"""Words of a question that are looked for: the server takes a long chain of them apart by recursion."""

# Quoted by the server, so that no lexeme is an operator; without any there is no question, and nothing is found.
BY_WORDS = (
    "WITH asked AS MATERIALIZED (SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS words"
    " FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', %s))) AS lexeme)"
    f" SELECT {COLUMNS}, ts_rank(claims.words, (SELECT words FROM asked), 1) AS score FROM claims{IN_STEP}"
    " WHERE claims.words @@ (SELECT words FROM asked)"
)
BEST_FIRST = " ORDER BY score DESC, claims.conversation, claims.number, standings.since LIMIT %s"
_OF_VECTOR = f" FROM vectors JOIN claims ON claims.number = vectors.claim{IN_STEP} WHERE vectors.embedder = %s"
IN_VIEW = f"SELECT vectors.number{_OF_VECTOR}"
IN_ORDER = " ORDER BY claims.conversation, claims.number, standings.since"
BY_VECTOR = f"SELECT vectors.number, {COLUMNS}{_OF_VECTOR} AND vectors.number = ANY(%s)"
VECTORS = "SELECT number, array_send(vector) FROM vectors WHERE embedder = %s AND number > %s ORDER BY number"
# Where pgvector is, as a name that can stand in a statement: the path of a transaction is one tenant's schema.
EXTENSION = (
    "SELECT (SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace"
    " WHERE extname = 'vector' AND has_schema_privilege(extnamespace, 'USAGE')),"
    " (SELECT cardinality(vector) FROM vectors WHERE embedder = %s LIMIT 1)"
)
UNEMBEDDED = (
    "SELECT number, text FROM claims WHERE NOT EXISTS"
    " (SELECT FROM vectors WHERE vectors.embedder = %s AND vectors.claim = claims.number) ORDER BY number LIMIT %s"
)
FILED = "SELECT filed FROM shelves WHERE conversation = %s"

# A claim that is being erased is passed over; were it waited for, the two could wait for each other.
_KEEP_VECTORS = """
    INSERT INTO vectors (claim, embedder, vector)
    SELECT number, %s, sent.vector::real[]
    FROM unnest(%s::bigint[], %s::text[]) WITH ORDINALITY AS sent (number, vector, place) JOIN claims USING (number)
    ORDER BY sent.place FOR KEY SHARE OF claims SKIP LOCKED
    ON CONFLICT (embedder, claim) DO NOTHING
"""
# Plain statements, which go in one message: one for all of them takes the server longer to plan.
_NAME = (
    "INSERT INTO claims (conversation, proposition, digest, kind, text, words) VALUES {}"
    " ON CONFLICT (conversation, proposition, digest) DO NOTHING"
)
_NAMED = "(%s, %s, %s, %s, %s, to_tsvector('pg_catalog.english', %s))"
# What is ended is the same claim in other words, too: what it was called before is no claim any more.
_END = (
    "UPDATE standings SET upto = %s, ended_at = %s FROM claims WHERE standings.claim = claims.number"
    " AND standings.upto IS NULL AND claims.conversation = %s AND claims.proposition = ANY(%s)"
)
_STAND = (
    "INSERT INTO standings (claim, since, recorded_at, label, lifecycle)"
    " SELECT number, %s, %s, sent.label, sent.lifecycle FROM claims"
    " JOIN (VALUES {}) AS sent (proposition, digest, label, lifecycle) USING (proposition, digest)"
    " WHERE conversation = %s ON CONFLICT (claim, since) DO UPDATE SET recorded_at = excluded.recorded_at,"
    " upto = NULL, ended_at = NULL, label = excluded.label, lifecycle = excluded.lifecycle"
)
_SHELVE = (
    "INSERT INTO shelves (conversation, filed) VALUES (%s, %s)"
    " ON CONFLICT (conversation) DO UPDATE SET filed = excluded.filed"
)
_TIMES = "SELECT epoch, recorded_at FROM entries WHERE conversation = %s AND epoch = ANY(%s)"


def plain(text: str) -> str:
    """Give the words of a text, in small letters and without accents, each apart from the next.

    The server's own parser would keep together what it takes for a path, a host or a tag, and would know the letters of
    the database's language alone.
    """
    bare = _DIACRITICS.sub("", normalize("NFKD", text[:_MOST_CHARACTERS])).casefold()
    return " ".join(_WORD.findall(bare))[:_MOST_CHARACTERS]


def asked(words: str) -> str:
    """Give the words that are looked for; empty where there are none."""
    return " ".join(list(dict.fromkeys(plain(words).split()))[:_MOST_WORDS])


def by_meaning(place: str) -> str:
    """Give the statement that finds by a vector with pgvector, which lies in the schema ``place``.

    An exact product with all in view: an index (HNSW) would need to know the dimension, which is the embedder's.
    """
    kind, product = f"{place}.vector".replace("%", "%%"), f"OPERATOR({place}.<#>)".replace("%", "%%")
    return f"SELECT {COLUMNS}, -(vectors.vector::{kind} {product} %s::{kind}) AS score{_OF_VECTOR}"


def numbers_of(row: bytes) -> str:
    """Give a vector as Postgres reads a list of numbers, without the brackets.

    Raises:
        MalformedInput: no numbers, or one that is not finite: nothing is near to it, or far.
    """
    if not row or len(row) % 4:
        raise MalformedInput(f"a vector of {len(row)} bytes is no row of float32", key="vector")
    numbers = struct.unpack(f"<{len(row) // 4}f", row)
    if not all(map(math.isfinite, numbers)):
        raise MalformedInput("a vector holds a number that is not finite", key="vector")
    return ",".join(map(repr, numbers))


def row_of(sent: bytes) -> bytes:
    """Give the vector of an array as ``array_send`` gives it: a head of 20 bytes, then a length and a value each."""
    count = (len(sent) - 20) // 8
    return struct.pack(f"<{count}f", *struct.unpack(">20x" + "4xf" * count, sent))


def keep_vectors(transaction: Transaction, embedder: str, vectors: Iterable[Vector]) -> None:
    """Write vectors of claims that are there and have none.

    Raises:
        MalformedInput: no vector; none was written.
    """
    kept = [(each.number, f"{{{numbers_of(each.row)}}}") for each in vectors]
    values = (embedder, [number for number, _ in kept], [row for _, row in kept])
    transaction.tell(_KEEP_VECTORS, values)


def file(
    transaction: Transaction, conversation: ConversationId, filings: Sequence[Filing], *, since: int, recorded_at: str
) -> None:
    """Write how claims stand from an epoch on, and that the conversation is in step up to there."""
    if filings:
        _write(transaction, conversation, filings, since, recorded_at)
    transaction.tell(_SHELVE, (conversation, since))


def unfile(transaction: Transaction, conversation: ConversationId) -> None:
    """Let go of all that was filed of a conversation; standings and vectors go with their claims."""
    transaction.tell("DELETE FROM shelves WHERE conversation = %s", (conversation,))
    transaction.tell("DELETE FROM claims WHERE conversation = %s", (conversation,))


def refile(transaction: Transaction, conversation: ConversationId, moments: Sequence[Moment], *, upto: int) -> None:
    """Write everything anew.

    Raises:
        MalformedInput: a moment of an epoch that the conversation does not have.
    """
    epochs = [each.epoch for each in moments]
    times = dict(transaction.rows(_TIMES, (conversation, epochs)))
    missing = [epoch for epoch in epochs if epoch not in times]
    if missing:
        raise MalformedInput(f"{conversation!r} has no entry {missing[0]} to file something with", key="moments")
    unfile(transaction, conversation)
    for each in moments:
        file(transaction, conversation, each.filings, since=each.epoch, recorded_at=times[each.epoch])
    file(transaction, conversation, (), since=upto, recorded_at="")


def _write(
    transaction: Transaction, conversation: ConversationId, filings: Sequence[Filing], since: int, recorded_at: str
) -> None:
    # Of a text a digest: it may be longer than what an index can hold.
    each_with_digest = [(each, sha256(each.text.encode()).digest()) for each in filings]
    named = [
        (conversation, each.id, digest, each.kind.value, each.text, plain(each.text))
        for each, digest in each_with_digest
    ]
    for places, values in listed(named, _NAMED):
        transaction.tell(_NAME.format(places), values)
    transaction.tell(_END, (since, recorded_at, conversation, [each.id for each in filings]))
    standing = [(each.id, digest, each.label.value, each.lifecycle.value) for each, digest in each_with_digest]
    for places, values in listed(standing):
        transaction.tell(_STAND.format(places), (since, recorded_at, *values, conversation))
