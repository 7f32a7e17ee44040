"""What is done with what a gateway sends: requests are put on record, answers are held against it."""

from __future__ import annotations

import logging
from dataclasses import replace

from pydantic import ValidationError

from upheld.conversation.events import Beginning
from upheld.conversation.guard.guard import USER_AND_ASSISTANT, Guard
from upheld.conversation.guard.policy import GuardPolicy
from upheld.conversation.guard.verdict import GuardVerdict
from upheld.conversation.hosting.host import Room
from upheld.errors import UpheldError
from upheld.faces.server.access import Visit, persistently
from upheld.faces.server.guardrail.exchange import GuardrailAnswer, GuardrailRequest, Said, conversation_of, said_in
from upheld.faces.server.noting import Noted, note_verdict
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId

SPEAKER = "assistant"
BEGINNING = Beginning(agents=(*USER_AND_ASSISTANT, Agent(id=AgentId("tool"), name="tool", kind=AgentKind.TOOL)))
PASSED = GuardrailAnswer(action="NONE")

_LOG = logging.getLogger("upheld.server.guardrail")


def judged(content: bytes, visit: Visit) -> GuardrailAnswer:
    """Answer a gateway. What cannot be checked is let through or blocked as the policy says, and never an error."""
    policy = policy_of(visit)
    try:
        sent = GuardrailRequest.model_validate_json(content)
        with visit.entered(conversation_of(sent), beginning=BEGINNING) as room:
            if sent.input_type == "response":
                return _answer(room, sent.texts or [], policy, visit)
            for each in said_in(sent):
                _tell(room, each, visit)
            return PASSED
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return _unchecked(f"{'.'.join(map(str, first['loc']))}: {first['msg']}", policy)
    except UpheldError as error:
        _LOG.warning("%s", type(error).__name__)
        return _unchecked(str(error), policy)


def policy_of(visit: Visit) -> GuardPolicy:
    """Give the policy of the settings. The gateway has its own deadline, and asks nobody again."""
    return replace(GuardPolicy.from_text(visit.settings.guardrail), deadline=None, attempts=0)


def _tell(room: Room, said: Said, visit: Visit) -> None:
    talk = room.conversation
    if talk.was_told(said.key):
        return
    visit.check_text(said.text, "texts")
    persistently(talk, lambda: talk.say(said.speaker, said.text, key=said.key))


def _answer(room: Room, texts: list[str], policy: GuardPolicy, visit: Visit) -> GuardrailAnswer:
    guard = Guard(room.conversation, speaker=SPEAKER, matcher=room.matcher, policy=policy)
    verdicts = [guard.check_now(text, retries=0) for text in texts]
    talk = room.conversation
    for each in verdicts:
        note_verdict(visit, talk.id, each.checked, Noted(version=talk.version, speaker=SPEAKER, text=each.reply))
    held = [each for each in verdicts if not each.passes]
    if not held:
        return PASSED
    if policy.is_mending_streams and all(each.rewritten for each in held):
        return GuardrailAnswer(action="GUARDRAIL_INTERVENED", texts=[_left(each) for each in verdicts])
    return GuardrailAnswer(action="BLOCKED", blocked_reason="\n".join(map(_reason, held)))


def _reason(verdict: GuardVerdict) -> str:
    told = verdict.for_people()
    return f"{told}\n- a person will look at it: {verdict.flag}" if verdict.flag else told


def _left(verdict: GuardVerdict) -> str:
    return verdict.reply if verdict.passes else verdict.rewritten


def _unchecked(why: str, policy: GuardPolicy) -> GuardrailAnswer:
    if policy.on_failure.lets_through:
        return PASSED
    return GuardrailAnswer(action="BLOCKED", blocked_reason=f"could not be checked: {why}")
