"""Shares made into links: what says the claim, what it says again, what speaks against it, or nothing that is sure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from upheld.errors import UpheldError
from upheld.logic.language.identities import AgentId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching.cues import Reading
from upheld.speech.matching.entailment.judge import Pair, PairJudge
from upheld.speech.matching.lexical import TORN
from upheld.speech.matching.matcher import Link, Relation
from upheld.speech.matching.moods import may_support
from upheld.speech.matching.trained.features import holds_as_fact, is_alive
from upheld.speech.view import Known

UNSURE = "the entailment network is not sure enough to call it either way"
NOTHING_FOLLOWS = "the entailment network finds nothing near that says it, that it says, or that speaks against it"
NO_NUMBER = "the entailment network gave no number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Least shares for a link; below them a claim is left open.

    ``supported``: a proposition entails the claim. ``committed``: the claim entails a proposition. ``contradicted``:
    each contradicts the other. They are not calibrated on any network. They are high because a network for natural
    language inference is often sure of itself where it is wrong (Guo et al. 2017), and highest where a mistake would
    call grounded what is not.

    Raises:
        UpheldError: a bar is not above a half, where two labels could reach it, or is above one.
    """

    supported: float = 0.97
    committed: float = 0.95
    contradicted: float = 0.95

    def __post_init__(self) -> None:
        """Refuse bars that decide nothing."""
        for name in ("supported", "committed", "contradicted"):
            if not 0.5 < (bar := getattr(self, name)) <= 1:
                raise UpheldError(f"the bar {name!r} is {bar}: give one above 0.5, up to 1")


SAFE = Bars()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A claim as its cues read it, the words of it that are judged, and who would say it."""

    reading: Reading
    words: str
    speaker: AgentId | None = None

    def may_rest_on(self, known: Known) -> bool:
        """Tell whether a proposition stands in the way in which the claim puts it."""
        return holds_as_fact(known) if self.reading.modality is Modality.FACT else is_alive(known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Links of one claim, or why there are none."""

    links: tuple[Link, ...] = ()
    abstained: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """How likely a proposition stands in a relation to the claim, and the least that is believed; nan: no answer."""

    relation: Relation
    known: Known
    share: float
    bar: float

    @property
    def is_sure(self) -> bool:
        return self.share >= self.bar


_BY = {
    Relation.SUPPORTED_BY: "entailed",
    Relation.COMMITTED_TO: "entails",
    Relation.CONTRADICTS: "contradicts",
}
"""What the network said, for the rule of a link, in the order in which links are given."""


def judged(asked: Asked, knowns: Sequence[Known], judge: PairJudge, bars: Bars, name: str) -> Decided:
    """Ask about a claim and the propositions near to it; ``name`` says by what.

    A proposition that stands is asked whether it entails the claim, and the other way round only where it seems to
    contradict it: a contradiction holds both ways, and one that does not is a misreading. One that does not stand is
    asked only whether the claim entails it, since nothing may rest on it. Of several of a kind the best is linked: one
    that says the claim is enough. Cost: one or two passes of the network a proposition.
    """
    answers = [answer for known in knowns for answer in _answers(asked, known, judge, bars)]
    if any(math.isnan(each.share) for each in answers):
        return Decided(abstained=NO_NUMBER)
    best: dict[Relation, _Answer] = {}
    for each in sorted(answers, key=lambda answer: answer.share):
        if each.is_sure:
            best[each.relation] = each
    if Relation.SUPPORTED_BY in best and len(best) > 1:
        return Decided(abstained=TORN)
    if not best:
        is_near = any(each.share > _LIKELIEST for each in answers)
        return Decided(abstained=UNSURE if is_near else NOTHING_FOLLOWS)
    return Decided(
        links=tuple(_link(best[relation], f"{name}: {by}") for relation, by in _BY.items() if relation in best)
    )


_LIKELIEST = 0.5
"""Share above which a label is the likeliest of the three."""


def _answers(asked: Asked, known: Known, judge: PairJudge, bars: Bars) -> Iterator[_Answer]:
    pair = Pair(known.proposition.text, asked.words)
    if not asked.may_rest_on(known):
        (back,) = judge.judge([pair.turned()])
        yield _Answer(relation=Relation.COMMITTED_TO, known=known, share=back.entails, bar=bars.committed)
        return
    (there,) = judge.judge([pair])
    # In another mood (a wish, a report) the same words are no ground, however sure the network is.
    bar = bars.supported if may_support(asked.words, known, asked.speaker) else math.inf
    yield _Answer(relation=Relation.SUPPORTED_BY, known=known, share=there.entails, bar=bar)
    if not holds_as_fact(known) or asked.reading.stance is Stance.REPORTS:
        return
    share = there.contradicts
    if share >= bars.contradicted:
        (back,) = judge.judge([pair.turned()])
        share = min(share, back.contradicts) if back.is_number else math.nan
    yield _Answer(relation=Relation.CONTRADICTS, known=known, share=share, bar=bars.contradicted)


def _link(best: _Answer, rule: str) -> Link:
    literal = Literal(best.known.proposition.id)
    return Link(literal=literal, relation=best.relation, score=round(best.share, 4), rule=rule)
