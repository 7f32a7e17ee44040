"""A judgement made into links: what the claim rests on, what speaks against it, or nothing that is sure enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching.matcher import Link, Relation
from upheld.speech.matching.trained.features import Near, features, holds_as_fact, is_alive, is_beside_guess
from upheld.speech.matching.trained.rule import Rule
from upheld.speech.trained.judge import Judgement, Relations
from upheld.speech.view import Known

UNSURE = "the trained network is not sure enough to call it either way"

NOBODY_SAID = "nobody said it"

LEAST_AGAINST = 0.2
"""Least probability with which a proposition is named as what speaks against a claim."""

LINKED = 0.5
"""Least link with a proposition beside the best one, for a claim to rest on it as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Links of one claim, or why there are none; ``is_new`` when it is likeliest that nobody said it.

    ``likelihood`` is how likely the rule holds it that the claim is supported.
    """

    likelihood: float
    links: tuple[Link, ...] = ()
    abstained: str = ""
    is_new: bool = False


def decided(claim: str, judgement: Judgement, near: Sequence[Near], rule: Rule, name: str) -> Decided:
    """Give the links of a claim; ``name`` says by what, and every score is how likely the verdict is right."""
    share = rule.likelihood(features(claim, judgement, near))
    rows = list(zip(judgement.relations, (each.known for each in near), strict=True))
    if share >= rule.grounded_at:
        grounds = _grounds(judgement, rows)
        links = tuple(_link(each, Relation.SUPPORTED_BY, share, name) for each in grounds)
        return Decided(likelihood=share, links=links)
    if share <= rule.ungrounded_at and (is_beside_guess(near) or not rule.needs_guess):
        return _against(judgement, rows, share, name)
    return Decided(likelihood=share, abstained=UNSURE)


Rows = Sequence[tuple[Relations, Known]]


@dataclass(frozen=True, slots=True)
class _Meant:
    """A proposition that a claim is about, by which of the relations, and with which sign."""

    known: Known
    by: str
    is_denied: bool = False


def _grounds(judgement: Judgement, rows: Rows) -> list[_Meant]:
    """Give what a claim rests on: what it links to, best first, or what it says was given up."""
    said_gone, gone = max(rows, key=lambda row: row[0].denies * (not is_alive(row[1])))
    said, best = max(rows, key=lambda row: row[0].link * _holds(judgement, row[1]))
    if said_gone.denies * (not is_alive(gone)) > said.link * _holds(judgement, best):
        return [_Meant(gone, "denies", is_denied=True)]
    others = [row for row in rows if row[1] is not best and row[0].link >= LINKED and _holds(judgement, row[1])]
    others.sort(key=lambda row: -row[0].link)
    return [_Meant(best, "link"), *(_Meant(known, "link") for _, known in others)]


def _holds(judgement: Judgement, known: Known) -> bool:
    """Tell whether a proposition may be put the way that the claim puts it."""
    is_view = judgement.stance is Stance.REPORTS or judgement.modality is not Modality.FACT
    return is_alive(known) if is_view else holds_as_fact(known)


def _against(judgement: Judgement, rows: Rows, share: float, name: str) -> Decided:
    """Give what speaks against a claim most: what it repeats, what it cannot hold beside, or that nobody said it."""
    weighed = [
        (weight, _Meant(known, by, is_denied=by == "denies"))
        for said, known in rows
        for by, weight in (
            ("link", said.link * (not _holds(judgement, known))),
            ("contradicts", said.contradicts * holds_as_fact(known)),
            ("denies", said.denies * holds_as_fact(known)),
        )
    ]
    most, meant = max(weighed, key=lambda each: each[0])
    linked = max(said.link for said, _ in rows)
    if most < max(judgement.new * (1 - linked), LEAST_AGAINST):
        return Decided(likelihood=share, is_new=True, abstained=NOBODY_SAID)
    relation = Relation.CONTRADICTS if meant.by == "contradicts" else Relation.COMMITTED_TO
    return Decided(likelihood=share, links=(_link(meant, relation, 1 - share, name),))


def _link(meant: _Meant, relation: Relation, score: float, name: str) -> Link:
    literal = Literal(meant.known.proposition.id, negated=meant.is_denied)
    return Link(literal=literal, relation=relation, score=round(score, 4), rule=f"{name}: {meant.by}")
