"""The ``gold`` part of an annotated transcript, as a tree and back."""

from __future__ import annotations

from typing import cast

from upheld.logic.language import plain as p
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance
from upheld.speech.formats import fields as f
from upheld.speech.formats.gold import (
    AffectedQuery,
    BeliefQuery,
    Counterfactual,
    DecisionRecord,
    ExpectedDelta,
    ExpectedFailure,
    Gold,
    RecordQuestion,
    VerifyItem,
    Worlds,
    WorldsLeft,
)


def read_gold(content: object, key: str = "gold") -> Gold:
    """Read all answers of a file.

    Raises:
        MalformedInput: a value of the wrong type, or a missing key; keys that nobody knows are kept in ``extra``.
    """
    return cast("Gold", f.read_fields(Gold, content, key, _READERS))


def plain_gold(gold: Gold) -> f.Tree:
    """Give all answers as a tree; empty ones are left out."""
    return f.plain_fields(gold)


def _of(kind: type[object]) -> f.Reader:
    return lambda content, key: f.read_fields(kind, content, key, _READERS)


_names = p.many_of(p.as_id)
_texts = p.many_of(p.as_text)
_statuses = f.table(p.member_of(Lifecycle))

_READERS: dict[str, f.Reader] = {
    "str": p.as_text,
    "bool": p.as_flag,
    "int": f.number,
    "TurnId": p.as_id,
    "TurnId | None": p.as_id,
    "AgentId | None": p.as_id,
    "PropositionId": p.as_id,
    "PropositionId | None": p.as_id,
    "tuple[str, ...]": _texts,
    "tuple[TurnId, ...]": _names,
    "tuple[AgentId, ...]": _names,
    "tuple[PropositionId, ...]": _names,
    "tuple[PropositionId, ...] | None": _names,
    "tuple[tuple[TurnId, ...], ...]": p.many_of(_names),
    "tuple[Literal, ...]": f.one_or_many(p.as_literal),
    "tuple[Retraction, ...]": f.one_or_many(f.lone_change),
    "Outcome": p.member_of(Outcome),
    "Modality": p.member_of(Modality),
    "Stance": p.member_of(Stance),
    "Reason | None": p.member_of(Reason),
    "Formula": p.as_formula,
    "Formula | None": p.as_formula,
    "Statuses": _statuses,
    "Grounds": f.table(p.many_of(p.as_literal)),
    "IdLists": f.table(_names),
    "Mapping[TurnId, Statuses]": f.table(_statuses),
    "Mapping[TurnId, Labels]": f.table(f.table(p.member_of(Label))),
    "Mapping[PropositionId, int]": f.table(f.number),
    "Mapping[PropositionId, str]": f.table(p.as_text),
    "Mapping[AgentId, tuple[PropositionId, ...]]": f.table(_names),
    "Mapping[AgentId, tuple[str, ...]]": f.table(_texts),
    "Mapping[TurnId, tuple[str, ...]]": f.table(_texts),
    "Mapping[TurnId, tuple[Formula, ...]]": f.table(p.many_of(p.as_formula)),
    "WorldsLeft | None": _of(WorldsLeft),
    "Mapping[TurnId, WorldsLeft]": f.table(_of(WorldsLeft)),
    "Worlds | None": _of(Worlds),
    "DecisionRecord | None": _of(DecisionRecord),
    "tuple[AffectedQuery, ...]": p.many_of(_of(AffectedQuery)),
    "tuple[ExpectedDelta, ...]": p.many_of(_of(ExpectedDelta)),
    "tuple[ExpectedFailure, ...]": p.many_of(_of(ExpectedFailure)),
    "tuple[BeliefQuery, ...]": p.many_of(_of(BeliefQuery)),
    "tuple[Counterfactual, ...]": p.many_of(_of(Counterfactual)),
    "tuple[VerifyItem, ...]": p.many_of(_of(VerifyItem)),
    "tuple[RecordQuestion, ...]": p.many_of(_of(RecordQuestion)),
}
"""How each annotation of the gold classes is read; annotations are strings because the module postpones them."""
