"""A finding in plain sentences, the same on the page, in the terminal and in the files for a pipeline.

The state is asked for words, kinds and names alone, which never change once said: the state now will do for a verdict
of long ago.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from upheld.conversation.checking.claims import Checked, CheckedClaim
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.propositions import TENTATIVE
from upheld.logic.language.verdicts import Finding, Ground, Outcome, Reason
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.lines import one_line

QUOTED = 100
"""Characters of a claim that are quoted in a sentence."""

_LEAVES = 8


def reason_of(claim: CheckedClaim) -> Reason | None:
    """Give the reason of a claim's first failing finding; a label that rests on nothing said is unknown."""
    found = next((finding.reason for finding in claim.findings if finding.reason is not None), None)
    return found or (Reason.UNKNOWN if claim.outcome is Outcome.UNGROUNDED else None)


def reasons_of(checked: Checked) -> tuple[Reason, ...]:
    """Give the reasons of all ungrounded claims, each once, in the order of the text."""
    found = (reason_of(claim) for claim in checked.claims if claim.outcome is Outcome.UNGROUNDED)
    return tuple(dict.fromkeys(reason for reason in found if reason is not None))


def headline(checked: Checked) -> str:
    """Give the verdict in a word or two: ``ungrounded: abandoned``."""
    reasons = reasons_of(checked)
    named = f": {', '.join(spoken(reason) for reason in reasons)}" if reasons else ""
    return f"{checked.outcome}{named}"


def spoken(reason: Reason) -> str:
    """Give a reason as people say it."""
    return reason.replace("_", " ")


def failing_findings(checked: Checked) -> tuple[Finding, ...]:
    """Give the findings that make a text ungrounded."""
    return tuple(finding for finding in checked.findings if finding.outcome is Outcome.UNGROUNDED)


def summary_of(state: State, checked: Checked) -> str:
    """Give the verdict's ground in one line; empty when there is nothing to say beyond it."""
    if checked.outcome is Outcome.ABSTAIN:
        return checked.abstained
    if checked.outcome is Outcome.GROUNDED:
        return "; ".join(grounds_line(finding.grounds) for finding in checked.findings if finding.grounds)
    failing = failing_findings(checked)
    if not failing:
        return "it rests on nothing that was said"
    return "; ".join(f"{quoted(state, finding.literal.proposition)} {ending_of(state, finding)}" for finding in failing)


def ending_of(state: State, finding: Finding) -> str:
    """Say what became of a claim that is not grounded: who ended it, when, and because of what."""
    return _ENDINGS[finding.reason or Reason.UNKNOWN](state, finding)


def grounds_line(grounds: Iterable[Ground]) -> str:
    """Give a provenance on one line: the claim, what lies between, and the turns it comes down to."""
    chain = tuple(grounds)
    if not chain:
        return ""
    if len(chain) == 1:
        return f"{chain[0].literal}{_said_at(chain[0])}"
    depths = [ground.depth for ground in chain]
    is_leaf = [next_depth <= depth for depth, next_depth in zip(depths, [*depths[1:], 0], strict=True)]
    between = [str(ground.literal) for ground, leaf in zip(chain[1:], is_leaf[1:], strict=True) if not leaf]
    leaves = [f"{ground.literal}{_said_at(ground)}" for ground, leaf in zip(chain, is_leaf, strict=True) if leaf]
    parts = [str(chain[0].literal), ", ".join(_short(between)), ", ".join(_short(leaves))]
    return " ← ".join(part for part in parts if part)


def quoted(state: State, id: PropositionId) -> str:
    """Give a claim's id with its words: ``h2 "the Redis failure …"``."""
    proposition = state.propositions.get(id)
    return f'{id} "{one_line(proposition.text, limit=QUOTED)}"' if proposition is not None else str(id)


def name_of(state: State, agent: AgentId | None) -> str:
    """Give an agent's name, or ``somebody``."""
    if agent is None:
        return "somebody"
    known = state.agents.get(agent)
    return (known.name if known is not None else "") or agent


def _said_at(ground: Ground) -> str:
    return f" ({ground.turn})" if ground.turn else ""


def _short(items: list[str]) -> list[str]:
    return items if len(items) <= _LEAVES else [*items[:_LEAVES], f"… {len(items) - _LEAVES} more"]


def _place(state: State, finding: Finding) -> str:
    at = f" at {finding.turn}" if finding.turn else ""
    by = f" by {name_of(state, finding.by)}" if finding.by else ""
    return f"{at}{by}"


def _because(state: State, finding: Finding) -> str:
    named = [quoted(state, id) for id in finding.because]
    return f" because of {', '.join(_short(named))}" if named else ""


def _acted(verb: str) -> Callable[[State, Finding], str]:
    return lambda state, finding: f"{verb}{_place(state, finding)}{_because(state, finding)}"


def _superseded(state: State, finding: Finding) -> str:
    current = f"; now it is {quoted(state, finding.current)}" if finding.current is not None else ""
    return f"was replaced{_place(state, finding)}{current}"


def _contradicted(state: State, finding: Finding) -> str:
    against = ", ".join(quoted(state, id) for id in finding.because) or "what stands against it"
    return f"contradicts {against}{_place(state, finding)}"


def _premise_lost(state: State, finding: Finding) -> str:
    fallen = finding.path[-1] if finding.path else next(iter(finding.because), None)
    way = f" ({' ← '.join(finding.path)})" if len(finding.path) > 2 else ""
    return f"lost its ground {quoted(state, fallen)}{way}" if fallen else "lost a ground"


def _undecided(state: State, finding: Finding) -> str:
    circle = f" with {', '.join(finding.because)}" if finding.because else ""
    return f"is caught in a circle{circle} that nothing outside decides"


def _overclaimed(state: State, finding: Finding) -> str:
    if finding.policy:
        return f"is stated without a ground (policy: {finding.policy})"
    id = finding.literal.proposition
    kind = state.propositions[id].kind if id in state.propositions else None
    if finding.because:
        return f"is said as plain fact, against {', '.join(quoted(state, each) for each in finding.because)}"
    return f"is a live {kind}, said as plain fact" if kind in TENTATIVE else "is said as plain fact"


_ENDINGS: dict[Reason, Callable[[State, Finding], str]] = {
    Reason.UNKNOWN: lambda state, finding: "had been said by nobody",
    Reason.OUT_OF_VIEW: lambda state, finding: "was said, but never to this speaker",
    Reason.ABANDONED: _acted("was given up"),
    Reason.RETRACTED: _acted("was taken back"),
    Reason.SUPERSEDED: _superseded,
    Reason.CONTRADICTED: _contradicted,
    Reason.PREMISE_LOST: _premise_lost,
    Reason.UNDERMINED: _acted("is undermined"),
    Reason.REOPENED: lambda state, finding: "was given up for a reason that fell, and nobody took it up again",
    Reason.UNDECIDED: _undecided,
    Reason.OVERCLAIMED: _overclaimed,
    Reason.TOO_WEAK: lambda state, finding: f"is too weak under {finding.variant}",
}
