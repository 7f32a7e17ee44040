"""Tools that act on what others said: for it, against it, in its place, and what is asked or brought up beside it."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from upheld.errors import MalformedInput
from upheld.faces.mcp.tools.tool import Tool
from upheld.faces.mcp.tools.turn import Claims, OneTurn, OwnId, Sentence, Source
from upheld.faces.server.access import Visit
from upheld.faces.server.models.shapes import Id, Shape

Argument = Annotated[
    str, Field(description="The argument in one self-contained sentence; left out, the evidence speaks for itself.")
]


class _Arguing(OneTurn):
    target: Annotated[Id, Field(description="The claim that it is about.")]
    text: Argument = ""
    id: Annotated[Id | None, Field(description="A new id for the argument; one is made if left out.")] = None
    evidence: Annotated[Claims, Field(description="Claims that it rests on, all of them; ~id: that it is not so.")] = ()
    source: Source = ""

    def _argued(self, visit: Visit, op: str, **more: bool) -> Shape:
        """Tell it: with words or an id it is an argument, which may be argued about itself."""
        told = self.model_dump(include={"target", "text", "evidence", "source"})
        operation = {"op": op, **told, **more}
        if self.text or self.id:
            return self.introduced(visit, self.text, self.id, operation)
        return self.done(visit, "", operation)


class Support(_Arguing):
    """Give evidence or an argument for a claim that is on the table.

    Call it when something speaks for a claim (`target`) that was put forward or put in doubt. With `text` it is an
    argument of its own. Without, `evidence` joins what the claim rests on, so that the claim falls with it, and
    `specific` evidence answers those who doubted; `sufficient` makes of it another ground beside the others. It settles
    nothing: `decide` does.
    """

    heading: ClassVar[str] = "Support a claim"

    specific: Annotated[bool, Field(description="It speaks for this claim and not for its rivals.")] = False
    sufficient: Annotated[
        bool, Field(description="Without text: the evidence alone would do, though all other premises fall.")
    ] = False

    def answer(self, visit: Visit) -> Shape:
        """Tell it; raises :class:`~upheld.errors.MalformedInput` where an argument is called sufficient."""
        if self.sufficient and (self.text or self.id):
            raise MalformedInput("only bare evidence is sufficient: leave out text and id", key="sufficient")
        return self._argued(visit, "support", specific=self.specific, sufficient=self.sufficient)


class Undermine(_Arguing):
    """Give evidence or an argument against a claim, without saying that it is false.

    Call it when you or somebody else doubts a claim (`target`) and can say why: it is weakened, and cannot be settled
    by all as long as who objects is not answered. To give up a claim of one's own, or to replace it, call `revise`; to
    take something off the record, `retract`.
    """

    heading: ClassVar[str] = "Undermine a claim"

    specific: Annotated[bool, Field(description="It speaks against this claim and not against its rivals.")] = False

    def answer(self, visit: Visit) -> Shape:
        """Tell it."""
        return self._argued(visit, "undermine", specific=self.specific)


class Revise(OneTurn):
    """Give a claim up, or put another in its place, as somebody who takes part in the conversation.

    Call it when `speaker` no longer holds a claim (`target`): with `replacement` where a newer claim that is on record
    takes its place, with `because` for the claims that speak against it. Who never held it has to give one of the two.
    What rested on the claim loses its ground; `effects` says what.
    """

    heading: ClassVar[str] = "Revise a claim"
    takes_back: ClassVar[bool] = True

    target: Annotated[Id, Field(description="The claim that is given up.")]
    replacement: Annotated[Id | None, Field(description="The claim that takes its place; observe it first.")] = None
    because: Annotated[Claims, Field(description="Claims that speak against it; ~id: that it is not so.")] = ()
    withdrawn: Annotated[bool, Field(description="It is taken back and not denied: it may be so after all.")] = False
    text: Annotated[str, Field(description="The words in which it was said, for people.")] = ""

    def answer(self, visit: Visit) -> Shape:
        """Tell it."""
        fields = self.model_dump(include={"target", "replacement", "because", "withdrawn"})
        return self.done(visit, self.text, {"op": "revise", **fields})


class Question(OneTurn):
    """Open an issue: ask something, or flag claims as unexplained.

    Call it for what has to be settled or explained before the conversation can go on. `status` lists it among the open
    questions until a `decide` closes it (`issue`); answers are positions `on` it (`propose`). Its id comes back in
    `operations`.
    """

    heading: ClassVar[str] = "Open an issue"

    text: Annotated[str, Field(min_length=1, description="The question, with its question mark.")]
    id: OwnId = None
    about: Annotated[Claims, Field(description="Claims that are unexplained.")] = ()

    def answer(self, visit: Visit) -> Shape:
        """Tell it."""
        operation = {"op": "question", "text": self.text, "about": self.about}
        return self.introduced(visit, self.text, self.id, operation)


class ExpandAwareness(OneTurn):
    """Bring up a possibility that nobody had in view, which is neither a fact nor a proposal yet.

    Call it when something comes up that the conversation has left out, and name in `reinterprets` the earlier claims
    that it lets appear in another light. Then `observe` or `propose` what follows. What is in view already is refused.
    """

    heading: ClassVar[str] = "Bring up what nobody had in view"

    text: Sentence
    id: OwnId = None
    reinterprets: Annotated[Claims, Field(description="Earlier claims that it lets appear in another light.")] = ()
    source: Source = ""

    def answer(self, visit: Visit) -> Shape:
        """Tell it."""
        fields = self.model_dump(include={"text", "reinterprets", "source"})
        return self.introduced(visit, self.text, self.id, {"op": "expand_awareness", **fields})


ARGUING: tuple[type[Tool], ...] = (Support, Undermine, Revise, Question, ExpandAwareness)
"""In the order in which they are listed."""
