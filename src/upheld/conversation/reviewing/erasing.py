"""Erasing what was written of a flag: the reply's words, and what people remarked on it."""

from __future__ import annotations

from upheld.conversation.erasing import erased
from upheld.errors import UnknownReference
from upheld.logic.language.identities import AgentId, ConversationId, FlagId
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.record.ledger.entry import Entry, step_of
from upheld.record.ledger.review.contents import Assigned
from upheld.record.ledger.review.queue import steps_of
from upheld.record.ledger.store import Store


def erased_flag(
    store: Store,
    conversation: ConversationId,
    flag: str,
    *,
    reason: str,
    by: AgentId | None = None,
    policy: SourcePolicy = PEOPLE_AND_TOOLS,
) -> Entry | None:
    """Erase the words of a flag for good, comments and reasons included; give the entry that says so.

    That it was flagged, judged and decided stays, and by whom. ``None``: all was erased before. Whoever has the
    conversation open reads it anew (:meth:`~upheld.conversation.conversation.Conversation.refresh`).

    Raises:
        UnknownReference: there is no flag of that name.
        MalformedInput: no reason.
    """
    steps = steps_of(store, conversation, FlagId(flag))
    if not steps:
        raise UnknownReference(flag, where="the flags of this conversation")
    worded = [entry.epoch for entry in steps if not isinstance(step_of(entry.content), Assigned)]
    return erased(store, conversation, reason=reason, by=by, epochs=worded, policy=policy)
