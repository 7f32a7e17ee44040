"""Independent roots: how many sources a claim really has, however often it was said (semantics, section 10)."""

from __future__ import annotations

from upheld.logic.dependency.justifications import grounds_of
from upheld.logic.language.identities import PropositionId
from upheld.logic.reasoning.compilation import held_introductions
from upheld.logic.reasoning.state import State

Root = tuple[str, str]
"""A source: a document or tool call by its uri, or a claim by its id and who first put it forward."""


def roots_of(state: State, id: PropositionId) -> frozenset[Root]:
    """Give the independent sources behind a claim.

    Premises and evidence are followed to the claims that rest on nothing; an echo is no source. A claim that came from
    several documents has a root for each.

    Cost: what the claim rests on. Raises :class:`~upheld.errors.UnknownReference`.
    """
    state.node(id)
    found: set[Root] = set()
    seen: set[PropositionId] = set()
    pending = [id]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        grounds = [item.proposition for item in grounds_of(state.dependencies, current) if not item.negated]
        pending.extend(grounds)
        found.update(_own_roots(state, current, has_grounds=bool(grounds)))
    return frozenset(found)


def _own_roots(state: State, id: PropositionId, *, has_grounds: bool) -> set[Root]:
    roots: set[Root] = set()
    for introduction in held_introductions(state, state.node(id)):
        if introduction.origin.uri:
            roots.add(("source", introduction.origin.uri))
        elif not has_grounds:
            roots.add((id, introduction.origin.speaker or ""))
    return roots
