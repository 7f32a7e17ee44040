"""What a resolve changes about earlier claims: additions to what they rest on, asked for once the turn has been read.

Source: the paper's Appendix J (E1c), and Algorithm 1, Resolve. No instructions for the turn that creates a claim can
find the edge that a later turn makes; one more call, at the resolve, can. Its answer only adds, and is empty for most
decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from upheld.errors import UnusableReply
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
)
from upheld.logic.language.propositions import CONSIDERED, Kind
from upheld.logic.language.standing import GIVEN_UP
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.llm.naming import Naming, lines_on_the_wire, local_names
from upheld.speech.interpretation.llm.reading import field_of, unknown_id
from upheld.speech.interpretation.llm.situation import newest_known, records, situation_of
from upheld.speech.interpretation.llm.wire import closed, list_of
from upheld.speech.interpretation.prompts.loading import asked, joined, prompt_named
from upheld.speech.interpretation.prompts.quoting import block, quoted_turn
from upheld.speech.models.request import Request, Shape
from upheld.speech.view import Situation, View

FURTHEST = 10_000
"""Propositions that are followed to see whether a ground leads back to what it is to hold up."""


def is_retrospect_due(operations: Sequence[Operation], view: View) -> bool:
    """Tell whether a turn settles something, and there is a live claim from before that it could change."""
    if not any(_settles(operation) for operation in operations):
        return False
    targets = {operation.target.proposition for operation in operations if isinstance(operation, Resolve)}
    return any(
        known.proposition.kind in CONSIDERED - {Kind.ISSUE}
        and known.lifecycle not in GIVEN_UP
        and known.proposition.id not in targets
        for known in newest_known(view)[0]
    )


def retrospective_request(turn: Turn, operations: Sequence[Operation], view: View, *, budget: int) -> Request:
    """Give the request that asks what a settled story adds to what is recorded."""
    names = local_names(operations, view)
    settled = [_target(operation, names) for operation in operations if isinstance(operation, Resolve)]
    why = {"type": "string"}
    name = {"type": "string"}
    of_settled = {"type": "string", "enum": sorted(set(settled))}
    schema = closed(
        {
            "explained": list_of(closed({"why": why, "claim": name, "by": of_settled})),
            "grounds": list_of(closed({"why": why, "settled": of_settled, "on": name})),
        }
    )
    return asked(
        joined(prompt_named("retrospective"), prompt_named("quotation")),
        Shape(name="retrospective", schema=schema),
        records(situation_of(view), turn.text, budget, has_standing=True),
        block("turn-that-settled", [quoted_turn(turn)]),
        block("its-reading", lines_on_the_wire(operations, names)),
        limit=2_048,
    )


def read_retrospective(content: object, operations: Sequence[Operation], view: View) -> tuple[Operation, ...]:
    """Add to the resolves of a reading: what they subsume, and what they rest on besides.

    Left out, since nothing may hold itself up: a ground that leads back to what was settled, and a claim that would
    explain itself. Left out as well: an explanation of what was given up, which would bring it back, and of a fact.

    Raises:
        UnusableReply: something that was not settled here, or an id that nobody introduced.
    """
    names = local_names(operations, view)
    naming = Naming(view=view, given={name: PropositionId(id) for id, name in names.items()})
    explained = _pairs(content, "explained", ("by", "claim"), naming)
    grounds = _pairs(content, "grounds", ("settled", "on"), naming)
    settled = {operation.target.proposition for operation in operations if isinstance(operation, Resolve)}
    for key, pairs in (("explained", explained), ("grounds", grounds)):
        for target, _ in pairs:
            if target not in settled:
                raise UnusableReply(f"{key}: {target!r} was not settled in this turn")
    situation = situation_of(view)
    done: set[PropositionId] = set()
    added: list[Operation] = []
    for operation in operations:
        if isinstance(operation, Resolve) and operation.target.proposition not in done:
            target = operation.target.proposition
            done.add(target)
            further = [on for to, on in grounds if to == target and not _leads_back(on, target, situation, operations)]
            own = {target, operation.id}
            subsumed = [
                claim
                for by, claim in explained
                if by == target and claim not in own and _is_open_to_explanation(claim, view, operations)
            ]
            added.append(_with_additions(operation, subsumed, [on for on in further if on != operation.id]))
        else:
            added.append(operation)
    return tuple(added)


def _settles(operation: Operation) -> bool:
    return isinstance(operation, Resolve) and not operation.target.negated


def _target(operation: Resolve, names: dict[str, str]) -> str:
    return names.get(operation.target.proposition, operation.target.proposition)


def _pairs(
    content: object, key: str, fields: tuple[str, str], naming: Naming
) -> list[tuple[PropositionId, PropositionId]]:
    items = field_of(content, key)
    if not isinstance(items, list):
        raise UnusableReply(f"{key}: a list was asked for")
    pairs: list[tuple[PropositionId, PropositionId]] = []
    for place, item in enumerate(cast("list[object]", items)):
        first, second = (_named(item, field, naming, f"{key}[{place}]") for field in fields)
        pairs.append((first, second))
    return pairs


def _named(item: object, field: str, naming: Naming, key: str) -> PropositionId:
    name = field_of(item, field)
    id = naming.meant(name) if isinstance(name, str) else None
    if id is None:
        raise unknown_id(str(name), naming, f"{key}.{field}")
    return id


def _with_additions(operation: Resolve, subsumed: list[PropositionId], further: list[PropositionId]) -> Resolve:
    recorded = {item.proposition for item in operation.depends_on}
    fresh = [id for id in dict.fromkeys(further) if id not in recorded]
    return replace(
        operation,
        subsumes=tuple(dict.fromkeys((*operation.subsumes, *subsumed))),
        depends_on=(*operation.depends_on, *(Literal(id) for id in fresh)),
    )


def _leads_back(
    ground: PropositionId, target: PropositionId, situation: Situation, operations: Sequence[Operation]
) -> bool:
    """Tell whether a ground is the target, or rests on it in any number of steps, this turn's operations included."""
    own = _grounds_in(operations)
    pending, seen = [ground], {ground}
    while pending and len(seen) < FURTHEST:
        current = pending.pop()
        if current == target:
            return True
        found = (*(item.proposition for item in situation.grounds_of(current)), *own.get(current, ()))
        fresh = [id for id in found if id not in seen]
        seen.update(fresh)
        pending.extend(fresh)
    return bool(pending)


def _grounds_in(operations: Sequence[Operation]) -> dict[PropositionId, list[PropositionId]]:
    grounds: dict[PropositionId, list[PropositionId]] = {}
    for operation in operations:
        match operation:
            case Observe() | Hypothesize():
                owner, items = operation.id, operation.depends_on
            case Support():
                owner, items = operation.id or operation.target, (*operation.evidence, *operation.depends_on)
            case Undermine(id=str(owner)):
                items = (*operation.evidence, *operation.depends_on)
            case Resolve():
                owner, items = operation.id or operation.target.proposition, operation.depends_on
            case _:
                continue
        grounds.setdefault(owner, []).extend(item.proposition for item in items)
    return grounds


def _is_open_to_explanation(claim: PropositionId, view: View, operations: Sequence[Operation]) -> bool:
    """Only a hypothesis, position or decision that nobody gave up has a cause that can be told; a fact is a fact."""
    if any(isinstance(operation, Revise) and operation.target == claim for operation in operations):
        return False
    known = view.get(claim)
    if known is None:
        return any(isinstance(operation, Hypothesize) and operation.id == claim for operation in operations)
    return known.proposition.kind in CONSIDERED - {Kind.ISSUE} and known.lifecycle not in GIVEN_UP
