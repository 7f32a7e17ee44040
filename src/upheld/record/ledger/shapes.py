"""The shape of each kind of content as a plain tree; operations, retractions and formulas keep the language's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING
from enum import StrEnum
from typing import Any, cast

from upheld.errors import MalformedInput
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.formulas import Formula
from upheld.logic.language.identities import AgentId, Epoch, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.notation import format_formula, parse_formula
from upheld.logic.language.operations import Operation
from upheld.logic.language.plain import (
    Tree,
    as_flag,
    as_text,
    fields_of,
    is_leaf,
    many_of,
    member_of,
    plain_operation,
    plain_retraction,
    read_operation,
    read_retraction,
)
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.turns import Retraction
from upheld.record.ledger.entry import Content, Erasing, Erasure, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.fields import Fields, as_count, as_name
from upheld.record.ledger.review.contents import (
    REVIEW_STEPS,
    CorrectedClaim,
    FlaggedClaim,
    FlaggedFinding,
    ReviewStep,
)
from upheld.record.ledger.review.shapes import STEP_NAMES, STEP_READERS

CONTENT_NAMES: dict[type[Content], str] = {
    Opening: "opening",
    Words: "words",
    Interpretation: "interpretation",
    Retracted: "retracted",
    Erasure: "erasure",
    **STEP_NAMES,
}
"""Name of each kind of content in stored JSON."""


def plain_content(content: Content) -> Tree:
    """Give a content as a tree.

    Fields at their default are left out, so that a field that is added later changes no earlier digest.
    """
    return _plain_fields(content)


def read_content(name: str, tree: object) -> Content:
    """Read a content of the kind ``name``, a value of :data:`CONTENT_NAMES`.

    Raises:
        MalformedInput: unknown kind or key, missing key, wrong type; ``key`` says where.
    """
    found = Fields(tree, name)
    content = _READERS[name](found)
    found.finish()
    return content


def _plain_fields(value: Any) -> Tree:
    tree: Tree = {}
    for name, field in fields_of(cast("type[Any]", type(value))).items():
        content = getattr(value, name)
        if field.default is MISSING or content != field.default:
            tree[name] = content if is_leaf(content) else _plain(content)
    return tree


def _plain(content: Any) -> Any:
    if isinstance(content, tuple):
        return [_plain(item) for item in cast("tuple[Any, ...]", content)]
    if isinstance(content, frozenset):
        return sorted(cast("frozenset[str]", content))
    if isinstance(content, Agent | Proposition | Erasing | Words | FlaggedClaim | FlaggedFinding | CorrectedClaim):
        return _plain_fields(content)
    if isinstance(content, REVIEW_STEPS):
        return {**_plain_fields(content), "kind": STEP_NAMES[type(content)]}
    if isinstance(content, Literal):
        return str(content)
    if isinstance(content, Operation):
        return plain_operation(content)
    if isinstance(content, Retraction):
        return plain_retraction(content)
    if isinstance(content, Formula):
        return format_formula(content)
    return content.value if isinstance(content, StrEnum) else content


def _opening(found: Fields) -> Opening:
    return Opening(
        agents=found.many("agents", _agent),
        initial=found.many("initial", _proposition),
        title=found.text("title"),
        paradigm=found.text("paradigm"),
    )


def _words(found: Fields) -> Words:
    return Words(
        turn=TurnId(found.required("turn", as_name)),
        speaker=AgentId(found.required("speaker", as_name)),
        text=found.text("text"),
        audience=found.optional("audience", _audience, None),
        session=found.text("session"),
        at=found.text("at"),
        simultaneous=found.text("simultaneous"),
    )


def _interpretation(found: Fields) -> Interpretation:
    return Interpretation(
        turn=TurnId(found.required("turn", as_name)),
        operations=found.many("operations", lambda tree, key: read_operation(tree, key=key)),
        interpreter=found.text("interpreter"),
        by=found.optional("by", _agent_id, None),
        reason=found.text("reason"),
    )


def _retracted(found: Fields) -> Retracted:
    return Retracted(
        retraction=found.required("retraction", lambda tree, key: read_retraction(tree, key=key)),
        by=found.optional("by", _agent_id, None),
        reason=found.text("reason"),
    )


def _erasure(found: Fields) -> Erasure:
    return Erasure(
        erased=found.many("erased", _erasing),
        by=found.optional("by", _agent_id, None),
        reason=found.text("reason"),
    )


def _erasing(tree: object, key: str) -> Erasing:
    found = Fields(tree, key)
    erasing = Erasing(
        epoch=Epoch(found.required("epoch", as_count)), remains=found.optional("remains", _remaining, None)
    )
    found.finish()
    return erasing


def _remaining(tree: object, key: str) -> Words | ReviewStep | None:
    """Read what was left; that of words has no kind, since there was no other when the first were erased."""
    found = Fields(tree, key)
    kind = found.text("kind")
    if kind and kind not in STEP_READERS:
        raise MalformedInput(f"unknown kind {kind!r}; one of {', '.join(STEP_READERS)}", key=f"{key}.kind")
    left = STEP_READERS[kind](found) if kind else _words(found)
    found.finish()
    return left


def _agent(tree: object, key: str) -> Agent:
    found = Fields(tree, key)
    agent = Agent(
        id=AgentId(found.required("id", as_name)),
        name=found.text("name"),
        role=found.text("role"),
        kind=found.optional("kind", member_of(AgentKind), AgentKind.PERSON),
        authority=found.optional("authority", as_flag, False),
        observes=frozenset(found.many("observes", as_text)),
    )
    found.finish()
    return agent


def _proposition(tree: object, key: str) -> Proposition:
    found = Fields(tree, key)
    proposition = Proposition(
        id=PropositionId(found.required("id", as_name)),
        text=found.required("text", as_text),
        kind=found.required("kind", member_of(Kind)),
        formula=found.optional("formula", _formula, None),
    )
    found.finish()
    return proposition


def _audience(content: object, key: str) -> frozenset[AgentId] | None:
    return frozenset(many_of(_agent_id)(content, key))


def _agent_id(content: object, key: str) -> AgentId:
    return AgentId(as_name(content, key))


def _formula(content: object, key: str) -> Formula | None:
    return parse_formula(as_text(content, key))


_READERS: dict[str, Callable[[Fields], Content]] = {
    "opening": _opening,
    "words": _words,
    "interpretation": _interpretation,
    "retracted": _retracted,
    "erasure": _erasure,
    **STEP_READERS,
}
