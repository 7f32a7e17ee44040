"""Cheryl's birthday: ten dates, one who knows the month, one who knows the day, and three remarks.

Source: Singapore and Asian Schools Math Olympiad 2015, question 24 of the secondary schools' paper.
"""

from __future__ import annotations

import pytest

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, Formula, Knows, KnowsWhether, Not, Or

DAYS = {"May": (15, 16, 19), "June": (17, 18), "July": (14, 16), "August": (14, 15, 17)}
DATES = [frozenset({month, str(day)}) for month, days in DAYS.items() for day in days]
MONTHS, NUMBERS = frozenset(DAYS), frozenset(str(day) for days in DAYS.values() for day in days)
OBSERVES = {"albert": MONTHS, "bernard": NUMBERS}


def knows_the_date(agent: str) -> Formula:
    """Who knows the date knows of each month and of each day whether it is the one."""
    return And(tuple(KnowsWhether(agent, Atom(atom)) for atom in sorted(MONTHS | NUMBERS)))


REMARKS: tuple[Formula, ...] = (
    And((Not(knows_the_date("albert")), Knows("albert", Not(knows_the_date("bernard"))))),
    knows_the_date("bernard"),
    knows_the_date("albert"),
)


@pytest.fixture
def start() -> PlausibilityModel:
    """Ten dates, before anybody has spoken."""
    return PlausibilityModel.among(DATES, observes=OBSERVES)


def test_three_remarks_leave_the_sixteenth_of_july(start: PlausibilityModel) -> None:
    """Source: the published answer, July 16; ten dates, then five, three, one."""
    sizes, told = [len(start.worlds)], start
    for remark in REMARKS:
        told = told.announced(remark)
        sizes.append(len(told.worlds))
    assert sizes == [10, 5, 3, 1]
    assert told.worlds == {frozenset({"July", "16"})}


def test_the_first_remark_alone_tells_bernard_the_date_in_three_cases(start: PlausibilityModel) -> None:
    """Source: the published argument: the fourteenth stays open, for July and August both have one."""
    told = start.announced(REMARKS[0])
    assert {month for world in told.worlds for month in world & MONTHS} == {"July", "August"}
    known = told.extension(knows_the_date("bernard"))
    assert {day for world in told.worlds - known for day in world & NUMBERS} == {"14"}


def test_remarks_in_another_order_say_something_else(start: PlausibilityModel) -> None:
    """Van Ditmarsch, van der Hoek and Kooi 2007, chapter 4: announcements of ignorance do not commute."""
    assert len(start.announced(REMARKS[1]).worlds) == 2
    assert not start.is_consistent_with(REMARKS[2])


def test_decision_diagrams_find_the_same_dates() -> None:
    """Our promise: knowledge structures leave the worlds that explicit worlds leave."""
    pytest.importorskip("oxidd", reason="the extra `epistemic` is not installed")
    date = Or(tuple(And(tuple(Atom(a) if a in date else Not(Atom(a)) for a in [*MONTHS, *NUMBERS])) for date in DATES))
    told = KnowledgeStructure.over(sorted(MONTHS | NUMBERS), observes=OBSERVES, law=date)
    for remark in REMARKS:
        told = told.announced(remark)
    assert list(told.worlds()) == [frozenset({"July", "16"})]
