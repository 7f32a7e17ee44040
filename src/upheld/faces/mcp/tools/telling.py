"""Tools that put something on record. What they answer is on the disk."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from fastapi import Response
from pydantic import Field

from upheld.faces.mcp.tools.arguing import ARGUING
from upheld.faces.mcp.tools.tool import InConversation, Tool
from upheld.faces.mcp.tools.turn import Claims, IdempotencyKey, OneTurn, OwnId, Sentence, Source
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.models.changes import RetractionAnswer, RetractionRequest
from upheld.faces.server.models.conversations import BeginRequest, ConversationStatus
from upheld.faces.server.models.shapes import Id, Shape
from upheld.faces.server.routes import conversations, retractions


class Begin(Tool, BeginRequest):
    """Begin a conversation under a name of yours. Beginning the very same again changes nothing.

    Call it once, with all who take part: `kind` "assistant" for language models, yourself included, "tool" for programs
    whose results count, "person" for people. Whoever speaks unannounced joins as a person. What an assistant states is
    no ground by itself; what persons and tools observe is.
    """

    heading: ClassVar[str] = "Begin a conversation"
    gives: ClassVar[type[Shape]] = ConversationStatus
    needs: ClassVar[Role] = Role.WRITER

    def answer(self, visit: Visit) -> Shape:
        """Begin it."""
        body = BeginRequest.model_validate(self.model_dump())
        return conversations.begin_conversation(body, visit, Response())


class Say(OneTurn):
    """Put what somebody said on record in their own words; the service reads which claims are made and given up.

    Call it with each message whose meaning as single claims you do not know; where you know it, the other tools are
    exact, each for one act. Gives the operations that were read, and in `effects` what they did to earlier claims.
    `abstained` says why words could not be read; they are kept all the same.
    """

    heading: ClassVar[str] = "Say in words"

    text: Annotated[str, Field(min_length=1, description="The words, as they were said.")]

    def answer(self, visit: Visit) -> Shape:
        """Tell it, and have it read."""
        return self.told_as(visit, self.text, None)


class Observe(OneTurn):
    """Put a fact on record that somebody reports: an observation, a tool's result, a constraint, an assumption.

    Call it when something is established that later claims will rest on. Name in `supersedes` the older values that it
    replaces and in `contradicts` what cannot hold beside it, so that what rested on those falls. Gives the id of the
    new claim in `operations`, and in `effects` what became of earlier claims.
    """

    heading: ClassVar[str] = "Observe a fact"

    text: Sentence
    id: OwnId = None
    kind: Literal["observation", "fact", "evidence", "constraint", "assumption"] = "observation"
    depends_on: Annotated[Claims, Field(description="Claims that it rests on, all of them.")] = ()
    supersedes: Annotated[Claims, Field(description="Older values that this one replaces.")] = ()
    contradicts: Annotated[Claims, Field(description="Claims that cannot hold beside it.")] = ()
    source: Source = ""

    def answer(self, visit: Visit) -> Shape:
        """Tell it."""
        fields = self.model_dump(include={"kind", "depends_on", "supersedes", "contradicts", "source"})
        return self.introduced(visit, self.text, self.id, {"op": "observe", "text": self.text, **fields})


class Propose(OneTurn):
    """Put a hypothesis or a position on the table, with the premises that it rests on.

    Call it for what is thought and not known: an explanation (`explains` the observations), or an answer to an open
    issue (`on` it). It may then be said as a view, never as a fact; it falls with its premises. Give `depends_on`
    whenever you know them: without premises nothing can be traced.
    """

    heading: ClassVar[str] = "Propose with premises"

    text: Sentence
    id: OwnId = None
    kind: Literal["hypothesis", "position"] = "hypothesis"
    depends_on: Annotated[Claims, Field(description="Claims that it rests on, all of them.")] = ()
    explains: Annotated[Claims, Field(description="Observations that it would explain.")] = ()
    on: Annotated[Id | None, Field(description="The open issue that it is a position on.")] = None

    def answer(self, visit: Visit) -> Shape:
        """Tell it."""
        fields = self.model_dump(include={"kind", "depends_on", "explains", "on"})
        return self.introduced(visit, self.text, self.id, {"op": "hypothesize", "text": self.text, **fields})


class Decide(OneTurn):
    """Settle a proposal: a decision of its own, with the premises that it was taken on.

    Call it when those who take part have agreed on a claim (`target`), or when somebody with authority settles it over
    dissent (`mode` "authoritative"). When a premise falls later, the decision is marked for another look, and `brief`
    says what to look at. `reopen_if` records under which claims all agreed to look again.
    """

    heading: ClassVar[str] = "Decide"

    target: Annotated[Id, Field(description="The claim that is accepted; ~id settles that it does not hold.")]
    text: Annotated[Sentence, Field(description="The decision, in one self-contained sentence.")]
    id: OwnId = None
    mode: Literal["consensual", "authoritative"] = "consensual"
    depends_on: Annotated[Claims, Field(description="Claims that the decision rests on, all of them.")] = ()
    issue: Annotated[Id | None, Field(description="The issue that it closes.")] = None
    reopen_if: Annotated[Claims, Field(description="Claims that, should they come to hold, reopen it.")] = ()

    def answer(self, visit: Visit) -> Shape:
        """Tell it."""
        fields = self.model_dump(include={"target", "mode", "depends_on", "issue", "reopen_if"})
        told = {"op": "resolve", "text": self.text, **fields}
        return self.introduced(visit, self.text, self.id, told)


class Retract(InConversation, RetractionRequest):
    """Take something back for good, and have all that rested on it looked at.

    Call it when a claim, a turn or a document no longer counts. Changes are `retract` (nobody holds it any more),
    `falsify` (it is false), `withdraw` (all that came from a turn or a document) and `supersede` (a newer value). Ask
    `affected` first. Gives what fell, was thinned and came back. It stays on record that it was taken back, by whom and
    why.
    """

    heading: ClassVar[str] = "Take back"
    gives: ClassVar[type[Shape]] = RetractionAnswer
    needs: ClassVar[Role] = Role.WRITER
    takes_back: ClassVar[bool] = True

    idempotency_key: IdempotencyKey = ""

    def answer(self, visit: Visit) -> Shape:
        """Take it back."""
        return retractions.retracted(self.conversation, self, visit, self.idempotency_key)


TELLING: tuple[type[Tool], ...] = (Begin, Say, Observe, Propose, *ARGUING, Decide, Retract)
"""In the order in which they are listed."""
