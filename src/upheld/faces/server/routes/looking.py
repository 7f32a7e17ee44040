"""A conversation to look at: all that happened, for a page that draws it and goes back and forth."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from upheld.conversation.asking.questions import Snapshot
from upheld.conversation.looking.comparing import compared
from upheld.conversation.looking.detail import detail_of
from upheld.conversation.looking.history import History as Told
from upheld.conversation.looking.history import Moment, history_of
from upheld.conversation.looking.log import Change
from upheld.errors import UnknownReference, VersionConflict
from upheld.faces.server.access import At, Id, Reading, Writing
from upheld.faces.server.answering import Route
from upheld.faces.server.models.changes import Status
from upheld.faces.server.models.exchange import ImportAnswer
from upheld.faces.server.models.looking import ClaimDetail, Comparison, Difference, History, Sample
from upheld.faces.server.models.shapes import Responses
from upheld.faces.server.routes.conversations import claim_status
from upheld.faces.server.samples.catalogue import NAMES, packaged, put
from upheld.faces.trees import Tree, plain
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.plain import plain_operation
from upheld.logic.language.turns import Turn

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["looking"], route_class=Route)
samples = APIRouter(prefix="/v1/samples", tags=["looking"], route_class=Route)

THERE_ALREADY: Responses = {200: {"model": ImportAnswer, "description": "It was taken in before."}}


@router.get("/history", operation_id="history", response_model=History)
def history(
    conversation: Id,
    visit: Reading,
    after: Annotated[int, Query(ge=0, description="The `place` that the caller has; 0: everything.")] = 0,
) -> Response:
    """Give all that happened after a place, and what it did: enough to draw a conversation as of any moment.

    After an amendment or an erasure what was given before may be otherwise: ask for everything again.
    """
    with visit.entered(conversation) as room:
        told = history_of(room.conversation, visit.host.store, room.log, after=after)
    return Response(_written(told), media_type="application/json")


@router.get("/compare", operation_id="compare")
def compare(
    conversation: Id,
    visit: Reading,
    *,
    since: Annotated[
        str, Query(alias="from", max_length=200, description="After this turn; left out: see below.")
    ] = "",
    to: Annotated[str, Query(max_length=200, description="With as of after this turn; now, if it is left out.")] = "",
    other: Annotated[str, Query(alias="with", max_length=200, description="Another conversation.")] = "",
) -> Comparison:
    """Say what is new, gone and otherwise between two moments, or between this conversation and another one.

    Without `from` the first moment is the beginning; beside another conversation it is now, and `to` is a turn of that
    one. There claims are the same that are put in the same words; where either has none, those of the same id.
    """
    after = visit.state(other or conversation, to)
    with visit.entered(conversation) as room:
        timeline = room.conversation.timeline
        begun = timeline.around(0)[1] if timeline.count else timeline.now
        before = timeline.at(TurnId(since)) if since else timeline.now if other else begun
    found = compared(before, after, is_same=not other)
    return Comparison(
        new=[claim_status(Snapshot(after), id) for id in found.new],
        gone=[claim_status(Snapshot(before), id) for id in found.gone],
        changed=[
            Difference(
                claim=each.before.id,
                text=before.proposition(each.before.id).text,
                before=Status.model_validate(plain(each.before)),
                after=Status.model_validate(plain(each.after)),
            )
            for each in found.changed
        ],
    )


@router.get("/claims/{claim}", operation_id="get_claim")
def get_claim(
    conversation: Id,
    claim: Annotated[str, Path(description="Id of a claim, such as o9.", max_length=200)],
    visit: Reading,
    at: At = "",
) -> ClaimDetail:
    """Give one claim: how it stands since when, what was done to it, which values it replaced, what rests on it."""
    id = PropositionId(claim)
    with visit.entered(conversation) as room:
        talk, log = room.conversation, room.log
        log.follow(talk.timeline)
        events = talk.timeline.events
        state = talk.timeline.at(TurnId(at)) if at else talk.state
        if at:
            events = events[: 1 + next(n for n, each in enumerate(events) if isinstance(each, Turn) and each.id == at)]
        detail = detail_of(id, state, log, events)
    return ClaimDetail.model_validate({**plain(detail), "status": claim_status(Snapshot(state), id)})


@samples.get("", operation_id="list_samples")
def list_samples(visit: Reading) -> list[Sample]:
    """List the conversations that come with the service, to try things on."""
    del visit
    each = map(packaged, NAMES)
    return [Sample(id=one.name, title=one.transcript.title, about=one.about) for one in each]


@samples.post("/{id}", operation_id="take_sample", status_code=201, responses=THERE_ALREADY)
def take_sample(
    id: Annotated[str, Path(description="One of the list, such as greenhouse.", max_length=200)],
    visit: Writing,
    response: Response,
) -> ImportAnswer:
    """Take a sample in as a conversation of its own; one that is there already is left as it is, and answers 200."""
    if id not in NAMES:
        raise UnknownReference(id, where=f"samples: {', '.join(NAMES)}")
    name = packaged(id).conversation
    is_repeated = False
    try:
        put(id, visit.host.store, policy=visit.house.equipment.policy)
    except VersionConflict:
        is_repeated, response.status_code = True, 200
    with visit.entered(name) as room:
        return ImportAnswer(
            id=name,
            version=room.conversation.version,
            form="json",
            turns=room.conversation.timeline.length,
            unread=[],
            damaged=[],
            left_out={},
            is_repeated=is_repeated,
        )


def _written(told: Told) -> str:
    """Write thousands of records one by one; a test holds them against the model instead of every answer.

    A tree of all of them would be gone through by the collector of garbage while it grows, with everything else that
    the service holds: that took as long as all the rest.
    """
    parts: dict[str, Iterable[object]] = {
        "moments": map(_moment, told.moments),
        "claims": ({name: getattr(each, name) for name in _CLAIM} for each in told.claims),
        "edges": ({name: getattr(each, name) for name in _EDGE} for each in told.edges),
        "changes": map(_change, told.changes),
    }
    whole: Tree = {
        "id": told.id,
        "title": told.title,
        "version": told.version,
        "place": told.place,
        "agents": plain(told.agents),
    }
    lists = (f'"{name}": [{", ".join(map(json.dumps, each))}]' for name, each in parts.items())
    return ", ".join((json.dumps(whole).removesuffix("}"), *lists)) + "}"


_CLAIM = ("id", "text", "kind", "speaker", "turn", "place")
_EDGE = ("source", "target", "kind", "group", "place", "ended")


def _moment(moment: Moment) -> Tree:
    return {
        "place": moment.place,
        "kind": moment.kind,
        "turn": moment.turn,
        "speaker": moment.speaker,
        "text": moment.text,
        "at": moment.at,
        "session": moment.session,
        "recorded_at": moment.recorded_at,
        "audience": plain(moment.audience),
        "is_erased": moment.is_erased,
        "is_unread": moment.is_unread,
        "change": plain(moment.change),
        "reason": moment.reason,
        "operations": [plain_operation(each) for each in moment.operations],
        "claims": [{"id": each.id, "span": each.span, "act": each.act} for each in moment.claims],
        "effects": plain(moment.effects),
    }


def _change(change: Change) -> Tree:
    return {
        "place": change.place,
        "claim": change.claim,
        "standing": change.standing.label,
        "lifecycle": change.standing.lifecycle,
        "needs_reevaluation": change.needs_reevaluation,
    }
