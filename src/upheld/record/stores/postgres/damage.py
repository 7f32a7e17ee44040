"""What is wrong with a ledger in Postgres below its entries, as far as the server can be asked."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.record.stores.rows import Rows

_HIDDEN = (
    "SELECT conversation FROM entries WHERE epoch < 1 UNION SELECT conversation FROM entries WHERE NOT EXISTS"
    " (SELECT FROM heads WHERE heads.conversation = entries.conversation) ORDER BY conversation"
)
_HEADLESS = (
    "SELECT conversation FROM heads WHERE NOT EXISTS"
    " (SELECT FROM entries WHERE entries.conversation = heads.conversation) ORDER BY conversation"
)
_LEFT_OVER = (
    "SELECT conversation, epoch FROM contents WHERE NOT EXISTS"
    " (SELECT FROM entries WHERE (entries.conversation, entries.epoch) = (contents.conversation, contents.epoch))"
    " ORDER BY conversation, epoch"
)
# A digest needs all of a value, and so every page that it lies on, where its length is known without.
_READ_ALL = (
    "SELECT count(sha256(body)) FROM contents",
    "SELECT count(sha256(body)) FROM snapshots",
    "SELECT count(sha256(convert_to(concat(turn, key, digest, chain), 'UTF8'))) FROM entries",
    "SELECT count(sha256(convert_to(concat(text, words), 'UTF8'))) FROM claims",
    "SELECT count(sha256(convert_to(concat(recorded_at, label), 'UTF8'))) FROM standings",
    "SELECT count(sha256(array_send(vector))) FROM vectors",
    "SELECT count(sha256(convert_to(concat(flag, kind, recorded_at, whom), 'UTF8'))) FROM reviews",
    "SELECT count(sha256(convert_to(concat(name, conversation, turn), 'UTF8'))) FROM bookmarks",
)
_EXTENSION = (
    "SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace"
    " WHERE extname = 'amcheck'"
)
_MAY_CALL = "SELECT has_function_privilege(%s, 'EXECUTE')"
_INDEXES = (
    "SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid"
    " WHERE relnamespace = current_schema()::regnamespace ORDER BY 1"
)


def damage_of(rows: Rows) -> tuple[str, ...]:
    """Give a line a fault. Cost: every row of the schema is read, and every index where ``amcheck`` is there.

    Raises:
        DamagedStore: a page or an index that the server cannot read; nothing after it was looked at.
        StoreError: the server refused.
    """
    return tuple(_found(rows))


def _found(rows: Rows) -> Iterator[str]:
    for (name,) in rows(_HIDDEN, ()):
        yield f"conversation {name!r} has entries that no reader comes upon"
    for (name,) in rows(_HEADLESS, ()):
        yield f"conversation {name!r} has a head and no entries"
    for name, epoch in rows(_LEFT_OVER, ()):
        yield f"conversation {name!r} has a content for entry {epoch}, which is not there"
    for statement in _READ_ALL:
        rows(statement, ())
    for (place,) in rows(_EXTENSION, ()):
        check = f"{place}.bt_index_check"
        if rows(_MAY_CALL, (f"{check}(regclass,boolean)",)) == [(True,)]:
            for (index,) in rows(_INDEXES, ()):
                # With true: every row must be found in the index too.
                rows(f"SELECT {check}(%s::regclass, true)", (index,))
