"""What the tools have in common that tell one turn: who speaks, who hears it, and that a retry is done once."""

from __future__ import annotations

from itertools import count
from typing import Annotated, Any, ClassVar

from fastapi import Response
from pydantic import Field

from upheld.conversation.conversation import Conversation
from upheld.errors import RepeatedIdentity
from upheld.faces.mcp.tools.tool import InConversation
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.models.shapes import Id, Shape
from upheld.faces.server.models.turns import OneTurnRequest, TurnAnswer
from upheld.faces.server.routes import turns
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Revise
from upheld.logic.reasoning.state import State

Speaker = Annotated[Id, Field(description="Who says it: the person, tool or assistant, by the id that they have here.")]
Sentence = Annotated[
    str, Field(min_length=1, description="One self-contained sentence: no pronoun that only the chat explains.")
]
OwnId = Annotated[Id | None, Field(description="A new id for it; one is made if left out.")]
Claims = Annotated[tuple[Id, ...], Field(max_length=200)]
Source = Annotated[str, Field(max_length=2000, description="Where it comes from: the uri of a document.")]
IdempotencyKey = Annotated[
    str,
    Field(
        max_length=200,
        description="A new text of your own for each act. The same key again means the same call again: it is done "
        "once, so that a call whose answer was lost may be sent again.",
    ),
]
Audience = Annotated[list[Id] | None, Field(max_length=1000, description="Who heard it; everybody, if left out.")]
Version = Annotated[
    int | None,
    Field(ge=0, description="The version that you saw; refused if somebody spoke since."),
]


class OneTurn(InConversation):
    """A call that tells one turn."""

    gives: ClassVar[type[Shape]] = TurnAnswer
    needs: ClassVar[Role] = Role.WRITER

    speaker: Speaker
    audience: Audience = None
    expected_version: Version = None
    idempotency_key: IdempotencyKey = ""

    def told_as(self, visit: Visit, text: str, operations: list[dict[str, Any]] | None) -> TurnAnswer:
        """Tell the turn with these operations; without any its words are read."""
        body = OneTurnRequest(
            speaker=self.speaker,
            text=text,
            operations=operations,
            audience=self.audience,
            expected_version=self.expected_version,
        )
        return turns.tell_turn(self.conversation, body, visit, Response(), self.idempotency_key)

    def done(self, visit: Visit, text: str, operation: dict[str, Any]) -> TurnAnswer:
        """Tell a turn of one operation; fields that say nothing are left out."""
        visit.check_text(text, "text")
        return self.told_as(visit, text, [_spoken(operation)])

    def introduced(self, visit: Visit, text: str, id: str | None, operation: dict[str, Any]) -> TurnAnswer:
        """Tell a turn of one operation that introduces a claim: under its id, or one that nothing has.

        A retry under an idempotency key finds the id that was made the first time.
        """
        with visit.entered(self.conversation) as room:
            talk, letter = room.conversation, str(operation["op"])[0]
            while True:
                made = id or self._new_id(talk, letter)
                try:
                    return self.done(visit, text, operation | {"id": made})
                except RepeatedIdentity:
                    # Another process may have come first, with this very call or with the id that was free.
                    if id or self._new_id(talk, letter) == made:
                        raise

    def _new_id(self, talk: Conversation, letter: str) -> str:
        first = talk.told_under(self.idempotency_key)
        operation = None if first is None else next(iter(first.operations), None)
        made = None if operation is None or isinstance(operation, Revise) else operation.id
        return made or _free(talk.state, letter)


def _spoken(operation: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in operation.items() if value not in (None, "", (), False)}


def _free(state: State, letter: str) -> str:
    """Give an id that nothing has: the letter of the operation and a number."""
    first = len(state.nodes) + 1
    return next(id for id in (f"{letter}{number}" for number in count(first)) if not _is_taken(state, id))


def _is_taken(state: State, id: str) -> bool:
    return PropositionId(id) in state.nodes or PropositionId(id) in state.propositions
