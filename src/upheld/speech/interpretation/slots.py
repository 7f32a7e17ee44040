"""Single-valued slots: things of which a person has one at a time, so that a new value replaces the old."""

from __future__ import annotations

import re
from dataclasses import dataclass

from upheld.speech.matching.tokens import stem

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Whose (``holder``), what (``key``), and its value: the same holder and key with another value replace it."""

    holder: str
    key: str
    value: str


_SINGLE = (
    "name|first name|last name|nickname|birthday|age|address|phone number|number|e-?mail(?: address)?|employer|"
    "job|title|"
    "home town|hometown|city|time ?zone|budget|deadline|due date|start date|end date|hotel|flight|password|"
    "favou?rite [a-z]+"
)
_IS = re.compile(
    rf"\A(?P<who>my|our|the|his|her|their|[\w-]+'s) (?P<key>{_SINGLE}) (?:is|are|was)(?: now)? (?P<value>.+)\Z", _I
)
_PLACE = re.compile(
    r"\A(?P<who>i|we|[\w-]+)(?:'m|'ve)?(?: have| has| am| is)?(?: just| now)? "
    r"(?:(?P<live>live in|lives in|living in|moved to|relocated to)|(?P<work>work for|works for|work at|"
    r"works at)) (?P<value>.+)\Z",
    _I,
)
_PROJECT = re.compile(
    r"\A(?P<who>i|[\w-]+)(?:'m)?(?: am| is| was| has been)? (?:on|assigned to|reassigned to|"
    r"moved to) (?:the )?(?P<kind>project|team) "
    r"(?P<value>[\w-]+)\Z|\A(?P<who2>i|[\w-]+) (?:was|is|has been) reassigned to (?P<value2>[\w-]+)\Z",
    _I,
)
_FEELING = re.compile(
    r"\A(?P<who>i|[\w-]+) (?:now |really )*(?P<value>loves?|likes?|hates?|dislikes?|can'?t stand|adores?|"
    r"enjoys?) (?P<what>.+)\Z",
    _I,
)
_FEELINGS = {
    "lov": "+",
    "lik": "+",
    "ador": "+",
    "enjoy": "+",
    "hat": "-",
    "dislik": "-",
    "can't stand": "-",
    "cant stand": "-",
}
_SPEAKER = re.compile(r"\A(?P<speaker>\S+) says: ")
_FIRST_PERSON = frozenset({"i", "my", "our", "we"})


def slot_of(text: str, *, speaker: str = "") -> Slot | None:
    """Read the slot that a clause fills, or ``None``; "Ava says: my name is Ava" is read with Ava as its speaker."""
    said = _SPEAKER.match(text)
    if said is not None:
        speaker, text = said.group("speaker"), text[said.end() :]
    words = " ".join(text.split()).rstrip(".! ")
    for read in (_named, _placed, _assigned, _felt):
        slot = read(words)
        if slot is not None:
            holder = speaker if slot.holder in _FIRST_PERSON else slot.holder
            return Slot(holder=holder.casefold(), key=slot.key, value=slot.value.casefold())
    return None


def _named(words: str) -> Slot | None:
    found = _IS.match(words)
    if found is None:
        return None
    return Slot(holder=found["who"].casefold().removesuffix("'s"), key=found["key"].casefold(), value=found["value"])


def _placed(words: str) -> Slot | None:
    found = _PLACE.match(words)
    if found is None:
        return None
    return Slot(holder=found["who"].casefold(), key="home" if found["live"] else "work", value=found["value"])


def _assigned(words: str) -> Slot | None:
    found = _PROJECT.match(words)
    if found is None:
        return None
    who, value = found["who"] or found["who2"], found["value"] or found["value2"]
    return Slot(holder=who.casefold(), key="assignment", value=value)


def _felt(words: str) -> Slot | None:
    found = _FEELING.match(words)
    if found is None:
        return None
    verb = found["value"].casefold()
    feeling = _FEELINGS.get(verb) or _FEELINGS[stem(verb)]
    return Slot(holder=found["who"].casefold(), key=f"feeling about {found['what'].casefold()}", value=feeling)
