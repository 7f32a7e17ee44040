"""The eight operations as the description tells them: what it allows is what is read, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from upheld.errors import MalformedInput
from upheld.faces.server.models.operations import MODELS
from upheld.logic.language.operations import OPERATION_NAMES
from upheld.logic.language.plain import plain_operation, read_operation

from .conftest import Client

WHOLE: Mapping[str, object] = {
    "id": "c7",
    "text": "The pump is off.",
    "target": "o1",
    "kind": "evidence",
    "mode": "authoritative",
    "evidence": ["o2", "~o3"],
    "because": ["~o2"],
    "depends_on": ["o2"],
    "depends_on_any": [["o2", "~o4"], ["o5"]],
    "reopen_if": ["~o2"],
    "contradicts": ["o6"],
    "supersedes": ["o6"],
    "reinterprets": ["o6"],
    "against": ["d1"],
    "prefers": ["p2"],
    "explains": ["o6"],
    "attacks": ["o6"],
    "subsumes": ["o6"],
    "about": ["o6"],
    "dissent": ["ben"],
    "on": "i1",
    "refines": "p1",
    "replacement": "o8",
    "issue": "i1",
    "formula": "o1 & ~o2",
    "novel": True,
    "specific": True,
    "sufficient": True,
    "withdrawn": True,
    "source": {"uri": "pump.pdf", "span": "lines 2-4", "version": "3", "method": "read"},
}
"""A value that each field of the language may have; a field that is not here has to be added."""

WRONG = st.sampled_from(
    [None, 5, True, "", "a b", "~a", [], ["a b"], [["o1"]], [5], {"uri": "x"}, {"url": "x"}, "((", "o1"]
)


def whole(op: str) -> dict[str, Any]:
    """An operation with every field that it has."""
    kind = next(kind for kind, name in OPERATION_NAMES.items() if name == op)
    return {"op": op, **{each.name: WHOLE[each.name] for each in fields(kind)}}


def is_read(tree: object) -> bool:
    """Whether the language reads a tree."""
    try:
        read_operation(tree)
    except MalformedInput:
        return False
    return True


def is_allowed(op: str, tree: object) -> bool:
    """Whether the description allows a tree, but for formulas, which have a grammar of their own."""
    try:
        MODELS[op].model_validate_json(json.dumps(tree), strict=True)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("op", MODELS)
def test_an_operation_with_every_field_is_allowed_and_told_back_as_it_came(op: str) -> None:
    """Docs/reference/language.md: the description has each field of each of the eight operations."""
    tree = whole(op)
    assert is_allowed(op, tree)
    assert plain_operation(read_operation(tree)) == tree
    assert not is_allowed(op, tree | {"colour": "red"})


@given(op=st.sampled_from(sorted(MODELS)), data=st.data())
def test_the_description_allows_just_what_is_read(op: str, data: st.DataObject) -> None:
    """Our promise: a generated client is refused for nothing that its types allow."""
    tree = whole(op)
    name = data.draw(st.sampled_from([each for each in tree if each not in {"op", "formula"}]))
    if data.draw(st.booleans()):
        del tree[name]
    else:
        tree[name] = data.draw(WRONG)
    assert is_read(tree) == is_allowed(op, tree), tree


def test_the_examples_of_the_description_are_accepted_one_after_the_other(client: Client) -> None:
    """Our promise: what the description shows can be sent as it stands."""
    schemas = client.get("/openapi.json").tree["components"]["schemas"]
    assert client.post("/v1/conversations", schemas["BeginRequest"]["examples"][0]).status == 201
    path = "/v1/conversations/night"
    sent = {
        "turns": ("OneTurnRequest", 201),
        "turns/batch": ("BatchRequest", 200),
        "turns/T1/amendments": ("AmendRequest", 201),
        "verify": ("VerifyRequest", 200),
        "affected": ("AffectedRequest", 200),
        "what-if": ("WhatIfRequest", 200),
        "brief": ("BriefRequest", 200),
        "believe": ("BelieveRequest", 200),
        "retractions": ("RetractionRequest", 201),
        "turns/T1/erasure": ("EraseRequest", 200),
    }
    for route, (name, status) in sent.items():
        for example in schemas[name]["examples"]:
            if "expected_version" in example:
                example["expected_version"] = client.get(path).tree["version"]
            told = client.post(f"{path}/{route}", example)
            assert told.status == status, (route, told.body)
