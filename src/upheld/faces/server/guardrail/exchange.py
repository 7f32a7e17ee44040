"""What a gateway sends and is answered.

Source: LiteLLM, *Generic Guardrail API* (beta). What is sent is read leniently: a field that is missing, unknown or of
another form costs no request of the gateway's users.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

ROLES: Mapping[str, str] = {"user": "user", "assistant": "assistant", "tool": "tool", "function": "tool"}
"""Who speaks for each role; instructions of a system prompt are nothing that anybody claims."""

NAMED = "conversation"
"""The parameter of the gateway's settings that names a conversation."""


class GuardrailRequest(BaseModel):
    """Texts before they go to a language model (``request``), or what it answered (``response``)."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    input_type: Literal["request", "response"]
    texts: list[str] | None = None
    structured_messages: list[Any] | None = Field(default=None, description="The messages as OpenAI has them.")
    request_data: dict[str, Any] | None = Field(default=None, description="Whose key of the gateway was used.")
    additional_provider_specific_params: dict[str, Any] | None = Field(
        default=None, description="May name the `conversation`."
    )
    litellm_trace_id: str | None = None
    litellm_call_id: str | None = None


class GuardrailAnswer(BaseModel):
    """What the gateway is to do."""

    model_config = ConfigDict(frozen=True)

    action: Literal["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]
    blocked_reason: str | None = None
    texts: list[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message: who said what. The key tells it apart from others, and is the same each time a history is sent."""

    speaker: str
    text: str
    key: str


def conversation_of(sent: GuardrailRequest) -> str:
    """Give the conversation that is meant: named, else the gateway's trace, else known by its beginning."""
    named = (sent.additional_provider_specific_params or {}).get(NAMED) or sent.litellm_trace_id
    if isinstance(named, str) and named.strip():
        return named.replace("/", "-")[:200]
    owner = (sent.request_data or {}).get("user_api_key_hash")
    first = next(said_in(sent), None)
    return f"litellm-{_digest(str(owner), first.text if first is not None else '')}"


def said_in(sent: GuardrailRequest) -> Iterator[Said]:
    """Give the messages of a request, in order; without roles they are the user's."""
    seen: dict[tuple[str, str], int] = {}
    for speaker, text in _messages(sent):
        count = seen[speaker, text] = seen.get((speaker, text), 0) + 1
        yield Said(speaker=speaker, text=text, key=f"litellm#{_digest(speaker, text, str(count))}")


def _messages(sent: GuardrailRequest) -> Iterator[tuple[str, str]]:
    if not sent.structured_messages and sent.input_type == "request":
        yield from (("user", text) for text in sent.texts or () if text.strip())
    for message in sent.structured_messages or ():
        tree: Mapping[str, object] = cast("Mapping[str, object]", message) if isinstance(message, Mapping) else {}
        speaker, text = ROLES.get(str(tree.get("role")), ""), _text(tree.get("content"))
        if speaker and text.strip():
            yield speaker, text


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = cast("list[object]", content) if isinstance(content, list) else []
    found = [cast("Mapping[str, Any]", part).get("text") for part in parts if isinstance(part, Mapping)]
    return "\n".join(text for text in found if isinstance(text, str))


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
