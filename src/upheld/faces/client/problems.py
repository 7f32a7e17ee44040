"""What a refusal of the service is raised as: the error that the library would have raised, where it says which."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from upheld.errors import (
    CouldNotCheck,
    DamagedStore,
    LimitExceeded,
    MalformedInput,
    MissingExtra,
    ModelFailure,
    RefusedTurn,
    RepeatedIdentity,
    SelfSupport,
    ServiceError,
    StillNeeded,
    StoreError,
    UnknownConversation,
    UnknownReference,
    UpheldError,
    VersionConflict,
)
from upheld.faces.server.models.shapes import URN

Problem = Mapping[str, Any]


def error_of(status: int, body: bytes, *, conversation: str = "") -> UpheldError:
    """Give a refusal as the error that it tells of; one that is not known as ``ServiceError``."""
    problem = _read(body)
    slug = str(problem.get("type", "")).removeprefix(URN)
    made = _ERRORS.get(slug)
    if made is not None:
        try:
            return made({"conversation": conversation, **problem})
        except (KeyError, TypeError, ValueError):
            # It lacks what such a problem has: somebody else wrote it.
            pass
    told = str(problem.get("detail") or problem.get("title") or "it gave no reason")
    return ServiceError(f"the service refused with {status}: {told}", status=status, problem=problem)


def _read(body: bytes) -> Problem:
    try:
        tree = json.loads(body)
    except ValueError:
        return {}
    return cast("Problem", tree) if isinstance(tree, dict) else {}


def _malformed(problem: Problem) -> MalformedInput:
    listed = cast("list[Problem]", problem.get("errors", []))
    key = str(problem["key"] if "key" in problem else listed[0]["key"] if listed else "")
    message = str(problem["detail"]).removeprefix(f"{key}: ")
    return MalformedInput(message, key=key, line=int(problem.get("line", 0)))


def _refused(problem: Problem) -> RefusedTurn:
    failure = str(problem["failure"])
    message = str(problem["detail"]).rpartition(f"{failure}: ")[2]
    return RefusedTurn(failure, message, turn=problem.get("turn", ""), operation=problem.get("operation", -1))


def _conflict(problem: Problem) -> VersionConflict:
    return VersionConflict(problem["conversation"], expected=int(problem["expected"]), found=int(problem["found"]))


def _unknown(problem: Problem) -> UnknownReference:
    return UnknownReference(problem["reference"], where=problem.get("where", ""))


def _missing(problem: Problem) -> MissingExtra:
    return MissingExtra(problem["extra"], needed_for="what was asked of the service")


def _detailed(kind: type[UpheldError]) -> Callable[[Problem], UpheldError]:
    return lambda problem: kind(problem["detail"])


_ERRORS: Mapping[str, Callable[[Problem], UpheldError]] = {
    "malformed-input": _malformed,
    "refused-turn": _refused,
    "version-conflict": _conflict,
    "unknown-reference": _unknown,
    "missing-extra": _missing,
    "unknown-conversation": _detailed(UnknownConversation),
    "self-support": _detailed(SelfSupport),
    "could-not-check": _detailed(CouldNotCheck),
    "repeated-identity": _detailed(RepeatedIdentity),
    "still-needed": _detailed(StillNeeded),
    "limit-exceeded": _detailed(LimitExceeded),
    "language-model": _detailed(ModelFailure),
    "damaged-record": _detailed(DamagedStore),
    "store": _detailed(StoreError),
}
