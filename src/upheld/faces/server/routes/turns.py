"""Turns: told one by one or in a batch, read, given another meaning, erased."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response

from upheld.conversation.asking.effects import Effects as Done
from upheld.conversation.asking.effects import effects_of
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Event
from upheld.conversation.hosting.host import Room
from upheld.conversation.speaking import Told, turn_of
from upheld.errors import LimitExceeded, UpheldError
from upheld.faces.server.access import (
    Administering,
    Id,
    IdempotencyKey,
    Limit,
    Reading,
    TurnName,
    Visit,
    Writing,
    persistently,
)
from upheld.faces.server.answering import Route
from upheld.faces.server.errors import tree_of
from upheld.faces.server.models.shapes import Problem, Responses, Tree
from upheld.faces.server.models.turns import (
    AmendRequest,
    BatchAnswer,
    BatchRequest,
    Effects,
    EraseAnswer,
    EraseRequest,
    OneTurnRequest,
    PassedOver,
    Turn,
    TurnAnswer,
    TurnList,
    TurnRequest,
)
from upheld.faces.server.telemetry.tracing import step
from upheld.faces.trees import plain
from upheld.logic.language.identities import TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.plain import as_id, plain_operation, read_operation
from upheld.logic.language.turns import Turn as Said
from upheld.record.ledger.entry import Entry, Erased, Words

router = APIRouter(prefix="/v1/conversations/{conversation}/turns", tags=["turns"], route_class=Route)

REPEATED: Responses = {200: {"model": TurnAnswer, "description": "It was told before under this key."}}


@router.post("", operation_id="tell_turn", status_code=201, responses=REPEATED)
def tell_turn(
    conversation: Id, body: OneTurnRequest, visit: Writing, response: Response, key: IdempotencyKey = ""
) -> TurnAnswer:
    """Tell one turn: all of its operations, or none."""
    with visit.entered(conversation) as room:
        answer = _told(room, body, visit, key, expected=body.expected_version)
    if answer.is_repeated:
        response.status_code = 200
    return answer


@router.post("/batch", operation_id="tell_turns")
def tell_turns(conversation: Id, body: BatchRequest, visit: Writing, key: IdempotencyKey = "") -> BatchAnswer:
    """Tell several turns, one after the other. The first that is refused ends the batch, and is told in the answer.

    Where that is the very first of them, nothing is on record, and the answer is its problem alone.

    With an idempotency key the same batch may be sent again: what is on record is not told twice, and the rest is.
    """
    most = visit.settings.turns_a_batch
    if len(body.turns) > most:
        raise LimitExceeded(f"turns: a batch of {len(body.turns)}, and the most is {most}")
    told: list[TurnAnswer] = []
    failure: Problem | None = None
    with visit.entered(conversation) as room:
        talk = room.conversation
        for place, turn in enumerate(body.turns):
            expected = body.expected_version if place == 0 else None
            try:
                told.append(_told(room, turn, visit, f"{key}#{place}" if key else "", expected=expected))
            except UpheldError as error:
                if place == 0:
                    raise
                failure = Problem.model_validate(tree_of(error))
                break
        return BatchAnswer(version=talk.version, turns=told, failure=failure, left=len(body.turns) - len(told))


@router.get("", operation_id="list_turns")
def list_turns(
    conversation: Id,
    visit: Reading,
    after: Annotated[int, Query(ge=0, description="The `next` of the page before; 0: from the beginning.")] = 0,
    limit: Limit = 100,
) -> TurnList:
    """Give the turns after a position in the record, in its order, each with its meaning of now."""
    with visit.entered(conversation) as room:
        talk = room.conversation
        store = visit.host.store
        entries = _words(store.read(talk.id, after=after, upto=talk.version), limit)
        turns = [_turn(talk, entry) for entry in entries]
        return TurnList(
            version=talk.version,
            turns=turns,
            next=turns[-1].position if len(turns) == limit else max(after, talk.version),
        )


@router.post("/{turn}/amendments", operation_id="amend_turn", status_code=201, responses=REPEATED)
def amend_turn(
    conversation: Id, turn: TurnName, body: AmendRequest, visit: Writing, response: Response, key: IdempotencyKey = ""
) -> TurnAnswer:
    """Give a turn another meaning; refused where a later turn refers to what this one would no longer introduce."""
    operations = _operations(body.operations, visit)
    with visit.entered(conversation) as room:
        talk, is_repeated = room.conversation, room.conversation.was_done(key)

        def act() -> None:
            talk.amend(turn, operations, by=body.by, reason=body.reason, key=key)

        persistently(talk, act, expected=None if is_repeated else body.expected_version)
        if is_repeated:
            response.status_code = 200
        return _answer(talk, Told(turn=TurnId(turn), operations=operations), effects=None, is_repeated=is_repeated)


@router.post("/{turn}/erasure", operation_id="erase_turn")
def erase_turn(
    conversation: Id, turn: TurnName, body: EraseRequest, visit: Administering, key: IdempotencyKey = ""
) -> EraseAnswer:
    """Erase what was said in a turn for good, and put that on record. Copies and backups are not reached."""
    with step("erase"), visit.entered(conversation) as room:
        talk, is_repeated = room.conversation, room.conversation.was_done(key)
        act = talk.erase(turn, reason=body.reason, by=body.by, meaning=body.meaning, key=key)
        epoch = None if act is None else act.epoch
        return EraseAnswer(version=talk.version, epoch=epoch, is_repeated=is_repeated)


def _told(room: Room, body: TurnRequest, visit: Visit, key: str, *, expected: int | None) -> TurnAnswer:
    visit.check_text(body.text, "text")
    talk = room.conversation
    operations = None if body.operations is None else _operations(body.operations, visit)
    is_repeated = bool(key) and talk.was_told(key)
    told = persistently(talk, partial(_tell, talk, body, operations, key), expected=None if is_repeated else expected)
    found = _last(room)
    # Where it was told before, by this process or another, something else may have come last.
    is_last = not is_repeated and isinstance(found[0], Said) and found[0].id == told.turn
    effects = plain(found[1]) if is_last else None
    if is_last:
        visit.house.metrics.note_turn()
    return _answer(talk, told, effects=effects, is_repeated=not is_last)


def _last(room: Room) -> tuple[Event, Done | None]:
    """Give the last event, and what it did: from the log of the page where that is at hand, so that it is found once.

    The log is kept up from the first turn on, and then the first look at a long conversation folds nothing again.
    """
    timeline = room.conversation.timeline
    event, before, after = timeline.around(timeline.count - 1)
    known = room.log.keep_up(timeline)
    return event, effects_of(event, before, after) if known is None else known.effects


def _tell(talk: Conversation, body: TurnRequest, operations: tuple[Operation, ...] | None, key: str) -> Told:
    setting: Tree = {"audience": body.audience, "session": body.session, "at": body.at}
    if body.id is None:
        return talk.say(body.speaker, body.text, operations, key=key, **setting)
    turn = turn_of(TurnId(as_id(body.id, "id")), body.speaker, operations or (), {**setting, "said": body.text})
    return talk.hear(turn, key=key) if operations is None else talk.tell(turn, key=key)


def _operations(trees: list[Tree], visit: Visit) -> tuple[Operation, ...]:
    most = visit.settings.operations_a_turn
    if len(trees) > most:
        raise LimitExceeded(f"operations: {len(trees)} in one turn, and the most is {most}")
    return tuple(read_operation(tree, key=f"operations[{place}]") for place, tree in enumerate(trees))


def _answer(talk: Conversation, told: Told, *, effects: Tree | None, is_repeated: bool) -> TurnAnswer:
    return TurnAnswer(
        turn=told.turn,
        version=talk.version,
        is_repeated=is_repeated,
        operations=[plain_operation(each) for each in told.operations],
        findings=[PassedOver.model_validate(plain(each)) for each in told.findings],
        abstained=told.abstained,
        effects=None if effects is None else Effects.model_validate(effects),
    )


def _words(entries: Iterator[Entry], limit: int) -> list[tuple[Entry, Words]]:
    found: list[tuple[Entry, Words]] = []
    for entry in entries:
        words = entry.content.remains if isinstance(entry.content, Erased) else entry.content
        if isinstance(words, Words):
            found.append((entry, words))
            if len(found) == limit:
                break
    return found


def _turn(talk: Conversation, found: tuple[Entry, Words]) -> Turn:
    entry, words = found
    return Turn(
        position=entry.epoch,
        id=words.turn,
        speaker=words.speaker,
        text=words.text,
        audience=None if words.audience is None else sorted(words.audience),
        session=words.session,
        at=words.at,
        recorded_at=entry.recorded_at,
        operations=[plain_operation(each) for each in talk.timeline.told(words.turn).operations],
        is_erased=isinstance(entry.content, Erased),
    )
