"""Conversations: how one begins, and where it is."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from upheld.faces.server.models.shapes import FormulaText, Id, Name, Shape, showing
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle

_SIGN = r"[^/\x00-\x1f\x7f]"
ConversationName = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=rf"^{_SIGN}*[^/\x00-\x1f\x7f.\s]{_SIGN}*$")
]
"""A name that a path can hold: no slash, no control character, and not of dots or blanks alone."""


class Agent(Shape):
    """Somebody who takes part. With ``authority`` they may settle an issue over dissent."""

    id: Id
    name: Name = ""
    role: Name = ""
    kind: AgentKind = AgentKind.PERSON
    authority: bool = False
    observes: list[Id] = Field(default_factory=list, description="Atoms whose truth they see for themselves.")


class Proposition(Shape):
    """A sentence that is on the table before anybody speaks; nobody asserted it yet."""

    id: Id
    text: str = ""
    kind: Kind = Kind.HYPOTHESIS
    formula: FormulaText | None = None


class BeginRequest(Shape):
    """How a conversation begins. Whoever speaks unannounced joins later, as a person."""

    model_config = showing({"id": "night", "agents": [{"id": "ana"}, {"id": "bot", "kind": "assistant"}]})

    id: ConversationName
    title: Name = ""
    paradigm: Name = Field(default="", description="diagnostic, deliberative, knowledge, assistant, or nothing.")
    agents: list[Agent] = Field(default_factory=list["Agent"], max_length=1000)
    initial_propositions: list[Proposition] = Field(default_factory=list["Proposition"], max_length=1000)


class Listed(Shape):
    """A conversation of the list, with the number of its entries."""

    id: str
    title: str = Field(description="Empty where it has none, or its first entry cannot be read.")
    version: int
    open_flags: int = Field(description="Flagged replies that nobody decided yet; at most 1000 are counted.")


class ConversationList(Shape):
    """Conversations by name. ``next`` is what to give as ``after`` for those that follow; null at the end."""

    conversations: list[Listed]
    next: str | None


class ClaimStatus(Shape):
    """A claim with what its speakers did with it (lifecycle) and whether it holds (standing)."""

    id: str
    text: str
    kind: Kind
    lifecycle: Lifecycle
    standing: Label
    fallen: list[str] = Field(description="Premises that no longer stand.")
    needs_reevaluation: bool
    speaker: str | None
    turn: str | None


class Counts(Shape):
    """How many claims there are of each standing."""

    standing: dict[Label, int]
    lifecycle: dict[Lifecycle, int]


class ConversationStatus(Shape):
    """Where a conversation is. Of what stands, the newest are listed, and ``left_off`` counts the others."""

    id: str
    title: str
    version: int = Field(description="Number of entries of the record; expected_version is held against it.")
    turns: int
    agents: list[Agent]
    counts: Counts
    stands: list[ClaimStatus]
    left_off: int
    open_questions: list[str]


class ClaimList(Shape):
    """Claims in the order in which they were put forward; ``next`` as in a list of conversations."""

    version: int
    claims: list[ClaimStatus]
    next: str | None


class Receipt(Shape):
    """What is left of a conversation that was dropped; a copy that ends in this link is one of it."""

    conversation: str
    entries: int
    chain: str = Field(description="The link of its last entry.")
    by: str | None
    reason: str
    dropped_at: str
