"""Is what is said next still supported by what has been said and not taken back?

``Conversation`` takes turns in and answers; everything else here are the values that it gives and takes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING  # noqa: TID251 - hides no cycle: it types the one lazy name

from upheld.conversation.conversation import Conversation
from upheld.errors import CouldNotCheck, RefusedTurn, UpheldError
from upheld.logic.language.agents import Agent
from upheld.logic.language.verdicts import Candidate, Delta, Finding, Modality, Outcome, Reason, Stance, Verdict

if TYPE_CHECKING:
    from upheld.conversation.asynchronous import AsyncConversation

__all__ = [
    "Agent",
    "AsyncConversation",
    "Candidate",
    "Conversation",
    "CouldNotCheck",
    "Delta",
    "Finding",
    "Modality",
    "Outcome",
    "Reason",
    "RefusedTurn",
    "Stance",
    "UpheldError",
    "Verdict",
]


def __getattr__(name: str) -> object:
    """Load the awaiting conversation when it is named: asyncio is a third of what importing the rest costs."""
    if name == "AsyncConversation":
        return import_module("upheld.conversation.asynchronous").AsyncConversation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
