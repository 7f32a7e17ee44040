"""A verdict that was given is counted, told to a collector, and told to whoever listens."""

from __future__ import annotations

from upheld.faces.server.access import Visit
from upheld.faces.server.models.events import VerdictEvent
from upheld.faces.server.models.verdicts import VerifyAnswer
from upheld.faces.server.telemetry.tracing import Judgement


def note_verdict(
    visit: Visit,
    conversation: str,
    answer: VerifyAnswer,
    *,
    speaker: str | None = None,
    text: str = "",
    response: str = "",
    is_live: bool = True,
) -> None:
    """Note a verdict on a text of ``speaker``, which is a language model's ``response`` if it has an id.

    One on how things stood earlier is not for those who follow the conversation now (``is_live``).
    """
    house = visit.house
    found = [finding for claim in answer.claims for finding in claim.findings]
    house.metrics.note_verdict(answer.outcome.value, [each.value for each in answer.reasons])
    house.tracing.judge(
        Judgement(
            conversation=conversation,
            outcome=answer.outcome.value,
            reasons=[each.value for each in answer.reasons],
            response=response,
            text=text,
            restored_if=[each.restored_if for each in found if each.restored_if],
        )
    )
    if is_live:
        house.audience.tell(
            visit.caller.tenant,
            conversation,
            VerdictEvent(
                version=answer.version,
                speaker=speaker,
                outcome=answer.outcome,
                reasons=answer.reasons,
                claims=list(dict.fromkeys(each.literal for each in found)),
            ),
        )
