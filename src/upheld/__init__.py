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
    from upheld.conversation.guard.guard import Guard

__all__ = [
    "Agent",
    "AsyncConversation",
    "Candidate",
    "Conversation",
    "CouldNotCheck",
    "Delta",
    "Finding",
    "Guard",
    "Modality",
    "Outcome",
    "Reason",
    "RefusedTurn",
    "Stance",
    "UpheldError",
    "Verdict",
]


_LAZY = {"AsyncConversation": "upheld.conversation.asynchronous", "Guard": "upheld.conversation.guard.guard"}


def __getattr__(name: str) -> object:
    """Load what few programs need when it is named: asyncio is a third of what importing the rest costs."""
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
