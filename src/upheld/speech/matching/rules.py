"""The rules by which one claim is set against one proposition; each has a name that a verdict carries.

All of them prefer to say nothing: a wrong "supported" is the one error that nobody notices.
"""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import TENTATIVE
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.speech.matching.lexicon import CALENDAR, OPPOSITES, TURNED
from upheld.speech.matching.matcher import Link, Relation
from upheld.speech.matching.tokens import Frame
from upheld.speech.view import Known

USED, IN_ORDER = 0.6, 0.8
"""Least share of the proposition's weight that a supported claim has, and of its own terms that come in that order."""

PART_USED, PART_IN_ORDER, PART_TERMS = 0.4, 0.98, 3
"""The same for a claim that is a smaller part of what was said: in the very order, and at least three terms."""

COVERED = 0.85
"""Least share of the claim's weight that the proposition has, for what turns, swaps or opposes one place."""

VALUE_WEIGHT = 1.5
"""Weight of a number, day or month beside that of a word."""

GIVEN_UP_COVERED, GIVEN_UP_USED = 0.7, 0.5
"""The same shares for a claim that says again what was given up: there, saying nothing is the greater harm."""

FRAME_COVERED, FRAME_USED = 0.7, 0.5
"""The same shares, values left out, for two texts that put different values in the same place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A claim beside a proposition: which share of each other's weight they have."""

    claim: Frame
    said: Frame
    known: Known
    covered: float
    used: float
    is_negated: bool

    @property
    def has_same_sign(self) -> bool:
        """Tell whether both affirm or both deny."""
        return (self.claim.negated != self.is_negated) == self.said.negated

    @property
    def in_order(self) -> float:
        """Give the share of the common terms that come in the same order. Cost: the product of the lengths."""
        return _share_in_order(self.claim, self.said)

    @property
    def closeness(self) -> float:
        """Give the lesser of the two shares' weighted mean: how near the texts are, in [0, 1]."""
        return round((2 * self.covered + self.used) / 3, 4)


def compare(claim: Frame, said: Frame, known: Known, *, is_negated: bool) -> Comparison:
    """Set a claim beside a proposition."""
    common = claim.terms & said.terms
    weight = _weight_of(common)
    return Comparison(
        claim=claim,
        said=said,
        known=known,
        covered=weight / _weight_of(claim.terms) if claim.terms else 0.0,
        used=weight / _weight_of(said.terms) if said.terms else 0.0,
        is_negated=is_negated,
    )


def _loses_a_head(claim: Frame, said: Frame) -> bool:
    """Tell whether the claim keeps a word and leaves out the one joined to it: "the disk" for "the disk controller"."""
    kept, left = claim.terms, said.terms - claim.terms
    return any(one in kept and other in left and one not in said.numbers for one, other in said.joined)


def _weight_of(terms: frozenset[str]) -> float:
    """Give the weight of terms: a value counts for more than a word.

    Not the rarity of a term among the propositions: then a verdict would drift as the conversation grows.
    """
    return sum(VALUE_WEIGHT if term[0].isdigit() or term in CALENDAR else 1.0 for term in terms)


def supported(pair: Comparison) -> Link | None:
    """The proposition says the claim, or says its opposite.

    Every term of the claim must be in it, with the same guards: one strange word can be another deed or another doer.
    """
    claim, said = pair.claim, pair.said
    if not claim.terms <= said.terms or claim.guards != said.guards or _loses_a_head(claim, said):
        return None
    is_near = pair.used >= USED and pair.in_order >= IN_ORDER
    is_part = pair.used >= PART_USED and pair.in_order >= PART_IN_ORDER and len(claim.terms) >= PART_TERMS
    # In a part, a negation may belong to what the claim leaves out.
    if not is_near and not (is_part and pair.has_same_sign):
        return None
    target = Literal(pair.known.proposition.id, negated=not pair.has_same_sign)
    rule = (
        "the same words" if claim.order == said.order else "nearly the same words" if is_near else "a part of the words"
    )
    rule += ", denied" if target.negated else ""
    relation = Relation.SUPPORTED_BY if pair.known.label is Label.IN and not target.negated else Relation.COMMITTED_TO
    return Link(literal=target, relation=relation, score=pair.closeness, rule=rule)


def given_up(pair: Comparison) -> Link | None:
    """The claim says again what was given up."""
    if pair.known.lifecycle not in GIVEN_UP or not pair.has_same_sign:
        return None
    if pair.covered < GIVEN_UP_COVERED or pair.used < GIVEN_UP_USED or pair.in_order < IN_ORDER:
        return None
    if pair.claim.numbers - pair.said.terms or pair.claim.names - pair.said.terms:
        return None
    literal = Literal(pair.known.proposition.id)
    return Link(
        literal=literal, relation=Relation.COMMITTED_TO, score=pair.closeness, rule="says again what was given up"
    )


def contradicted(pair: Comparison) -> Link | None:
    """The claim has the frame of something that stands, with another value, guard or opposite in one place."""
    known = pair.known
    is_settled = known.proposition.kind not in TENTATIVE or known.lifecycle is Lifecycle.RESOLVED
    if known.label is not Label.IN or not is_settled or not pair.has_same_sign:
        return None
    rule = _other_value(pair) or _swapped_values(pair) or _turned(pair) or _opposite(pair)
    if not rule:
        return None
    literal = Literal(known.proposition.id)
    return Link(literal=literal, relation=Relation.CONTRADICTS, score=pair.closeness, rule=rule)


def _other_value(pair: Comparison) -> str:
    claim, said = pair.claim, pair.said
    strange, left = claim.numbers - said.numbers, said.numbers - claim.numbers
    if not strange or not left or claim.guards - said.guards:
        return ""
    common = _weight_of(claim.words & said.words)
    if common < FRAME_COVERED * _weight_of(claim.words) or common < FRAME_USED * _weight_of(said.words):
        return ""
    if any(_is_finer(one, other) for one in strange for other in left):
        return ""
    is_same_place = all(any(claim.neighbours(one) & said.neighbours(other) for other in left) for one in strange)
    return "another value in the same place" if is_same_place else ""


def _is_finer(one: str, other: str) -> bool:
    """Tell whether two values differ in precision only: 5:12 and 5:12:09, 1.4 and 1.41."""
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and (":" in shorter or "." in shorter)


def _swapped_values(pair: Comparison) -> str:
    claim, said = pair.claim, pair.said
    if pair.covered < COVERED or pair.used < USED:
        return ""
    shared = sorted(claim.numbers & said.numbers)
    for place, one in enumerate(shared):
        for other in shared[place + 1 :]:
            ours, theirs = (claim.follower(one), claim.follower(other)), (said.follower(one), said.follower(other))
            if ours[0] != ours[1] and ours == (theirs[1], theirs[0]) and all(ours):
                return "values swapped"
    return ""


def _turned(pair: Comparison) -> str:
    strange, left = pair.claim.guards - pair.said.guards, pair.said.guards - pair.claim.guards
    is_turned = any(frozenset((one, other)) in TURNED for one in strange for other in left)
    return "turned by another connective" if is_turned and pair.covered >= COVERED and pair.used >= FRAME_USED else ""


def _opposite(pair: Comparison) -> str:
    strange, left = pair.claim.terms - pair.said.terms, pair.said.terms - pair.claim.terms
    found = [(one, other) for one in sorted(strange) for other in sorted(left) if frozenset((one, other)) in OPPOSITES]
    if len(found) != 1 or pair.claim.guards != pair.said.guards:
        return ""
    ((one, other),) = found
    rest = pair.claim.terms - {one}
    common = _weight_of(rest & pair.said.terms)
    is_same = common >= COVERED * _weight_of(rest) and common >= FRAME_USED * _weight_of(pair.said.terms - {other})
    return "the opposite in the same place" if is_same and rest else ""


def _share_in_order(claim: Frame, said: Frame) -> float:
    """Give the longest common subsequence of the common terms as a share of those in the claim."""
    common = claim.terms & said.terms
    ours = [term for term in claim.order if term in common]
    theirs = [term for term in said.order if term in common]
    if not ours:
        return 0.0
    lengths = [0] * (len(theirs) + 1)
    for term in ours:
        diagonal = 0
        for place, other in enumerate(theirs, start=1):
            above = lengths[place]
            lengths[place] = diagonal + 1 if term == other else max(above, lengths[place - 1])
            diagonal = above
    return lengths[-1] / len(ours)
