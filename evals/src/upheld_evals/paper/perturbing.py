"""Labelled operations with noise in them: what an interpreter that errs would have told.

What an operation needs and no longer finds is dropped with it (a reference to a proposition that was never introduced,
an operation on such a target), since an interpreter cannot refer to what it missed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    Hypothesize,
    Observe,
    Operation,
    Resolve,
    Revise,
    Support,
    Undermine,
    name_of,
)
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript

GROUNDS = ("depends_on", "evidence")
"""Fields whose literals become dependency edges."""

_IDS = ("contradicts", "supersedes", "reinterprets", "against", "prefers", "explains", "attacks", "subsumes", "about")
_LITERALS = ("depends_on", "evidence", "because", "reopen_if")
_SINGLE = ("on", "refines", "replacement", "issue")


def without_edges(transcript: Transcript, chance: random.Random, epsilon: float) -> Transcript:
    """Drop each dependency edge with probability ``epsilon``; explanation edges of a resolve are edges too."""

    def dropped(operation: Operation) -> Operation:
        changes: dict[str, Any] = {
            name: tuple(each for each in getattr(operation, name) if chance.random() >= epsilon)
            for name in (*GROUNDS, "subsumes")
            if getattr(operation, name, ())
        }
        return replace(operation, **changes) if changes else operation

    return _mapped(transcript, lambda operation, _: dropped(operation))


def with_edges(transcript: Transcript, chance: random.Random, epsilon: float) -> Transcript:
    """Add, for each proposition that may rest on others, an edge to an earlier one with probability ``epsilon``."""

    def added(operation: Operation, earlier: Sequence[PropositionId]) -> Operation:
        if not isinstance(operation, Hypothesize | Observe) or not earlier or chance.random() >= epsilon:
            return operation
        ground = Literal(chance.choice(earlier))
        return operation if ground in operation.depends_on else replace(
            operation, depends_on=(*operation.depends_on, ground)
        )  # fmt: skip

    return _mapped(transcript, added)


def without_operations(transcript: Transcript, chance: random.Random, epsilon: float, *, kind: str) -> Transcript:
    """Miss each operation of a kind with probability ``epsilon``."""
    turns = [
        replace(
            turn,
            operations=tuple(
                each for each in turn.operations if name_of(each) != kind or chance.random() >= epsilon
            ),
        )
        for turn in transcript.turns
    ]  # fmt: skip
    return _repaired(transcript, turns)


def with_wrong_targets(transcript: Transcript, chance: random.Random, epsilon: float, *, kind: str) -> Transcript:
    """Aim each operation of a kind at another earlier proposition with probability ``epsilon``.

    An operation that has no target is read as another kind instead: an ``observe`` as a ``hypothesize`` and the other
    way round; the rest is missed.
    """

    def wrong(operation: Operation, earlier: Sequence[PropositionId]) -> Operation | None:
        if name_of(operation) != kind or chance.random() >= epsilon:
            return operation
        match operation:
            case Support() | Undermine() | Revise():
                others = [each for each in earlier if each != operation.target]
                return replace(operation, target=chance.choice(others)) if others else operation
            case Resolve():
                others = [each for each in earlier if each != operation.target.proposition]
                return replace(operation, target=Literal(chance.choice(others))) if others else operation
            case Observe():
                return Hypothesize(id=operation.id, text=operation.text, depends_on=operation.depends_on)
            case Hypothesize():
                return Observe(id=operation.id, text=operation.text, depends_on=operation.depends_on)
            case _:
                return None

    return _mapped(transcript, wrong)


STATUSES = ("active", "weakened", "abandoned", "resolved")


def with_statuses(transcript: Transcript, chance: random.Random, epsilon: float) -> Transcript:
    """Give each hypothesis another lifecycle with probability ``epsilon``, drawn evenly from the other three.

    The acts on it are taken out, and one act at the end of the conversation gives it the wrong lifecycle.
    """
    now = _lifecycles(transcript)
    wrong = {
        id: chance.choice([each for each in STATUSES if each != status])
        for id, status in now.items()
        if chance.random() < epsilon
    }
    turns = [
        replace(turn, operations=tuple(each for each in turn.operations if _acts_on(each) not in wrong))
        for turn in transcript.turns
    ]
    acts = tuple(act for id, status in wrong.items() if (act := _act(id, status)) is not None)
    if turns:
        turns[-1] = replace(turns[-1], operations=(*turns[-1].operations, *acts))
    return _repaired(transcript, turns)


def _lifecycles(transcript: Transcript) -> Mapping[PropositionId, str]:
    """Follow the acts alone: good enough to know which three statuses are wrong."""
    found: dict[PropositionId, str] = {}
    for turn in transcript.turns:
        for operation in turn.operations:
            match operation:
                case Hypothesize():
                    found[operation.id] = "active"
                case Revise() if operation.target in found:
                    found[operation.target] = "abandoned"
                case Undermine() if found.get(operation.target) == "active":
                    found[operation.target] = "weakened"
                case Support() if operation.specific and operation.target in found:
                    found[operation.target] = "active"
                case Resolve():
                    settled = {operation.target.proposition, *operation.subsumes}
                    found.update(dict.fromkeys(settled & found.keys(), "resolved"))
                case _:
                    pass
    return found


def _acts_on(operation: Operation) -> PropositionId | None:
    match operation:
        case Undermine() | Revise():
            return operation.target
        case Support():
            # What it adds to the grounds is left alone: the noise is one of status only.
            return operation.target if operation.specific and not operation.evidence else None
        case Resolve():
            return operation.target.proposition
        case _:
            return None


def _act(id: PropositionId, status: str) -> Operation | None:
    match status:
        case "weakened":
            return Undermine(target=id)
        case "abandoned":
            return Revise(target=id)
        case "resolved":
            return Resolve(target=Literal(id))
        case _:
            return None


def truncated(transcript: Transcript, at: str | None) -> Transcript:
    """Give a transcript up to a turn, that turn included."""
    if at is None:
        return transcript
    place = next(place for place, turn in enumerate(transcript.turns) if turn.id == at)
    return replace(transcript, turns=transcript.turns[: place + 1])


Change = Callable[[Operation, Sequence[PropositionId]], Operation | None]


def _mapped(transcript: Transcript, change: Change) -> Transcript:
    earlier: list[PropositionId] = [each.id for each in transcript.initial]
    turns: list[Turn] = []
    for turn in transcript.turns:
        changed = [change(operation, earlier) for operation in turn.operations]
        turns.append(replace(turn, operations=tuple(each for each in changed if each is not None)))
        earlier.extend(_introduced(turn.operations))
    return _repaired(transcript, turns)


def _introduced(operations: Iterable[Operation]) -> list[PropositionId]:
    return [each.id for each in operations if not isinstance(each, Revise) and each.id is not None]


def _repaired(transcript: Transcript, turns: Sequence[Turn]) -> Transcript:
    known: set[PropositionId] = {each.id for each in transcript.initial}
    repaired: list[Turn] = []
    for turn in turns:
        kept: list[Operation] = []
        for operation in turn.operations:
            mended = _mended(operation, known)
            if mended is not None:
                kept.append(mended)
                known.update(_introduced((mended,)))
        repaired.append(replace(turn, operations=tuple(kept)))
    return replace(transcript, turns=tuple(repaired))


def _mended(operation: Operation, known: set[PropositionId]) -> Operation | None:
    match operation:
        case Support() | Undermine() | Revise() if operation.target not in known:
            return None
        case Resolve() if operation.target.proposition not in known:
            return None
        case _:
            pass
    names = {each.name for each in fields(operation)}
    # Aimed elsewhere, an operation may hit its own ground: nothing holds itself up, so that ground goes.
    itself = {getattr(operation, "id", None), getattr(operation, "target", None)}
    changes: dict[str, Any] = {}
    for name in names & set(_IDS):
        ids = cast("tuple[PropositionId, ...]", getattr(operation, name))
        changes[name] = tuple(each for each in ids if each in known)
    for name in names & set(_LITERALS):
        literals = cast("tuple[Literal, ...]", getattr(operation, name))
        changes[name] = tuple(each for each in literals if each.proposition in known - itself)
    for name in names & set(_SINGLE):
        if getattr(operation, name) not in known:
            changes[name] = None
    return replace(operation, **changes)
