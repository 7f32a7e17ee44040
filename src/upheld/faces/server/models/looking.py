"""A conversation to look at: all that happened, how two moments differ, and one claim with its past."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from upheld.faces.server.models.changes import Change, Status
from upheld.faces.server.models.conversations import Agent, ClaimStatus
from upheld.faces.server.models.shapes import Shape, Tree
from upheld.faces.server.models.turns import Effects
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.speech.rendering.picture import EdgeKind


class Mention(Shape):
    """A claim that a turn puts forward or acts on."""

    id: str
    span: tuple[int, int] | None = Field(
        description="First and past-the-last character of its words in the turn's text; null when that is not sure."
    )
    act: str = Field(
        description="The operation's name; or supersede, contradict, attack, dissent, subsume, reinterpret."
    )


class Moment(Shape):
    """One event: a turn, a retraction by whoever keeps the record, or somebody who joined."""

    place: int
    kind: Literal["turn", "retraction", "joined"]
    turn: str | None
    speaker: str | None
    text: str
    at: str
    session: str
    recorded_at: str
    audience: list[str] | None
    is_erased: bool
    is_unread: bool = Field(description="Whether nobody has read its words yet, or whoever did failed.")
    change: Change | None
    reason: str
    operations: list[Tree]
    claims: list[Mention]
    effects: Effects | None


class DrawnClaim(Shape):
    """A claim, or an act without an id that carries an attack. Place 0: on the table from the beginning."""

    id: str
    text: str
    kind: Kind
    speaker: str | None
    turn: str | None
    place: int


class DrawnEdge(Shape):
    """Ground to conclusion, explanation to explained, attacker to target, newer value to the older one.

    Known by source, target, kind and group. The premises of one justification share a group; a ground without one goes
    with every justification of its target.
    """

    source: str
    target: str
    kind: EdgeKind
    group: str | None
    place: int
    ended: int | None = Field(description="The place from which on it counts no more.")


class StandingChange(Shape):
    """How a claim stands from a place on, until a later change of it."""

    place: int
    claim: str
    standing: Label
    lifecycle: Lifecycle
    needs_reevaluation: bool


class History(Shape):
    """What came after a place; everything, after place 0.

    ``place`` is the number of moments so far. Replaying ``changes`` up to a place gives how all claims stand there. An
    edge that the caller has already may come again: it takes the place of the one that was known.
    """

    id: str
    title: str
    version: int
    place: int
    agents: list[Agent]
    moments: list[Moment]
    claims: list[DrawnClaim]
    edges: list[DrawnEdge]
    changes: list[StandingChange]


class Difference(Shape):
    """A claim that stands otherwise afterwards."""

    claim: str
    text: str
    before: Status
    after: Status


class Comparison(Shape):
    """What is new, what is gone, and what stands otherwise."""

    new: list[ClaimStatus]
    gone: list[ClaimStatus]
    changed: list[Difference]


class Touch(Shape):
    """What was done to a claim; without a turn: by whoever keeps the record."""

    turn: str | None
    act: str
    speaker: str | None


class Value(Shape):
    """One value of a row of values that replaced each other."""

    id: str
    text: str
    turn: str | None


class ClaimDetail(Shape):
    """One claim: how it stands since when, what was done to it, and what rests on it."""

    status: ClaimStatus
    mentions: list[Touch]
    values: list[Value] = Field(description="Those that it replaced and that replaced it, oldest first.")
    rests_on_it: list[str] = Field(description="What rests on it directly.")
    lifecycle_turn: str | None = Field(description="The turn since which its lifecycle is what it is.")
    standing_turn: str | None = Field(description="The turn since which its standing is what it is.")


class Sample(Shape):
    """A conversation that comes with the service, to try things on."""

    id: str
    title: str
    about: str
