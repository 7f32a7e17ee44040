"""One thing that a guard has to say about one claim of a reply, with the words of all that it names."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.conversation.checking.claims import CheckedClaim
from upheld.conversation.guard.policy import Action, Concerning, Severity
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.standing import Label
from upheld.logic.language.verdicts import Finding, Reason, is_slight
from upheld.logic.reasoning.answers.views import has_in_view
from upheld.logic.reasoning.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A proposition in the words of the record, with who put it forward first and when."""

    id: PropositionId
    text: str
    speaker: AgentId | None = None
    turn: TurnId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """Why one claim is not simply let through; ``action`` is the policy's, retries not yet counted.

    ``span`` and ``text`` are its place and words in the reply. ``about`` is the proposition that it rests on, which
    ``ended_by`` ended in turn ``ended_at``; ``stands`` is what stands against it or in its place, ``fallen`` what it
    rested on that does not; ``grounded_if`` says what would make the claim grounded, and ``detail`` why there is no
    verdict.
    """

    span: tuple[int, int]
    text: str
    reason: Concerning
    severity: Severity
    action: Action
    about: Stated | None = None
    ended_by: AgentId | None = None
    ended_at: TurnId | None = None
    stands: tuple[Stated, ...] = ()
    fallen: tuple[Stated, ...] = ()
    grounded_if: str = ""
    detail: str = ""


def severity_of(claim: CheckedClaim) -> Severity:
    """Tell how much a claim commits to."""
    return Severity.SLIGHT if is_slight(claim.stance, claim.modality) else Severity.SEVERE


def failing_concern(
    state: State, claim: CheckedClaim, finding: Finding, action: Action, *, speaker: AgentId
) -> Concern:
    """Put a failing finding in the words of the record, as far as the speaker was told them."""
    stands, fallen = _told_apart(state, finding, speaker)
    return Concern(
        span=claim.span,
        text=claim.text,
        reason=finding.reason or Reason.UNKNOWN,
        severity=severity_of(claim),
        action=action,
        about=stated(state, finding.literal.proposition, speaker),
        ended_by=finding.by,
        ended_at=finding.turn,
        stands=stands,
        fallen=fallen,
        grounded_if=finding.restored_if,
    )


def stated(state: State, id: PropositionId, speaker: AgentId) -> Stated | None:
    """Give a proposition in the words of the record; ``None`` for an act without words, or one that is not there.

    Nor is what the speaker was never told put into words: telling a language model why would tell it the secret.
    """
    proposition = state.propositions.get(id)
    if proposition is None or not has_in_view(state, speaker, id):
        return None
    origin = state.node(id).first.origin
    return Stated(id=id, text=proposition.text, speaker=origin.speaker, turn=origin.turn or None)


def _told_apart(state: State, finding: Finding, speaker: AgentId) -> tuple[tuple[Stated, ...], tuple[Stated, ...]]:
    """Divide what a finding names into what stands and what has fallen."""
    named = dict.fromkeys(
        id for id in (finding.current, *finding.because) if id is not None and id != finding.literal.proposition
    )
    if finding.reason is Reason.CONTRADICTED and finding.literal.negated:
        named = {finding.literal.proposition: None}
    known = [each for each in (stated(state, id, speaker) for id in named) if each is not None]
    standing = tuple(each for each in known if state.label(each.id) is Label.IN)
    return standing, tuple(each for each in known if each not in standing)
