"""A language model of any provider, or of any server that speaks the OpenAI protocol, over pydantic-ai.

The package is loaded when the first language model is made, never by ``import upheld``; it is the extra ``llm``.
"""

from __future__ import annotations

import importlib

from upheld.errors import MalformedInput, MissingExtra
from upheld.speech.models.gateway.asking import Gateway, Line, Pacing
from upheld.speech.models.settings import GatewaySettings


def language_model(
    name: str,
    *,
    base_url: str = "",
    api_key: str = "",
    timeout: float = 60.0,
    deadline: float = 180.0,
    retries: int = 4,
    pacing: Pacing | None = None,
) -> Gateway:
    """Give the language model of this name; see :class:`~upheld.speech.models.settings.GatewaySettings`.

    Raises:
        MalformedInput: a setting means nothing, or there is no such provider.
        ModelUnreachable: the provider needs a key, or a package of its own, and there is none.
        MissingExtra: pydantic-ai is absent.
    """
    settings = GatewaySettings(
        name=name, base_url=base_url, api_key=api_key, timeout=timeout, deadline=deadline, retries=retries
    )
    return gateway(settings, pacing=pacing)


def gateway(settings: GatewaySettings, *, pacing: Pacing | None = None) -> Gateway:
    """Give the language model that the settings name. Raises what :func:`language_model` does."""
    if not settings.name:
        raise MalformedInput("no language model is named: set UPHELD_MODEL, such as openai:gpt-4o", key="name")
    try:
        chat = importlib.import_module("upheld.speech.models.gateway.chat")
    except ImportError as absent:
        raise MissingExtra("llm", needed_for="asking a language model") from absent
    line: Line = chat.Chat(settings.name, base_url=settings.base_url, api_key=settings.api_key)
    return Gateway(line, settings, pacing=pacing or Pacing())
