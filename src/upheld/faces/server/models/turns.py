"""Turns: what is said, what that does, and what became of it."""

from __future__ import annotations

from pydantic import Field

from upheld.faces.server.models.operations import OperationTree
from upheld.faces.server.models.shapes import Id, Name, Problem, Remark, Shape, showing

OPERATIONS = (
    "What the turn does, as in an annotated transcript. Left out: the words are read by the service's interpreter. An "
    "empty list: the turn only acknowledges."
)
MEANING = [{"op": "observe", "id": "o9", "text": "The left bed is wet."}]


class TurnRequest(Shape):
    """One turn to tell."""

    speaker: Id
    text: str = ""
    operations: list[OperationTree] | None = Field(default=None, description=OPERATIONS)
    id: Id | None = Field(default=None, description="A name of the caller's own for it; else T1, T2, …")
    audience: list[Id] | None = Field(
        default=None, max_length=1000, description="Who heard it; everybody, if left out."
    )
    session: Name = ""
    at: Name = Field(default="", description="When it was said, in ISO 8601; for people, nothing is ordered by it.")


class OneTurnRequest(TurnRequest):
    """One turn, and the version that the caller saw."""

    model_config = showing(
        {"speaker": "ana", "text": "The left bed is wet."},
        {"speaker": "ana", "text": "The left bed is wet.", "operations": MEANING, "expected_version": 1},
    )

    expected_version: int | None = Field(default=None, ge=0)


class BatchRequest(Shape):
    """Several turns, told one after the other; the first that is refused ends the batch."""

    model_config = showing(
        {"turns": [{"speaker": "ana", "text": "The left bed is wet."}, {"speaker": "ben", "text": "Thanks."}]}
    )

    turns: list[TurnRequest] = Field(min_length=1)
    expected_version: int | None = Field(default=None, ge=0, description="The version before the first of them.")


class Effects(Shape):
    """What became of claims that were there before, in the order of the record."""

    given_up: list[str]
    lost: list[str]
    thinned: list[str]
    defeated: list[str]
    reinstated: list[str]


class Failure(Shape):
    """A precondition that does not hold, and what to do instead."""

    name: str
    message: str


class PassedOver(Shape):
    """An operation of a reading that was dropped, by its place in it, and why."""

    turn: str
    operation: int
    failure: Failure


class TurnAnswer(Shape):
    """A turn that is on record. When this is received, it is on the disk.

    ``abstained`` says why its words could not be read; they are kept all the same. ``effects`` are null when the turn
    was told before under the same key.
    """

    turn: str
    version: int
    is_repeated: bool
    operations: list[OperationTree]
    findings: list[PassedOver]
    abstained: str
    effects: Effects | None


class BatchAnswer(Shape):
    """The turns of a batch that are on record, in order.

    ``failure`` says why the next one was refused; it and those after it (``left`` in all) are not on record.
    """

    version: int
    turns: list[TurnAnswer]
    failure: Problem | None
    left: int


class Turn(Shape):
    """A turn as it is on record, with its meaning of now; ``position`` is the entry of its words."""

    position: int
    id: str
    speaker: str
    text: str
    audience: list[str] | None
    session: str
    at: str
    recorded_at: str
    operations: list[OperationTree]
    is_erased: bool = Field(description="Whether its words were erased.")


class TurnList(Shape):
    """Turns after a position. ``next`` is what to give as ``after`` for those that follow."""

    version: int
    turns: list[Turn]
    next: int


class AmendRequest(Shape):
    """Another meaning for a turn; what it meant before stays readable in the record."""

    model_config = showing({"operations": MEANING, "by": "ana", "reason": "misheard"})

    operations: list[OperationTree] = Field(description=OPERATIONS)
    by: Id | None = None
    reason: Remark = ""
    expected_version: int | None = Field(default=None, ge=0)


class EraseRequest(Shape):
    """Words to erase for good; with ``meaning`` also what they were taken to mean."""

    model_config = showing({"reason": "asked for by whoever said it", "by": "ana"})

    reason: Remark = Field(min_length=1)
    by: Id | None = None
    meaning: bool = False


class EraseAnswer(Shape):
    """The entry that says what was erased; null when all was gone before and this was sent for the first time."""

    version: int
    epoch: int | None
    is_repeated: bool
