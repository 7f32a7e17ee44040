"""The service as the guardrail of a LiteLLM gateway: requests as the gateway sends them, answers as it reads them."""

from __future__ import annotations

from typing import Any

import pytest

from upheld.errors import MalformedInput
from upheld.faces.server.settings import settings_from

from .conftest import Client, Keys, Start

ROUTE = "/beta/litellm_basic_guardrail_api"


def sent(kind: str, *texts: str, **more: Any) -> dict[str, Any]:
    """What LiteLLM sends: every field of its contract, most of them empty."""
    return {
        "input_type": kind,
        "texts": list(texts),
        "litellm_call_id": "c-1",
        "litellm_trace_id": None,
        "litellm_version": "1.90.0",
        "structured_messages": None,
        "images": None,
        "tools": None,
        "tool_calls": None,
        "request_headers": {"authorization": "[present]"},
        "request_data": {"user_api_key_hash": "88dc28d0f030c55e", "user_api_key_end_user_id": "u-1"},
        "additional_provider_specific_params": {},
    } | more


def history(*messages: tuple[str, Any]) -> list[dict[str, Any]]:
    """Messages as OpenAI has them."""
    return [{"role": role, "content": content} for role, content in messages]


CORRECTED = history(
    ("system", "You are on call."),
    ("user", "The cause of the outage is the Redis server."),
    ("user", [{"type": "text", "text": "I take that back: the cause of the outage is not the Redis server."}]),
)


def answered(client: Client, body: Any) -> dict[str, Any]:
    """The answer, which is one in any case."""
    told = client.post(ROUTE, body)
    assert told.status == 200, told.body
    return dict(told.tree)


def test_an_answer_that_rests_on_what_was_taken_back_is_blocked_and_one_that_stands_is_not(client: Client) -> None:
    """LiteLLM, Generic Guardrail API: NONE lets a request or an answer pass, BLOCKED has a reason."""
    asked = sent("request", litellm_trace_id="night", structured_messages=CORRECTED)
    assert answered(client, asked)["action"] == "NONE"
    held = answered(client, sent("response", "The cause of the outage is the Redis server.", litellm_trace_id="night"))
    assert held["action"] == "BLOCKED"
    assert "Redis" in held["blocked_reason"]
    stands = sent("response", "The cause of the outage is not the Redis server.", litellm_trace_id="night")
    assert answered(client, stands)["action"] == "NONE"
    assert answered(client, sent("response", litellm_trace_id="night"))["action"] == "NONE"


def test_a_history_that_is_sent_with_each_request_is_told_once(client: Client) -> None:
    """Our promise: a chat sends all of its messages each time, and each is one turn of the record."""
    grown = [*CORRECTED, *history(("assistant", "Understood."), ("user", "Thanks."), ("user", "Thanks."))]
    for messages in (CORRECTED, CORRECTED, grown, grown):
        answered(client, sent("request", litellm_trace_id="grown", structured_messages=messages))
    turns = client.get("/v1/conversations/grown/turns").tree["turns"]
    assert [(each["speaker"], each["text"][:9]) for each in turns] == [
        ("user", "The cause"),
        ("user", "I take th"),
        ("assistant", "Understoo"),
        ("user", "Thanks."),
        ("user", "Thanks."),
    ]


def test_a_conversation_is_named_by_the_settings_of_the_gateway_by_its_trace_or_by_its_beginning(
    client: Client,
) -> None:
    """Our promise: in this order; the same beginning under the same key is the same conversation."""
    params = {"conversation": "named/here"}
    answered(client, sent("request", "It rains.", litellm_trace_id="t", additional_provider_specific_params=params))
    answered(client, sent("request", "It rains.", litellm_trace_id="traced"))
    for _ in range(2):
        answered(client, sent("request", "It rains."))
    answered(client, sent("request", "It rains.", request_data={"user_api_key_hash": "another"}))
    names = [each["id"] for each in client.get("/v1/conversations").tree["conversations"]]
    assert {"named-here", "traced"} <= set(names)
    assert sum(name.startswith("litellm-") for name in names) == 2


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"input_type": "reply"}', b'{"input_type": "request", "texts": 5}']
)
def test_what_cannot_be_read_is_answered_by_the_policy_and_no_error(start: Start, client: Client, body: bytes) -> None:
    """Our promise: the gateway's users see what was decided for this case, and never a fault of the guardrail."""
    told = client.post(ROUTE, body)
    assert (told.status, told.tree["action"]) == (200, "BLOCKED")
    assert told.tree["blocked_reason"].startswith("could not be checked: ")
    lenient = start(guardrail="on failure, pass").client()
    assert lenient.post(ROUTE, body).tree["action"] == "NONE"


def test_a_text_over_the_limit_could_not_be_checked(start: Start) -> None:
    """Our promise: nothing is let through unchecked unless the policy says so."""
    client = start(text_characters=20).client()
    told = answered(client, sent("request", "x" * 21))
    assert (told["action"], "the most is 20" in told["blocked_reason"]) == ("BLOCKED", True)


def test_a_policy_may_mend_instead_of_blocking(start: Start) -> None:
    """LiteLLM, Generic Guardrail API: GUARDRAIL_INTERVENED comes with as many texts as were sent."""
    client = start(guardrail="mend streams").client()
    answered(client, sent("request", litellm_trace_id="m", structured_messages=CORRECTED))
    texts = ("Hello. The cause of the outage is the Redis server.", "Hello.")
    told = answered(client, sent("response", *texts, litellm_trace_id="m"))
    assert told["action"] == "GUARDRAIL_INTERVENED"
    assert len(told["texts"]) == 2
    assert told["texts"][1] == "Hello."
    assert "is the Redis" not in told["texts"][0]


def test_a_policy_that_means_nothing_is_told_at_the_start_and_a_key_is_asked_for(start: Start, keys: Keys) -> None:
    """Our promise: the gateway is a writer like any other, and its policy is the service's own."""
    with pytest.raises(MalformedInput, match="no sentence of a policy"):
        settings_from(environment={}, flags={"guardrail": "be nice"})
    guarded = start(keys=keys.path, tenants=True)
    assert guarded.client().post(ROUTE, sent("request", "x")).status == 401
    assert guarded.client(keys.texts["acme/reader"]).post(ROUTE, sent("request", "x")).status == 403
    assert guarded.client(keys.texts["acme/writer"]).post(ROUTE, sent("request", "x")).status == 200
