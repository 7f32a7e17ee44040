"""The language model of one run, put together from what somebody chose: who answers, from where, and for how much."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from upheld.errors import MalformedInput
from upheld.speech.models.batches.responses import read_responses
from upheld.speech.models.budget import BudgetedModel
from upheld.speech.models.cache import CachedModel, SqliteReplyStore
from upheld.speech.models.collecting import CollectingModel, ImportedModel
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.providers import gateway
from upheld.speech.models.recordings import recording
from upheld.speech.models.settings import GatewaySettings, settings_from

_OURS = {"openai", "openai-chat"}
"""Prefixes that a name may bear although a server of one's own is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a run was told about its language model; what is empty comes from the environment, or is not wanted.

    ``responses`` is a file of replies (a recording, or a batch that came back): they are replayed, and nothing is sent.
    ``record`` writes replies down as they come, ``cache`` keeps them for other runs. ``calls`` and ``tokens`` are the
    most that may be spent; 0 is no limit. ``is_export`` sends nothing, and keeps the requests that nothing answers.
    """

    name: str = ""
    base_url: str = ""
    responses: Path | None = None
    record: Path | None = None
    cache: Path | None = None
    calls: int = 0
    tokens: int = 0
    is_export: bool = False


def chosen_model(choice: Choice, environment: Mapping[str, str] = os.environ) -> LanguageModel | None:
    """Give the language model of a run, or ``None`` where nobody named one.

    Raises:
        MalformedInput: settings that do not go together, or a file that is no recording.
        MissingExtra: what is needed to reach one is not installed.
    """
    known = ImportedModel(read_responses(choice.responses)) if choice.responses is not None else None
    if known is not None and not choice.is_export:
        return known
    settings = settings_from(environment)
    settings = replace(settings, name=choice.name or settings.name, base_url=choice.base_url or settings.base_url)
    if not settings.name:
        if settings.base_url or choice.is_export or choice.record is not None:
            raise MalformedInput("name the language model as well, such as openai:gpt-4o", key="--model")
        return None
    if choice.is_export:
        return CollectingModel(settings.name, known=known, called=_name_at_server(settings))
    llm: LanguageModel = gateway(settings)
    if choice.calls or choice.tokens:
        llm = BudgetedModel(llm, calls=choice.calls or None, tokens=choice.tokens or None)
    if choice.cache is not None:
        llm = CachedModel(llm, SqliteReplyStore(choice.cache))
    # Around the cache: a recording that lacks what the cache gave could not be replayed.
    return recording(llm, choice.record) if choice.record is not None else llm


def _name_at_server(settings: GatewaySettings) -> str:
    """Give the name without its provider; what follows may hold colons itself, such as that of a size or a tuning."""
    provider, _, name = settings.name.partition(":")
    return name if name and (not settings.base_url or provider in _OURS) else settings.name
