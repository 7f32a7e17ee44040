"""What kind of conversation this is, told from its opening turns; it picks a section of the instructions.

Source: the paper's Appendix F, Level 0 and Path B: a library of templates, and the language model (or, without one,
cue words) tells which applies. Conversations shift, so it can be told anew in the middle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from upheld.errors import UnusableReply
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.llm.reading import field_of
from upheld.speech.interpretation.llm.wire import closed
from upheld.speech.interpretation.prompts.loading import asked, joined, prompt_named
from upheld.speech.interpretation.prompts.quoting import block, quoted_turn
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Usage
from upheld.speech.models.request import Request, Shape
from upheld.speech.models.structured import ask_for


class Paradigm(StrEnum):
    """Kinds of conversation that instructions exist for."""

    DIAGNOSTIC = "diagnostic"
    DELIBERATIVE = "deliberative"
    KNOWLEDGE = "knowledge"
    ASSISTANT = "assistant"


OPENING = 6
"""Turns from which the kind is told."""

_CROPPED = 2_000
_CUES = {
    Paradigm.DIAGNOSTIC: re.compile(
        r"\b(?:why (?:is|are|does|do|did|was|were)|what(?:'s| is)? (?:caus|wrong|broke|going on)\w*|incident|outage|"
        r"p[01]\b|root cause|errors?|fail(?:s|ed|ing|ure|ures)?|broken|crash\w*|alarms?|alerts?|symptoms?|leak\w*|"
        r"diagnos\w*|time(?:s|d)? ?outs?|down since|stopped working|discrepanc\w+|does(?:n't| not) (?:add up|match)|"
        r"jump(?:s|ed) from|went out|suspect\w*|i'd bet|my guess|explain\w*|spik(?:e|ed|es|ing)|confused|missing|"
        r"aren't there|isn't there|why would|wrong|plausible|"
        r"fever|reject\w*|flak(?:y|iness))\b",
        re.IGNORECASE,
    ),
    Paradigm.DELIBERATIVE: re.compile(
        r"\b(?:how (?:should|do|shall|would|could|can) (?:we|you|one)|should we|go about|either of|"
        r"either one|alternatives?|doable|which (?:one|of|option|way)|options?|propos\w+|prefer\w*|"
        r"trade-?offs?|decid\w+|decision|choose|choice|versus|vs|pros and cons|in favou?r|agenda|budget|vote|"
        r"recommend\w*|instead of|offer|contract|negotiat\w+|i'd go (?:for|with)|let's (?:go with|use))\b",
        re.IGNORECASE,
    ),
    Paradigm.KNOWLEDGE: re.compile(
        r"\b(?:(?:do|does|can) (?:you|he|she|they|anyone|any of you) (?:know|see|tell)|nobody knows|i (?:don't|do not) "
        r"know (?:whether|if|which|my)|knows? (?:whether|that|which)|common knowledge|at least one of|puzzle|riddle|"
        r"foreheads?|muddy|cards?|hats?|secret\w*|who told|was told|overheard)\b",
        re.IGNORECASE,
    ),
    Paradigm.ASSISTANT: re.compile(
        r"\b(?:please|can you|could you|remind me|my (?:name|birthday|address|wife|husband|partner|flight|order)|"
        r"i(?:'d| would) like|i live|i work|remember that|add (?:it|that|this)|book|schedule|note that|thank you|"
        r"sure[,!]|happy to help|i(?:'ve| have) (?:noted|added|booked)|for me)\b",
        re.IGNORECASE,
    ),
}
_LEAD = 2
"""By how many cues another kind must lead before a conversation counts as having shifted."""

_NAMES = tuple(paradigm.value for paradigm in Paradigm)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParadigmTold:
    """A kind of conversation, by whom it was told, and what it was ``before``, if it was told before."""

    paradigm: Paradigm
    by: str
    before: Paradigm | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def has_changed(self) -> bool:
        """Whether the conversation has shifted since it was told last."""
        return self.before is not None and self.before is not self.paradigm


def paradigm_of(
    turns: Sequence[Turn], llm: LanguageModel | None = None, *, before: Paradigm | None = None
) -> ParadigmTold:
    """Tell what kind of conversation turns are of: by a language model, or by cues where there is none.

    Give the opening turns, or, in the middle of a conversation, the last ones with what it was ``before``. Without cues
    it stays what it was, and is ``assistant`` where it was nothing.

    Raises:
        ModelFailure: the language model gave nothing to go by.
    """
    if llm is None:
        return ParadigmTold(paradigm=_by_cues(turns, before), by="cues@1", before=before)
    request = paradigm_request(turns)
    answered = ask_for(llm, request, read_paradigm)
    by = f"{llm.name}@{request.prompt}"
    return ParadigmTold(paradigm=answered.value, by=by, before=before, usage=answered.usage)


def paradigm_request(turns: Sequence[Turn]) -> Request:
    """Give the request that asks for the kind of a conversation."""
    instructions = joined(prompt_named("paradigm"), prompt_named("quotation"))
    shown = block("turns", [quoted_turn(_cropped(turn)) for turn in turns[:OPENING]])
    schema = closed({"paradigm": {"type": "string", "enum": list(_NAMES)}})
    return asked(instructions, Shape(name="paradigm", schema=schema), shown, limit=256)


def read_paradigm(content: object) -> Paradigm:
    """Read the reply to that request.

    Raises:
        UnusableReply: it names none of the kinds.
    """
    name = field_of(content, "paradigm")
    if name not in _NAMES:
        raise UnusableReply(f"paradigm: {name!r} is none of {', '.join(_NAMES)}")
    return Paradigm(name)


def _by_cues(turns: Sequence[Turn], before: Paradigm | None) -> Paradigm:
    words = "\n".join(turn.text[:_CROPPED] for turn in turns[:OPENING])
    counts = {paradigm: len({found.casefold() for found in cue.findall(words)}) for paradigm, cue in _CUES.items()}
    best = max(counts, key=lambda paradigm: counts[paradigm])
    if before is not None:
        return best if counts[best] >= counts[before] + _LEAD else before
    return best if counts[best] else Paradigm.ASSISTANT


def _cropped(turn: Turn) -> Turn:
    return Turn(id=turn.id, speaker=turn.speaker, text=turn.text[:_CROPPED], audience=turn.audience)
