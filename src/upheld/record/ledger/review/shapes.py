"""How the steps of a review are read back from stored JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from upheld.errors import MalformedInput
from upheld.logic.language.identities import AgentId, Epoch, FlagId, PropositionId, TurnId
from upheld.logic.language.plain import as_literal, as_text, many_of, member_of
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance
from upheld.record.ledger.fields import Fields, as_count, as_name
from upheld.record.ledger.review.contents import (
    Assigned,
    Commented,
    CorrectedClaim,
    Decided,
    Flagged,
    FlaggedClaim,
    FlaggedFinding,
    ReviewOutcome,
    ReviewStep,
)

STEP_NAMES: dict[type[ReviewStep], str] = {
    Flagged: "flagged",
    Assigned: "assigned",
    Decided: "decided",
    Commented: "commented",
}
"""Name of each kind of step in stored JSON."""


def _flagged(found: Fields) -> Flagged:
    return Flagged(
        flag=_flag(found),
        epoch=Epoch(found.required("epoch", as_count)),
        outcome=found.required("outcome", member_of(Outcome)),
        text=found.text("text"),
        speaker=found.optional("speaker", _agent, None),
        at=found.optional("at", _turn, None),
        claims=found.many("claims", _claim),
        abstained=found.text("abstained"),
        by=found.optional("by", _agent, None),
        note=found.text("note"),
    )


def _assigned(found: Fields) -> Assigned:
    return Assigned(flag=_flag(found), to=found.optional("to", _agent, None), by=found.optional("by", _agent, None))


def _decided(found: Fields) -> Decided:
    return Decided(
        flag=_flag(found),
        outcome=found.required("outcome", member_of(ReviewOutcome)),
        by=found.required("by", _agent),
        reason=found.text("reason"),
        claims=found.optional("claims", many_of(_corrected), None),
    )


def _commented(found: Fields) -> Commented:
    return Commented(flag=_flag(found), by=found.required("by", _agent), text=found.text("text"))


STEP_READERS: dict[str, Callable[[Fields], ReviewStep]] = {
    "flagged": _flagged,
    "assigned": _assigned,
    "decided": _decided,
    "commented": _commented,
}


def _claim(tree: object, key: str) -> FlaggedClaim:
    found = Fields(tree, key)
    claim = FlaggedClaim(
        span=found.required("span", _span),
        stance=found.required("stance", member_of(Stance)),
        modality=found.required("modality", member_of(Modality)),
        outcome=found.required("outcome", member_of(Outcome)),
        findings=found.many("findings", _finding),
        matcher=found.text("matcher"),
        abstained=found.text("abstained"),
        disagreements=found.many("disagreements", as_text),
    )
    found.finish()
    return claim


def _finding(tree: object, key: str) -> FlaggedFinding:
    found = Fields(tree, key)
    finding = FlaggedFinding(
        literal=found.required("literal", as_literal),
        outcome=found.required("outcome", member_of(Outcome)),
        reason=found.optional("reason", member_of(Reason), None),
        by=found.optional("by", _agent, None),
        turn=found.optional("turn", _turn, None),
        because=found.many("because", _proposition),
        path=found.many("path", _proposition),
        current=found.optional("current", _proposition, None),
        policy=found.text("policy"),
    )
    found.finish()
    return finding


def _corrected(tree: object, key: str) -> CorrectedClaim:
    found = Fields(tree, key)
    claim = CorrectedClaim(
        span=found.required("span", _span),
        literals=found.many("literals", as_literal),
        outcome=found.required("outcome", member_of(ReviewOutcome)),
        stance=found.optional("stance", member_of(Stance), Stance.ASSERTS),
        modality=found.optional("modality", member_of(Modality), Modality.FACT),
    )
    found.finish()
    return claim


def _span(content: object, key: str) -> tuple[int, int]:
    offsets = cast("list[object]", content) if isinstance(content, list) else []
    match offsets:
        case [int(start), int(end)] if type(start) is type(end) is int and 0 <= start <= end:
            return start, end
        case _:
            raise MalformedInput(f"expected the first and the past-the-last character, found {content!r}", key=key)


def _flag(found: Fields) -> FlagId:
    return FlagId(found.required("flag", as_name))


def _agent(content: object, key: str) -> AgentId:
    return AgentId(as_name(content, key))


def _turn(content: object, key: str) -> TurnId:
    return TurnId(as_name(content, key))


def _proposition(content: object, key: str) -> PropositionId:
    return PropositionId(as_name(content, key))
