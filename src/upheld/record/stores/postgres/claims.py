"""The index of claims in a Postgres schema: words as ``tsvector``, vectors as arrays, and how each claim stood when."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from unicodedata import normalize

from upheld.errors import MalformedInput
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.search import Filing, Moment, Vector
from upheld.record.stores.found import COLUMNS, IN_STEP
from upheld.record.stores.postgres.transaction import Transaction

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
# One statement an append, whatever the number of filings. Its parts see what was there before it, and not each other.
# What is ended is the same claim in other words, too: what it was called before is no claim any more.
_FILE = """
    WITH sent AS (
        SELECT * FROM unnest(
            %(ids)s::text[], %(digests)s::bytea[], %(texts)s::text[], %(words)s::text[], %(kinds)s::text[],
            %(labels)s::text[], %(lifecycles)s::text[]
        ) WITH ORDINALITY AS sent (proposition, digest, text, words, kind, label, lifecycle, place)
    ), known AS (
        SELECT sent.*, claims.number FROM sent LEFT JOIN claims
        ON (claims.conversation, claims.proposition, claims.digest) = (%(conversation)s, sent.proposition, sent.digest)
    ), fresh AS (
        INSERT INTO claims (conversation, proposition, digest, kind, text, words)
        SELECT %(conversation)s, proposition, digest, kind, text, to_tsvector('pg_catalog.english', words)
        FROM known WHERE number IS NULL ORDER BY place
        RETURNING proposition, number
    ), ended AS (
        UPDATE standings SET upto = %(since)s, ended_at = %(recorded_at)s
        FROM claims JOIN known ON (claims.conversation, claims.proposition) = (%(conversation)s, known.proposition)
        WHERE standings.claim = claims.number AND standings.upto IS NULL
            AND (standings.claim, standings.since) IS DISTINCT FROM (known.number, %(since)s)
    ), stood AS (
        INSERT INTO standings (claim, since, recorded_at, label, lifecycle)
        SELECT coalesce(known.number, fresh.number), %(since)s, %(recorded_at)s, known.label, known.lifecycle
        FROM known LEFT JOIN fresh USING (proposition)
        ON CONFLICT (claim, since) DO UPDATE SET recorded_at = excluded.recorded_at, upto = NULL, ended_at = NULL,
            label = excluded.label, lifecycle = excluded.lifecycle
    )
    INSERT INTO shelves (conversation, filed) VALUES (%(conversation)s, %(since)s)
    ON CONFLICT (conversation) DO UPDATE SET filed = excluded.filed
"""
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
    transaction.tell(_FILE, _sent(conversation, filings, since, recorded_at))


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
    transaction.tell_all(_FILE, _all_sent(conversation, moments, times, upto))


def _all_sent(
    conversation: ConversationId, moments: Iterable[Moment], times: dict[int, str], upto: int
) -> Iterator[dict[str, object]]:
    for each in moments:
        yield _sent(conversation, each.filings, each.epoch, times[each.epoch])
    yield _sent(conversation, (), upto, "")


def _sent(conversation: ConversationId, filings: Sequence[Filing], since: int, recorded_at: str) -> dict[str, object]:
    return {
        "conversation": conversation,
        "since": since,
        "recorded_at": recorded_at,
        "ids": [each.id for each in filings],
        # Texts may be longer than what an index can hold.
        "digests": [sha256(each.text.encode()).digest() for each in filings],
        "texts": [each.text for each in filings],
        "words": [plain(each.text) for each in filings],
        "kinds": [each.kind.value for each in filings],
        "labels": [each.label.value for each in filings],
        "lifecycles": [each.lifecycle.value for each in filings],
    }
