"""Named rules beside a matcher: what figures, units, dates, names, negation and direction say to a link.

A figure that differs is overlooked by whoever reads for the sense, and a rule sees it (C-43). The rules are silent
where they are not sure; where they speak, the claim is not grounded. Names, negation and direction are read in English
only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.verdicts import Stance
from upheld.speech.instructions import is_instruction
from upheld.speech.matching.beside.quantities import Quantity, is_said_of, marks, moments, quantities
from upheld.speech.matching.entities import Entity
from upheld.speech.matching.language import is_english
from upheld.speech.matching.lexicon import CALENDAR, OPPOSITES, TURNED
from upheld.speech.matching.matcher import Claim, Link, Relation
from upheld.speech.matching.rules import compare, contradicted
from upheld.speech.matching.tokens import Frame, frame
from upheld.speech.view import Known

RULES = ("number", "unit", "date", "mark", "name", "negation", "direction", "instruction")
"""All rules, by name; a mark is an address, a code or a telephone number."""

EXACT = frozenset({"number", "unit", "date", "mark"})
"""Rules that, where they find another value in place of one, make the claim one that contradicts the proposition.

Not the names: one that is not in a proposition may be another word for one that is ("Liguria" for Genoa, "Grandma" for
her mother). A language model sees that, and the rule does not: of the four claims against which it spoke in 106
recorded replies, three were grounded. Such a claim could not be checked; it is not held to be wrong.
"""

ALL_VALUES = EXACT | {"name"}
"""Every rule of values, for whoever reads no more into words than the rules do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A rule that speaks against a claim: ``has_other`` when the propositions have another value in its place."""

    rule: str
    written: str
    has_other: bool = False


def beside(claim: Claim, linked: Sequence[Known], people: Collection[str], *, exact: Collection[str] = EXACT) -> Claim:
    """Give a claim as the rules leave it.

    A link that says the claim becomes one that it merely leans on, so that what was given up is still found; where an
    ``exact`` rule found another value in its place, the claim contradicts it besides. ``linked`` are the propositions
    of its links, ``people`` names of those who take part, which a claim may address.
    """
    supports = [link for link in claim.links if link.relation is Relation.SUPPORTED_BY and not link.literal.negated]
    if not supports:
        return claim
    found = disagreements(claim, linked, people)
    if not found:
        return claim
    is_other = any(each.has_other and each.rule in exact for each in found)
    said = ", ".join(f"{each.rule} {each.written}".strip() for each in found)
    links: list[Link] = []
    for link in claim.links:
        if link in supports:
            leaning = replace(link, relation=Relation.COMMITTED_TO, rule=f"{link.rule}, but {said}")
            links += [leaning, replace(leaning, relation=Relation.CONTRADICTS)] if is_other else [leaning]
        else:
            links.append(link)
    return replace(claim, links=tuple(links), disagreements=tuple(dict.fromkeys(each.rule for each in found)))


def disagreements(claim: Claim, linked: Sequence[Known], people: Collection[str]) -> tuple[Disagreement, ...]:
    """Give what the rules have against a claim that these propositions, taken together, are said to support."""
    texts = list({known.proposition.text.casefold(): known.proposition.text for known in linked}.values())
    found = [*_other_marks(claim.text, texts), *_other_moments(claim.text, texts), *_other_figures(claim.text, texts)]
    if claim.stance is Stance.PRESUPPOSES:
        # Advice has figures and names of its own; only a value in place of another is held against it.
        found = [each for each in found if each.has_other and each.rule != "number"]
        return (*found, *_instructions(texts))
    if not all(is_english(text) for text in (claim.text, *texts)):
        return (*found, *_instructions(texts))
    ours, theirs = frame(claim.text), [frame(text) for text in texts]
    found += _other_names(claim, ours, theirs, _speakers(linked), people)
    found += _other_sign(claim.text, ours, texts, theirs)
    found += _other_direction(claim.text, ours, texts, theirs)
    found += () if found or len(texts) != 1 else _other_frame(ours, linked[0])
    return (*found, *(_instructions(texts) if claim.stance is not Stance.REPORTS else ()))


def _instructions(texts: Sequence[str]) -> list[Disagreement]:
    return [Disagreement(rule="instruction", written="") for text in texts if is_instruction(text)][:1]


_DERIVED = re.compile(
    r"\b(?:apart|short|left|differ\w*|gap|total\w*|together|sum|altogether|remain\w*|more|less|fewer|over|under|rest)\b",
    re.IGNORECASE,
)
"""Words by which a figure may be reckoned from others."""


def _other_figures(text: str, texts: Sequence[str]) -> list[Disagreement]:
    ours = quantities(text)
    theirs = [each for said in texts for each in quantities(said)]
    is_derived = _DERIVED.search(text) is not None
    strange = [each for each in ours if not _is_said(each, theirs, texts, is_derived=is_derived)]
    left = [other for other in theirs if not any(other.is_same_as(each) for each in ours)]
    found = [_figure_against(each, left, is_alone=len(strange) == 1 == len(left)) for each in strange]
    return [replace(each, has_other=each.has_other and not is_derived) for each in found if each is not None]


def _is_said(each: Quantity, theirs: Sequence[Quantity], texts: Sequence[str], *, is_derived: bool) -> bool:
    """Tell whether a figure is in the texts, counts them, or is the sum or difference of two that are."""
    if any(each.is_same_as(other) for other in theirs):
        return True
    if len(texts) > 1 and not each.dimension and each.size == len(texts):
        return True
    if not each.dimension and any(re.search(rf"(?<![\d.,]){each.figure:f}(?![\d.,]?\d)", said) for said in texts):
        return True
    few = theirs[:_MOST_RECKONED] if is_derived else ()
    return any(
        each.figure in (one.figure + other.figure, abs(one.figure - other.figure))
        for place, one in enumerate(few)
        for other in few[place + 1 :]
    )


_MOST_RECKONED = 20
"""Figures whose sums and differences are looked at."""


def _figure_against(each: Quantity, left: Sequence[Quantity], *, is_alone: bool) -> Disagreement | None:
    """Give what stands in place of a figure: one of its dimension or of the same thing, or the only one there is."""
    rivals = [other for other in left if (each.dimension or each.unit) in (other.dimension or other.unit, "")]
    if each.is_loose:
        rivals = [other for other in rivals if other.unit == each.unit]
        return Disagreement(rule="number", written=each.written, has_other=True) if rivals else None
    is_unit = any(other.figure == each.figure and other.dimension and each.dimension for other in left)
    has_other = is_unit or bool(rivals) or (is_alone and not (each.dimension or left[0].dimension))
    return Disagreement(rule="unit" if is_unit else "number", written=each.written, has_other=has_other)


def _other_moments(text: str, texts: Sequence[str]) -> list[Disagreement]:
    theirs = {entity.kind for said in texts for entity in moments(said)}
    return [
        Disagreement(
            rule="date", written=entity.written, has_other=entity.kind in theirs and not _is_relative(entity, text)
        )
        for entity in moments(text)
        if not any(is_said_of(entity, said) for said in texts)
    ]


_RELATIVE = re.compile(r"\b(?:before|after|until|till|by|since|past|to|from)\s+\Z", re.IGNORECASE)


def _is_relative(moment: Entity, text: str) -> bool:
    """Tell whether a moment only says from where another is reckoned: half an hour before midnight."""
    return _RELATIVE.search(text[: moment.span[0]][-12:]) is not None


def _other_marks(text: str, texts: Sequence[str]) -> list[Disagreement]:
    theirs = {entity.kind for said in texts for entity in marks(said)}
    return [
        Disagreement(rule="mark", written=entity.written, has_other=entity.kind in theirs)
        for entity in marks(text)
        if not any(is_said_of(entity, said) for said in texts)
    ]


def _speakers(linked: Sequence[Known]) -> frozenset[str]:
    return frozenset(term for known in linked if known.speaker for term in frame(f"- {known.speaker}").terms)


def _other_names(
    claim: Claim, ours: Frame, theirs: Sequence[Frame], speakers: frozenset[str], people: Collection[str]
) -> list[Disagreement]:
    said = frozenset[str]().union(*(each.terms for each in theirs)) | speakers
    addressed = frozenset(term for name in people for term in frame(f"- {name}").terms)
    allowed = said if claim.stance is Stance.REPORTS else said | addressed
    initials = ["".join(term[0] for term in each.order) for each in theirs]
    # The first word of a sentence has a capital anyway; of who is said to have said it, the name is looked up.
    reported = ours.terms & addressed if claim.stance is Stance.REPORTS else frozenset[str]()
    names = (ours.names - ours.numbers - CALENDAR) | reported
    strange = sorted(
        name for name in names if not any(_is_one(name, term) for term in allowed) and not _are_initials(name, initials)
    )
    named = frozenset[str]().union(*(each.names for each in theirs)) - ours.terms - CALENDAR
    rest = ours.terms - names
    is_in_place = any(len(rest & each.terms) * 2 >= len(rest) for each in theirs)
    has_other = is_in_place and any(not any(_is_one(name, term) for term in ours.terms) for name in named)
    return [Disagreement(rule="name", written=name, has_other=has_other and name not in addressed) for name in strange]


def _is_one(name: str, other: str) -> bool:
    """Tell whether two names may be one: the same stem, one the beginning of the other, or its abbreviation (db)."""
    shorter, longer = sorted((name, other), key=len)
    if name == other:
        return True
    if len(shorter) > 2 and len(longer) > len(shorter) + 1 and longer.startswith(shorter):
        return True
    letters = iter(longer)
    return len(shorter) < 4 < len(longer) and shorter[0] == longer[0] and all(char in letters for char in shorter)


def _are_initials(name: str, initials: Sequence[str]) -> bool:
    """Tell whether a short name is made of the first letters of words in a row (TZ, time zone)."""
    return 1 < len(name) < 5 and any(name in each for each in initials)


_UNSAID_NEGATION = re.compile(
    r"\b(?:un(?:able|likely|affected|related|available|true|safe|healthy|changed|known)|fail\w*|lack\w*|deny|denie[sd]|"
    r"refus\w+|exclud\w+|rul(?:e[sd]?|ing) \w{0,20} ?out|rejected|drop(?:s|ped)?|abandon\w*|withdr[ae]w\w*|cancel\w*|"
    r"remov\w+|stop(?:s|ped)?|ceas\w+|avoid\w*|prevent\w*|miss(?:es|ing)?|absen\w+|false|wrong|innocent|free of|"
    r"instead|rather|except|unless|only|empty|idle|down|off|out|away|gone|few|little|neither|without|"
    r"(?:in|im|ir|il|dis|non)\w{4,})\b",
    re.IGNORECASE,
)
"""Words that deny without a word of negation; where one stands, counting negations says nothing."""


def _other_sign(text: str, ours: Frame, texts: Sequence[str], theirs: Sequence[Frame]) -> list[Disagreement]:
    if len(theirs) != 1 or ours.negated == theirs[0].negated:
        return []
    affirming = texts[0] if ours.negated else text
    shared = ours.terms & theirs[0].terms
    is_close = len(shared) * 2 >= len(ours.terms)
    return [Disagreement(rule="negation", written="")] if is_close and not _UNSAID_NEGATION.search(affirming) else []


_OF_FRAMES = {
    "another value in the same place": "number",
    "values swapped": "number",
    "turned by another connective": "direction",
    "the opposite in the same place": "direction",
}


def _other_frame(ours: Frame, known: Known) -> list[Disagreement]:
    """Ask the rules of the embedded matcher, as if the proposition stood: whether it does is not known here."""
    proposition = replace(known.proposition, kind=Kind.OBSERVATION)
    standing = replace(known, proposition=proposition, label=Label.IN, lifecycle=Lifecycle.STANDING)
    link = contradicted(compare(ours, frame(proposition.text), standing, is_negated=False))
    if link is None:
        return []
    rule = _OF_FRAMES[link.rule]
    return [Disagreement(rule=rule, written=link.rule, has_other=rule == "number")]


_LEADS = re.compile(
    r"\bfrom ([\w-]+)\b.{0,40}?\bto ([\w-]+)\b|\b([\w-]+) (?:->|\u2192|before|precedes?) ([\w-]+)\b", re.I
)


def _other_direction(text: str, ours: Frame, texts: Sequence[str], theirs: Sequence[Frame]) -> list[Disagreement]:
    if len(theirs) != 1:
        return []
    said = theirs[0]
    strange, left = ours.terms - said.terms, said.terms - ours.terms
    opposite = next((one for one in sorted(strange) for other in left if frozenset((one, other)) in OPPOSITES), "")
    guards, others = ours.guards - said.guards, said.guards - ours.guards
    turned = next((one for one in sorted(guards) for other in others if frozenset((one, other)) in TURNED), "")
    is_same = ours.negated == said.negated and len(ours.terms & said.terms) * 2 >= len(ours.terms) - 1
    if (opposite or turned) and is_same:
        return [Disagreement(rule="direction", written=opposite or turned)]
    ways = _ways(texts[0])
    back = next((way for way in _ways(text) if way[::-1] in ways and way not in ways), None)
    return [Disagreement(rule="direction", written=" to ".join(back))] if back else []


def _ways(text: str) -> frozenset[tuple[str, str]]:
    """Give the pairs that a text puts in an order: from one to the other, one before the other."""
    found = (tuple(part.casefold() for part in match.groups() if part) for match in _LEADS.finditer(text))
    return frozenset((pair[0], pair[1]) for pair in found if pair[0] != pair[-1])


def link_of(name: str, known: Known, relation: str) -> Link:
    """Give the link for what a language model said of a claim and a proposition; ``name`` says by which prompt."""
    literal = Literal(known.proposition.id, negated=relation == "denies")
    kind = Relation.SUPPORTED_BY if relation == "denies" else Relation(relation)
    return Link(literal=literal, relation=kind, score=1.0, rule=f"{name}: {relation}")
