"""A reply held against what stands: its claims, each with the verdict of the engine (semantics, section 11)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from upheld.conversation.asking.view import StateView
from upheld.logic.language.identities import AgentId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Candidate, Finding, Modality, Outcome, Stance
from upheld.logic.reasoning.answers.verify import verify_literal
from upheld.logic.reasoning.state import State
from upheld.speech.matching.matcher import Claim, Link, Matcher, Relation

NO_CLAIM = "it makes no claim that could be matched with what was said"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """One claim of a reply: where it stands in the text, what it was matched with and by what, and the verdict.

    ``ABSTAIN`` means that it could not be checked, and ``abstained`` says why.
    """

    span: tuple[int, int]
    text: str
    stance: Stance
    modality: Modality
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    matcher: str = ""
    abstained: str = ""


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


def check_text(state: State, text: str, matcher: Matcher, *, speaker: AgentId | None = None) -> Checked:
    """Check a text by its words alone. Cost: that of the matcher, and a look-up a claim."""
    claims = matcher.match(text, StateView(state), speaker=speaker)
    by = f"{matcher.name}@{matcher.version}"
    return checked(_checked_claim(state, claim, by, speaker) for claim in claims)


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


def _checked_claim(state: State, claim: Claim, by: str, speaker: AgentId | None) -> CheckedClaim:
    findings = tuple(verify_literal(state, _candidate(claim, link), speaker=speaker) for link in claim.links)
    outcome, abstained = _outcome(claim, findings)
    return CheckedClaim(
        span=claim.span,
        text=claim.text,
        stance=claim.stance,
        modality=claim.modality,
        outcome=outcome,
        findings=findings,
        matcher=by,
        abstained=abstained,
    )


def _candidate(claim: Claim, link: Link) -> Candidate:
    """What contradicts a literal asserts its negation."""
    meant = ~link.literal if link.relation is Relation.CONTRADICTS else link.literal
    return Candidate(literal=meant, stance=claim.stance, modality=claim.modality)


def _outcome(claim: Claim, findings: tuple[Finding, ...]) -> tuple[Outcome, str]:
    if not findings:
        return Outcome.ABSTAIN, claim.abstained or "no proposition matches well enough"
    if any(finding.outcome is Outcome.UNGROUNDED for finding in findings):
        return Outcome.UNGROUNDED, ""
    if any(link.relation is Relation.SUPPORTED_BY for link in claim.links):
        return Outcome.GROUNDED, ""
    return Outcome.ABSTAIN, _leaning(link.literal for link in claim.links)


def _leaning(literals: Iterable[Literal]) -> str:
    return f"it leans on {', '.join(map(str, literals))}, which stands, but says more than that"
