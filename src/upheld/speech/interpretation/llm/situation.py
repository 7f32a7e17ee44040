"""What a language model is shown of a conversation: records, open problems and last words, within a budget."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import CONSIDERED
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.prompts.quoting import block, quoted, quoted_turn
from upheld.speech.matching.tokens import frame
from upheld.speech.view import GrowingView, Known, OpenProblem, Situation, View

LONGEST_CLAIM = 800
"""Characters of one record that are shown; the words of a turn that is to be read are never cut."""

MOST_AGENTS = 60
MOST_PROBLEMS = 20
MOST_CONSIDERED = 2_000
"""Newest records that are weighed; in a longer conversation a turn costs no more than in one of this length."""

_HALF_LIFE = 12
"""So many records later, having been said lately counts half."""


class PlainSituation:
    """A plain view, of which nothing is known but its propositions."""

    def __init__(self, view: View) -> None:
        """Wrap a view."""
        self.known = view.known
        self.get = view.get

    def agents(self) -> Sequence[Agent]:
        """Give nobody: the view does not say who takes part."""
        return ()

    def problems(self) -> Sequence[OpenProblem]:
        """Give nothing."""
        return ()

    def grounds_of(self, proposition: PropositionId, /) -> tuple[Literal, ...]:
        """Give nothing."""
        return ()

    def replacement_of(self, proposition: PropositionId, /) -> PropositionId | None:
        """Give nothing."""
        return None

    def earlier(self, count: int, /) -> Sequence[Turn]:
        """Give nothing."""
        return ()


def situation_of(view: View) -> Situation:
    """Give a view as a situation; one that is a plain view knows its propositions alone."""
    return view if isinstance(view, Situation) else PlainSituation(view)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is shown: turns and characters of the words before, characters of the records.

    ``turn`` and ``session`` are the most characters that are read at all; what is longer is abstained on.
    """

    turns: int = 12
    words: int = 12_000
    records: int = 16_000
    turn: int = 20_000
    session: int = 120_000


def participants(situation: Situation) -> str:
    """Give who takes part, with their roles and who may decide; nothing when nobody is known."""
    agents = situation.agents()
    lines = [
        quoted(
            "participant",
            agent.name,
            {"id": agent.id, "role": agent.role, "kind": agent.kind.value, "authority": "yes" * agent.authority},
        )
        for agent in agents[:MOST_AGENTS]
    ]
    return block("participants", [*lines, *_cut("participants", len(agents) - len(lines))]) if lines else ""


def last_words(situation: Situation, sizes: Sizes) -> str:
    """Give the last turns as they were said, the newest of them within the budget; what is cut is said."""
    turns = situation.earlier(sizes.turns) if sizes.turns else ()
    lines: list[str] = []
    left = sizes.words
    for turn in reversed(turns):
        line = quoted_turn(turn)
        left -= len(line)
        if left < 0:
            break
        lines.append(line)
    cut = _cut("turns", len(turns) - len(lines))
    return block("said-before", [*cut, *reversed(lines)]) if lines or cut else ""


def records(situation: Situation, words: str, budget: int, *, has_standing: bool) -> str:
    """Give what was put forward, in order; past the budget, what is most recent and nearest to ``words``.

    With ``has_standing`` each record says how it stands, what it rests on and what replaced it; without, it is there to
    be referred to, and its words and its id are all there is. What is left out is counted. Cost: linear in what is
    known, or as :func:`newest_known`.
    """
    every, older = newest_known(situation)
    lines: dict[int, str] = {}
    left = budget
    for place in _by_weight(every, words):
        line = _record(situation, every[place], has_standing=has_standing)
        if len(line) > left:
            break
        left -= len(line)
        lines[place] = line
    shown = [lines[place] for place in sorted(lines)]
    return block("known", [*shown, *_cut("claims", older + len(every) - len(shown))])


def open_problems(situation: Situation) -> str:
    """Give what is unexplained or undecided, the newest last; nothing when nothing is open."""
    problems = situation.problems()
    lines = [
        quoted("open", _cropped(problem.text), {"id": problem.id, "about": " ".join(sorted(problem.about))})
        for problem in problems[-MOST_PROBLEMS:]
    ]
    return block("unresolved", [*_cut("open", len(problems) - len(lines)), *lines]) if lines else ""


def newest_known(view: View) -> tuple[list[Known], int]:
    """Give what was put forward last, in order, and how many older propositions there are.

    Cost: the newest ``MOST_CONSIDERED``, where the view can be read from its end; else what is known.
    """
    if not isinstance(view, GrowingView):
        return list(view.known()), 0
    newest = islice(view.newest(), MOST_CONSIDERED)
    found = [known for each in newest if (known := view.get(each.id)) is not None]
    return found[::-1], view.count() - len(found)


def claim_line(known: Known) -> str:
    """Give one record with its words, its kind and where it comes from."""
    return quoted(
        "claim",
        _cropped(known.proposition.text),
        {
            "id": known.proposition.id,
            "kind": known.proposition.kind.value,
            "turn": known.turn or "",
            "speaker": known.speaker or "",
        },
    )


def nearest(every: Sequence[Known], words: str, count: int) -> list[Known]:
    """Give the records that share most with ``words``, best first; none that shares nothing."""
    weights = _likeness(every, words)
    places = sorted((place for place in range(len(every)) if weights[place] > 0), key=lambda place: -weights[place])
    return [every[place] for place in places[:count]]


def _record(situation: Situation, known: Known, *, has_standing: bool) -> str:
    if not has_standing:
        return claim_line(known)
    id = known.proposition.id
    is_gone = known.lifecycle is Lifecycle.SUPERSEDED or known.label is Label.OUT
    replaced = situation.replacement_of(id) if is_gone else None
    attributes = {
        "id": id,
        "kind": known.proposition.kind.value,
        "turn": known.turn or "",
        "speaker": known.speaker or "",
        "lifecycle": known.lifecycle.value,
        "standing": known.label.value,
        "rests-on": " ".join(map(str, situation.grounds_of(id))),
        "replaced-by": replaced or "",
    }
    return quoted("claim", _cropped(known.proposition.text), attributes)


def _by_weight(every: Sequence[Known], words: str) -> list[int]:
    """Give the places of the records, what is needed most first."""
    likeness = _likeness(every, words)
    weights = [
        likeness[place] + 0.5 ** ((len(every) - 1 - place) / _HALF_LIFE) + (0.5 if _is_live_issue(known) else 0.0)
        for place, known in enumerate(every)
    ]
    return sorted(range(len(every)), key=lambda place: (-weights[place], -place))


def _is_live_issue(known: Known) -> bool:
    return known.proposition.kind in CONSIDERED and known.lifecycle not in GIVEN_UP | {Lifecycle.RESOLVED}


def _likeness(every: Sequence[Known], words: str) -> list[float]:
    """Give the share of the rare words of a text that each record has, in [0, 1]."""
    wanted = frame(words).terms
    said = [frame(known.proposition.text).terms & wanted for known in every]
    spread = Counter(term for terms in said for term in terms)
    rarity = {term: math.log(1 + len(every) / count) for term, count in spread.items()}
    whole = sum(rarity.values()) or 1.0
    return [sum(rarity[term] for term in sorted(terms)) / whole for terms in said]


def _cropped(text: str) -> str:
    return text if len(text) <= LONGEST_CLAIM else f"{text[:LONGEST_CLAIM]} […]"


def _cut(what: str, count: int) -> tuple[str, ...]:
    """Say how many were left out."""
    return (f'<not-shown {what}="{count}"/>',) if count > 0 else ()
