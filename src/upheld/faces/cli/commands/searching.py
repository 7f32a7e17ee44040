"""Claims of all conversations of a store, found by words and meaning: ``search``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer

from upheld.conversation.searching.search import ClaimSearch, Hit
from upheld.conversation.wiring import opened_store
from upheld.errors import MissingExtra
from upheld.faces.cli.console import note, progress, say_json, say_lines
from upheld.faces.cli.options import GROUNDED, AsJson, TenantName, command
from upheld.faces.trees import plain
from upheld.logic.language.identities import ConversationId
from upheld.record.stores.tenants import DEFAULT
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.embedding.local import local_embedder
from upheld.speech.rendering.lines import one_line

StoreFile = Annotated[
    str,
    typer.Argument(metavar="STORE", help="x.db, sqlite:///x.db or sqlite:///x.db#conversation.", show_default=False),
]
Words = Annotated[str, typer.Argument(metavar="WORDS", help="What to look for.", show_default=False)]
AsOf = Annotated[
    str,
    typer.Option(
        "--as-of", metavar="WHEN", help="How things stood at a time in ISO 8601; a date means its end.",
        show_default=False,
    ),
]  # fmt: skip
HasSuperseded = Annotated[bool, typer.Option("--include-superseded", help="Find what was given up as well.")]
WordsOnly = Annotated[bool, typer.Option("--words-only", help="Do not look by meaning, and embed nothing.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1000, metavar="N", help="How many claims, at most.")]

_SHOWN = 5
"""Conversations that are named in the note on what was not searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """What ``search`` takes."""

    store: StoreFile
    words: Words
    as_of: AsOf = ""
    has_superseded: HasSuperseded = False
    words_only: WordsOnly = False
    limit: Limit = 10
    tenant: TenantName = DEFAULT
    is_json: AsJson = False


@command(
    "search",
    "Find claims that stand, in all conversations of a store.",
    'upheld search incident.db "redis timeouts"',
    'upheld search sqlite:///incident.db#night "cause" --include-superseded',
    'upheld search incident.db "rollback" --as-of 2026-11-30T14:00 --json',
)
def search(options: SearchOptions) -> int:
    """Find claims that stand, in all conversations of a store, best first.

    By words, and by meaning where the extra `local` is installed: what was never embedded is embedded first. What was
    given up or is attacked is not found, unless --include-superseded is given. Of a conversation whose claims were not
    filed up to its end nothing is found; a note names it, and `ledger refile` mends it.

    The status is 0 whether or not anything was found.
    """
    url, _, id = options.store.partition("#")
    address = url if "://" in url else f"sqlite:///{url}"
    with opened_store(address, tenant=options.tenant, must_exist=True) as store:
        found = ClaimSearch(store, None if options.words_only else _embedder())
        with progress("embedding") as advance:
            found.embed_missing(advance)
        searched = found.search(
            options.words,
            conversation=id or None,
            as_of=options.as_of or None,
            has_superseded=options.has_superseded,
            limit=options.limit,
        )
    if options.is_json:
        say_json({"hits": [_tree(hit) for hit in searched.hits], "unsearched": list(searched.unsearched)})
    else:
        say_lines(_lines(searched.hits))
        if not searched.hits:
            note("nothing found")
    if searched.unsearched:
        note(_unsearched(searched.unsearched))
    return GROUNDED


def _embedder() -> Embedder | None:
    try:
        return local_embedder()
    except MissingExtra:
        return None


def _tree(hit: Hit) -> dict[str, object]:
    return {**plain(hit.found), "stands": hit.found.stands, "why": list(hit.why)}


def _lines(hits: tuple[Hit, ...]) -> Iterator[str]:
    for hit in hits:
        found = hit.found
        standing = found.lifecycle.value if found.stands else f"{found.lifecycle.value}, {found.label.value}"
        yield f"{found.conversation}  {found.id}  {one_line(found.text)}  ({standing}; {', '.join(hit.why)})"


def _unsearched(names: tuple[ConversationId, ...]) -> str:
    listed = ", ".join(names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"not searched, for its claims were not filed up to its end: {listed}{more}; run upheld ledger refile"
