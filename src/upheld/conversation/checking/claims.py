"""A reply held against what stands: its claims, each with the verdict of the engine (semantics, section 11)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from upheld.conversation.asking.view import StateView
from upheld.errors import ModelFailure
from upheld.logic.language.identities import AgentId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Candidate, Finding, Modality, Outcome, Reason, Stance
from upheld.logic.reasoning.answers.verify import verify_literal
from upheld.logic.reasoning.state import State
from upheld.speech.matching.matcher import Claim, Link, Matcher, Relation
from upheld.speech.view import View

NO_CLAIM = "it makes no claim that could be matched with what was said"
NOBODY_SAID = "nobody said it"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """One claim of a reply: where it stands in the text, what it was matched with and by what, and the verdict.

    ``ABSTAIN`` means that it could not be checked, and ``abstained`` says why. ``disagreements`` are the named rules
    that spoke against the matcher. ``likelihood`` is the matcher's own, where it has one: it ranks what nobody called
    either way, and decides nothing.
    """

    span: tuple[int, int]
    text: str
    stance: Stance
    modality: Modality
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    matcher: str = ""
    abstained: str = ""
    disagreements: tuple[str, ...] = ()
    likelihood: float | None = None

    @property
    def reason(self) -> Reason | None:
        """The reason of the first finding that fails; what rests on nothing that was said is unknown."""
        found = next((finding.reason for finding in self.findings if finding.reason is not None), None)
        return found or (Reason.UNKNOWN if self.outcome is Outcome.UNGROUNDED else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPolicy:
    """What is made of a claim that the matcher is sure nobody said.

    ``UNGROUNDED`` (the paper's case of an empty ``asserts_id``) or ``ABSTAIN``. It concerns what is put as fact, and
    what is reported of others; a new hypothesis, a question, or words that no proposition matched for certain are not
    checked either way.
    """

    unmatched: Outcome = Outcome.UNGROUNDED


DEFAULT_POLICY = CheckPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The verdict on a text: ungrounded if any claim is, grounded only if every claim was checked and is."""

    outcome: Outcome
    claims: tuple[CheckedClaim, ...] = ()
    abstained: str = ""

    @property
    def passes(self) -> bool:
        """Tell whether every claim was checked *and* found grounded."""
        return self.outcome is Outcome.GROUNDED

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Give the findings of all claims, failing ones first."""
        found = [finding for claim in self.claims for finding in claim.findings]
        return tuple(sorted(found, key=lambda finding: finding.outcome is Outcome.GROUNDED))


def check_text(
    state: State,
    text: str,
    matcher: Matcher,
    *,
    speaker: AgentId | None = None,
    view: View | None = None,
    policy: CheckPolicy = DEFAULT_POLICY,
) -> Checked:
    """Check a text by its words. ``view`` is the state as the matcher reads it, where more is known than the state.

    A language model that gives nothing to go by makes no verdict: nothing could be checked, and ``abstained`` says why.
    Cost: that of the matcher, and a look-up a claim.
    """
    try:
        claims = matcher.match(text, view if view is not None else StateView(state), speaker=speaker)
    except ModelFailure as failure:
        return Checked(outcome=Outcome.ABSTAIN, abstained=f"the language model gave nothing to go by: {failure}")
    return check_claims(state, claims, matcher=f"{matcher.name}@{matcher.version}", speaker=speaker, policy=policy)


def check_claims(
    state: State,
    claims: Iterable[Claim],
    *,
    matcher: str,
    speaker: AgentId | None = None,
    policy: CheckPolicy = DEFAULT_POLICY,
) -> Checked:
    """Give the verdict on claims that a matcher found, ``matcher`` being its name and version."""
    return checked(_checked_claim(state, claim, matcher, speaker, policy) for claim in claims)


def check_candidates(
    state: State,
    text: str,
    candidates: Iterable[Candidate],
    *,
    matcher: str,
    speaker: AgentId | None = None,
    says_more: bool = False,
) -> Checked:
    """Check a text whose claims are known already (a label, a declaration), as one claim over its whole length.

    A text that is known to rest on nothing that was said is ungrounded as a whole, with no finding to show. One that
    ``says_more`` than its candidates is at best not checked: what it leans on may stand, the rest nobody looked at.
    """
    known = tuple(candidates)
    findings = tuple(verify_literal(state, candidate, speaker=speaker) for candidate in known)
    stance = known[0].stance if known else Stance.ASSERTS
    modality = known[0].modality if known else Modality.FACT
    is_grounded = bool(findings) and all(finding.outcome is Outcome.GROUNDED for finding in findings)
    checked_as = Outcome.ABSTAIN if says_more else Outcome.GROUNDED
    claim = CheckedClaim(
        span=(0, len(text)),
        text=text,
        stance=stance,
        modality=modality,
        outcome=checked_as if is_grounded else Outcome.UNGROUNDED,
        findings=findings,
        matcher=matcher,
        abstained=_leaning(each.literal for each in known) if is_grounded and says_more else "",
    )
    return checked([claim])


def checked(claims: Iterable[CheckedClaim]) -> Checked:
    """Put the verdict on a text together from its claims."""
    found = tuple(claims)
    outcomes = {claim.outcome for claim in found}
    if Outcome.UNGROUNDED in outcomes:
        return Checked(outcome=Outcome.UNGROUNDED, claims=found)
    if outcomes == {Outcome.GROUNDED}:
        return Checked(outcome=Outcome.GROUNDED, claims=found)
    reason = next((claim.abstained for claim in found if claim.abstained), NO_CLAIM)
    return Checked(outcome=Outcome.ABSTAIN, claims=found, abstained=reason)


def _checked_claim(state: State, claim: Claim, by: str, speaker: AgentId | None, policy: CheckPolicy) -> CheckedClaim:
    findings = tuple(verify_literal(state, _candidate(claim, link), speaker=speaker) for link in claim.links)
    outcome, abstained = _outcome(claim, findings, policy)
    return CheckedClaim(
        span=claim.span,
        text=claim.text,
        stance=claim.stance,
        modality=claim.modality,
        outcome=outcome,
        findings=findings,
        matcher=by,
        abstained=abstained,
        disagreements=claim.disagreements,
        likelihood=claim.likelihood,
    )


def _candidate(claim: Claim, link: Link) -> Candidate:
    """What contradicts a literal asserts its negation."""
    meant = ~link.literal if link.relation is Relation.CONTRADICTS else link.literal
    return Candidate(literal=meant, stance=claim.stance, modality=claim.modality)


def _outcome(claim: Claim, findings: tuple[Finding, ...], policy: CheckPolicy) -> tuple[Outcome, str]:
    if any(finding.outcome is Outcome.UNGROUNDED for finding in findings):
        return Outcome.UNGROUNDED, ""
    if claim.is_new:
        is_put_forward = claim.modality is Modality.FACT or claim.stance is Stance.REPORTS
        is_ungrounded = policy.unmatched is Outcome.UNGROUNDED and is_put_forward
        return (Outcome.UNGROUNDED, "") if is_ungrounded else (Outcome.ABSTAIN, claim.abstained or NOBODY_SAID)
    if not findings:
        return Outcome.ABSTAIN, claim.abstained or "no proposition matches well enough"
    if claim.disagreements:
        return Outcome.ABSTAIN, f"a rule speaks against the matcher: {', '.join(claim.disagreements)}"
    if any(link.relation is Relation.SUPPORTED_BY for link in claim.links):
        return Outcome.GROUNDED, ""
    return Outcome.ABSTAIN, _leaning(link.literal for link in claim.links)


def _leaning(literals: Iterable[Literal]) -> str:
    return f"it leans on {', '.join(map(str, literals))}, which stands, but says more than that"
