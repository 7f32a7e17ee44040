"""Is what is said next still supported by what has been said and not taken back?

``Conversation`` takes turns in and answers; everything else here are the values that it gives and takes.
"""

from upheld.conversation.asynchronous import AsyncConversation
from upheld.conversation.conversation import Conversation
from upheld.errors import CouldNotCheck, RefusedTurn, UpheldError
from upheld.logic.language.agents import Agent
from upheld.logic.language.verdicts import Candidate, Delta, Finding, Modality, Outcome, Reason, Stance, Verdict

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
