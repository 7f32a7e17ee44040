"""A service whose proxy leads to an upstream on loopback, and a talk in which one value was replaced by another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from ..conftest import Answer as Got
from ..conftest import Running, Start
from .upstream import Upstream

anthropic = pytest.importorskip("anthropic", reason="the vendor's client is not installed")
openai = pytest.importorskip("openai", reason="the vendor's client is not installed")

TALK = (
    {"role": "user", "content": "The delivery goes to 12 Elm Street."},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": "No wait, the delivery goes to 14 Oak Street. Where does it go?"},
)
STALE = "Your delivery goes to 12 Elm Street."
SOUND = "Your delivery goes to 14 Oak Street."
CALL = {"name": "ship", "arguments": {"to": "12 Elm Street", "express": True}}


@pytest.fixture(scope="module")
def upstream() -> Iterator[Upstream]:
    """The upstream of all tests of a module."""
    with Upstream() as there:
        yield there


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """A running service and the clients of the vendors, which know nothing of it but its address."""

    running: Running

    @property
    def url(self) -> str:
        """The address of the service."""
        return f"http://127.0.0.1:{self.running.port}"

    def post(self, path: str, body: Any, **headers: str) -> Got:
        """Ask without a client."""
        return self.running.client().post(f"/proxy/v1/{path}", body, **headers)

    def openai(self, **more: Any) -> Any:
        """The client of OpenAI."""
        given: dict[str, Any] = {"api_key": "sk-vendor", "base_url": f"{self.url}/proxy/v1", "max_retries": 0}
        return openai.OpenAI(**given | more)

    def anthropic(self, **more: Any) -> Any:
        """The client of Anthropic."""
        given: dict[str, Any] = {"api_key": "sk-vendor", "base_url": f"{self.url}/proxy", "max_retries": 0}
        return anthropic.Anthropic(**given | more)

    def turns(self, conversation: str) -> list[tuple[str, str, str]]:
        """What is on record: id, speaker and words of each turn."""
        got = self.running.client().get(f"/v1/conversations/{conversation}/turns")
        assert got.status == 200, got.body
        return [(turn["id"], turn["speaker"], turn["text"]) for turn in got.tree["turns"]]

    def conversations(self) -> list[str]:
        """All that are on record."""
        return [each["id"] for each in self.running.client().get("/v1/conversations?limit=1000").tree["conversations"]]


Stand = Callable[..., Between]


@pytest.fixture(scope="module")
def stand(start: Start, upstream: Upstream) -> Stand:
    """Put a service between, with these settings."""

    def stood(**flags: object) -> Between:
        addresses = {"upstream_openai": f"{upstream.address}/v1", "upstream_anthropic": upstream.address}
        return Between(running=start(**addresses | flags))

    return stood


@pytest.fixture(scope="module")
def between(stand: Stand) -> Between:
    """A service with the settings that it has by default."""
    return stand()


@pytest.fixture
def fresh(request: pytest.FixtureRequest) -> str:
    """Words that make a conversation of its own of a test's messages."""
    return f"This is ticket {abs(hash(request.node.nodeid)) % 10**9}."


def talk(fresh: str) -> list[dict[str, str]]:
    """The messages of the talk, in a conversation of its own."""
    return [{"role": "user", "content": fresh}, {"role": "assistant", "content": "Good."}, *TALK]
