"""What a clause does, from how likely each move is: the one place that knows the bars and who may do what.

Pure. Nobody takes back for another person, and an assistant settles and takes back only what is its own: a reading by
a small network must not let an assistant talk a person's statement away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from upheld.errors import MalformedInput
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import AgentId
from upheld.logic.language.propositions import TENTATIVE
from upheld.logic.language.standing import Lifecycle
from upheld.speech.interpretation.trained.replacing import may_replace
from upheld.speech.trained.moves import ACTS, OPERATIONS, ClauseMoves
from upheld.speech.view import Known

INTRODUCING = ("observe", "hypothesize", "expand_awareness")
"""Moves that put a proposition forward; a clause makes one of them at most."""

ACTING = ("support", "undermine", "revise", "resolve")
"""Moves on a proposition that is on the table."""

REPLACE = "replace"
"""To revise what somebody reported, and not a guess: the same move, with a bar of its own, since a report that is
wrongly given up makes a good reply look stale."""

BARRED = (*OPERATIONS, REPLACE)
"""What has a bar."""

RESTED_ON = 0.5
"""Least share with which a clause that gives a reason in words is taken to rest on a proposition."""

OPEN = (Lifecycle.ACTIVE, Lifecycle.WEAKENED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Least share of each move, by its name, for it to be taken as made; chosen on annotated conversations.

    ``sure_at`` is the certainty from which a whole reading is right so often that nobody else need be asked.
    """

    of: Mapping[str, float]
    sure_at: float = 1.0


def bars_of(card: Mapping[str, Any]) -> Bars:
    """Read the bars on a card.

    Raises:
        MalformedInput: there are none, or one is missing.
    """
    try:
        told = card["reading"]["bars"]
        return Bars(of={name: float(told[name]) for name in BARRED}, sure_at=float(card["reading"]["sure_at"]))
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedInput(
            f"no bars of a reading on the card of the trained weights: {error}", key="reading"
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a clause is taken to do. ``introduces`` is one of ``INTRODUCING`` or empty, ``on`` has a target an act."""

    introduces: str = ""
    asks: bool = False
    on: Mapping[str, Known]
    rests_on: tuple[Known, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """Who speaks, and of what kind; ``kinds`` has the others."""

    speaker: AgentId
    kinds: Mapping[AgentId, AgentKind]

    @property
    def kind(self) -> AgentKind:
        """The speaker's kind; who is not known is a person."""
        return self.kinds.get(self.speaker, AgentKind.PERSON)

    def may(self, act: str, known: Known, *, has_new: bool) -> bool:
        """Tell whether the speaker may do something to a proposition; ``has_new``: by a value in its place."""
        is_open = known.proposition.kind in TENTATIVE and known.lifecycle in OPEN
        is_own = known.speaker == self.speaker
        if act in ("support", "undermine"):
            return is_open
        if self.kind is AgentKind.TOOL:
            return False
        if act == "resolve":
            return is_open and (is_own or self.kind is AgentKind.PERSON)
        if self.kind is AgentKind.ASSISTANT:
            return is_own
        return is_own or is_open or has_new


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How strongly a clause makes a move, in [0, 1], and on which proposition, where the move acts on one."""

    share: float
    target: Known | None = None


def strengths(
    clause: str, moves: ClauseMoves, propositions: Sequence[Known], speaking: Speaking, *, has_new: bool
) -> Mapping[str, Strength]:
    """Give the strength of each move: its share, or the geometric mean of that and of its likeliest lawful target.

    ``has_new`` tells whether the clause reports something, which may then replace another's report, where the values of
    both allow it.
    """
    share: dict[str, float] = dict(zip(OPERATIONS, moves.operations, strict=True))
    found = {name: Strength(share=each) for name, each in share.items() if name not in ACTING}
    rows = list(zip(propositions, moves.acts, strict=True))
    for act in ACTING:
        place = ACTS.index(act)
        lawful = [(acts[place], known) for known, acts in rows if speaking.may(act, known, has_new=has_new)]
        if act == "revise":
            reported = [
                each
                for each in lawful
                if each[1].proposition.kind not in TENTATIVE and (not has_new or may_replace(clause, each[1]))
            ]
            lawful = [each for each in lawful if each[1].proposition.kind in TENTATIVE]
            found[REPLACE] = _strongest(share[act], reported)
        found[act] = _strongest(share[act], lawful)
    return found


def _strongest(share: float, lawful: Sequence[tuple[float, Known]]) -> Strength:
    best, target = max(lawful, key=lambda each: each[0], default=(0.0, None))
    return Strength(share=sqrt(share * best), target=target)


def done(clause: str, moves: ClauseMoves, propositions: Sequence[Known], speaking: Speaking, bars: Bars) -> Done:
    """Give what a clause is taken to do."""
    has_new = moves.operations[OPERATIONS.index("observe")] >= bars.of["observe"]
    strength = dict(strengths(clause, moves, propositions, speaking, has_new=has_new))
    rivals = [(each, bars.of[name]) for name in ("revise", REPLACE) if (each := strength.pop(name)).target is not None]
    strength["revise"] = max(
        (each for each, bar in rivals if each.share >= bar), key=lambda each: each.share, default=Strength(share=0.0)
    )
    introduced = max(INTRODUCING, key=lambda name: strength[name].share - bars.of[name])
    found = {
        act: target
        for act in ACTING
        if (target := strength[act].target) is not None and (act == "revise" or strength[act].share >= bars.of[act])
    }
    _leave_one(found, ("support", "undermine"), strength)
    _leave_one(found, ("revise", "resolve"), strength)
    place = ACTS.index("rest_on")
    return Done(
        introduces=introduced if strength[introduced].share >= bars.of[introduced] else "",
        asks=strength["question"].share >= bars.of["question"],
        on=found,
        rests_on=tuple(known for known, acts in zip(propositions, moves.acts, strict=True) if acts[place] >= RESTED_ON),
    )


def _leave_one(found: dict[str, Known], rivals: tuple[str, str], strength: Mapping[str, Strength]) -> None:
    """Of two acts that cannot both be done to the same proposition, leave the likelier."""
    one, other = rivals
    if one in found and other in found and found[one] is found[other]:
        del found[min(rivals, key=lambda act: strength[act].share)]


def certainty(moves: Sequence[ClauseMoves]) -> float:
    """Give how sure a whole reading is: that of the least sure of its moves, in [0.5, 1]."""
    return min((max(share, 1 - share) for each in moves for share in each.operations), default=1.0)
