"""A matcher that is shown a reply without its secrets; places are told in the reply as it came."""

from __future__ import annotations

from dataclasses import replace

from upheld.logic.language.identities import AgentId
from upheld.speech.matching.matcher import Claim, Matched, Matcher, costed
from upheld.speech.redaction.redactor import Redacted, Redactor
from upheld.speech.view import View


class RedactingMatcher:
    """Takes secrets and personal data out of a text before another matcher reads it.

    The record was redacted by the same redactor when it was told, so that the same value has the same placeholder on
    both sides, and a wrong one is still seen.
    """

    def __init__(self, inner: Matcher, redactor: Redactor) -> None:
        """Show ``inner`` what ``redactor`` leaves."""
        self._inner = inner
        self._redactor = redactor

    @property
    def name(self) -> str:
        """Name of the matcher within."""
        return self._inner.name

    @property
    def version(self) -> str:
        """Version of the matcher within."""
        return self._inner.version

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims of a text, raising what the matcher within does."""
        return self.matched(text, view, speaker=speaker).claims

    def matched(self, text: str, view: View, *, speaker: AgentId | None = None) -> Matched:
        """Give the claims of a text, and what that cost."""
        shown = self._redactor.redact(text)
        found = costed(self._inner, shown.text, view, speaker=speaker)
        return replace(found, claims=tuple(_as_it_came(claim, text, shown) for claim in found.claims))


def _as_it_came(claim: Claim, text: str, shown: Redacted) -> Claim:
    if not shown.findings:
        return claim
    start, end = claim.span
    # The end is past the last character: inside a placeholder it must not fall back to where the value began.
    span = (shown.before(start), shown.before(end - 1) + 1 if end > start else shown.before(end))
    for finding in shown.findings:
        if finding.after[0] < end <= finding.after[1]:
            span = (span[0], finding.before[1])
    return replace(claim, span=span, text=text[slice(*span)])
