"""A verdict that was given is counted, told to a collector, and told to whoever listens."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.conversation.checking.claims import Checked
from upheld.faces.report.wording import reasons_of
from upheld.faces.server.access import Visit
from upheld.faces.server.models.events import VerdictEvent
from upheld.faces.server.telemetry.tracing import Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What a verdict was given on: a text of ``speaker``, a language model's ``response`` if it has an id."""

    version: int
    speaker: str | None = None
    text: str = ""
    response: str = ""


def note_verdict(visit: Visit, conversation: str, found: Checked, on: Noted, *, is_live: bool = True) -> None:
    """Note a verdict; ``is_live`` tells it to those who follow the conversation as well."""
    house, outcome, reasons = visit.house, found.outcome, reasons_of(found)
    findings = [finding for claim in found.claims for finding in claim.findings]
    named = [each.value for each in reasons]
    house.metrics.note_verdict(outcome.value, named)
    house.tracing.judge(
        Judgement(
            conversation=conversation,
            outcome=outcome.value,
            reasons=named,
            response=on.response,
            text=on.text,
            restored_if=[each.restored_if for each in findings if each.restored_if],
        )
    )
    if is_live:
        event = VerdictEvent(
            version=on.version,
            speaker=on.speaker,
            outcome=outcome,
            reasons=list(reasons),
            claims=list(dict.fromkeys(str(each.literal) for each in findings)),
        )
        house.audience.tell(visit.caller.tenant, conversation, event)
