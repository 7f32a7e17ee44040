"""The settings of one service: defaults, then a TOML file, then the environment, then what the command line says."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from upheld.conversation.guard.policy import GuardPolicy
from upheld.conversation.hosting.host import MOST_OPEN
from upheld.conversation.wiring import is_address
from upheld.errors import MalformedInput
from upheld.faces.server.telemetry.logs import LogForm

ENVIRONMENT = "UPHELD_"
"""What a variable's name begins with: ``UPHELD_STORE`` is ``store``."""

PORT = 8600

ADDRESS = r"^https?://[^/?#\s]+[^?#\s]*$"
"""An address that paths can be put behind."""


class Settings(BaseModel):
    """What a service is told once, when it starts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    store: str = Field(default="sqlite:///upheld.db", description="Address of the store.")
    host: str = Field(
        default="127.0.0.1", min_length=1, description="Where to listen; anything but loopback needs keys."
    )
    port: int = Field(default=PORT, ge=0, le=65535, description="Port; 0 takes a free one.")
    workers: int = Field(
        default=1, ge=1, le=256, description="Processes that serve; several need a file or a database."
    )
    sample: bool | None = Field(
        default=None,
        description="Put a sample conversation into a store that has none; unset: where there are no keys.",
    )
    tenants: bool = Field(default=False, description="Whether each tenant has a ledger of its own.")
    keys: Path | None = Field(default=None, description="File of keys.")
    most_open: int = Field(default=MOST_OPEN, ge=1, description="Conversations that stay open at once, of each tenant.")
    interpreter: Literal["none", "cues", "local", "llm", "mixed"] = Field(
        default="cues", description="Who reads words that come without operations."
    )
    matching: Literal["text", "local", "nli", "llm", "mixed"] = Field(
        default="text", description="How the claims of a text are found."
    )
    embedder: Literal["none", "local"] = Field(default="none", description="Whether search looks by meaning as well.")
    redact: bool = Field(default=False, description="Take secrets and personal data out before anything is kept.")
    redaction_key: SecretStr = Field(
        default=SecretStr(""),
        description="Secret that makes placeholders the same after a restart, and in all workers.",
    )
    guardrail: str = Field(default="", description="What a gateway is told to do, in words: a policy of the guard.")
    body_bytes: int = Field(default=8 * 1024 * 1024, ge=1024, description="Bytes of a request's body.")
    text_characters: int = Field(default=100_000, ge=1, description="Characters of one turn, or of a text to verify.")
    operations_a_turn: int = Field(default=200, ge=1, description="Operations of one turn.")
    turns_a_batch: int = Field(default=200, ge=1, description="Turns of one batch.")
    requests_a_minute: int = Field(default=1200, ge=0, description="Requests of one key; 0: no limit.")
    most_live: int = Field(default=1000, ge=1, description="Streams and sockets of events at once.")
    heartbeat: float = Field(default=15.0, gt=0, description="Seconds of silence after which a stream sends a comment.")
    drain: float = Field(
        default=0.0, ge=0, description="Seconds between the signal that ends the service and its end, not ready."
    )
    log_form: LogForm = Field(default="text", description="Lines for people, or JSON for programs.")
    metrics_open: bool = Field(default=False, description="Whether /metrics needs no key.")
    telemetry: Literal["none", "otlp"] = Field(
        default="none", description="Whether traces and verdicts are sent to a collector, by the OTEL_ variables."
    )
    record_content: bool = Field(default=False, description="Whether texts that were judged are sent there as well.")
    origins: tuple[str, ...] = Field(default=(), description="Origins of web pages that may ask; none by default.")
    upstream_openai: str = Field(
        default="https://api.openai.com/v1", pattern=ADDRESS, description="Where the proxy sends OpenAI requests."
    )
    upstream_anthropic: str = Field(
        default="https://api.anthropic.com", pattern=ADDRESS, description="Where the proxy sends Anthropic requests."
    )
    upstream_seconds: float = Field(default=600.0, gt=0, description="Silence of an upstream that is borne.")
    proxy_policy: Literal["observe", "annotate", "retry", "block", "queue"] = Field(
        default="annotate", description="What the proxy does with an answer that does not stand."
    )
    proxy_flags: bool = Field(
        default=False, description="Whether the proxy puts every answer that does not stand before a person."
    )
    standing_tokens: int = Field(
        default=400, ge=0, description="Tokens of what stands that the proxy adds to a request; 0: nothing."
    )
    check_seconds: float = Field(default=10.0, gt=0, description="Longest check of an answer in the proxy.")
    when_unchecked: Literal["pass", "block"] = Field(
        default="pass",
        description="Under the policies block and queue: what becomes of an answer that could not be checked.",
    )

    @property
    def wants_sample(self) -> bool:
        """Tell whether an empty store is given a sample conversation: whoever has no keys is trying things out."""
        return self.keys is None if self.sample is None else self.sample

    @property
    def is_remote(self) -> bool:
        """Tell whether the store is reached over a network, so that a look at it may take its time."""
        return self.store.startswith("postgres")

    @property
    def is_loopback(self) -> bool:
        """Tell whether only this machine can reach the service."""
        return is_loopback(self.host)


def settings_from(
    file: Path | None = None,
    *,
    environment: Mapping[str, str] = os.environ,
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """Put the settings together; a flag that is ``None`` was not given.

    Raises:
        MalformedInput: a key of the file that there is not (the known ones are listed), a value that is none, or
            settings that do not go together.
    """
    told: dict[str, Any] = _in_file(file) if file is not None else {}
    for name in Settings.model_fields:
        value = environment.get(f"{ENVIRONMENT}{name.upper()}")
        if value is not None:
            told[name] = [each for each in value.split(",") if each] if name == "origins" else value
    told |= {name: value for name, value in (flags or {}).items() if value is not None}
    try:
        settings = Settings.model_validate(told)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(map(str, first["loc"]))
        raise MalformedInput(first["msg"], source=str(file or ""), key=key) from None
    return _fitting(settings)


def is_loopback(host: str) -> bool:
    """Tell whether a host's name or address is this machine's own; a name that is none is not looked up."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _in_file(path: Path) -> dict[str, Any]:
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        raise MalformedInput(f"the settings cannot be read: {why}", source=str(path)) from error
    for name in told:
        if name not in Settings.model_fields:
            known = ", ".join(Settings.model_fields)
            raise MalformedInput(f"unknown setting; one of {known}", source=str(path), key=name)
    return told


def _fitting(settings: Settings) -> Settings:
    GuardPolicy.from_text(settings.guardrail)
    if settings.tenants and not is_address(settings.store):
        raise MalformedInput("memory has no tenants: name a file or a database", key="store")
    if settings.workers > 1 and not is_address(settings.store):
        raise MalformedInput("memory is of one process: name a file or a database, or leave it at 1", key="workers")
    if settings.keys is None and settings.tenants:
        raise MalformedInput("a tenant is told from its key: name a file of keys as well", key="tenants")
    if settings.keys is None and not settings.is_loopback:
        raise MalformedInput(
            f"without keys anybody who reaches {settings.host} could read and write: name a file of keys (upheld keys "
            "new makes one), or listen on 127.0.0.1",
            key="host",
        )
    return settings
