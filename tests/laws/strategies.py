"""Random conversations for the laws of the engine: valid turns over a small pool of claims that grows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace

from hypothesis import assume, settings
from hypothesis import strategies as st

from upheld.errors import UpheldError
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.formulas import And, Atom, Formula, Not, Or
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    ResolveMode,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.propositions import Kind
from upheld.logic.language.provenance import Provenance
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Turn, Withdraw
from upheld.logic.reasoning.policy import EVERYONE, PEOPLE_AND_TOOLS
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import opened, step

MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
Move = Turn | Retraction
Draw = st.DrawFn

ANN, BOB, BOT = AgentId("ann"), AgentId("bob"), AgentId("bot")
AGENTS = (Agent(id=ANN, authority=True), Agent(id=BOB), Agent(id=BOT, kind=AgentKind.ASSISTANT))
X, Y = Atom("x"), Atom("y")
FORMULAS: tuple[Formula, ...] = (X, Not(X), Y, And((X, Y)), Or((Not(X), Y)))


def examples(count: int) -> settings:
    """Scale the examples of a law; conversations are dear, so laws say how many they need."""
    return settings(max_examples=max(1, round(count * MULTIPLIER)))


# --- conversations ---------------------------------------------------------------------------------------------------


class Talk:
    """What has been said so far while a conversation is drawn, so that what comes next can refer to it."""

    def __init__(self, draw: Draw, *, is_plain: bool = False) -> None:
        """``is_plain``: attack and support only, without answers, formulas and negated premises."""
        self.draw = draw
        self.is_plain = is_plain
        self.said: dict[PropositionId, Operation] = {}
        self.turns: list[TurnId] = []

    def chance(self, one_in: int) -> bool:
        """Toss; the simpler outcome is no."""
        return self.draw(st.integers(0, one_in - 1)) == one_in - 1

    def known(self) -> PropositionId:
        """Give something that was said."""
        return self.draw(st.sampled_from(list(self.said)))

    def fresh(self) -> PropositionId:
        """Give an id that nobody has used."""
        return PropositionId(f"c{len(self.said)}")

    def some(self, most: int, *, but: PropositionId | None = None) -> tuple[PropositionId, ...]:
        """Give a few things that were said."""
        pool = [id for id in self.said if id != but]
        return tuple(self.draw(st.lists(st.sampled_from(pool), max_size=most, unique=True))) if pool else ()

    def premises(self, *, but: PropositionId | None = None) -> tuple[Literal, ...]:
        """Give a few literals, some of them negated."""
        return tuple(Literal(id, not self.is_plain and self.chance(5)) for id in self.some(2, but=but))

    def alternatives(self) -> tuple[tuple[Literal, ...], ...]:
        """Give now and then alternatives."""
        groups = [self.premises() for _ in range(2)] if self.chance(5) else []
        return tuple(group for group in groups if group)

    def formula(self) -> Formula | None:
        """Give now and then a meaning over two atoms."""
        return self.draw(st.sampled_from(FORMULAS)) if not self.is_plain and self.chance(6) else None

    def source(self) -> Provenance | None:
        """Give now and then a document."""
        return Provenance(uri=self.draw(st.sampled_from(("doc:1", "doc:2")))) if self.chance(5) else None

    def operation(self) -> Operation:
        """Draw one of the eight operations, or something said again."""
        if not self.said:
            return self._new(self._observe())
        plain = (self._observe, self._hypothesize, self._support, self._undermine)
        rest = (self._revise, self._resolve, self._question, self._expand, self._again)
        return self._new(self.draw(st.sampled_from(plain if self.is_plain else (*plain, *rest)))())

    def turn(self, most: int = 2) -> Turn:
        """Draw a turn of one or a few operations."""
        speaker = self.draw(st.sampled_from((ANN, BOB, BOT)))
        operations = tuple(self.operation() for _ in range(self.draw(st.integers(1, most))))
        self.turns.append(TurnId(f"T{len(self.turns) + 1}"))
        audience = frozenset({ANN}) if self.chance(6) else None
        return Turn(id=self.turns[-1], speaker=speaker, operations=operations, audience=audience)

    def retraction(self) -> Retraction:
        """Draw one of the four ways of taking something back."""
        kind = self.draw(st.sampled_from((Retract, Falsify, Withdraw, Supersede)))
        if kind is Withdraw:
            return Withdraw(source=self.draw(st.sampled_from([*map(str, self.turns), "doc:1", "doc:2"])))
        target = self.known()
        others = self.some(1, but=target)
        if kind is Supersede and others:
            return Supersede(older=target, newer=others[0])
        return Falsify(target=target) if kind is Falsify else Retract(target=target)

    def _new(self, operation: Operation) -> Operation:
        if operation_id := getattr(operation, "id", None):
            self.said.setdefault(operation_id, operation)
        return operation

    def _observe(self) -> Operation:
        id = self.fresh()
        return Observe(
            id=id,
            text=f"{id} is so",
            depends_on=self.premises(),
            depends_on_any=self.alternatives(),
            contradicts=self.some(1) if self.chance(4) else (),
            supersedes=self.some(1) if not self.is_plain and self.chance(5) else (),
            formula=self.formula(),
            source=self.source(),
        )

    def _hypothesize(self) -> Operation:
        id = self.fresh()
        kind = self.draw(st.sampled_from((Kind.HYPOTHESIS, Kind.POSITION)))
        return Hypothesize(
            id=id,
            text=f"perhaps {id}",
            kind=kind,
            depends_on=self.premises(),
            depends_on_any=self.alternatives(),
            explains=self.some(1),
            formula=self.formula(),
        )

    def _support(self) -> Operation:
        target = self.known()
        id = self.fresh() if self.chance(3) else None
        return Support(
            target=target,
            id=id,
            text=f"{id} speaks for {target}" if id else "",
            evidence=self.premises(but=None if self.chance(20) else target),
            attacks=self.some(1) if id else (),
            specific=not self.is_plain and self.chance(3),
            sufficient=self.chance(3),
        )

    def _undermine(self) -> Operation:
        target = self.known()
        id = self.fresh() if self.chance(3) else None
        return Undermine(
            target=target,
            id=id,
            text=f"{id} speaks against {target}" if id else "",
            evidence=self.premises(but=target),
            attacks=self.some(1, but=target) if id else (),
            specific=self.chance(2),
        )

    def _revise(self) -> Operation:
        target = self.known()
        others = self.some(1, but=target) if self.chance(3) else ()
        return Revise(
            target=target,
            replacement=others[0] if others else None,
            because=self.premises(but=target),
            withdrawn=self.chance(4),
        )

    def _resolve(self) -> Operation:
        target = self.known()
        id = self.fresh() if self.chance(2) else None
        return Resolve(
            target=Literal(target, self.chance(4)),
            mode=self.draw(st.sampled_from(list(ResolveMode))),
            id=id,
            text=f"{id} settles {target}" if id else "",
            subsumes=self.some(1, but=target) if self.chance(3) else (),
            depends_on=self.premises(but=target),
        )

    def _question(self) -> Operation:
        id = self.fresh() if self.chance(2) else None
        return Question(id=id, text=f"why {id}?", about=self.some(1))

    def _expand(self) -> Operation:
        return ExpandAwareness(
            id=self.fresh(), text=f"{self.fresh()}, which nobody thought of", reinterprets=self.some(1)
        )

    def _again(self) -> Operation:
        operation = self.said[self.known()]
        if isinstance(operation, Observe) and self.chance(2):
            return replace(operation, source=self.source(), contradicts=())
        return operation


@st.composite
def conversations(draw: Draw, *, is_plain: bool = False, most: int = 10) -> tuple[State, tuple[Move, ...]]:
    """A fresh state and what happens next: turns, and (unless plain) things taken back."""
    talk = Talk(draw, is_plain=is_plain)
    moves: list[Move] = [talk.turn()]
    moves += [
        talk.retraction() if not is_plain and talk.chance(4) else talk.turn() for _ in range(draw(st.integers(0, most)))
    ]
    policy = PEOPLE_AND_TOOLS if not is_plain and talk.chance(4) else EVERYONE
    return opened(AGENTS, policy=policy), tuple(moves)


def after(state: State, move: Move) -> State:
    """The state after a move; as before when it is refused."""
    try:
        return step(state, move, is_lenient=True).state if isinstance(move, Turn) else taken_back(state, move)
    except UpheldError:
        return state


def folded(state: State, moves: Iterable[Move]) -> Iterator[State]:
    """The state after each move."""
    for move in moves:
        state = after(state, move)
        yield state


def last_of(state: State, moves: Iterable[Move]) -> State:
    """The state after all moves."""
    return list(folded(state, moves))[-1]


def claims(state: State) -> st.SearchStrategy[PropositionId]:
    """Any claim of a state; a conversation in which nothing was accepted is passed over."""
    assume(len(state.propositions))
    return st.sampled_from(list(state.propositions))


def picture(state: State) -> dict[str, object]:
    """Everything in a state as plain values, so that a change in place would be seen."""
    found: dict[str, object] = {}
    for part in (state, state.network, state.dependencies):
        for field in fields(part):
            value = getattr(part, field.name)
            found[f"{type(part).__name__}.{field.name}"] = dict(value) if hasattr(value, "items") else value
    owned = (*state.beliefs, *state.nodes)
    activity = {key: state.plausibility.is_active(key) for key in owned if key in state.plausibility}
    return found | {"State.plausibility": (len(state.plausibility), activity)}


def labels(state: State) -> dict[PropositionId, Label]:
    """The label of every claim."""
    return {id: state.label(id) for id in state.propositions}
