"""What a claim says by its values: one that is current, one that was replaced, or one that nobody gave.

The words around a value need not be those of the record, but they must not make another claim of it. Where they might,
nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from upheld.logic.language.identities import AgentId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import CONSIDERED
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.speech.matching.entities import TELLING, Entity, ValueKind, affirmed, entities, is_put_aside, is_same
from upheld.speech.matching.index import Filled, LexicalIndex
from upheld.speech.matching.matcher import Link, Relation
from upheld.speech.matching.moods import CARRIERS, COMPLETED, LIGHT, may_support, stems
from upheld.speech.matching.rules import Comparison
from upheld.speech.matching.tokens import Frame, frame
from upheld.speech.view import Known

SCORE = 0.8
"""Closeness of a link that a value makes: the words around it were not compared as a whole."""

MOST_STRANGE = 1
"""Most words, besides light ones, that a claim on a replaced value may have for itself."""

_SENT = re.compile(r"\b(?:to|send|ship|deliver\w*|post|delivery)\b", re.IGNORECASE)
"""Words by which something goes to an address."""

PLACED = re.compile(
    r"\b(?:live|lives|living|moved|moving|home|office|work|works|stay|staying|born|billing|invoice|from)\b", re.I
)
"""Words by which an address is where somebody is, or another role of it than where something goes."""

_OURS = re.compile(r"\b(?:please|you|us|our|we|return\w*|back)\b|\A(?:send|ship|post|bring|take)\b", re.IGNORECASE)
"""Words by which an address may be one of the speaker's own, such as where to send something back."""

_ROLES = stems("billing invoice home work office return pickup private second other alternative emergency")
"""Words that make another slot of the same sort of value."""

_CHANGED = re.compile(
    r"\b(?:chang\w+|replac\w+|remov\w+|delet\w+|cancel\w*|updat\w+|correct\w+|mov(?:ed|ing)|switch\w*|old|previous\w*|"
    r"former\w*|earlier|original\w*|no longer|not|instead|rather|was|were|had|used to|wrong|stays?|remains?|kept|"
    r"keeps?|than|or|between|both|more|extra|another|additional\w*|less|fewer|of the|first|if|unless|free|available)\b",
    re.IGNORECASE,
)
"""Words by which a claim may speak of a replaced value without putting it forward, or of another number of things."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Valued:
    """A claim with its values: ``own`` are the ones that could be compared, ``rest`` the other terms."""

    text: str
    claim: Frame
    own: tuple[Entity, ...]
    is_fact: bool

    @property
    def rest(self) -> frozenset[str]:
        """The terms that belong to no value."""
        return self.claim.terms.difference(*(entity.terms for entity in self.own))


def valued(text: str, claim: Frame, *, is_fact: bool) -> Valued:
    """Read the values of a claim."""
    own = tuple(entity for entity in entities(text) if entity.kind is not ValueKind.NUMBER)
    return Valued(text=text, claim=claim, own=own, is_fact=is_fact)


def judged(claim: Valued, index: LexicalIndex, speaker: AgentId | None) -> tuple[Link, ...]:
    """Give the proposition by which the values of a claim are current, replaced or strange; nothing where not sure."""
    if not claim.own or claim.claim.negated or any(is_put_aside(claim.text, entity) for entity in claim.own):
        return ()
    filled = {entity: index.filled(entity) for entity in claim.own}
    replaced = _replaced(claim, filled)
    if replaced is not None:
        return (replaced,)
    current = _current(claim, filled, speaker) if claim.is_fact else None
    if current is not None:
        return (current,)
    strange = _strange(claim, filled) if claim.is_fact else None
    return () if strange is None else (strange,)


def is_kept(text: str, pairs: Iterable[Comparison]) -> bool:
    """Tell whether some proposition that stands has all words and values of a text, though perhaps in other places.

    Where a value of a longer proposition was replaced, the rest of it goes on in the new one.
    """
    own = entities(text)
    return bool(own) and any(
        pair.known.label is Label.IN
        and pair.claim.terms <= pair.said.terms
        and all(any(is_same(one, other) for other in affirmed(pair.known.proposition.text)) for one in own)
        for pair in pairs
    )


def has_values_of(text: str, known: Known) -> bool:
    """Tell whether every value in a text is, as the value of the same thing, in a proposition; and none changed places.

    "Three nights from 2 August" has the figures of "two nights from 3 August", and not its values.
    """
    said = known.proposition.text
    ours, theirs = entities(text), entities(said)
    for one in ours:
        is_aside = is_put_aside(text, one)
        if not any(is_same(one, other) and is_aside == is_put_aside(said, other) for other in theirs):
            return False
    claim, whole = frame(text), frame(said)
    if _is_recombined(claim, whole, ours, theirs):
        return False
    skipped = _skipped(claim, whole)
    is_over_another = any(other.terms <= skipped for other in theirs)
    said_between = skipped.difference(*(other.terms for other in theirs)) if theirs else frozenset[str]()
    return not skipped & whole.names and not (is_over_another and said_between)


def _is_recombined(claim: Frame, said: Frame, ours: Iterable[Entity], theirs: Iterable[Entity]) -> bool:
    """Tell whether a claim takes one of several values of a sort, and not with the words that stand around it."""
    places = [entity.place for entity in theirs]
    mine = [entity.place for entity in ours]
    is_one_of_many = any(mine.count(place) < places.count(place) for place in mine)
    return is_one_of_many and not _is_run(claim.order, said.order)


def _is_run(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    return any(theirs[start : start + len(ours)] == ours for start in range(len(theirs) - len(ours) + 1))


def _skipped(claim: Frame, said: Frame) -> frozenset[str]:
    """Give what a proposition has between the words of a claim and the claim has not: "Ann has two lamps, Bob …"."""
    places = [place for place, term in enumerate(said.order) if term in claim.terms]
    between = said.order[places[0] : places[-1]] if places else ()
    return frozenset(between) - claim.terms


def _carriers(entity: Entity, filled: list[Filled]) -> list[Filled]:
    return [each for each in filled if is_same(entity, each.entity)]


def _stands(each: Filled) -> bool:
    return each.known.label is Label.IN and each.known.proposition.kind not in CONSIDERED


def _replaced(claim: Valued, filled: dict[Entity, list[Filled]]) -> Link | None:
    """Find a value that was given up everywhere, and that the claim puts forward all the same."""
    if _CHANGED.search(claim.text):
        return None
    for entity in claim.own:
        carriers = _carriers(entity, filled[entity])
        gone = [each for each in carriers if each.known.lifecycle in GIVEN_UP]
        if not gone or any(_stands(each) for each in carriers):
            continue
        said = frozenset[str]().union(*(each.said.terms for each in (*gone, *filter(_stands, filled[entity]))))
        if _is_about(claim, entity, said, gone[-1].said, filled):
            return _link(gone[-1], Relation.COMMITTED_TO, "a value that was replaced")
    return None


def _is_about(
    claim: Valued, entity: Entity, said: frozenset[str], gone: Frame, filled: dict[Entity, list[Filled]]
) -> bool:
    """Tell whether the claim puts the value where it was before."""
    rest = claim.rest - LIGHT
    if (rest & _ROLES) - said:
        return False
    if entity.kind in TELLING or _is_joined(claim.claim, gone, entity):
        return True
    others = [each for each in claim.own if each != entity]
    if not claim.is_fact or any(not _carriers(each, filled[each]) for each in others):
        return False
    is_on_topic = bool(rest & said) or bool(others) or not rest or entity.kind is ValueKind.COUNT
    return is_on_topic and len(rest - said) <= MOST_STRANGE


def _is_joined(claim: Frame, gone: Frame, entity: Entity) -> bool:
    """Tell whether the same word stands before the value in both: "your budget of 1200 euros"."""
    before = _before(claim, entity)
    return before != "" and before == _before(gone, entity) and before not in LIGHT


def _before(text: Frame, entity: Entity) -> str:
    places = [place for place, term in enumerate(text.order) if term in entity.terms]
    return text.order[places[0] - 1] if places and places[0] else ""


def _current(claim: Valued, filled: dict[Entity, list[Filled]], speaker: AgentId | None) -> Link | None:
    """Find one proposition that stands, has all values of the claim and says the rest of it."""
    first = claim.own[0]
    for each in _carriers(first, filled[first]):
        if _stands(each) and _covers(claim, each) and may_support(claim.text, each.known, speaker):
            return _link(each, Relation.SUPPORTED_BY, "a value that stands")
    return None


def _covers(claim: Valued, each: Filled) -> bool:
    text, said = each.known.proposition.text, each.said
    if not has_values_of(claim.text, each.known) or said.negated:
        return False
    if claim.claim.guards - said.guards or said.guards - claim.claim.guards - _PASSING:
        return False
    if COMPLETED.search(claim.text) and not COMPLETED.search(text):
        return False
    if any(entity.kind is ValueKind.TIME and entity.terms - said.terms for entity in claim.own):
        return False
    strange = claim.rest - said.terms
    if strange and not (strange <= CARRIERS and _is_sent(claim, text)):
        return False
    theirs = entities(text)
    keys = frozenset(entity.key for entity in (*claim.own, *theirs))
    if _skipped(claim.claim, said).difference(keys, *(entity.terms for entity in theirs)):
        return False
    return _keeps_order(claim, said, claim.rest - strange - keys)


_PASSING = frozenset({"instead", "again"})
"""Guards of a proposition that a claim may leave out; "at least 200 people" is another claim than "200 people"."""


def _is_sent(claim: Valued, text: str) -> bool:
    has_address = any(entity.kind is ValueKind.ADDRESS for entity in claim.own)
    return has_address and _SENT.search(text) is not None and PLACED.search(text) is None


def _keeps_order(claim: Valued, said: Frame, shared: frozenset[str]) -> bool:
    """Tell whether shared words keep their order among each other, and each its side of every value.

    Who does what to whom is order; so is which of two things a word is said of.
    """
    ours, theirs = claim.claim.order, said.order
    words = [term for term in dict.fromkeys(ours) if term in shared]
    places = [theirs.index(term) for term in words]
    if places != sorted(places):
        return False
    values = [(_first(ours, entity), _first(theirs, entity)) for entity in claim.own]
    return all((ours.index(term) < mine) == (theirs.index(term) < other) for term in words for mine, other in values)


def _first(order: tuple[str, ...], entity: Entity) -> int:
    opening = {entity.value} if entity.kind is ValueKind.COUNT else entity.terms
    return next((place for place, term in enumerate(order) if term in opening), len(order))


def _strange(claim: Valued, filled: dict[Entity, list[Filled]]) -> Link | None:
    """Find the one value that stands where the claim puts one that nobody gave."""
    if _CHANGED.search(claim.text):
        return None
    for entity in claim.own:
        if _carriers(entity, filled[entity]) or (entity.kind is ValueKind.CODE and not entity.key):
            continue
        standing = [each for each in filled[entity] if _stands(each) and each.entity.key == entity.key]
        if len({each.entity.value for each in standing}) != 1:
            continue
        said = frozenset[str]().union(*(each.said.terms for each in standing))
        if _is_same_slot(claim, entity, standing[-1], said):
            return _link(standing[-1], Relation.CONTRADICTS, "a value that nobody gave")
    return None


def _is_same_slot(claim: Valued, entity: Entity, each: Filled, said: frozenset[str]) -> bool:
    rest = claim.rest - LIGHT
    if rest - said or claim.claim.guards - each.said.guards:
        return False
    if entity.kind is ValueKind.ADDRESS:
        return not PLACED.search(claim.text) and not _OURS.search(claim.text)
    return bool(rest) or entity.kind in TELLING or entity.kind in (ValueKind.COUNT, ValueKind.NAME)


def _link(each: Filled, relation: Relation, rule: str) -> Link:
    return Link(literal=Literal(each.known.proposition.id), relation=relation, score=SCORE, rule=rule)


_GREETED = re.compile(
    r"\A(?:(?:hi|hello|hey|dear|thanks|thank you|sorry|welcome back|good (?:morning|afternoon|evening))(?: again)?),? "
    r"(?-i:(?P<name>[A-Z][\w'-]{0,30}))\b",
    re.IGNORECASE,
)


def greeted(text: str, index: LexicalIndex) -> tuple[tuple[int, int], Link] | None:
    """Find a greeting by a name that was replaced: its place in the text, and the proposition that had the name."""
    found = _GREETED.match(text)
    if found is None:
        return None
    called = Entity(
        kind=ValueKind.NAME,
        key="",
        value=found["name"].casefold(),
        span=found.span("name"),
        figure=found.span("name"),
        written=found["name"],
    )
    carriers = _carriers(called, index.filled(called))
    gone = [each for each in carriers if each.known.lifecycle in GIVEN_UP]
    if not gone or any(_stands(each) for each in carriers):
        return None
    return found.span(), _link(gone[-1], Relation.COMMITTED_TO, "a name that was replaced")
