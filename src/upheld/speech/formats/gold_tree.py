"""The ``gold`` part of an annotated transcript, as a tree and back."""

from __future__ import annotations

from typing import cast

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


_names = f.many(f.name)
_texts = f.many(f.text)
_statuses = f.table(f.member(Lifecycle))

_READERS: dict[str, f.Reader] = {
    "str": f.text,
    "bool": f.is_set,
    "int": f.number,
    "TurnId": f.name,
    "TurnId | None": f.name,
    "AgentId | None": f.name,
    "PropositionId": f.name,
    "PropositionId | None": f.name,
    "tuple[str, ...]": _texts,
    "tuple[TurnId, ...]": _names,
    "tuple[AgentId, ...]": _names,
    "tuple[PropositionId, ...]": _names,
    "tuple[PropositionId, ...] | None": _names,
    "tuple[tuple[TurnId, ...], ...]": f.many(_names),
    "tuple[Literal, ...]": f.one_or_many(f.signed),
    "tuple[Retraction, ...]": f.one_or_many(f.lone_change),
    "Outcome": f.member(Outcome),
    "Modality": f.member(Modality),
    "Stance": f.member(Stance),
    "Reason | None": f.member(Reason),
    "Formula": f.formula,
    "Formula | None": f.formula,
    "Statuses": _statuses,
    "Grounds": f.table(f.many(f.signed)),
    "IdLists": f.table(_names),
    "Mapping[TurnId, Statuses]": f.table(_statuses),
    "Mapping[TurnId, Labels]": f.table(f.table(f.member(Label))),
    "Mapping[PropositionId, int]": f.table(f.number),
    "Mapping[PropositionId, str]": f.table(f.text),
    "Mapping[AgentId, tuple[PropositionId, ...]]": f.table(_names),
    "Mapping[AgentId, tuple[str, ...]]": f.table(_texts),
    "Mapping[TurnId, tuple[str, ...]]": f.table(_texts),
    "Mapping[TurnId, tuple[Formula, ...]]": f.table(f.many(f.formula)),
    "WorldsLeft | None": _of(WorldsLeft),
    "Mapping[TurnId, WorldsLeft]": f.table(_of(WorldsLeft)),
    "Worlds | None": _of(Worlds),
    "DecisionRecord | None": _of(DecisionRecord),
    "tuple[AffectedQuery, ...]": f.many(_of(AffectedQuery)),
    "tuple[ExpectedDelta, ...]": f.many(_of(ExpectedDelta)),
    "tuple[ExpectedFailure, ...]": f.many(_of(ExpectedFailure)),
    "tuple[BeliefQuery, ...]": f.many(_of(BeliefQuery)),
    "tuple[Counterfactual, ...]": f.many(_of(Counterfactual)),
    "tuple[VerifyItem, ...]": f.many(_of(VerifyItem)),
    "tuple[RecordQuestion, ...]": f.many(_of(RecordQuestion)),
}
"""How each annotation of the gold classes is read; annotations are strings because the module postpones them."""
