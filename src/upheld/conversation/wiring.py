"""The one file that names adapters: which store an address means, which interpreter and matcher a name means."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from upheld.errors import StoreError, UnknownConversation, UpheldError
from upheld.logic.language.agents import Agent
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite import SqliteStore
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.annotated import AnnotatedInterpreter
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.interpretation.local import LocalInterpreter
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Matcher

INTERPRETERS = ("annotated", "local")
"""Names that :func:`interpreter_for` knows."""


def opened_store(address: str, *, must_exist: bool = False) -> Store:
    """Open the store at an address: ``sqlite:///relative.db``, ``sqlite:////absolute.db``, or ``ephemeral:``.

    Raises:
        UnknownConversation: ``must_exist``, and there is no such file; none is created.
        StoreError: an address of no known kind, or one that cannot be opened.
    """
    if address in ("ephemeral:", "ephemeral"):
        return EphemeralStore()
    kind, separator, path = address.partition(":///")
    if kind == "sqlite" and separator and path:
        if must_exist and not Path(path).exists():
            raise UnknownConversation(f"{address} does not exist, so it has no conversation")
        return SqliteStore(Path(path))
    raise StoreError(f"{address!r} is no address of a store: write sqlite:///file.db or ephemeral:")


def interpreter_for(name: str, transcript: Transcript, agents: Iterable[Agent] = ()) -> Interpreter:
    """Give an interpreter by name: ``annotated`` reads the file's labels, ``local`` the words.

    Raises:
        UpheldError: no such interpreter.
    """
    if name == "annotated":
        return AnnotatedInterpreter(transcript)
    if name == "local":
        return LocalInterpreter(agents or transcript.agents)
    raise UpheldError(f"no interpreter {name!r}; one of {', '.join(INTERPRETERS)}")


def matcher() -> Matcher:
    """Give the embedded matcher. It keeps an index of its own, so one conversation wants one matcher."""
    return LexicalMatcher()
