"""What a judgement, what stands, and the named rules say together, as numbers that a rule weighs.

The network does not know what stands, and the rule does not know words; here they meet. Pure arithmetic, so that
training and checking use the very same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from upheld.logic.language.propositions import TENTATIVE
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching.beside.rules import disagreements
from upheld.speech.matching.cues import read_cues
from upheld.speech.matching.matcher import Claim
from upheld.speech.trained.judge import MODALITIES, STANCES, Judgement
from upheld.speech.view import Known

FEATURES = (
    "link_holds",
    "link_fails",
    "link_given_up",
    "contradicts_standing",
    "denies_given_up",
    "denies_standing",
    "new",
    "asserts",
    "presupposes",
    "denies",
    "reports",
    "hypothesis",
    "lead",
    "nearest",
    "a_rule_speaks",
    "a_rule_has_another_value",
    "a_cue_of_doubt",
    "a_cue_of_stance",
    "link_most",
    "most_linked_is_fact",
    "most_linked_is_alive",
    "most_linked_is_tentative",
    "nearest_is_fact",
    "nearest_is_alive",
    "best_behind_nearest",
    "given_up_behind_nearest",
    "margin",
    "asks",
    "words",
    "contradicts_most",
)
"""Names of the numbers, in their order; probabilities as log odds, words in tens."""

MOST_WORDS = 30
"""Words above which a claim counts as no longer."""

_LEAST = 1e-3
"""What is added to both sides of a log odds, so that it stays finite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A proposition that a claim may be about, and the cosine of the two."""

    known: Known
    nearness: float


def holds_as_fact(known: Known) -> bool:
    """Tell whether a proposition may be put as settled: it stands, and is no mere guess or proposal."""
    is_settled = known.proposition.kind not in TENTATIVE or known.lifecycle is Lifecycle.RESOLVED
    return known.label is Label.IN and is_settled


def is_alive(known: Known) -> bool:
    """Tell whether a proposition may be reported as a guess, a view, or something that was said."""
    return known.lifecycle not in GIVEN_UP


def is_beside_guess(near: Sequence[Near]) -> bool:
    """Tell whether a guess or a proposal, dropped or not, is among what a claim is judged beside."""
    return any(each.known.proposition.kind in TENTATIVE for each in near)


def features(claim: str, judgement: Judgement, near: Sequence[Near]) -> tuple[float, ...]:
    """Give the numbers for one claim; ``near`` in the order of the judgement, at least one."""
    knowns = [each.known for each in near]
    tentative = max(judgement.stances[STANCES.index(Stance.REPORTS)], 1 - judgement.modalities[0])
    holds = [(1 - tentative) * holds_as_fact(known) + tentative * is_alive(known) for known in knowns]
    links = [said.link for said in judgement.relations]
    rows = list(zip(judgement.relations, knowns, holds, strict=True))
    link_holds = max(said.link * share for said, _, share in rows)
    link_fails = max(said.link * (1 - share) for said, _, share in rows)
    best = max(range(len(rows)), key=lambda place: links[place] * holds[place])
    most = knowns[links.index(max(links))]
    return (
        _odds(link_holds),
        _odds(link_fails),
        _odds(max(said.link * (not is_alive(known)) for said, known, _ in rows)),
        _odds(max(said.contradicts * holds_as_fact(known) for said, known, _ in rows)),
        _odds(max(said.denies * (not is_alive(known)) for said, known, _ in rows)),
        _odds(max(said.denies * holds_as_fact(known) for said, known, _ in rows)),
        _odds(judgement.new),
        *judgement.stances,
        judgement.modalities[MODALITIES.index(Modality.HYPOTHESIS)],
        _odds((link_holds - link_fails + 1) / 2),
        max(each.nearness for each in near),
        *_of_words(claim, judgement, knowns[best]),
        _odds(max(links)),
        float(holds_as_fact(most)),
        float(is_alive(most)),
        float(most.proposition.kind in TENTATIVE),
        *_of_nearness(near, best),
        _margin(links),
        float(claim.rstrip().endswith("?")),
        min(len(claim.split()), MOST_WORDS) / 10,
        _odds(max(said.contradicts for said in judgement.relations)),
    )


def _of_words(claim: str, judgement: Judgement, best: Known) -> tuple[float, ...]:
    """Give what the named rules say to the best link, and what the cues say of the claim."""
    against = disagreements(Claim(span=(0, len(claim)), text=claim, stance=judgement.stance), [best], ())
    cued = read_cues(claim)
    return (
        float(bool(against)),
        float(any(each.has_other for each in against)),
        float(cued.modality is not Modality.FACT),
        float(cued.stance is not Stance.ASSERTS),
    )


def _of_nearness(near: Sequence[Near], best: int) -> tuple[float, ...]:
    """Give how the nearest proposition stands, and how far the best one, and what was given up, lie behind it."""
    nearest = max(near, key=lambda each: each.nearness)
    gone = max((each.nearness for each in near if not is_alive(each.known)), default=0.0)
    return (
        float(holds_as_fact(nearest.known)),
        float(is_alive(nearest.known)),
        near[best].nearness - nearest.nearness,
        nearest.nearness - gone,
    )


def _margin(links: Sequence[float]) -> float:
    first, *rest = sorted(links, reverse=True)
    return first - rest[0] if rest else 0.0


def _odds(share: float) -> float:
    return math.log((share + _LEAST) / (1 - share + _LEAST))
