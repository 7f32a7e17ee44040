"""Tools that only ask. Nothing is ever changed by them."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from upheld.faces.mcp.tools.tool import At, ClaimId, InConversation, Tool
from upheld.faces.server.access import Visit
from upheld.faces.server.models.answers import Brief as BriefAnswer
from upheld.faces.server.models.answers import BriefRequest, Explanation
from upheld.faces.server.models.changes import AffectedAnswer, AffectedRequest
from upheld.faces.server.models.conversations import ClaimList, ConversationList, ConversationStatus
from upheld.faces.server.models.searching import SearchAnswer
from upheld.faces.server.models.shapes import Shape
from upheld.faces.server.models.verdicts import VerifyAnswer, VerifyRequest
from upheld.faces.server.routes import asking, conversations, searching, verifying
from upheld.logic.language.standing import Label

After = Annotated[str, Field(max_length=200, description="The `next` of the page before; left out: the first page.")]
Limit = Annotated[int, Field(ge=1, le=1000, description="How many at most.")]


class ListConversations(Tool):
    """List the conversations on record by name, a page at a time.

    Call it when you do not know the name of the conversation. Gives names and versions; `next` is null on the
    last page.
    """

    heading: ClassVar[str] = "List conversations"
    gives: ClassVar[type[Shape]] = ConversationList

    after: After = ""
    limit: Limit = 100

    def answer(self, visit: Visit) -> Shape:
        """List them."""
        return conversations.list_conversations(visit, after=self.after, limit=self.limit)


class Status(InConversation):
    """Say what stands in a conversation now: who takes part, how many claims hold, the newest that do, open questions.

    Call it first, before you continue a conversation that you did not follow from its beginning, and again after
    something was taken back. `stands` lists only what may be relied on; `left_off` counts what the list has no room for
    (`list_claims` gives all).
    """

    heading: ClassVar[str] = "What stands now"
    gives: ClassVar[type[Shape]] = ConversationStatus

    def answer(self, visit: Visit) -> Shape:
        """Look where it is."""
        return conversations.get_conversation(self.conversation, visit)


class ListClaims(InConversation):
    """List claims in the order in which they were put forward, with standing (whether it holds now) and lifecycle.

    Call it to find the id of a claim, or with `standing` "out" to see what must not be relied on any more. `fallen`
    names the premises that a claim has lost.
    """

    heading: ClassVar[str] = "List claims"
    gives: ClassVar[type[Shape]] = ClaimList

    after: After = ""
    limit: Limit = 100
    at: At = ""
    agent: Annotated[str, Field(max_length=200, description="Only what this agent was told.")] = ""
    standing: Annotated[Label | None, Field(description="Only claims of this standing: in is what holds.")] = None

    def answer(self, visit: Visit) -> Shape:
        """List them."""
        return conversations.list_claims(
            self.conversation,
            visit,
            after=self.after,
            limit=self.limit,
            at=self.at,
            agent=self.agent,
            standing=self.standing,
        )


class Verify(InConversation, VerifyRequest):
    """Check whether something may be said now, before it is said: a whole reply as `text`, or `claims` by their ids.

    Call it with every reply that you are about to send, and with `speaker` as whoever would say it. Gives `grounded`,
    `ungrounded` with the reason of each claim (abandoned, retracted, superseded, contradicted, premise_lost,
    overclaimed, unknown, ...) and `restored_if`, what would mend it; or `abstain`, which is neither: it could not be
    checked, and `abstained` says why. Do not send what is ungrounded, and do not take `abstain` for a yes.
    """

    heading: ClassVar[str] = "Verify before saying"
    gives: ClassVar[type[Shape]] = VerifyAnswer

    def answer(self, visit: Visit) -> Shape:
        """Judge it."""
        return VerifyAnswer.model_validate(verifying.judged(self.conversation, self, visit))


class Affected(InConversation, AffectedRequest):
    """Ask what a change would do before it is made: what would be lost, thinned, defeated, and what would come back.

    Call it when a claim or a source is in doubt, or before `retract`. Changes are `retract` (nobody holds it any more),
    `falsify` (it is false), `withdraw` (all that came from a turn or a document) and `supersede` (a newer value). Each
    effect has the path from the change to the claim. Nothing is recorded.
    """

    heading: ClassVar[str] = "What a change would do"
    gives: ClassVar[type[Shape]] = AffectedAnswer

    def answer(self, visit: Visit) -> Shape:
        """Follow the change."""
        return asking.affected(self.conversation, self, visit)


class Explain(InConversation):
    """Say why a claim stands, or why not: its premises down to the turns that said them, what is held against it.

    Call it when somebody asks "why", or to quote who said what. `breaks_if` names the claims whose loss would bring it
    down.
    """

    heading: ClassVar[str] = "Why a claim stands"
    gives: ClassVar[type[Shape]] = Explanation

    claim: ClaimId
    at: At = ""

    def answer(self, visit: Visit) -> Shape:
        """Explain it."""
        return asking.explain(self.conversation, self.claim, visit, at=self.at)


class Brief(InConversation, BriefRequest):
    """Give what to look at again after a change, from the record alone.

    Call it when the ground of a decision has changed and people must decide anew: the decisions that rested on it, the
    conditions under which all agreed to look again, earlier concerns that are live now, alternatives to compare, what
    need not be reopened and why, and who dissented.
    """

    heading: ClassVar[str] = "Brief for deciding anew"
    gives: ClassVar[type[Shape]] = BriefAnswer

    def answer(self, visit: Visit) -> Shape:
        """Put it together."""
        return asking.brief(self.conversation, self, visit)


class Search(Tool):
    """Find claims that stand, by their words, in all conversations or in one.

    Call it when you need what was established elsewhere or long ago. What was given up is found only with `include`
    "superseded", and then `stands` is false: do not rely on it.
    """

    heading: ClassVar[str] = "Search claims"
    gives: ClassVar[type[Shape]] = SearchAnswer

    words: Annotated[str, Field(min_length=1, max_length=2000, description="What to look for.")]
    conversation: Annotated[str, Field(max_length=200, description="Only in this one; all, if left out.")] = ""
    as_of: Annotated[str, Field(max_length=40, description="A time in ISO 8601, or an entry's number.")] = ""
    include: Annotated[Literal["", "superseded"], Field(description="Find what was given up as well.")] = ""
    limit: Limit = 10

    def answer(self, visit: Visit) -> Shape:
        """Look for it."""
        return searching.search(
            visit,
            self.words,
            conversation=self.conversation,
            as_of=self.as_of,
            include=self.include,
            limit=self.limit,
        )


ASKING: tuple[type[Tool], ...] = (
    Status, Verify, Affected, Explain, Brief, Search, ListClaims, ListConversations,
)  # fmt: skip
"""In the order in which they are listed."""
