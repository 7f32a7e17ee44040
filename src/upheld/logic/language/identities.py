"""Names of things, as distinct types, so that a turn is never passed where a proposition is meant."""

from __future__ import annotations

from typing import NewType

AgentId = NewType("AgentId", str)
"""A party to the conversation: a person, an assistant, a tool."""

PropositionId = NewType("PropositionId", str)
"""Something true or false. Arguments share the names: ``o1`` is the proposition and the act that put it forward."""

TurnId = NewType("TurnId", str)
"""One turn of one conversation; ``T1, T2, …`` in files."""

ConversationId = NewType("ConversationId", str)
"""One conversation in a store."""

Epoch = NewType("Epoch", int)
"""A place in the ledger: grows by one with each entry, and is never a time."""
