"""Questions that change nothing: what a change would do, why a claim stands, who believes what."""

from __future__ import annotations

from fastapi import APIRouter

from upheld.conversation.asking.attitudes import attitudes
from upheld.conversation.asking.questions import Questions, Snapshot
from upheld.conversation.asking.what_if import WhatIf, moved
from upheld.faces.server.access import At, Claim, Id, Reading
from upheld.faces.server.answering import Route
from upheld.faces.server.models.answers import (
    BelieveAnswer,
    BelieveRequest,
    Brief,
    BriefRequest,
    Explanation,
    ReviewAnswer,
)
from upheld.faces.server.models.changes import (
    AffectedAnswer,
    AffectedRequest,
    Asked,
    Change,
    Delta,
    Judged,
    Moved,
    Status,
    WhatIfAnswer,
    WhatIfRequest,
)
from upheld.faces.server.models.verdicts import Verdict
from upheld.faces.trees import limited, plain
from upheld.logic.language.literals import Literal, literal
from upheld.logic.language.plain import read_retraction
from upheld.logic.language.turns import Retraction

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["questions"], route_class=Route)


@router.post("/affected", operation_id="affected")
def affected(conversation: Id, body: AffectedRequest, visit: Reading) -> AffectedAnswer:
    """List what a change would do, with the way from it to each claim."""
    delta = visit.snapshot(conversation, body.at).affected(_change(body.change))
    shown = limited(delta, body.limit)
    return AffectedAnswer(delta=Delta.model_validate(plain(shown)), left_off=len(delta.affected) - len(shown.affected))


@router.post("/what-if", operation_id="what_if")
def what_if(conversation: Id, body: WhatIfRequest, visit: Reading) -> WhatIfAnswer:
    """Try changes on a branch, one after the other, and show what moves."""
    before = visit.snapshot(conversation, body.at)
    branch = WhatIf(before.state)
    for place, change in enumerate(body.changes):
        branch.suppose(_change(change, key=f"changes[{place}]"))
    asked = [literal(each) for each in body.ask]
    for each in asked:
        before.state.proposition(each.proposition)
    after = branch.then
    found = () if asked else tuple(moved(before, after))
    return WhatIfAnswer(
        asked=[Asked(claim=str(each), before=_judged(before, each), after=_judged(after, each)) for each in asked],
        moved=[Moved(claim=id, before=_status(before, id), after=_status(after, id)) for id in found],
    )


@router.get("/review", operation_id="review")
def review(conversation: Id, claim: Claim, visit: Reading, at: At = "") -> ReviewAnswer:
    """List all that a person should look at when a claim is in doubt, over every kind of edge."""
    return ReviewAnswer(claims=list(visit.snapshot(conversation, at).review(claim)))


@router.get("/explain", operation_id="explain")
def explain(conversation: Id, claim: Claim, visit: Reading, at: At = "") -> Explanation:
    """Say why a claim stands, down to the turns, what is held against it, and what would break it."""
    return Explanation.model_validate(plain(visit.snapshot(conversation, at).explain(claim)))


@router.post("/brief", operation_id="brief")
def brief(conversation: Id, body: BriefRequest, visit: Reading) -> Brief:
    """Give the re-evaluation brief for a change, from the record alone."""
    return Brief.model_validate(plain(visit.snapshot(conversation, body.at).brief(_change(body.change))))


@router.post("/believe", operation_id="believe")
def believe(conversation: Id, body: BelieveRequest, visit: Reading) -> BelieveAnswer:
    """Say who believes and knows a formula, or whether a formula about belief and knowledge holds."""
    with visit.entered(conversation) as room:
        talk = room.conversation
        questions: Questions = talk.at(body.at) if body.at else talk
        found = attitudes(questions, body.formula, agent=body.agent or "", given=body.given or "")
    return BelieveAnswer.model_validate(plain(found))


def _change(change: Change, *, key: str = "change") -> Retraction:
    return read_retraction(change.model_dump(), key=key)


def _status(questions: Snapshot, id: str) -> Status:
    return Status.model_validate(plain(questions.status(id)))


def _judged(questions: Snapshot, claim: Literal) -> Judged:
    verdict = Verdict.model_validate(plain(questions.verify(claim)))
    return Judged(status=_status(questions, claim.proposition), verdict=verdict)
