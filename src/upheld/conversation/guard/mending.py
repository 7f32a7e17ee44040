"""A reply without what does not stand: current values put in where they are known exactly, else sentences left out."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from upheld.conversation.guard.concerns import Concern
from upheld.logic.language.verdicts import Reason
from upheld.speech.matching.clauses import Span, sentences
from upheld.speech.matching.entities import Entity, ValueKind, affirmed, entities, is_same

MOST_WORDS = 4
"""Words that may stand in another place's stead, where texts differ in one run of words."""

Edit = tuple[Span, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mending:
    """What could be said instead of one reply; nothing of it is checked yet."""

    reply: str
    concerns: tuple[Concern, ...]

    def candidates(self) -> Iterator[str]:
        """Give replies, the one nearest to the original first: values corrected, then sentences left out."""
        whole = _Sentences.of(self.reply)
        offending = [concern for concern in self.concerns if not concern.action.lets_through]
        corrected = {concern.span: text for concern in offending if (text := _corrected(concern))}
        beyond_repair = whole.with_any(concern.span for concern in offending if concern.span not in corrected)
        kept = {span: text for span, text in corrected.items() if beyond_repair.isdisjoint(whole.places(span))}
        tried: set[str] = {self.reply}
        for plan in (
            {**kept, **whole.left_out(beyond_repair)},
            whole.left_out(whole.with_any(concern.span for concern in offending)),
        ):
            text = _edited(self.reply, plan)
            if text.strip() and text not in tried:
                tried.add(text)
                yield text


@dataclass(frozen=True, slots=True)
class _Sentences:
    """The sentences of a reply, by their place: where each begins, and at last where the reply ends."""

    begins: tuple[int, ...]

    @classmethod
    def of(cls, reply: str) -> _Sentences:
        return cls((*(start for start, _ in sentences(reply)), len(reply)))

    def places(self, span: Span) -> range:
        """Give the sentences that a span touches."""
        return range(max(0, bisect_right(self.begins, span[0]) - 1), bisect_left(self.begins, span[1]))

    def with_any(self, spans: Iterable[Span]) -> frozenset[int]:
        return frozenset(place for span in spans for place in self.places(span))

    def left_out(self, places: Iterable[int]) -> dict[Span, str]:
        """Give the edits that leave sentences out, each with the blanks after it."""
        return {(self.begins[place], self.begins[place + 1]): "" for place in places}


def _edited(text: str, edits: dict[Span, str]) -> str:
    parts: list[str] = []
    done = 0
    for (start, end), words in sorted(edits.items()):
        parts += (text[done:start], words)
        done = end
    edited = "".join((*parts, text[done:]))
    return edited.strip() if "" in edits.values() else edited


def _corrected(concern: Concern) -> str:
    """Give a claim with the current value in place of the replaced one, if there is just one way to do so."""
    if concern.reason is not Reason.SUPERSEDED or concern.about is None or len(concern.stands) != 1:
        return ""
    old, new = concern.about.text, concern.stands[0].text
    return _with_values(concern.text, old, new) or _with_words(concern.text, old, new)


def _with_values(claim: str, old: str, new: str) -> str:
    replaced = [
        (before, after)
        for before in affirmed(old)
        for after in affirmed(new)
        if before.place == after.place and not is_same(before, after) and _is_alone(before, old, after, new)
    ]
    edits: dict[Span, str] = {}
    for entity in entities(claim):
        fitting = [pair for pair in replaced if is_same(entity, pair[0])]
        if len(fitting) == 1:
            edits[_place(entity)] = new[slice(*_place(fitting[0][1]))]
    return _edited(claim, edits) if edits else ""


def _is_alone(before: Entity, old: str, after: Entity, new: str) -> bool:
    """Tell whether either text has one value of this sort only, so that one took the other's place."""
    return all(
        sum(other.place == entity.place for other in affirmed(text)) == 1
        for entity, text in ((before, old), (after, new))
    )


def _place(entity: Entity) -> Span:
    # With what is counted, because its number may change with it: one night, three nights.
    return entity.span if entity.kind is ValueKind.COUNT else entity.figure


def _with_words(claim: str, old: str, new: str) -> str:
    """Where two texts differ in one run of words, put the one run in the place of the other."""
    ours, theirs = old.rstrip(".!").split(), new.rstrip(".!").split()
    before = 0
    while before < min(len(ours), len(theirs)) and ours[before] == theirs[before]:
        before += 1
    after = 0
    while after < min(len(ours), len(theirs)) - before and ours[-1 - after] == theirs[-1 - after]:
        after += 1
    gone, come = ours[before : len(ours) - after], theirs[before : len(theirs) - after]
    if not (before + after and 0 < len(gone) <= MOST_WORDS and 0 < len(come) <= MOST_WORDS):
        return ""
    found = list(re.finditer(rf"(?<!\w){re.escape(' '.join(gone))}(?!\w)", claim))
    return _edited(claim, {found[0].span(): " ".join(come)}) if len(found) == 1 else ""
