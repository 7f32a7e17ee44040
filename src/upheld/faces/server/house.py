"""What one running service holds: its settings, the conversations of its tenants, and what reads and searches them."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from anyio import CapacityLimiter

from upheld.conversation.checking.readers import interpreter_for, matcher
from upheld.conversation.hosting.host import Equipment
from upheld.conversation.hosting.tenancy import Tenancy
from upheld.conversation.reading.reader import Reader
from upheld.errors import MalformedInput
from upheld.faces.server.admission.buckets import Buckets
from upheld.faces.server.admission.keys import Keyring
from upheld.faces.server.settings import Settings
from upheld.record.stores.tenants import DEFAULT
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.embedding.local import local_embedder
from upheld.speech.formats.transcript import Transcript
from upheld.speech.matching.llm.redacting import RedactingMatcher
from upheld.speech.matching.matcher import Matcher
from upheld.speech.models.choosing import Choice, chosen_model
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.redaction.patterned import PatternRedactor
from upheld.speech.redaction.redactor import Redactor

_NOBODY = Transcript(id="service", turns=())
"""Who takes part is told by each conversation itself."""


@dataclass(slots=True, kw_only=True)
class House:
    """One service while it runs.

    ``stopping`` is set when it is about to end, so that streams end as well. ``live`` has a place for each stream,
    and ``waiting`` a thread for each.
    """

    settings: Settings
    keyring: Keyring | None
    equipment: Equipment
    tenancy: Tenancy
    embedder: Embedder | None
    buckets: Buckets
    live: threading.Semaphore
    waiting: CapacityLimiter
    stopping: threading.Event = field(default_factory=threading.Event)

    def close(self) -> None:
        """Close all stores."""
        self.stopping.set()
        self.tenancy.close()


def opened_house(settings: Settings) -> House:
    """Open the store and whatever the settings name, so that a wrong one is told at the start.

    Raises:
        MalformedInput: keys that cannot be read, or of a tenant although there are no tenants.
        StoreError: the store cannot be opened.
        MissingExtra: what is named is not installed.
        UpheldError: a language model is to be asked, and none is named.
    """
    keyring = _keyring(settings)
    redactor = _redactor(settings)
    equipment = _equipment(settings, redactor)
    embedder = local_embedder() if settings.embedder == "local" else None
    tenancy = Tenancy(settings.store, equipment, most_open=settings.most_open)
    tenancy.host(DEFAULT)
    return House(
        settings=settings,
        keyring=keyring,
        equipment=equipment,
        tenancy=tenancy,
        embedder=embedder,
        buckets=Buckets(settings.requests_a_minute),
        live=threading.Semaphore(settings.most_live),
        waiting=CapacityLimiter(settings.most_live),
    )


def _keyring(settings: Settings) -> Keyring | None:
    if settings.keys is None:
        return None
    keyring = Keyring.read(settings.keys)
    others = sorted({key.tenant for key in keyring.keys} - {DEFAULT})
    if others and not settings.tenants:
        raise MalformedInput(
            f"there are keys of {', '.join(others)}, and no tenants: set tenants = true", source=str(settings.keys)
        )
    return keyring


def _equipment(settings: Settings, redactor: Redactor | None) -> Equipment:
    asks = {"llm", "mixed"} & {settings.interpreter, settings.matching}
    llm = chosen_model(Choice()) if asks else None
    read_by = "" if settings.interpreter == "none" else settings.interpreter
    reader = _reader(settings, llm, redactor)
    plain = partial(matcher, settings.matching, llm=llm, interpreter=read_by)
    matching = plain if redactor is None else partial(_redacting, plain, redactor)
    # Made once now, so that what is missing is told at the start and not with the first turn.
    reader()
    matching()
    return Equipment(reader=reader, matcher=matching)


def _redactor(settings: Settings) -> Redactor | None:
    """Give one for all conversations: placeholders are made with a key, so that two values never share one.

    Counted placeholders would begin anew with each conversation that is opened again.
    """
    if not settings.redact:
        return None
    return PatternRedactor(key=settings.redaction_key.get_secret_value().encode() or secrets.token_bytes(32))


def _redacting(plain: Callable[[], Matcher], redactor: Redactor) -> Matcher:
    return RedactingMatcher(plain(), redactor)


def _reader(settings: Settings, llm: LanguageModel | None, redactor: Redactor | None) -> Callable[[], Reader]:
    def made() -> Reader:
        name = settings.interpreter
        return Reader(
            interpreter=None if name == "none" else interpreter_for(name, _NOBODY, llm=llm),
            redactor=redactor,
        )

    return made
