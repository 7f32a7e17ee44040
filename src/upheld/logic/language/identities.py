"""Names of things, as distinct types, so that a turn is never passed where a proposition is meant; and sets of names.

An index has a set of names under each key: one or two under most, ten thousand under a few. The small ones are plain
frozensets, which are read several times faster; those of more than :data:`FEW` share their past.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NewType, TypeVar, cast

from rpds import HashTrieSet

AgentId = NewType("AgentId", str)
"""A party to the conversation: a person, an assistant, a tool."""

PropositionId = NewType("PropositionId", str)
"""Something true or false. Arguments share the names: ``o1`` is the proposition and the act that put it forward."""

TurnId = NewType("TurnId", str)
"""One turn of one conversation; ``T1, T2, …`` in files."""

ConversationId = NewType("ConversationId", str)
"""One conversation in a store."""

FlagId = NewType("FlagId", str)
"""A reply that was put before a person, in one conversation; ``F1, F2, …``."""

Epoch = NewType("Epoch", int)
"""A place in the ledger: grows by one with each entry, and is never a time."""

Name = TypeVar("Name", bound=str)

FEW = 8
"""Up to so many names, copying a set costs less than sharing it."""


def including(names: frozenset[Name], name: Name) -> frozenset[Name]:
    """Give a set with one more name. Cost: the names, or logarithmic once they are many."""
    if isinstance(names, HashTrieSet):
        return names.insert(name)
    if len(names) < FEW or name in names:
        return names | {name}
    return HashTrieSet((*names, name))


def excluding(names: frozenset[Name], name: Name) -> frozenset[Name]:
    """Give a set without a name, whether it has it or not. Cost: as :func:`including`."""
    if isinstance(names, HashTrieSet):
        rest = names.discard(name)
        return rest if len(rest) > FEW else frozenset(rest)
    return names - {name}


def listed(names: frozenset[Name]) -> Collection[Name]:
    """Give the names in no order. Cost: linear; the own iterator of a shared set copies it at each step."""
    if isinstance(names, HashTrieSet):
        # What it tells a copier comes in one go.
        return cast("Collection[Name]", cast("Any", names.__reduce__())[1][0])
    return names
