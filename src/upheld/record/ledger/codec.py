"""Content as JSON text and back, with a schema number a kind, and steps that lift older text to the present shape."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from upheld.errors import MalformedInput, UnreadableEntry
from upheld.logic.language.identities import ConversationId
from upheld.logic.language.plain import Tree, as_mapping
from upheld.record.ledger.chain import digest_of
from upheld.record.ledger.entry import Content, Erased
from upheld.record.ledger.shapes import CONTENT_NAMES, plain_content, read_content

Upcast = Callable[[Tree], Tree]
"""One step up: the fields of schema n in, those of schema n + 1 out. It changes nothing that it is given."""

SCHEMAS: Mapping[str, int] = dict.fromkeys(CONTENT_NAMES.values(), 1)
"""Present schema of each kind of content. A new optional field needs no new number; a changed meaning does."""

UPCASTS: Mapping[tuple[str, int], Upcast] = {}
"""Step from each older schema, by kind and the number that it starts from."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)

_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, MalformedInput)
"""What damaged text makes the reader or an upcast raise; a RecursionError comes from brackets nested without end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A content ready to be stored: as it will be read back, its canonical JSON, a salt, and the digest of the two."""

    content: Content
    text: str
    salt: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec:
    """Writes the present schema and reads every schema that ``upcasts`` lead up from."""

    schemas: Mapping[str, int] = field(default_factory=lambda: SCHEMAS)
    upcasts: Mapping[tuple[str, int], Upcast] = field(default_factory=lambda: UPCASTS)

    def encode(self, content: Content) -> str:
        """Give the canonical JSON: sorted keys, no white space, UTF-8 without needless escapes (as RFC 8785).

        Raises:
            MalformedInput: a formula without a written form, or what stands in the place of an erased content.
        """
        if isinstance(content, Erased):
            raise MalformedInput("what was erased has no text")
        name = CONTENT_NAMES[type(content)]
        tree = {**plain_content(content), "kind": name, "schema": self.schemas[name]}
        return _ENCODER.encode(tree)

    def decode(self, text: str, *, conversation: ConversationId, epoch: int) -> Content:
        """Read a content; ``conversation`` and ``epoch`` say where it stands, for the message.

        Raises:
            UnreadableEntry: damaged, or of a schema that this version does not know.
        """
        try:
            return self._read(text)
        except _DAMAGE as error:
            raise unreadable(conversation, epoch, str(error)) from error

    def sealed(self, content: Content, *, salt: str = "") -> Sealed:
        """Encode, and read back at once, so that nothing is appended that could not be read.

        Raises:
            MalformedInput: it would not be read back, or holds a lone surrogate, which no UTF-8 file can carry.
        """
        text = self.encode(content)
        return Sealed(content=self._read(text), text=text, salt=salt, digest=digest_of(text, salt))

    def _read(self, text: str) -> Content:
        body: Tree = dict(as_mapping(json.loads(text), ""))
        name, schema = body.pop("kind", None), body.pop("schema", None)
        if not isinstance(name, str) or name not in self.schemas:
            raise MalformedInput(f"unknown kind {name!r}; one of {', '.join(self.schemas)}", key="kind")
        return read_content(name, self._lifted(name, schema, body))

    def _lifted(self, name: str, schema: Any, body: Tree) -> Tree:
        present = self.schemas[name]
        if type(schema) is not int or schema < 1:
            raise MalformedInput(f"{schema!r} is no schema number", key="schema")
        if schema > present:
            raise MalformedInput(f"schema {schema} of {name!r} is newer than {present}: upgrade upheld", key="schema")
        for older in range(schema, present):
            body = self.upcasts[name, older](body)
        return body


def unreadable(conversation: ConversationId, epoch: int, why: str) -> UnreadableEntry:
    """Give the error that names an entry and says what is wrong with it."""
    return UnreadableEntry(f"entry {epoch} of conversation {conversation!r}: {why}")
