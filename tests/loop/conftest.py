"""A conversation of ten turns, and a server on loopback that reads it as a scripted language model.

Nothing here says how well a language model reads: the replies are written down, and what is tested is the way there and
back. A test puts other acts in the place of single replies (``instead``), to see what becomes of them.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from upheld import Conversation
from upheld.conversation.speaking import Told
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.models.gateway.asking import Gateway, Pacing
from upheld.speech.models.providers import language_model
from upheld.speech.models.reply import Usage
from upheld.testing.scripted_server import Line, ScriptedServer

Tree = Mapping[str, Any]

AGENTS = (
    Agent(id=AgentId("mara"), name="Mara", role="conservator"),
    Agent(id=AgentId("jon"), name="Jon", role="technician"),
    Agent(id=AgentId("lea"), name="Lea", role="head of the museum", authority=True),
    Agent(id=AgentId("assistant"), name="Assistant", kind=AgentKind.ASSISTANT),
)

SAID = (
    ("mara", "It is wet in room 4, the meter has read 68 since Monday."),
    ("mara", "The lenders allow 55, as the agreement has it."),
    ("jon", "My panel shows a red lamp called valve fault."),
    ("jon", "Then I would bet on the humidifier, its valve must be stuck open."),
    ("jon", "Wait, that red lamp is really about the drain pump, the labels are old."),
    ("jon", "I took the valve apart and it closes well, so drop what I said about it."),
    ("mara", "There is a stain under the roof light, perhaps the rain comes in there."),
    ("mara", "Sorry, I misread the agreement, they allow 60."),
    ("lea", "Agreed then, it is the roof light. We cover it today."),
    ("mara", "Thanks, all."),
)
"""Speakers and words. A guess is given up at T6, a value is replaced at T8, and the cause is settled at T9."""

REINTERPRETED = {"op": "observe", "id": "n1", "text": "The lamp is about the drain pump.", "reinterprets": ["T3.1"]}
WIDENED = {**REINTERPRETED, "op": "expand_awareness"}

READ: tuple[list[Tree], ...] = (
    [{"op": "observe", "id": "n1", "text": "The humidity in room 4 is 68 percent."}],
    [{"op": "observe", "id": "n1", "text": "The loan agreement allows 55 percent humidity.", "kind": "constraint"}],
    [{"op": "observe", "id": "n1", "text": "The lamp named valve fault is lit."}],
    [
        {
            "op": "hypothesize",
            "id": "n1",
            "text": "The valve of the humidifier is stuck open.",
            "depends_on": ["T3.1"],
            "explains": ["T1.1"],
        }
    ],
    [WIDENED],
    [
        {"op": "observe", "id": "n1", "text": "The valve of the humidifier closes."},
        {"op": "revise", "target": "T4.1", "because": ["n1"]},
    ],
    [
        {"op": "observe", "id": "n1", "text": "There is a stain under the roof light."},
        {
            "op": "hypothesize",
            "id": "n2",
            "text": "Rain comes in through the roof light.",
            "depends_on": ["n1"],
            "explains": ["T1.1"],
        },
    ],
    [
        {
            "op": "observe",
            "id": "n1",
            "text": "The loan agreement allows 60 percent humidity.",
            "kind": "constraint",
            "supersedes": ["T2.1"],
        },
        {"op": "revise", "target": "T2.1", "replacement": "n1"},
    ],
    [{"op": "resolve", "target": "T7.2", "mode": "consensual"}],
    [],
)
"""What each turn does, in the form of a reply. The fifth is what it comes to when it is asked about again."""

STALE = "The valve is stuck open, so order a new one. The lenders allow 55 percent."
SOUND = "The rain comes in through the roof light. The lenders allow 60 percent."

LINKED: Mapping[str, Sequence[tuple[str, str, str]]] = {
    STALE: (
        ("The valve is stuck open, so order a new one.", "stuck open", "supported_by"),
        ("The lenders allow 55 percent.", "allows 55", "supported_by"),
    ),
    SOUND: (
        ("The rain comes in through the roof light.", "through the roof light", "supported_by"),
        ("The lenders allow 60 percent.", "allows 60", "supported_by"),
    ),
}
"""What a reply claims: its words, a part of the proposition that they are linked to, and how."""

NOTHING_MORE: Mapping[str, Tree] = {
    "second_look": {"given_up": []},
    "retrospective": {"explained": [], "grounds": []},
}


@dataclass(slots=True, kw_only=True)
class Script:
    """Replies by what is asked. ``instead`` holds, for the words of a turn, acts that come first, in order."""

    instead: dict[str, list[Line]] = field(default_factory=dict[str, list[Line]])

    def __call__(self, body: Tree) -> Line:
        """Answer one request."""
        asked = shape_of(body)
        if asked in NOTHING_MORE:
            return NOTHING_MORE[asked]
        if asked == "matched_claims":
            return claims_of(body)
        place = place_of(body)
        waiting = self.instead.get(SAID[place][1])
        if waiting:
            return waiting.pop(0)
        is_first_reading = place == 4 and not is_objected(body)
        return {"operations": [REINTERPRETED] if is_first_reading else READ[place]}

    def shape_in_words(self, body: Tree) -> str:
        """Give the name of the shape that is asked for in words alone."""
        words = " ".join(each["content"] for each in body["messages"])
        marks = {"<live-claims>": "second_look", "<turn-that-settled>": "retrospective", "<turn-to-read>": "reading"}
        return next(shape for mark, shape in marks.items() if mark in words)


def shape_of(body: Tree) -> str:
    """Give the name of the shape that a request asks for."""
    return body["response_format"]["json_schema"]["name"]


def claims_of(body: Tree) -> Tree:
    """Give the claims of a reply that :data:`LINKED` knows; of any other, that it is new."""
    material: dict[str, Any] = json.loads(body["messages"][-1]["content"])
    named: dict[str, str] = {each["text"]: each["id"] for each in material["propositions"]}
    reply: str = material["reply"]
    claims: list[Tree] = []
    for words, part, relation in LINKED.get(reply, ((reply, "", ""),)):
        found = [{"id": id, "relation": relation} for text, id in named.items() if part and part in text]
        claims.append({"text": words, "stance": "asserts", "modality": "fact", "links": found, "new": not found})
    return {"claims": claims, "no_claim": []}


def place_of(body: Tree) -> int:
    """Give the place of the turn that a request asks about."""
    text = next(each["content"] for each in body["messages"] if "<turn-to-read>" in each["content"])
    to_read = text.rsplit("<turn-to-read>", 1)[1]
    return next(place for place, (_, words) in enumerate(SAID) if words in to_read)


def is_objected(body: Tree) -> bool:
    """Tell whether the engine's objection to a first reading is in a request."""
    return any(each["role"] == "user" and "<objection" in each["content"] for each in body["messages"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """What the tests of this folder share, as values."""

    said: Sequence[tuple[str, str]] = SAID
    read: Sequence[Sequence[Tree]] = READ
    agents: Sequence[Agent] = AGENTS
    stale: str = STALE
    sound: str = SOUND
    reinterpreted: Tree = field(default_factory=lambda: REINTERPRETED)
    widened: Tree = field(default_factory=lambda: WIDENED)

    def script(self, instead: Mapping[int, Sequence[Line]] | None = None) -> Script:
        """Give the script, with acts that come first for the turns of these numbers, counted from 1."""
        return Script(instead={SAID[turn - 1][1]: list(acts) for turn, acts in (instead or {}).items()})

    def gateway(self, server: ScriptedServer, *, timeout: float = 20.0, retries: int = 2) -> Gateway:
        """Give the language model of a server, which waits for nothing between two attempts."""
        return language_model(
            "scripted",
            base_url=server.base_url,
            timeout=timeout,
            retries=retries,
            pacing=Pacing(sleep=lambda _: None),
        )

    def conversation(self, llm: Any, **settings: Any) -> Conversation:
        """Give an empty conversation whose words a language model reads."""
        given: dict[str, Any] = {"interpreter": LlmInterpreter(llm), **settings}
        return Conversation(AGENTS, **given)

    def tell(self, talk: Conversation, turns: slice = slice(None)) -> list[Told]:
        """Say the turns in order."""
        return [talk.say(speaker, words) for speaker, words in SAID[turns]]

    def shape_of(self, body: Tree) -> str:
        """Give the name of the shape that a request asks for."""
        return shape_of(body)

    def words_shown(self, body: Tree) -> str:
        """Give all that a request shows besides its instructions."""
        return "\n".join(each["content"] for each in body["messages"] if each["role"] != "system")

    def cost(self, told: Sequence[Told]) -> Usage:
        """Add up what was told of costs."""
        return sum((each.usage for each in told), Usage())

    def text(self, talk: Conversation, id: str) -> str:
        """Give the words of one proposition."""
        return next(each.text for each in talk.propositions if each.id == id)

    def known(self, talk: Conversation) -> str:
        """Give all that is known, and how it stands, as one text that can be compared."""
        return json.dumps([[each.id, each.text, str(talk.status(each.id))] for each in talk.propositions])


@pytest.fixture(scope="session")
def loop() -> Loop:
    """Give the conversation, and what reads it."""
    return Loop()


@pytest.fixture(autouse=True, scope="module")
def nothing_is_left_open() -> Iterator[None]:
    """A connection that is not closed warns when it is collected, and a warning is an error."""
    yield
    gc.collect()
