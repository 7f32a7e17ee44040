"""Who wishes for what, in the order in which it was said, and whether a later wish leaves an earlier one in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.propositions import CONSIDERED, Kind, Proposition
from upheld.logic.language.standing import GIVEN_UP
from upheld.speech.following import Follower
from upheld.speech.matching.entities import Entity, ValueKind, entities, is_put_aside, is_same
from upheld.speech.matching.matcher import Claim, Relation
from upheld.speech.matching.moods import SAID_BY, stems
from upheld.speech.matching.tokens import frame
from upheld.speech.matching.wishes.options import options
from upheld.speech.view import Known, Situation, View

MOST_WISHES = 100
"""Latest wishes that are looked at, so that a turn costs no more in a long talk."""

IN_DOUBT = "another value was wished for later, and it is not plain whether in place of this one"

_WISHING = re.compile(
    r"\A\S+ asks: |\A(?:\S+ says: )?(?:yes,? |ok,? )?"
    r"(?:leaving|going|departing|arriving|travell?ing|heading|flying|from|until|till|for|around)\b|"
    r"\b(?:needs?|wants?|like|love|looking (?:for|to)|look for|prefer|please|interested in|book|reserve|reservation|"
    r"find|(?:how|what) about|make it|try|hoping|destination)\b|"
    r"\b(?:i|we)(?:'m| am|'re| are) \w+ing\b|\b(?:i|we)(?:'ll| will)\b|\bthere(?:'s|'re| are| is)\b",
    re.IGNORECASE,
)
_VALUES = frozenset({ValueKind.TIME, ValueKind.COUNT, ValueKind.MONEY, ValueKind.LABEL})

OF_WISHES = stems(
    "food cuisine dish dishes need want wants would like love look looking search searching find book booking "
    "booked reserve reservation prefer please try interested make made get give see check tell can could may "
    "shall possible instead actually then rather change changed mind better different other another one ones "
    "something somewhere anything thing things else no not yes ok okay sorry wait oh hi hello hey thanks thank "
    "you that it is i'd i'm we'd we're how what about kind type sort also just still have has had be do does go "
    "going let lets us me my i we our for with any some available availability place places option options "
    "preferably mean meant think thought fine good great sure so well hmm user travel travelling fly flying "
    "flight flights leave leaving arrive arriving depart departing visit visiting head heading ride stay staying "
    "eat eating dine meet"
)
"""Words of a wish that say nothing of what is wished for."""


def is_wish(proposition: Proposition) -> bool:
    """Tell whether a proposition says what somebody wants."""
    return proposition.kind is Kind.CONSTRAINT or is_wished(proposition.text)


def is_wished(text: str) -> bool:
    """Tell whether a text says what somebody wants, or but a value: "for two people", "no, on Friday"."""
    return _WISHING.search(text) is not None or not topic(text)


def wished(text: str) -> tuple[Entity, ...]:
    """Give what a wish may have one of at a time: options, and values of the sorts that are asked for."""
    found = options(text)
    values = (each for each in entities(text) if each.kind in _VALUES and not is_put_aside(text, each))
    kept = (each for each in values if not any(_overlaps(each, other) for other in found))
    return tuple(sorted((*found, *kept), key=lambda each: each.span))


def topic(text: str) -> frozenset[str]:
    """Give the stems that say what a wish is about, values and options left out."""
    said = SAID_BY.sub("", text, count=1)
    for each in reversed(wished(said)):
        said = f"{said[: each.span[0]]} {said[each.span[1] :]}"
    return frame(said).words - OF_WISHES


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A wish on record, with what it has one of at a time."""

    id: PropositionId
    text: str
    values: tuple[Entity, ...]


class WishIndex:
    """The wishes of exactly the propositions of the view it was last brought up to. Cost: what is new."""

    def __init__(self) -> None:
        """Start empty."""
        self._follower = Follower()
        self._wishes: list[Wish] = []
        self._view: View | None = None

    def update(self, view: View) -> None:
        """Bring the index up to a view."""
        self._view = view
        news = self._follower.catch_up(view)
        if news.is_afresh:
            self._wishes = []
        for proposition in news.propositions:
            if proposition.kind not in CONSIDERED and is_wish(proposition) and _is_persons(view, proposition.id):
                values = wished(proposition.text)
                if values:
                    self._wishes.append(Wish(id=proposition.id, text=proposition.text, values=values))

    def latest(self, value: Entity, speaker: AgentId) -> Iterator[tuple[Known, Entity]]:
        """Give a speaker's standing wishes with a value where this one would go, the last one first.

        They end with a wish that has several of the sort: it is not plain which is meant.
        """
        for known, wish in self._standing():
            mine = [each for each in wish.values if each.place == value.place and known.speaker == speaker]
            if len({each.value for each in mine}) > 1:
                return
            yield from ((known, each) for each in mine)

    def rival(self, claim: str, id: PropositionId) -> Known | None:
        """Find a later wish of the same speaker that may have put another value in the place of one of the claim.

        Only of wishes, and only where one of them names nothing that the other is not about.
        """
        known = None if self._view is None else self._view.get(id)
        if known is None or not is_wish(known.proposition):
            return None
        mine = [each for each in wished(known.proposition.text) if any(is_same(each, one) for one in wished(claim))]
        about = topic(known.proposition.text)
        for later, wish in self._standing():
            if later.proposition.id == known.proposition.id:
                return None
            if later.speaker == known.speaker and _may_replace(wish, mine, about):
                return later
        return None

    def _standing(self) -> Iterator[tuple[Known, Wish]]:
        if self._view is None:
            return
        for wish in self._wishes[: -MOST_WISHES - 1 : -1]:
            known = self._view.get(wish.id)
            if known is not None and known.lifecycle not in GIVEN_UP:
                yield known, wish


def undoubted(claim: Claim, wishes: WishIndex) -> Claim:
    """Leave open a claim that rests on a wish which a later one may have replaced; any other is given as it is."""
    supports = [link for link in claim.links if link.relation is Relation.SUPPORTED_BY and not link.literal.negated]
    if not any(wishes.rival(claim.text, link.literal.proposition) for link in supports):
        return claim
    links = tuple(link for link in claim.links if link not in supports)
    return replace(claim, links=links, abstained=claim.abstained if links else IN_DOUBT)


def _is_persons(view: View, id: PropositionId) -> bool:
    """Tell whether a person said it: an assistant repeats wishes, and a tool has none."""
    known = view.get(id)
    agents = view.agents() if isinstance(view, Situation) else ()
    return known is None or all(each.kind is AgentKind.PERSON for each in agents if each.id == known.speaker)


def _may_replace(wish: Wish, mine: list[Entity], about: frozenset[str]) -> bool:
    theirs = topic(wish.text)
    if theirs - about and about - theirs:
        return False
    return any(
        one.place == other.place and not any(is_same(one, each) for each in wish.values)
        for one in mine
        for other in wish.values
    )


def _overlaps(one: Entity, other: Entity) -> bool:
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]
