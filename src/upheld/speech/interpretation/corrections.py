"""Values that a clause puts in the place of known ones: "make it three", "not 14:00 but 15:30", "one more chair"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.propositions import CONSIDERED
from upheld.logic.language.standing import GIVEN_UP
from upheld.speech.matching.entities import TELLING, Entity, ValueKind, affirmed, entities, is_put_aside
from upheld.speech.matching.index import Filled, LexicalIndex
from upheld.speech.matching.lexicon import NUMBER_WORDS
from upheld.speech.matching.moods import stems
from upheld.speech.matching.tokens import frame, stem
from upheld.speech.matching.values import PLACED
from upheld.speech.view import Known

ELLIPTIC = 3
"""Most words that a clause with a bare number may have beside it to be a correction of the one thing counted."""

_I = re.IGNORECASE

MOVED = re.compile(
    r"\binstead\b|\bmake (?:it|that|them)\b|\b(?:chang|mov|switch|shift|push|swap|reschedul|postpon|rebook|relocat|"
    r"re-?assign)\w*\b|\bbr(?:ing|ought) (?:it |that )?forward\b|\b(?:is|are|it's|that's) now\b|\bnow\W*\Z|\bthen\W*\Z|"
    r"\bchanged (?:my|our) minds?\b|\bno longer\b|\Anow\b|"
    r"\b(?:i|we|you|he|she|it|they) now\b",
    _I,
)
"""Cues that the world, or a wish, has changed: anyone who knows may report that."""

MISTAKEN = re.compile(
    r"\bnot\b.{1,60}\bbut\b|\bnot (?:to |at |on |in )?(?:the )?\W?\d|, not\b|\bcorrection\b|\bactually\b|"
    r"\bi me(?:an|ant)\b|"
    r"\btypo\b|\bwrong\b|\bmisread\b|\brather\b|\bin fact\b|\bturns out\b|\A(?:oh|ah|no|wait|sorry|oops)\b[,.!]?",
    _I,
)
"""Cues that what was said was never right: that is for the one who said it."""

_GENERIC = stems(
    "send deliver ship post make move change changed switch need want like take book rebook say order date time number "
    "address day room code shift push swap reschedule postpone put please instead actually now correction correct typo "
    "wrong mind right new then fine ok good great sorry forward bring brought mean meant misread turn fact rather can "
    "could may shall possible use give update add pick set oops wait no yes thanks thank course sure ago "
    "yesterday today recently meanwhile last week month year"
)
"""Words of a correction that say nothing of what is corrected."""

_SUBJECT = re.compile(
    r"\b(?:the|my|our|his|her|their|(?P<whose>[\w-]+)'s)\s(?P<subject>(?:[\w'-]+\s){1,4}?)(?:is|are|will be)(?:\snow)?"
    r"(?:\s(?:on|at|in|for|by|due|to))*\s*\Z",
    _I,
)
_CODED_SUBJECT = re.compile(r"\b(?:the|my|our|correct|right|new)\s*\Z", _I)
_RELATIVE = re.compile(
    r"\b(?P<count>\w+) (?P<way>more|extra|additional|fewer|less) (?P<unit>[a-z-]+)\b|\banother (?P<other>[a-z-]+)\b", _I
)
_WANTED = re.compile(r"\b(?:please|like|need|needs|want|wants|add|take|make|can|could|order)\b", _I)
_DEED = re.compile(
    r"\b(?:they|you|he|she|it|who|somebody|someone)(?:'ve| have)? (?:sent|gave|charged|delivered|shipped|brought|made|"
    r"put|booked|told|wrote)\b|\b(?:i|we)(?: have|'ve)? (?:got|received|arrived)\b|\b(?:was|were|been) charged\b",
    _I,
)
"""Reports of what came instead of what was said or ordered: the order stays what it was."""
_EXCLAMATION = re.compile(r"\A(?:(?:oh|ah|no|wait|sorry|oops)\b[\s,.!]*)+", _I)
_SENT_TO = re.compile(r"\b(?:send|deliver|ship|post)\w*\b", _I)
_ADJECTIVES = stems("new correct right current actual real")
_HAD = re.compile(r"\b(?:have|has|had|is|are|was|were|got|own|owns)\b", _I)
_WORD_OF = {value: word for word, value in reversed(NUMBER_WORDS.items()) if value.isdigit() and int(value) <= 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a clause replaces: ``known`` above all, and ``others`` that say no more than the old value.

    ``text`` is ``known`` with the new values, or empty where that would put another's words into the speaker's mouth.
    A ``is_disputed`` one is somebody else's, which the speaker calls mistaken.
    """

    known: Known
    text: str
    others: tuple[PropositionId, ...] = ()
    is_disputed: bool = False


@dataclass(frozen=True, slots=True)
class _Swap:
    older: Filled
    newer: Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Correcting:
    """Reads corrections by one speaker against what an index has; ``assistants`` correct nobody but themselves."""

    index: LexicalIndex
    speaker: AgentId
    assistants: frozenset[AgentId]

    def corrections(self, clause: str, *, is_wish: bool = False) -> tuple[Correction, ...]:
        """Give what a clause replaces, nothing where that is not plain; a wish for another value needs no cue."""
        if _DEED.search(clause) or _is_denial(clause):
            return ()
        is_moved = is_wish or MOVED.search(clause) is not None
        is_cued = is_moved or MISTAKEN.search(clause) is not None
        swaps = [swap for swap in self._swaps(clause, is_cued=is_cued) if swap is not None]
        by_known: dict[PropositionId, list[_Swap]] = {}
        for swap in swaps:
            for older in self._all_of(swap):
                by_known.setdefault(older.known.proposition.id, []).append(replace(swap, older=older))
        return tuple(self._gathered(list(by_known.values()), is_moved=is_moved))

    def _gathered(self, groups: list[list[_Swap]], *, is_moved: bool) -> Iterator[Correction]:
        """Make one correction of each proposition that has more to say, and one of all that only have the old value."""
        full = [group for group in groups if len(_own(group[0].older.known)) > 1]
        bare: dict[tuple[ValueKind, str], list[list[_Swap]]] = {}
        for group in groups:
            if group not in full:
                bare.setdefault(group[0].older.entity.place, []).append(group)
        for group in full:
            places = {swap.older.entity.place for swap in group}
            others = [other for place in places for other in bare.pop(place, [])]
            yield self._corrected(group, others, is_moved=is_moved)
        for *others, group in bare.values():
            yield self._corrected(group, others, is_moved=is_moved)

    def _corrected(self, group: list[_Swap], others: list[list[_Swap]], *, is_moved: bool) -> Correction:
        known = group[0].older.known
        is_anothers = known.speaker != self.speaker and known.speaker not in self.assistants
        return Correction(
            known=known,
            text=""
            if known.speaker != self.speaker
            else written_out(known.proposition.text, ((swap.older.entity, swap.newer) for swap in group)),
            others=tuple(other[0].older.known.proposition.id for other in others),
            is_disputed=is_anothers and not is_moved,
        )

    def _swaps(self, clause: str, *, is_cued: bool) -> Iterator[_Swap | None]:
        yield self._relative(clause)
        aside = [entity for entity in entities(clause) if is_put_aside(clause, entity)]
        newer = affirmed(clause)
        for entity in newer:
            if sum(other.place == entity.place for other in newer) > 1:
                continue
            if entity.kind is ValueKind.NUMBER:
                yield self._of_number(clause, entity, aside) if is_cued else None
            else:
                yield self._of_value(clause, entity, aside, is_cued=is_cued)

    def _of_number(self, clause: str, entity: Entity, aside: list[Entity]) -> _Swap | None:
        """Take a bare number for the one thing that was counted: "make it three"."""
        if len(frame(clause).terms) - 1 > ELLIPTIC + 2 * len(aside):
            return None
        return _Swap(older, entity) if (older := self._only(self.index.counted(), entity, aside, "")) else None

    def _of_value(self, clause: str, entity: Entity, aside: list[Entity], *, is_cued: bool) -> _Swap | None:
        filled = [each for each in self.index.filled(entity) if _is_same_place(each.entity, entity)]
        if not is_cued:
            subject = _subject(clause, entity)
            filled = [
                each for each in filled if subject and subject == _subject(each.known.proposition.text, each.entity)
            ]
        else:
            strange = _around(clause, entity) - _GENERIC - entity.terms - frozenset((entity.key,))
            filled = [each for each in filled if strange <= each.said.terms and _goes_on(each, clause)]
        older = self._only(filled, entity, aside, clause)
        return None if older is None else _Swap(older, entity)

    def _relative(self, clause: str) -> _Swap | None:
        """Reckon "one more chair" and "two fewer nights" from the number that stands."""
        found = _RELATIVE.search(clause)
        if found is None or not _WANTED.search(clause):
            return None
        written = (found["count"] or "1").casefold()
        count = NUMBER_WORDS.get(written, written)
        unit = stem((found["unit"] or found["other"]).casefold())
        filled = [
            each
            for each in self.index.counted()
            if each.entity.key in (unit, stem(f"{unit}s")) and not _HAD.search(each.known.proposition.text)
        ]
        older = self._only(filled, None, [], clause)
        if older is None or not count.isdigit() or not older.entity.value.isdigit():
            return None
        is_less = (found["way"] or "").casefold() in {"fewer", "less"}
        value = str(int(older.entity.value) + (-int(count) if is_less else int(count)))
        if int(value) < 0:
            return None
        return _Swap(older, replace(older.entity, value=value, written=_WORD_OF.get(value, value)))

    def _only(self, filled: Iterable[Filled], newer: Entity | None, aside: list[Entity], clause: str) -> Filled | None:
        """Find the one old value that can be meant: the one set aside, or the only one, or the one on the topic."""
        standing = [each for each in filled if self._may_replace(each.known)]
        sources = [each for each in standing if each.known.speaker not in self.assistants]
        standing = sources or standing
        named = {entity.value for entity in aside if newer is not None and _can_stand_for(entity, newer)}
        if named:
            standing = [each for each in standing if each.entity.value in named]
        elif newer is not None and any(each.entity.value == newer.value for each in standing):
            return None
        if len({each.entity.value for each in standing}) > 1:
            standing = _on_topic(standing, clause)
        return standing[-1] if len({each.entity.value for each in standing}) == 1 else None

    def _may_replace(self, known: Known) -> bool:
        if known.lifecycle in GIVEN_UP or known.proposition.kind in CONSIDERED:
            return False
        return known.speaker == self.speaker or self.speaker not in self.assistants

    def _all_of(self, swap: _Swap) -> Iterator[Filled]:
        """Give every proposition that has the old value, the one that was found first."""
        yield swap.older
        for each in self.index.filled(swap.older.entity):
            is_other = each.known.proposition.id != swap.older.known.proposition.id
            is_same = _is_same_place(each.entity, swap.older.entity) and each.entity.value == swap.older.entity.value
            if is_other and is_same and self._may_replace(each.known) and each.known.speaker not in self.assistants:
                yield each


def is_cued(clause: str) -> bool:
    """Tell whether a clause has a cue of a correction."""
    return MOVED.search(clause) is not None or MISTAKEN.search(clause) is not None


def _is_denial(clause: str) -> bool:
    """Tell whether a clause denies what it says, and does not just set one value against another."""
    if any(is_put_aside(clause, entity) for entity in entities(clause)):
        return False
    return frame(_EXCLAMATION.sub("", clause, count=1)).negated


def _goes_on(each: Filled, clause: str) -> bool:
    """Tell whether a clause may be about the same address: one to send to does not change the one to live at."""
    is_address = each.entity.kind is ValueKind.ADDRESS
    is_elsewhere = PLACED.search(each.known.proposition.text) and not PLACED.search(clause)
    return not (is_address and is_elsewhere and _SENT_TO.search(clause))


def _own(known: Known) -> tuple[Entity, ...]:
    return tuple(entity for entity in affirmed(known.proposition.text) if entity.kind is not ValueKind.NUMBER)


def _is_same_place(one: Entity, other: Entity) -> bool:
    if one.kind in TELLING and one.kind is other.kind:
        return one.key == other.key or not one.key or not other.key
    return one.place == other.place


def _can_stand_for(aside: Entity, newer: Entity) -> bool:
    return aside.kind is newer.kind or aside.kind is ValueKind.NUMBER or newer.kind is ValueKind.NUMBER


def _on_topic(standing: list[Filled], clause: str) -> list[Filled]:
    terms = frame(clause).terms
    shares = [(len(terms & _nearby(each)), len((terms & each.said.words) - each.entity.terms)) for each in standing]
    best = max(shares)
    return [each for each, share in zip(standing, shares, strict=True) if share == best and best > (0, 0)]


def _nearby(each: Filled) -> frozenset[str]:
    """Give the words between a value and the one before it, and the term that comes right after it."""
    order, entity = each.said.order, each.entity
    opening = {entity.value} if entity.kind is ValueKind.COUNT else entity.terms
    places = [place for place, term in enumerate(order) if term in opening]
    if not places:
        return frozenset()
    start, end = places[0], places[0]
    while end < len(order) and order[end] in entity.terms:
        end += 1
    while start > 0 and order[start - 1] not in each.said.numbers:
        start -= 1
    return frozenset((*order[start : places[0]], *order[end : end + 1]))


def _around(clause: str, entity: Entity) -> frozenset[str]:
    """Give the words between the commas around a value, other values left out."""
    start = clause.rfind(", ", 0, entity.span[0]) + 1
    end = clause.find(", ", entity.span[1])
    part = clause[start : end if end >= 0 else len(clause)]
    for other in reversed(entities(part)):
        part = f"{part[: other.span[0]]} {part[other.span[1] :]}"
    return frame(part).words


def _subject(text: str, entity: Entity) -> frozenset[str]:
    """Give the stems of what a definite clause gives the value of: "the test is on 21 March"."""
    before = text[: entity.span[0]]
    if entity.kind is ValueKind.CODE and entity.key and _CODED_SUBJECT.search(before):
        return frozenset((entity.key,))
    found = _SUBJECT.search(before)
    if found is None:
        return frozenset()
    return frame(f"{found['whose'] or ''} {found['subject']}").terms - _ADJECTIVES


def written_out(text: str, swaps: Iterable[tuple[Entity, Entity]]) -> str:
    """Give a proposition's text with new values in the places of old ones; ``swaps`` are pairs of old and new."""
    for older, newer in sorted(swaps, key=lambda swap: -swap[0].figure[0]):
        start, end = older.figure
        is_first = start == 0 or text[:start].endswith((": ", ". "))
        written = newer.written
        text = text[:start] + (written[:1].upper() + written[1:] if is_first else _lowered(written)) + text[end:]
    return text


def _lowered(written: str) -> str:
    return written.casefold() if written.casefold() in NUMBER_WORDS else written
