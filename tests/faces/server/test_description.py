"""The description that clients are generated from (OpenAPI)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from upheld.errors import UpheldError
from upheld.faces.server.errors import sort_of
from upheld.faces.server.models.shapes import Shape
from upheld.faces.service.description import description

from .conftest import Client


def described(client: Client) -> dict[str, Any]:
    """The description as a client fetches it."""
    told = client.get("/openapi.json")
    assert told.status == 200
    return dict(told.tree)


def test_every_route_has_a_name_a_tag_and_a_description(client: Client) -> None:
    """Our promise: names of generated functions are chosen, and do not change with a path."""
    tree = described(client)
    routes = [route for path in tree["paths"].values() for route in path.values()]
    names = [route["operationId"] for route in routes]
    assert sorted(names) == sorted(set(names))
    assert {
        "begin_conversation", "list_conversations", "get_conversation", "list_claims", "tell_turn", "tell_turns",
        "list_turns", "amend_turn", "erase_turn", "retract", "verify", "affected", "what_if", "review", "explain",
        "brief", "believe", "search", "export", "import_conversation", "follow", "is_live", "is_ready", "history",
        "compare", "get_claim", "list_samples", "take_sample", "drop_conversation",
        "queue", "flag_reply", "show_flag", "assign_flag", "decide_flag", "comment_on_flag", "erase_flag",
        "export_decisions", "guard_gateway", "get_caller",
    } == set(names)  # fmt: skip
    tags = {each["name"] for each in tree["tags"]}
    assert all(route["description"] and set(route["tags"]) <= tags for route in routes)


def test_every_route_of_a_conversation_names_the_key_that_it_needs_and_the_form_of_a_refusal(client: Client) -> None:
    """Our promise: a generated client knows how to send its key, and how a problem looks."""
    tree = described(client)
    for path, routes in tree["paths"].items():
        for route in routes.values():
            assert bool(route.get("security")) is path.startswith(("/v1/", "/beta/"))
            assert {"4XX", "5XX"} <= set(route["responses"])


def test_no_model_takes_a_field_that_it_does_not_know(client: Client) -> None:
    """Our promise: a typing mistake is told, and not passed over."""
    pending: list[type[Shape]] = [Shape]
    for kind in pending:
        pending += kind.__subclasses__()
        assert kind.model_config.get("extra") == "forbid"
    assert len(pending) > 40
    schemas = described(client)["components"]["schemas"]
    assert schemas["OneTurnRequest"]["additionalProperties"] is False


def test_the_description_in_the_repository_is_that_of_the_service(client: Client, root: Path) -> None:
    """Our promise: what clients are generated from is what is served; ``make clients`` writes it anew."""
    kept = (root / "docs" / "reference" / "openapi.json").read_text("utf-8")
    assert kept == description()
    assert json.loads(kept) == described(client)


def test_every_refusal_is_described_with_its_media_type_and_every_route_in_a_sentence(client: Client) -> None:
    """RFC 9457, section 3: problem details have a media type of their own."""
    for path in described(client)["paths"].values():
        for route in path.values():
            for status in ("4XX", "5XX"):
                (kind,) = route["responses"][status]["content"].items()
                assert kind == ("application/problem+json", {"schema": {"$ref": "#/components/schemas/Problem"}})
            assert route["description"].startswith(route["summary"])
            assert ". " not in route["summary"]


def test_every_error_of_the_library_has_a_status() -> None:
    """Our promise: one handler for all, and a new error has the status of its nearest kind."""
    pending: list[type[UpheldError]] = [UpheldError]
    for kind in pending:
        pending += kind.__subclasses__()
        error = kind.__new__(kind)
        assert 400 <= sort_of(error).status < 600
    assert len(pending) > 18
