"""What is plainly asked for is read by a plan, and all else by the framework: whoever asks sees no difference."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from fastapi import APIRouter, Depends, FastAPI, Header, Path, Query, Request, Response
from fastapi.routing import APIRoute
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from upheld.faces.server.answering import Route
from upheld.faces.server.reading import plan_of


class Order(BaseModel):
    """What is sent."""

    model_config = ConfigDict(extra="forbid")

    plant: str = Field(min_length=1, max_length=20)
    count: int = 1
    notes: list[str] | None = None


class Receipt(BaseModel):
    """What comes back."""

    bed: str
    by: str
    key: str
    order: Order


class Doorkeeper:
    """Lets in whoever says who they are."""

    async def __call__(self, request: Request) -> str:
        """Give who asks."""
        who = request.headers.get("x-who", "")
        if not who:
            raise HTTPException(403, "nobody says who asks")
        return who


Bed = Annotated[str, Path(alias="bed", max_length=8)]
Who = Annotated[str, Depends(Doorkeeper())]
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=5)]


def order(bed: Bed, body: Order, by: Who, response: Response, key: Key = "") -> Receipt:
    """Take an order."""
    if body.count == 0:
        response.status_code = 200
    return Receipt(bed=bed, by=by, key=key, order=body)


async def order_at_once(bed: Bed, body: Order, by: Who, key: Key = "") -> Receipt:
    """Take an order without a thread."""
    return Receipt(bed=bed, by=by, key=key, order=body)


def client_of(kind: type[APIRoute]) -> TestClient:
    """Give an application whose routes are of a kind."""
    router = APIRouter(prefix="/beds/{bed}", route_class=kind)
    router.post("/orders", status_code=201)(order)
    router.post("/now")(order_at_once)
    app = FastAPI()
    app.include_router(router)
    return TestClient(app)


BY_PLAN, BY_FRAMEWORK = client_of(Route), client_of(APIRoute)


def both(path: str, content: bytes, headers: dict[str, str]) -> tuple[int, Any]:
    """Send the same to both, see that they answer alike, and give the answer."""
    planned, usual = (each.post(path, content=content, headers=headers) for each in (BY_PLAN, BY_FRAMEWORK))
    assert (planned.status_code, planned.json()) == (usual.status_code, usual.json())
    assert planned.headers["content-type"] == usual.headers["content-type"]
    return planned.status_code, planned.json()


PLAIN = b'{"plant": "mint", "count": 2}'
SENT = {"content-type": "application/json", "x-who": "ann"}


def test_the_endpoints_that_are_asked_most_have_a_plan() -> None:
    """Our promise: what was made for them is used by them."""
    assert plan_of(order) is not None
    assert plan_of(order_at_once) is not None


@pytest.mark.parametrize(
    ("path", "content", "headers", "status"),
    [
        ("/beds/north/orders", PLAIN, {}, 201),
        ("/beds/north/orders", b'{"plant": "mint", "count": 0}', {}, 200),
        ("/beds/north/now", PLAIN, {"idempotency-key": "k1"}, 200),
        ("/beds/north/orders", PLAIN, {"idempotency-key": ""}, 201),
        ("/beds/north/orders", PLAIN, {"idempotency-key": "too long"}, 422),
        ("/beds/much-too-long/orders", PLAIN, {}, 422),
        ("/beds/north/orders?count=9", PLAIN, {}, 201),
        ("/beds/north/orders", PLAIN, {"content-type": "application/json; charset=utf-8"}, 201),
        ("/beds/north/orders", PLAIN, {"content-type": "application/vnd.order+json"}, 201),
        ("/beds/north/orders", PLAIN, {"content-type": "text/plain"}, 422),
        ("/beds/north/orders", b"", {}, 422),
        ("/beds/north/orders", b'{"plant": ', {}, 422),
        ("/beds/north/orders", b'{"plant": "\xff"}', {}, 400),
        ("/beds/north/orders", b"[" * 100_000, {}, 400),
        ("/beds/north/orders", b"[]", {}, 422),
        ("/beds/north/orders", b"null", {}, 422),
        ("/beds/north/orders", b'{"plant": "mint", "colour": "green"}', {}, 422),
        ("/beds/north/orders", b'{"plant": "", "count": "x"}', {"idempotency-key": "too long"}, 422),
        ("/beds/north/orders", PLAIN, {"x-who": ""}, 403),
        ("/beds/north/orders", b'{"plant": 1}', {"x-who": ""}, 403),
    ],
)
def test_a_request_is_answered_as_the_framework_answers_it(
    path: str, content: bytes, headers: dict[str, str], status: int
) -> None:
    """Our promise: a plan changes how long an answer takes, and nothing else."""
    assert both(path, content, SENT | headers)[0] == status


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=25),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)


@given(
    st.fixed_dictionaries({}, optional={"plant": values, "count": values, "notes": values, "other": values}),
    st.text("ab\xe9 ", max_size=7),
)
def test_whatever_is_sent_both_ways_read_the_same(tree: dict[str, Any], key: str) -> None:
    """Law: the plan and the framework agree on every body and every header."""
    headers: dict[str, Any] = SENT | {"idempotency-key": key.strip().encode("latin-1")}
    both("/beds/north/now", json.dumps(tree).encode(), headers)


def test_what_takes_more_than_a_plan_knows_has_none() -> None:
    """Our promise: a query, a dependency of another sort, or an answer that is no model is left to the framework."""

    def with_query(body: Order, count: Annotated[int, Query()] = 1) -> Receipt:
        raise NotImplementedError

    def with_function(body: Order, by: Annotated[str, Depends(str)]) -> Receipt:
        raise NotImplementedError

    def with_tree(body: Order) -> dict[str, str]:
        raise NotImplementedError

    def without_body() -> Receipt:
        raise NotImplementedError

    for each in (with_query, with_function, with_tree, without_body):
        assert plan_of(each) is None
