"""What one running service holds: its settings, the conversations of its tenants, and what reads and searches them."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import cast

from upheld.conversation.checking.readers import interpreter_for, matcher
from upheld.conversation.hosting.host import Equipment
from upheld.conversation.hosting.tenancy import Tenancy
from upheld.conversation.reading.reader import Reader
from upheld.errors import MissingExtra
from upheld.faces.server.admission.buckets import Buckets
from upheld.faces.server.admission.keys import Keyring
from upheld.faces.server.admission.reloading import KeyFile
from upheld.faces.server.live.audience import Audience
from upheld.faces.server.settings import Settings
from upheld.faces.server.telemetry.metrics import Metrics
from upheld.faces.server.telemetry.tracing import Tracing, Untraced
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

    ``leaving`` is set when it is about to end and still answers, ``stopping`` when streams end as well. ``keyring``
    is another object once the file of keys changed.
    """

    settings: Settings
    keyring: Keyring | None
    key_file: KeyFile | None
    equipment: Equipment
    tenancy: Tenancy
    embedder: Embedder | None
    buckets: Buckets
    metrics: Metrics
    tracing: Tracing
    audience: Audience
    leaving: threading.Event = field(default_factory=threading.Event)
    stopping: threading.Event = field(default_factory=threading.Event)

    def tend(self) -> None:
        """Look whether the keys changed. Cost: a look at their file."""
        keyring = self.key_file.changed() if self.key_file is not None else None
        if keyring is not None:
            self.keyring = keyring
            # Whoever listens by a key that is gone is shown out now, and not with the next news.
            self.audience.wake()

    def stop(self) -> None:
        """Let every stream end; requests that are under way go on."""
        self.leaving.set()
        self.stopping.set()
        self.audience.wake()

    def close(self) -> None:
        """Close all stores."""
        self.stop()
        self.tenancy.close()
        self.tracing.close()


def opened_house(settings: Settings) -> House:
    """Open the store and whatever the settings name, so that a wrong one is told at the start.

    Raises:
        MalformedInput: keys that cannot be read, or of a tenant although there are no tenants.
        StoreError: the store cannot be opened.
        MissingExtra: what is named is not installed.
        UpheldError: a language model is to be asked, and none is named.
    """
    key_file = KeyFile(settings.keys, has_tenants=settings.tenants) if settings.keys is not None else None
    keyring = key_file.read() if key_file is not None else None
    redactor = _redactor(settings)
    equipment = _equipment(settings, redactor)
    embedder = local_embedder() if settings.embedder == "local" else None
    tracing = _tracing(settings)
    tenancy = Tenancy(settings.store, equipment, most_open=settings.most_open)
    tenancy.host(DEFAULT)
    metrics, audience = Metrics(), Audience(settings.most_live)
    metrics.watch(open_conversations=lambda: tenancy.open_count, live_streams=lambda: audience.count)
    return House(
        settings=settings,
        keyring=keyring,
        key_file=key_file,
        equipment=equipment,
        tenancy=tenancy,
        embedder=embedder,
        buckets=Buckets(settings.requests_a_minute),
        metrics=metrics,
        tracing=tracing,
        audience=audience,
    )


def _tracing(settings: Settings) -> Tracing:
    if settings.telemetry == "none":
        return Untraced()
    try:
        made = import_module("upheld.faces.server.telemetry.collecting")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "opentelemetry":
            raise
        raise MissingExtra("telemetry", needed_for="traces that a collector is sent") from error
    return cast("Tracing", made.Collected(has_content=settings.record_content))


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
