"""What a clause does with what it says, by its cue words: stance, modality, and the clause without the cue."""

from __future__ import annotations

import re
from dataclasses import dataclass

from upheld.logic.language.verdicts import Modality, Stance


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A clause's stance and modality, ``content`` being what is left of it for matching.

    ``is_negated`` when a cue outside the content denies it ("it is no longer true that …").
    """

    content: str
    stance: Stance = Stance.ASSERTS
    modality: Modality = Modality.FACT
    is_negated: bool = False


_HEDGE = re.compile(
    r"\b(?:(?-i:may)|might|could|perhaps|maybe|possibly|probably|presumably|likely|seems?|appears?|suspects?|suspected|"
    r"suspicion|guess(?:es)?|hypothes[ie]s|theory|idea|proposal|proposes?|proposed|suggests?|suggested|suggestion|"
    r"thinks?|believes?|reckons?|wonders?|under discussion|on the table|open question|if we|would)\b",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\A(?:by )?[\w-]{1,30}(?: [\w-]{1,30})?'s (?:theory|idea|guess|view|suspicion|account|hypothesis|proposal|"
    r"reading)"
    r"(?: (?:is|was)(?: that)?|,)?\s+|"
    r"\A(?:(?:according to|as far as|as per)\s+[^,]{1,60},\s*|"
    r"(?:the )?[\w'-]{1,30}(?: [\w'-]{1,30}){0,2}\s+(?:says?|said|"
    r"thinks?|thought|believes?|believed|suspects|suspected|reckons?|proposes|proposed|suggests|suggested|argues|argued|"
    r"claims that|claimed|told us|warns|warned|reports that|reported that|notes that|noted that|found that|finds that)"
    r"(?:\s+that\b|:|,)?\s+)",
    re.IGNORECASE,
)
_HEDGE_HEAD = re.compile(
    r"\A(?:(?:perhaps|maybe|possibly|probably|presumably|it (?:may|might|could) be that|it seems(?: that)?|"
    r"one (?:guess|idea|theory|suspicion|hypothesis)(?: on the table)? is that|the (?:idea|theory|suspicion|guess|"
    r"hypothesis|proposal|suggestion) is(?: that)?|i (?:think|believe|guess|suspect)(?: that)?),?\s+)",
    re.IGNORECASE,
)
_DENIAL_HEAD = re.compile(
    r"\A(?:it is (?:no longer (?:true|the case)|not true|not the case|false) that|"
    r"(?:we|they|everyone) (?:have |has )?(?:dropped|given up|ruled out|rejected|abandoned)(?: the (?:idea|theory))?"
    r"(?: that)?)\s+",
    re.IGNORECASE,
)
_DENIAL_TAIL = re.compile(
    r"\s+(?:is|are|was|were|has been|have been)\s+(?:no longer (?:true|the plan|the case|on the table|valid)|"
    r"off the table|"
    r"(?:now )?(?:ruled out|dropped|given up|abandoned|withdrawn|retracted|rejected))\.?\Z",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\A(?:(?:so|well|ok(?:ay)?|right|yes|yeah|sure|actually|also|anyway|then|now|and|but|remember|note|as agreed|"
    r"as said|to recap|in short|just so you know|great|good)\b[,:]?\s+|"
    r"(?:done|noted|understood|of course|certainly|sorry|my apologies|no problem|got it|thanks|thank you|perfect|"
    r"alright|all right|you're right|absolutely|will do|correct|exactly|i see|dear all|once more)[,:!]\s+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,\s(?:no problem|as you said|as you wish|as requested|as agreed|please|thanks|thank you|got it|noted|"
    r"coming up|sir|madam|for you|of course|certainly|then|understood|right))+(?P<end>[.!]*)\Z",
    re.IGNORECASE,
)
_TALK = (
    r"(?:hi|hello|hey|thanks?(?: you)?(?: so much| a lot| very much)?|ok(?:ay)?|sure|great|perfect|fine|noted|done|"
    r"got it|you'?re welcome|good (?:morning|evening|afternoon|night)|bye|see you|sorry|cheers|no problem|"
    r"welcome back|"
    r"right|yes|no|agreed|of course|absolutely|understood|will do|happy to help|let me know(?: [\w ]{1,40})?|"
    r"sounds good|you're right|i'm (?:very |so )?sorry(?: about that)?|my apologies|my mistake|i apologi[sz]e|i see|"
    r"exactly|correct|certainly|with pleasure|my pleasure|i understand|no worries|alright|all right)"
)
_SMALL_TALK = re.compile(
    rf"{_TALK}(?:[ ,]+{_TALK})?(?:[ ,]+(?:there|all|everyone|again|then|[A-Z]\w+))?[\s.!,]*",
    re.IGNORECASE,
)


def is_small_talk(clause: str) -> bool:
    """Tell whether a clause claims nothing: a greeting, thanks, a bare yes."""
    return _SMALL_TALK.fullmatch(" ".join(clause.split())) is not None


def read_cues(clause: str) -> Reading:
    """Read a clause's cues; without any it asserts a fact."""
    clause = " ".join(clause.split())
    content = _TAIL.sub(r"\g<end>", _FILLER.sub("", clause, count=1), count=1)
    if clause.rstrip(" \"')").endswith("?"):
        return Reading(content=content, modality=Modality.QUESTION)
    modality = Modality.HYPOTHESIS if _HEDGE.search(content) else Modality.FACT
    for pattern in (_DENIAL_HEAD, _DENIAL_TAIL):
        stripped = pattern.sub("", content, count=1)
        if stripped != content:
            return Reading(content=stripped, stance=Stance.DENIES, modality=Modality.FACT, is_negated=True)
    report = _REPORT.match(content)
    if report is not None:
        rest = content[report.end() :]
        return Reading(content=_HEDGE_HEAD.sub("", rest, count=1), stance=Stance.REPORTS, modality=Modality.HYPOTHESIS)
    return Reading(content=_HEDGE_HEAD.sub("", content, count=1), modality=modality)
