"""Which ledger somebody means on the command line: a file or a database, a tenant of it, and a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from upheld.conversation.wiring import is_address, opened_store, without_password
from upheld.errors import UnknownConversation
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.store import Store
from upheld.record.stores.tenants import DEFAULT

LedgerFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="x.db, sqlite:///x.db or postgresql://user@host/database; with #conversation, that one alone.",
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file or a database, as an address of a store, and the conversation in it that is meant; empty: every one."""

    address: str
    conversation: str
    tenant: str = DEFAULT

    @classmethod
    def of(cls, file: str, conversation: str, *, tenant: str = DEFAULT) -> Place:
        """Read what stands on the command line; the conversation may stand after #."""
        url, _, id = file.partition("#") if is_address(file) else (f"sqlite:///{file}", "", "")
        return cls(address=url, conversation=conversation or id, tenant=tenant)

    def opened(self, *, is_read_only: bool) -> Store:
        """Open it; nothing is made."""
        return opened_store(self.address, tenant=self.tenant, must_exist=True, is_read_only=is_read_only)

    def names(self, store: Store) -> tuple[ConversationId, ...]:
        """Give the conversations that are meant; raises ``UnknownConversation``."""
        there = store.conversations()
        if not self.conversation:
            return there
        if self.conversation not in there:
            listed = ", ".join(there) or "none at all"
            raise UnknownConversation(
                f"{without_password(self.address)} has no conversation {self.conversation!r}; it has {listed}"
            )
        return (ConversationId(self.conversation),)

    def only(self, store: Store) -> ConversationId:
        """Give the one that is meant, or the only one; raises ``UnknownConversation``."""
        names = self.names(store)
        if len(names) != 1:
            listed = ", ".join(names) or "none at all"
            raise UnknownConversation(
                f"{without_password(self.address)}: name one with --conversation; it has {listed}"
            )
        return names[0]
