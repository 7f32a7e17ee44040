"""Which known proposition a clause is about; nothing where it is not sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import TENTATIVE, Kind
from upheld.logic.language.standing import GIVEN_UP, Lifecycle
from upheld.speech.interpretation.slots import slot_of
from upheld.speech.matching import rules
from upheld.speech.matching.index import LexicalIndex
from upheld.speech.matching.tokens import Frame, frame, values_in
from upheld.speech.view import Known, View

SURE = 0.6
"""Least closeness of the best match for a reference to be taken as meant."""

MARGIN = 0.15
"""By how much the best match must lead, for the reference to be plain."""


ELLIPTIC = 2
"""Most words beside the value in a correction that says only what changes: "make it three nights"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """What a correction replaces; ``text`` is the new proposition in full where the correction was elliptic."""

    known: Known
    text: str = ""


class Lookup:
    """Searches one view. What has been given up is not found: nobody refers to it in passing."""

    def __init__(self, view: View, index: LexicalIndex) -> None:
        """Search ``view`` by an index that was brought up to it."""
        self._index = index
        self._standing = [known for known in view.known() if known.lifecycle not in GIVEN_UP]

    def said(self, content: str) -> tuple[Known, Literal] | None:
        """Find what says the same, or its opposite, in (nearly) the same words."""
        for pair in self._pairs(frame(content)):
            link = rules.supported(pair)
            if link is not None:
                return pair.known, link.literal
        return None

    def meant(self, content: str, *, is_tentative: bool = False, is_dated: bool = False) -> Known | None:
        """Find what a reference such as "the flat in Nervi" means, when one proposition leads by far.

        A value in the reference must be in what is meant, unless it dates the reference itself (``is_dated``).
        """
        wanted = frame(content)
        found = [pair for pair in self._pairs(wanted) if not is_tentative or pair.known.proposition.kind in TENTATIVE]
        found.sort(key=lambda pair: -pair.covered)
        if not found or found[0].covered < SURE:
            return None
        if wanted.numbers - found[0].said.terms and not is_dated:
            return None
        is_plain = len(found) == 1 or found[0].covered - found[1].covered >= MARGIN
        return found[0].known if is_plain else None

    def replaced(self, content: str, *, speaker: AgentId, is_cued: bool) -> Replaced | None:
        """Find the standing value that a new one replaces: the same slot or, where a cue says so, the same frame."""
        slot = slot_of(content, speaker=speaker)
        if slot is not None:
            for known in reversed(self._standing):
                older = slot_of(known.proposition.text, speaker=known.speaker or "")
                if older is not None and (older.holder, older.key) == (slot.holder, slot.key):
                    return Replaced(known=known) if older.value != slot.value else None
        return self._same_frame(content) if is_cued else None

    def last_of(self, speaker: AgentId) -> Known | None:
        """Find what a speaker put forward last, if it was one thing."""
        own = [known for known in self._standing if known.speaker == speaker]
        is_one = len(own) == 1 or (len(own) > 1 and own[-1].turn != own[-2].turn)
        return own[-1] if is_one else None

    def open_issue(self) -> PropositionId | None:
        """Give the issue that is open, when there is just one."""
        issues = (known for known in self._standing if known.proposition.kind is Kind.ISSUE)
        found = [known.proposition.id for known in issues if known.lifecycle is Lifecycle.ACTIVE]
        return found[0] if len(found) == 1 else None

    def _same_frame(self, content: str) -> Replaced | None:
        claim = frame(content)
        found: list[Replaced] = []
        for pair in self._pairs(claim):
            strange = sorted(claim.numbers - pair.said.numbers)
            if len(strange) != 1 or pair.known.proposition.kind in TENTATIVE:
                continue
            old = [
                value
                for value in sorted(pair.said.numbers - claim.numbers)
                if _fits(claim, strange[0], pair.said, value)
            ]
            if len(old) == 1:
                is_elliptic = len(claim.words) <= ELLIPTIC and claim.words <= pair.said.words
                text = _with_value(pair.known.proposition.text, old[0], content, strange[0]) if is_elliptic else ""
                found.append(Replaced(known=pair.known, text=text))
        return found[0] if len(found) == 1 else None

    def _pairs(self, wanted: Frame) -> Iterator[rules.Comparison]:
        for known, said in self._index.candidates(wanted):
            if known.lifecycle not in GIVEN_UP:
                yield rules.compare(wanted, said, known, is_negated=False)


def _fits(claim: Frame, value: str, said: Frame, old: str) -> bool:
    """Tell whether an old value has the unit of the new one, or the same neighbour in a frame half in common."""
    if value.isalpha() != old.isalpha():
        return False
    unit = claim.follower(value)
    if unit.isalpha() and said.follower(old) == unit:
        return True
    words = claim.words & said.words
    is_half = len(words) * 2 >= len(claim.words) > 0 and len(words) * 2 >= len(said.words)
    return is_half and bool(claim.neighbours(value) & said.neighbours(old))


def _with_value(text: str, old: str, content: str, new: str) -> str:
    """Give a text with its old value replaced by the new one, as the correction wrote it."""
    written = next(content[start:end] for value, start, end in values_in(content) if value == new)
    start, end = next((start, end) for value, start, end in values_in(text) if value == old)
    return text[:start] + (written.capitalize() if start == 0 else written) + text[end:]
