"""Replies that wait for a person: flags on the record of the conversation, which whoever reviews its store decides."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from upheld.conversation.checking.claims import Checked
from upheld.conversation.conversation import Conversation
from upheld.conversation.guard.judging import Judge
from upheld.conversation.guard.policy import Action
from upheld.conversation.guard.sharing import SharedConversation
from upheld.conversation.guard.verdict import NOTHING_CHECKED, GuardVerdict
from upheld.conversation.reviewing.review import Review
from upheld.errors import UnknownReference
from upheld.logic.language.identities import AgentId
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.state import State
from upheld.record.ledger.review.contents import ReviewOutcome

GUARD = AgentId("guard")
"""Who flags what a guard puts before a person."""

PERSON = "person"
"""Who decides, where nobody says who."""

MOST_REMEMBERED = 1000
"""Verdicts that are remembered whole; of older ones there is what the record has."""


class Decision(StrEnum):
    """What a person decided about a reply. One that nobody could tell about does not leave either."""

    APPROVED = "approved"
    REJECTED = "rejected"
    COULD_NOT_TELL = "could_not_tell"


_DECIDED = {
    ReviewOutcome.GROUNDED: Decision.APPROVED,
    ReviewOutcome.UNGROUNDED: Decision.REJECTED,
    ReviewOutcome.COULD_NOT_TELL: Decision.COULD_NOT_TELL,
}
_OUTCOMES = {decision: outcome for outcome, decision in _DECIDED.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A reply with the verdict that put it before a person, and what they decided (``None``: nothing yet).

    ``id`` is its flag on record, and ``by`` who decided.
    """

    id: str
    reply: str
    verdict: GuardVerdict
    decision: Decision | None = None
    reason: str = ""
    by: str = ""


class ReplyQueue:
    """What one speaker's guards have put before a person in one conversation. Safe to use from several threads.

    It is read off the record: what other processes queued is in it, and what was decided elsewhere is not any more.
    What could not be put on record (the store is away, too late) waits in memory, and is gone with the program.
    """

    def __init__(self, shared: SharedConversation, judge: Judge) -> None:
        """Queue what this judge has judged."""
        self._shared = shared
        self._judge = judge
        self._lock = threading.Lock()
        self._verdicts: OrderedDict[str, GuardVerdict] = OrderedDict()
        self._unfiled: dict[str, Pending] = {}

    @property
    def waiting(self) -> tuple[Pending, ...]:
        """Give what waits, the oldest first. Cost: the flags of the conversation."""

        def found(talk: Conversation) -> list[Pending]:
            reviews = [each for each in talk.flags() if self._is_ours(each) and each.decision is None]
            return [self._pending(each, talk.state) for each in reviews]

        with self._lock:
            unfiled = [each for each in self._unfiled.values() if each.decision is None]
        return (*self._shared.acted(found), *unfiled)

    def get(self, id: str) -> Pending:
        """Give a reply with what became of it.

        Raises:
            UnknownReference: no guard has put such a reply before a person.
        """
        with self._lock:
            unfiled = self._unfiled.get(id)
        return unfiled or self._shared.acted(lambda talk: self._pending(self._ours(talk, id), talk.state))

    def file(self, verdict: GuardVerdict, *, is_late: Callable[[], bool]) -> str:
        """Put a reply on record as a flag, and give its name; one that waits there already is the same.

        Where it is too late by now, nothing is done, and the name is empty.

        Raises:
            UpheldError: it could not be put on record; nothing was changed.
        """

        def filed(talk: Conversation) -> str:
            if is_late():
                return ""
            waits = next((each.id for each in talk.flags() if self._is_same(each, verdict, talk)), None)
            if waits is not None:
                return waits
            speaker = self._judge.speaker
            # The verdict that decided is the one to look at, also where somebody has spoken since.
            return talk.flag(
                verdict.reply,
                checked=_judged(verdict),
                speaker=speaker if speaker in talk.state.agents else None,
                by=GUARD,
                note=f"a policy wants a person to look: {', '.join(verdict.reasons) or 'could_not_check'}",
            ).id

        return self._shared.acted(filed)

    def noted(self, verdict: GuardVerdict, flag: str | None) -> GuardVerdict:
        """Give a verdict with the name under which its reply waits: a flag, or without one a place in memory."""
        with self._lock:
            named = replace(verdict, flag=flag or f"Q{len(self._unfiled) + 1}")
            if flag is None:
                self._unfiled[named.flag] = Pending(id=named.flag, reply=verdict.reply, verdict=named)
            else:
                self._verdicts[flag] = named
                if len(self._verdicts) > MOST_REMEMBERED:
                    self._verdicts.popitem(last=False)
            return named

    def decide(self, id: str, decision: Decision, *, by: str, reason: str = "") -> Pending:
        """Decide a reply that waits.

        Raises:
            UnknownReference: it does not wait, or no longer: somebody decided first.
        """
        with self._lock:
            unfiled = self._unfiled.get(id)
            if unfiled is not None and unfiled.decision is None:
                self._unfiled[id] = replace(unfiled, decision=decision, reason=reason, by=by)
                return self._unfiled[id]

        def decided(talk: Conversation) -> Pending:
            if self._ours(talk, id).decision is not None:
                raise UnknownReference(id, where="the replies that wait for a person")
            review = talk.decide(id, _OUTCOMES[decision], by=by, reason=reason)
            return self._pending(review, talk.state)

        return self._shared.acted(decided)

    def _ours(self, talk: Conversation, id: str) -> Review:
        review = next((each for each in talk.flags() if each.id == id and self._is_ours(each)), None)
        if review is None:
            raise UnknownReference(id, where="the replies that wait for a person")
        return review

    def _is_ours(self, review: Review) -> bool:
        return review.flagged.by == GUARD and review.flagged.speaker in (None, self._judge.speaker)

    def _is_same(self, review: Review, verdict: GuardVerdict, talk: Conversation) -> bool:
        """Tell whether a reply waits already, put before a person after the very same turn."""
        at = next((turn.id for turn in talk.timeline.last(1)), None)
        is_open = self._is_ours(review) and review.decision is None and not review.is_erased
        return is_open and (review.flagged.text, review.flagged.at) == (verdict.reply, at)

    def _pending(self, review: Review, state: State) -> Pending:
        with self._lock:
            known = self._verdicts.get(review.id)
        verdict = known or self._verdict(review, state)
        # The words as they were judged: on record they are redacted.
        reply = verdict.reply if not review.is_erased else review.flagged.text
        decided = review.decision
        if decided is None:
            return Pending(id=review.id, reply=reply, verdict=verdict)
        decision = _DECIDED[decided.outcome]
        return Pending(
            id=review.id, reply=reply, verdict=verdict, decision=decision, reason=decided.reason, by=decided.by
        )

    def _verdict(self, review: Review, state: State) -> GuardVerdict:
        """Give the verdict that a flag was filed with, as far as it is on record; in words as they are now."""
        checked = review.checked
        failing = [claim for claim in checked.claims if claim.outcome is Outcome.UNGROUNDED]
        return GuardVerdict(
            reply=review.flagged.text,
            action=Action.QUEUE,
            checked=checked,
            concerns=tuple(concern for claim in failing for concern in self._judge.failing(state, claim)),
            could_not_check="" if checked.claims else checked.abstained,
            flag=review.id,
        )


def _judged(verdict: GuardVerdict) -> Checked:
    """Give what was found; where nothing was, why."""
    checked = verdict.checked
    return replace(checked, abstained=verdict.could_not_check) if checked == NOTHING_CHECKED else checked
