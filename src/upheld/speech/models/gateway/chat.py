"""A language model behind pydantic-ai: one attempt, a reply or a failure. Nothing else imports that package."""

from __future__ import annotations

import asyncio
import os
import re
import weakref
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from json import JSONDecodeError
from typing import Any, cast

import httpx2
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    UserError,
)
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters, create_async_httpx2_client, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from upheld.errors import MalformedInput, ModelUnreachable, UpheldError
from upheld.speech.models.gateway.background import BACKGROUND
from upheld.speech.models.gateway.failures import Failure, Remedy, without_secrets
from upheld.speech.models.gateway.terms import Terms
from upheld.speech.models.gateway.wording import described
from upheld.speech.models.reply import Finish, Level, Reply, Usage
from upheld.speech.models.request import Message, Request, Role

_NO_KEY = "none"
"""Sent to a server of one's own that was given no key: an OpenAI key in the environment is not for strangers."""
_VARIABLE = re.compile(r"\b[A-Z][A-Z_]*_(KEY|TOKEN)\b")
_FINISHES = {"length": Finish.LENGTH, "content_filter": Finish.FILTERED}
_REFUSED = {400, 404, 415, 422}
_TRANSIENT = {408, 409, 425, 429}
Close = Callable[[], Awaitable[None] | None]
_received: ContextVar[list[Usage] | None] = ContextVar("received", default=None)


class Chat:
    """A line to one language model. ``terms`` are those to begin with, as far as pydantic-ai knows its provider.

    Raises:
        MalformedInput: there is no such provider.
        ModelUnreachable: the provider needs a key, or a package of its own, and there is none.
    """

    def __init__(self, name: str, *, base_url: str = "", api_key: str = "") -> None:
        """With a ``base_url``, ``name`` is what the server there calls its language model."""
        self._secrets = (api_key,) if api_key else ()
        self._name = name
        try:
            self._lines, close = self._opened(base_url, api_key)
        except (UserError, ValueError, ImportError) as error:
            failure = self._unopened(error)
        else:
            weakref.finalize(self, _close, os.getpid(), close)
            return
        raise failure

    @property
    def terms(self) -> Terms:
        """What to ask first: the JSON Schema where the provider is known to hold replies to one."""
        known = self._lines[0].profile
        if known.get("supports_json_schema_output"):
            level = Level.SCHEMA
        else:
            level = Level.JSON if known.get("supports_json_object_output") else Level.TEXT
        return Terms(level=level)

    def send(self, request: Request, terms: Terms, seconds: float) -> Reply | Failure:
        """Send a request once, and wait at most so many seconds."""
        return BACKGROUND.run(self._attempt(request, terms, seconds))

    def _unopened(self, error: Exception) -> UpheldError:
        said = without_secrets(str(error), self._secrets)
        if isinstance(error, ValueError) or said.startswith("Unknown"):
            return MalformedInput(f"{said}; write provider:name, such as openai:gpt-4o, or give a base URL", key="name")
        variable = _VARIABLE.search(said)
        if isinstance(error, UserError) and variable is not None:
            return ModelUnreachable(f"{self._name} needs a key: set UPHELD_API_KEY or {variable[0]}")
        return ModelUnreachable(f"{self._name}: {said}")

    async def _attempt(self, request: Request, terms: Terms, seconds: float) -> Reply | Failure:
        received: list[Usage] = []
        _received.set(received)
        line = self._lines[0] if terms.first_limit else self._lines[-1]
        sending = model_request(
            line,
            _messages(described(request, terms.level)),
            model_settings=_settings(request, terms, seconds),
            model_request_parameters=_parameters(request, terms.level),
        )
        try:
            response = await asyncio.wait_for(sending, seconds)
        # A foreign package raises what it likes (an empty list of choices is an IndexError), and none of it may leave.
        except Exception as error:  # noqa: BLE001
            return self._failure(error, seconds, sum(received, Usage()))
        return self._reply(response, request, terms)

    def _reply(self, response: ModelResponse, request: Request, terms: Terms) -> Reply:
        refusal = (response.provider_details or {}).get("refusal")
        return Reply(
            text=response.text or (str(refusal) if refusal else ""),
            answered_by=response.model_name or self._name,
            usage=Usage(calls=1, input_tokens=response.usage.input_tokens, output_tokens=response.usage.output_tokens),
            finish=_FINISHES.get(response.finish_reason or "", Finish.STOP),
            level=terms.level if request.shape is not None else None,
        )

    def _failure(self, error: Exception, seconds: float, reported: Usage) -> Failure:
        advice, remedy, status = _meaning(error)
        said = f"no reply within {seconds:g} s" if isinstance(error, TimeoutError) else _said(error)
        unsent = isinstance(error, ModelConnectionError) and error.phase in {"pool", "connect"}
        return Failure(
            said=without_secrets(said, self._secrets),
            advice=advice,
            remedy=remedy,
            status=status,
            wait=error.retry_after if isinstance(error, ModelAPIError) else None,
            usage=Usage(calls=0 if unsent or isinstance(error, UserError) else 1) + reported,
        )

    def _opened(self, base_url: str, api_key: str) -> tuple[tuple[Model[Any], ...], Close]:
        provider, _, name = self._name.partition(":")
        ours = provider in {"openai", "openai-chat"}
        if not base_url and not ours:
            line = infer_model(self._name, lambda each: _provider(each, api_key))
            return (line,), getattr(getattr(line, "client", None), "close", _nothing)
        client = create_async_httpx2_client()
        client.event_hooks["response"].append(_count)
        chat = OpenAIProvider(
            base_url=base_url or None, api_key=api_key or (_NO_KEY if base_url else None), http_client=client
        )
        # Local servers know the older name of the limit, and silently drop the newer one.
        profiles = [
            OpenAIModelProfile(openai_chat_supports_max_completion_tokens=newer)
            for newer in ((False, True) if base_url else (True, False))
        ]
        called = name if ours else self._name
        return tuple(OpenAIChatModel(called, provider=chat, profile=each) for each in profiles), client.aclose


def _provider(name: str, api_key: str) -> Provider[Any]:
    if not api_key:
        return infer_provider(name)
    return cast(Callable[..., Provider[Any]], infer_provider_class(name))(api_key=api_key)


def _close(process: int, close: Close) -> None:
    """Close connections on the loop that opened them; those of a forked child are its parent's to close."""

    async def closing() -> None:
        closed = close()
        if closed is not None:
            await closed

    if process == os.getpid():
        BACKGROUND.start(closing())


def _nothing() -> None:
    """Leave the connections of a provider that tells of none to the collector."""


async def _count(response: httpx2.Response) -> None:
    """Keep what a complete answer says it cost, for the case that nothing else of it can be read."""
    received = _received.get()
    if received is None or response.status_code != 200 or "json" not in response.headers.get("content-type", ""):
        return
    await response.aread()
    try:
        usage = response.json()["usage"]
        received.append(Usage(input_tokens=int(usage["prompt_tokens"]), output_tokens=int(usage["completion_tokens"])))
    except (JSONDecodeError, UnicodeDecodeError, LookupError, TypeError, ValueError):
        return


def _messages(messages: Sequence[Message]) -> list[ModelMessage]:
    mapped: list[ModelMessage] = []
    for message in messages:
        if message.role is Role.ASSISTANT:
            mapped.append(ModelResponse(parts=[TextPart(message.text)]))
            continue
        system = message.role is Role.SYSTEM
        part = SystemPromptPart(message.text) if system else UserPromptPart(message.text)
        mapped.append(ModelRequest(parts=[part]))
    return mapped


def _settings(request: Request, terms: Terms, seconds: float) -> ModelSettings:
    settings = ModelSettings(max_tokens=request.limit, timeout=seconds, max_retries=0)
    if terms.tempered:
        settings["temperature"] = request.temperature
    return settings


def _parameters(request: Request, level: Level) -> ModelRequestParameters:
    if request.shape is None or level is Level.TEXT:
        return ModelRequestParameters()
    return ModelRequestParameters(
        output_mode="native" if level is Level.SCHEMA else "prompted",
        output_object=OutputObjectDefinition(json_schema=dict(request.shape.schema), name=request.shape.name),
        prompted_output_template=False,
    )


def _said(error: Exception) -> str:
    if isinstance(error, ModelHTTPError):
        return f"{error.status_code} {_reason(error.body)}"
    cause = error.__cause__.__cause__ if error.__cause__ is not None else None
    text = str(error) or type(error).__name__
    return f"{text} ({cause})" if cause is not None and str(cause) else text


def _reason(body: object) -> str:
    """Give the message of an error's body, wherever a server puts it."""
    while isinstance(body, dict):
        tree = cast(dict[str, object], body)
        body = tree.get("error") or tree.get("message") or tree.get("detail") or str(tree)
    return str(body or "")


def _meaning(error: Exception) -> tuple[str, Remedy, int]:
    """Give what to do about an error, whether to send the request again, and its HTTP status (0: none)."""
    status = error.status_code if isinstance(error, ModelHTTPError) else 0
    match error:
        case ModelQuotaExceededError():
            return "the account has no credit left, or its own limit is reached", Remedy.NONE, status
        case ModelAuthenticationError():
            return "check the key: UPHELD_API_KEY, or the variable of the provider", Remedy.NONE, status
        case ModelContextWindowExceededError():
            return (
                "the request is longer than this language model reads; send less, or ask another",
                Remedy.NONE,
                status,
            )
        case UserError():
            return "pydantic-ai would not send it", Remedy.NONE, status
        case ModelConnectionError():
            return "is the server running, and is the base URL right?", Remedy.AGAIN, status
        case TimeoutError():
            return "give it more time (UPHELD_MODEL_TIMEOUT, in seconds), or ask for less", Remedy.AGAIN, status
        case _ if status in _TRANSIENT or status >= 500:
            return "the server is busy or broken; wait, or ask less at once", Remedy.AGAIN, status
        case ModelRequestRejectedError() if status in _REFUSED:
            advice = "check the name and the base URL" if status == 404 else "the server does not take such requests"
            return advice, Remedy.OTHERWISE, status
        case _ if status:
            return "the server does not take such requests", Remedy.NONE, status
        case _:
            return "that is no chat completion; does the base URL end as it should (/v1)?", Remedy.AGAIN, status
