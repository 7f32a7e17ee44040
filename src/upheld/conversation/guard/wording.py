"""What a guard says, for a language model and for people. Whatever was said by others is quoted and escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from upheld.conversation.guard.concerns import Concern, Stated
from upheld.conversation.guard.policy import Action, Concerning, Note
from upheld.logic.language.identities import TurnId
from upheld.logic.language.verdicts import Reason
from upheld.speech.models.prompts.loading import prompt_in

MOST_QUOTED = 400
"""Characters of one quotation; the rest is cut off, and a mark says so."""

MOST_CONCERNS = 20
"""Concerns that are told one by one."""

WHY: dict[Concerning, str] = {
    Reason.UNKNOWN: "nobody has said this",
    Reason.OUT_OF_VIEW: "it was said, but not to you",
    Reason.ABANDONED: "it was given up",
    Reason.RETRACTED: "it was taken back",
    Reason.SUPERSEDED: "it was replaced by another value",
    Reason.CONTRADICTED: "something that stands says otherwise",
    Reason.PREMISE_LOST: "what it rests on no longer stands",
    Reason.UNDERMINED: "something speaks against it that nobody has answered",
    Reason.REOPENED: "it was given up for a reason that has fallen since, and nobody has taken it up again",
    Reason.UNDECIDED: "what speaks for it and against it is undecided",
    Reason.OVERCLAIMED: "it is not settled, and you put it as a fact",
    Reason.TOO_WEAK: "what speaks for it is too weak",
    Note.NOT_CHECKED: "nothing that was said decides it",
    Note.DISPUTED: "it differs in a number, a name or a negation from what it seems to say again",
    Note.NOT_COVERED: "its language is not covered",
    Note.UNREAD: "a turn before it could not be read, and what that changed is not known",
    Note.COULD_NOT_CHECK: "it could not be checked",
    Note.INSTRUCTION_LIKE: "it follows a passage that was said here as if it were an instruction to you",
}
"""Why, in words that are addressed to whoever wrote the reply."""

# Controls, marks that turn the direction of writing or cannot be seen, line separators, and halves of characters.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def quoted(text: str) -> str:
    """Give a text as one line in double quotation marks that nothing in it can end; long ones are cut."""
    cut = text if len(text) <= MOST_QUOTED else text[:MOST_QUOTED] + " \u2026"
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(cut, ensure_ascii=False))


def told_to_llm(concerns: Sequence[Concern], could_not_check: str, rewritten: str) -> str:
    """Give what a language model needs to write the reply again; empty where there is nothing to say."""
    failing = [concern for concern in concerns if concern.action is not Action.PASS]
    parts = [prompt_in("upheld.conversation.guard.prompts", "retry").text]
    if could_not_check:
        parts.append(f"The reply could not be checked: {plain(could_not_check)}. A shorter, simpler one may be.")
    parts += _numbered(failing)
    if rewritten:
        parts.append(f"A reply that could be sent: {quoted(rewritten)}")
    return "\n\n".join(parts) if len(parts) > 1 else ""


def told_to_people(action: Action, concerns: Sequence[Concern], could_not_check: str, unread: Sequence[TurnId]) -> str:
    """Give what a guard decided and why, in a line for each claim."""
    lines = [f"{action.value}: could not check: {plain(could_not_check)}" if could_not_check else action.value]
    if unread:
        lines.append(f"- could not be read, so what they changed is not known: {', '.join(map(plain, unread))}")
    for concern in concerns[:MOST_CONCERNS]:
        name = concern.reason.value.replace("_", " ")
        line = f"- {quoted(concern.text)}: {name}"
        if concern.ended_by is not None or concern.ended_at is not None:
            line += _by(concern)
        if concern.stands:
            line += "; stands now: " + ", ".join(map(_stated, concern.stands))
        if concern.grounded_if:
            line += f"; would be grounded if {plain(concern.grounded_if)}"
        if concern.detail:
            line += f" ({plain(concern.detail)})"
        lines.append(line)
    if len(concerns) > MOST_CONCERNS:
        lines.append(f"- and {len(concerns) - MOST_CONCERNS} more")
    return "\n".join(lines)


def plain(text: str) -> str:
    """Give a name or a reason as part of a line: nothing in it can begin another one."""
    return _UNSEEN.sub(" ", text[:MOST_QUOTED])


def _numbered(concerns: Sequence[Concern]) -> Iterable[str]:
    for number, concern in enumerate(concerns[:MOST_CONCERNS], start=1):
        lines = [f"{number}. You wrote {quoted(concern.text)}: {WHY[concern.reason]}{_by(concern)}."]
        if concern.detail:
            lines.append(f"   Why: {plain(concern.detail)}.")
        if concern.about is not None:
            lines.append(f"   It rests on {_stated(concern.about)}.")
        lines += [f"   Stands now: {_stated(each)}." for each in concern.stands]
        lines += [f"   No longer stands: {_stated(each)}." for each in concern.fallen]
        if concern.grounded_if:
            lines.append(f"   It would be grounded if {plain(concern.grounded_if)}.")
        yield "\n".join(lines)
    if len(concerns) > MOST_CONCERNS:
        yield f"And {len(concerns) - MOST_CONCERNS} more of the same kinds."


def _by(concern: Concern) -> str:
    by = f" by {plain(concern.ended_by)}" if concern.ended_by else ""
    return by + (f" in {plain(concern.ended_at)}" if concern.ended_at else "")


def _stated(item: Stated) -> str:
    origin = ", ".join(plain(each) for each in (item.speaker, item.turn) if each)
    return f"{plain(item.id)} {quoted(item.text)}" + (f" ({origin})" if origin else "")
