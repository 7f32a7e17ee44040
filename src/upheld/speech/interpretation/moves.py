"""Which move a clause makes, by its cue words, and what is left of it when they are taken off."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from upheld.speech.matching.cues import is_small_talk


class Move(StrEnum):
    """What a clause does. ``STATE`` is what is left when no cue says otherwise; ``NOTHING`` claims nothing."""

    NOTHING = "nothing"
    ASK = "ask"
    SUPPOSE = "suppose"
    PROPOSE = "propose"
    DECIDE = "decide"
    CORRECT = "correct"
    STOP = "stop"
    TAKE_BACK = "take_back"
    STATE = "state"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cued:
    """A clause's move, its ``content`` without the cue (empty for a bare "scratch that"), and its ``words`` as said."""

    move: Move
    content: str
    words: str = ""


_I = re.IGNORECASE

_ASK = re.compile(
    r"\A(?:please\b|(?:can|could|would|will) you\b|(?:explain|show|tell|give|write|list|find|summari[sz]e|help|check|"
    r"look up|remind|translate|draft|compare|describe|calculate|book|search)\b(?! (?:is|was|are|has)\b))",
    _I,
)
_TAKE_BACK = re.compile(
    r"\A(?:(?:no,? |sorry,? |oh,? |ah,? |wait,? )*)(?:(?:i|we) (?:was|were) wrong(?: (?:about|that|there|on))?|"
    r"scratch (?:that|it)|"
    r"forget (?:that|it|about|what i said about)|never ?mind|ignore (?:that|what i said)|(?:i|we) take (?:it|"
    r"that) back|"
    r"i take back|i misspoke|my mistake|strike that|(?:i|we) (?:withdraw|retract)|that(?:'s| is| was) (?:wrong|"
    r"not (?:true|right))|"
    r"(?:we|i)(?: have|'ve)? (?:ruled out|dropped|given up|gave up|abandoned|"
    r"rejected))\b[\s,.:;!\u2014-]*(?:that\s+)?",
    _I,
)
_TAKEN_BACK_TAIL = re.compile(
    r"\s+(?:is|are|was|were|has been) (?:no longer (?:true|the case|valid|the plan|on the table)|off the table|"
    r"ruled out|"
    r"wrong|dropped|withdrawn)\s*[.!]*\Z",
    _I,
)
_STOP = re.compile(
    r"\s+(?:(?:has|have|had|is|are|was|were) )?(?:just )?(?:stopped|quit|no longer|not any ?more|used to)\s+"
    r"(?:being\s+)?"
    r"|\A(?:stopped|quit)\s+|\s+any ?more\b",
    _I,
)
_CORRECT = re.compile(
    r"\A(?:(?:oh|ah|wait|sorry|no|well|hm+|um+|uh),?\s+)*(?:actually|correction|in fact|i meant?|i mean|"
    r"make (?:it|that)|rather|"
    r"as it turns out|it turns out(?: that)?|no longer)\b[\s,:\u2014-]*(?:make (?:it|that)\s+)?",
    _I,
)
_CHANGED = re.compile(
    r"\b(?:is now|are now|now is|has changed|(?:was|were|is|are|has been|have been|got)? ?(?:moved|changed|"
    r"postponed|pushed|"
    r"brought forward|reassigned|renamed|corrected) (?:from .{1,40} )?to|instead of|and not|not .{1,40}? but|"
    r"rather than)\b",
    _I,
)
_DECIDE = re.compile(
    r"\A(?:(?:ok(?:ay)?|right|fine|good|so|then|alright),?\s+)*(?:let'?s (?:go with|take|do|use|settle on)|"
    r"(?:we|i)(?:'ll| will) "
    r"(?:go with|take|settle on)|(?:we|i)(?: have|'ve)? (?:decided|agreed)(?: (?:on|to|for|that))?|"
    r"agreed(?:[:,]| on)|decision:|"
    r"it'?s decided:?|settled:|final(?:ly)?:|i decide(?: that| for| on)?|we go with)\s*",
    _I,
)
_PROPOSE = re.compile(
    r"\A(?:(?:ok(?:ay)?|so|then|maybe|perhaps),?\s+)*(?:what about|how about|i(?:'d)? (?:suggest|propose|"
    r"recommend)(?: that)?|"
    r"(?:we|you) could|why (?:not|don'?t we)|one option (?:is|would be)|my (?:proposal|suggestion) is(?: that)?|"
    r"shall we)\s*",
    _I,
)
_SUPPOSE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|might|may be|may have|could be|could have|seems?|"
    r"appears? to|looks like|"
    r"i (?:think|guess|believe|suspect|bet|assume|wonder|suppose)|my (?:guess|theory|hunch) is|likely|"
    r"i'm not sure|not certain)\b",
    _I,
)
_SUPPOSE_HEAD = re.compile(
    r"\A(?:(?:maybe|perhaps|possibly|probably|presumably|i (?:think|guess|believe|suspect|bet|assume|"
    r"suppose)(?: that)?|"
    r"my (?:guess|theory|hunch) is(?: that)?|it (?:seems|looks like)(?: that)?),?\s+)",
    _I,
)

REQUEST = re.compile(
    r"\A(?:(?:and|so|ok(?:ay)?|good|great|fine|then|sorry|oh),? )*(?:please |(?:can|could|would|will) (?:you|we|i) )?"
    r"(?:please )?(?:also )?(?:send|deliver|ship|post|book|order|make|change|put|set|move|bring|add|reserve|schedule|"
    r"switch|say|have|get|use|cancel|refund|pay|transfer|forward|deduct|remove|return|replace|update|upgrade|close|"
    r"open|block)\b",
    re.IGNORECASE,
)
"""Requests for a deed: what is wished is on record as a wish."""

WISHED = re.compile(
    r"\A(?!.*\b(?:or|if|costs?|fee|late)\b)(?:(?:and|so|ok(?:ay)?|but|then|sorry|oh|actually),? )*"
    r"(?:(?:can|could|may|shall|would|is it possible|will) "
    r"(?:it be possible |we |you |i |to )|(?:how|what) about )",
    re.IGNORECASE,
)
"""Questions that wish for something, and do not leave it open whether."""

_OPENING = r"\A(?:(?:and|so|ok(?:ay)?|but|then|sorry|oh|actually|no|yes|good|great|fine|well|hmm|hi|hello|hey),? )*"
_THERE = r"(?:is|are) there|do you have|do they have|(?:have you|you) got|any\b|what else"

SOUGHT = re.compile(
    rf"{_OPENING}(?:(?:please |(?:can|could|would|will) (?:you|we|i) )(?:please |try to |try |help me )?"
    r"(?:find|look|check|search|try|request|get|see|show|recommend|suggest|pick|give|help|book|reserve|make|do|have)|"
    r"(?:find|look|check|search|try|get|show|go|book|reserve|pick)\b|"
    rf"(?:how|what) about|{_THERE})\b",
    re.IGNORECASE,
)
"""Requests and questions that look for something: what they name is what is wished for."""

EXISTS = re.compile(rf"{_OPENING}(?:{_THERE})\b", re.IGNORECASE)
"""Of these, the questions whether there is any: they do not yet say that it is wanted."""


def cued(clause: str) -> Cued:
    """Read a clause's move. The order of the tests is the order of how sure each cue is."""
    words = " ".join(clause.split())
    if not any(char.isalnum() for char in words):
        return Cued(move=Move.NOTHING, content="")
    for move, head in ((Move.DECIDE, _DECIDE), (Move.TAKE_BACK, _TAKE_BACK), (Move.PROPOSE, _PROPOSE)):
        found = head.match(words)
        if found is not None and not (move is Move.DECIDE and words.endswith("?")):
            return Cued(move=move, content=_plain(words[found.end() :].rstrip("? ")), words=_plain(words))
    if words.endswith("?") or _ASK.match(words):
        return Cued(move=Move.ASK, content=words)
    if is_small_talk(words):
        return Cued(move=Move.NOTHING, content="")
    return _statement(words)


def _statement(words: str) -> Cued:
    gone = _TAKEN_BACK_TAIL.sub("", words)
    if gone != words:
        return Cued(move=Move.TAKE_BACK, content=_plain(gone), words=_plain(words))
    stopped = _STOP.sub(" ", words, count=1)
    if stopped != words:
        return Cued(move=Move.STOP, content=_plain(stopped), words=_plain(words))
    corrected = _CORRECT.match(words)
    if corrected is not None:
        return Cued(move=Move.CORRECT, content=_plain(words[corrected.end() :]))
    if _CHANGED.search(words):
        return Cued(move=Move.CORRECT, content=_plain(words))
    if _SUPPOSE.search(words):
        return Cued(move=Move.SUPPOSE, content=_plain(_SUPPOSE_HEAD.sub("", words, count=1)))
    return Cued(move=Move.STATE, content=_plain(words))


def _plain(content: str) -> str:
    content = content.strip().strip(",;:").strip()
    return content[:1].upper() + content[1:] if content else ""
