"""From a checked reply to a verdict: what the policy says about each claim, and a reply that could be sent instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from upheld.conversation.asking.view import Earlier, StateView
from upheld.conversation.checking.claims import NO_CLAIM, Checked, CheckedClaim, check_text
from upheld.conversation.guard.concerns import Concern, failing_concern, severity_of, stated
from upheld.conversation.guard.instructions import InstructionWatch
from upheld.conversation.guard.mending import Mending
from upheld.conversation.guard.policy import Action, Concerning, GuardPolicy, Note, strictest
from upheld.conversation.guard.verdict import GuardVerdict
from upheld.errors import ModelFailure
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance
from upheld.logic.reasoning.state import State
from upheld.speech.matching.lexical import NOT_COVERED, TOO_LONG
from upheld.speech.matching.matcher import Claim, Matcher, costed
from upheld.speech.models.reply import Usage, usage_of
from upheld.speech.view import View

_UNREAD: Mapping[str, Concerning] = {NOT_COVERED: Note.NOT_COVERED, TOO_LONG: Note.COULD_NOT_CHECK}
"""Why a matcher has not read a text at all: unlike a claim that nothing decides, that is no result."""


def unchecked(reply: str, why: str, policy: GuardPolicy) -> GuardVerdict:
    """Give the verdict that there is none."""
    action = policy.action_for(_UNREAD.get(why, Note.COULD_NOT_CHECK))
    return GuardVerdict(reply=reply, action=action, could_not_check=why)


class MeteredMatcher:
    """A matcher, with the sum of what it has asked of language models."""

    def __init__(self, matcher: Matcher) -> None:
        """Count from zero."""
        self._matcher = matcher
        self.usage = Usage()

    @property
    def name(self) -> str:
        """Name of the matcher."""
        return self._matcher.name

    @property
    def version(self) -> str:
        """Version of the matcher."""
        return self._matcher.version

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims of a text, and count."""
        try:
            found = costed(self._matcher, text, view, speaker=speaker)
        except ModelFailure as failure:
            self.usage += usage_of(failure)
            raise
        self.usage += found.usage
        return found.claims


@dataclass(slots=True, kw_only=True)
class Judge:
    """Judges replies of one speaker in one conversation; for one thread at a time, as matchers are."""

    matcher: Matcher
    policy: GuardPolicy
    speaker: AgentId
    watch: InstructionWatch

    def verdict(self, reply: str, state: State, earlier: Earlier) -> GuardVerdict:
        """Check a reply against a state. Cost: that of the matcher, and a look-up a claim."""
        metered = MeteredMatcher(self.matcher)
        view = StateView(state, earlier=earlier)
        checked = check_text(state, reply, metered, speaker=self.speaker, view=view)
        why = _failure(checked)
        if why:
            return replace(unchecked(reply, why, self.policy), checked=checked, usage=metered.usage)
        concerns = tuple(self._concerns(state, checked))
        action = strictest(concern.action for concern in concerns)
        return GuardVerdict(reply=reply, action=action, checked=checked, concerns=concerns, usage=metered.usage)

    def mended(self, verdict: GuardVerdict, state: State, earlier: Earlier) -> GuardVerdict:
        """Add a reply that is not ungrounded, near to the one that was judged, if there is one; it was checked too."""
        if verdict.passes or verdict.could_not_check or not self.policy.is_mending:
            return verdict
        usage = verdict.usage
        for text in Mending(reply=verdict.reply, concerns=verdict.concerns).candidates():
            again = self.verdict(text, state, earlier)
            usage += again.usage
            if _may_be_offered(again):
                return replace(verdict, rewritten=text, usage=usage)
        return replace(verdict, usage=usage)

    def failing(self, state: State, claim: CheckedClaim) -> Iterator[Concern]:
        """Give what there is to say about a claim that does not stand."""
        failing = [finding for finding in claim.findings if finding.outcome is Outcome.UNGROUNDED]
        for finding in failing:
            action = self._action(claim, finding.reason or Reason.UNKNOWN)
            yield failing_concern(state, claim, finding, action, speaker=self.speaker)
        if not failing:
            yield self._noted(state, claim, Reason.UNKNOWN)

    def _concerns(self, state: State, checked: Checked) -> Iterator[Concern]:
        self.watch.update(StateView(state))
        for claim in checked.claims:
            if claim.outcome is Outcome.UNGROUNDED:
                yield from self.failing(state, claim)
                continue
            source = self._obeyed(claim)
            if source is not None:
                yield self._noted(state, claim, Note.INSTRUCTION_LIKE, about=source)
            elif claim.outcome is Outcome.ABSTAIN and claim.modality is not Modality.QUESTION:
                yield self._noted(state, claim, Note.DISPUTED if claim.disagreements else Note.NOT_CHECKED)

    def _obeyed(self, claim: CheckedClaim) -> PropositionId | None:
        """A passage may be reported, supposed or asked about; only what puts it as done or so carries it out."""
        if claim.modality is not Modality.FACT or claim.stance is Stance.REPORTS:
            return None
        return self.watch.obeyed(claim.text)

    def _noted(
        self, state: State, claim: CheckedClaim, reason: Concerning, *, about: PropositionId | None = None
    ) -> Concern:
        return Concern(
            span=claim.span,
            text=claim.text,
            reason=reason,
            severity=severity_of(claim),
            action=self._action(claim, reason),
            about=None if about is None else stated(state, about, self.speaker),
            detail=claim.abstained if about is None else "",
        )

    def _action(self, claim: CheckedClaim, reason: Concerning) -> Action:
        return self.policy.action_for(reason, severity_of(claim))


def _may_be_offered(again: GuardVerdict) -> bool:
    return again.passes and not again.could_not_check and again.checked.outcome is not Outcome.UNGROUNDED


def _failure(checked: Checked) -> str:
    """Say why a text was not read, if it was not: small talk that makes no claim was."""
    if not checked.claims:
        return "" if checked.abstained == NO_CLAIM else checked.abstained
    return next((claim.abstained for claim in checked.claims if claim.abstained in _UNREAD), "")
