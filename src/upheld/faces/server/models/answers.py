"""Answers about single claims: why, what to look at again, and who believes what."""

from __future__ import annotations

from pydantic import Field

from upheld.faces.server.models.changes import RETRACT, Change, Delta
from upheld.faces.server.models.shapes import FormulaText, Id, Shape, showing
from upheld.logic.language.standing import Label, Lifecycle


class Reasoned(Shape):
    """One node of a justification; ``premises`` are places in the list of nodes."""

    literal: str
    text: str
    label: Label
    lifecycle: Lifecycle
    speaker: str | None
    turn: str | None
    premises: list[int]
    other_justifications: int


class AgainstIt(Shape):
    """An attack on the claim: by what, how, whether it bites, and which decisions accepted it as a risk."""

    attacker: str
    kind: str
    label: Label
    is_answered: bool
    turn: str
    accepted_by: list[str]


class Explanation(Shape):
    """Why a claim stands, root first, and what would break it."""

    nodes: list[Reasoned]
    attacks: list[AgainstIt]
    breaks_if: list[str]
    is_complete: bool
    breaks_if_together: list[list[str]]
    is_complete_together: bool
    roots: list[tuple[str, str]] = Field(description="Independent sources: a uri or a claim, and who put it forward.")
    held_by: list[str]
    dissent: list[str]


class ReviewAnswer(Shape):
    """All that a person should look at when a claim is in doubt, nearest first."""

    claims: list[str]


class BriefRequest(Shape):
    """The change that a brief is about."""

    model_config = showing({"change": RETRACT})

    change: Change
    at: str = Field(default="", max_length=200)


class Remark(Shape):
    """A claim quoted from the record."""

    id: str
    text: str
    speaker: str | None
    turn: str | None
    about: str | None


class Kept(Shape):
    """Something given up whose recorded reasons still hold."""

    position: Remark
    because: list[Remark]


class Condition(Shape):
    """When all agreed to look again, and whether that has come about."""

    literal: str
    decision: str
    has_come_about: bool


class Brief(Shape):
    """What to look at again after a change, from the record alone."""

    change: Change
    delta: Delta
    decisions: list[Remark]
    conditions: list[Condition]
    concerns: list[Remark]
    alternatives: list[Remark]
    not_to_reopen: list[Kept]
    dissent: list[Remark]


class BelieveRequest(Shape):
    """A claim's id, or a formula: ``h1 & ~h2``, ``B_ann h2``, ``K_ann K_ben o1``."""

    model_config = showing({"formula": "o9"}, {"formula": "K_ana o9"})

    formula: FormulaText
    agent: Id | None = None
    given: FormulaText | None = Field(default=None, description="How things are, where an answer depends on it.")
    at: str = Field(default="", max_length=200)


class Attitude(Shape):
    """What one agent makes of a formula."""

    agent: str
    believes: bool
    knows: bool


class BelieveAnswer(Shape):
    """Whether a formula that names its agents holds, or else what each agent makes of it."""

    holds: bool | None
    of: list[Attitude]
    unknown: list[str] = Field(description="Nobody introduced these; nothing is believed of them.")
