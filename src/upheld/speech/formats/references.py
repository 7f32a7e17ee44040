"""Whether the ids of an annotated file mean anything: each is introduced once, and before it is referred to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from upheld.errors import MalformedInput
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Observe, Operation, Revise, Support, Undermine
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.turns import Turn
from upheld.speech.formats.gold import Gold

_REFERENCES = (
    "target", "depends_on", "depends_on_any", "evidence", "because", "contradicts", "supersedes", "reinterprets",
    "explains", "attacks", "on", "refines", "issue", "replacement", "subsumes", "reopen_if", "about", "against",
    "prefers",
)  # fmt: skip
_GROUNDS = ("depends_on", "depends_on_any", "evidence", "because")

_Id = TypeVar("_Id", AgentId, PropositionId, TurnId)


def check_agents(agents: Sequence[Agent]) -> None:
    """Refuse an agent listed twice.

    Raises:
        MalformedInput: with the key of the second.
    """
    _no_repeats([agent.id for agent in agents], "agents")


def check_turns(turns: Sequence[Turn], agents: Iterable[Agent]) -> None:
    """Refuse turns out of order, and speakers, hearers and dissenters whom the file does not list.

    Raises:
        MalformedInput: with the key of the first such place.
    """
    listed = frozenset(agent.id for agent in agents)
    last = 0
    for place, turn in enumerate(turns):
        key = f"turns[{place}]"
        count = int(turn.id[1:]) if turn.id[:1] == "T" and turn.id[1:].isascii() and turn.id[1:].isdecimal() else 0
        if count <= last:
            expected = f"T{last + 1}"
            raise MalformedInput(f"turn {turn.id!r} is out of order; expected {expected}", key=f"{key}.id")
        last = count
        _all_listed([turn.speaker], listed, f"{key}.speaker")
        _all_listed(sorted(turn.audience or ()), listed, f"{key}.audience")
        for number, operation in enumerate(turn.operations):
            _all_listed(getattr(operation, "dissent", ()), listed, f"{key}.operations[{number}].dissent")


def check_references(initial: Sequence[Proposition], turns: Sequence[Turn]) -> None:
    """Refuse a dangling id, an id that is introduced twice with different content, and a claim that is its own ground.

    Saying the same again under the same id in a later turn supports it further, and is let through. Cost: linear.

    Raises:
        MalformedInput: with the key of the first such place, in the order of the file.
    """
    _no_repeats([item.id for item in initial], "initial_propositions")
    introduced: dict[PropositionId, Operation | Proposition] = {item.id: item for item in initial}
    for place, turn in enumerate(turns):
        ids = [None if isinstance(each, Revise) else each.id for each in turn.operations]
        _no_repeats(ids, f"turns[{place}].operations")
        for number, operation in enumerate(turn.operations):
            key = f"turns[{place}].operations[{number}]"
            _refuse_self_support(operation, key)
            _refuse_dangling(operation, introduced, key)
            _introduce(operation, introduced, key)


def check_gold(gold: Gold, turns: Sequence[Turn]) -> None:
    """Refuse answers about turns that are not in the file, and verify items that share an id.

    Propositions are not checked: that nobody introduced one may be just what an item asks about.

    Raises:
        MalformedInput: with the key of the first such place.
    """
    known = frozenset(turn.id for turn in turns)
    for turn, key in _turns_of(gold):
        if turn is not None and turn not in known:
            raise MalformedInput(f"there is no turn {turn!r}", key=key)
    _no_repeats([PropositionId(item.id) for item in gold.verify], "gold.verify")


def _turns_of(gold: Gold) -> Iterator[tuple[TurnId | None, str]]:
    for name in ("verify", "questions", "affected", "deltas", "beliefs"):
        items: tuple[Any, ...] = getattr(gold, name)
        yield from ((item.at, f"gold.{name}[{place}].at") for place, item in enumerate(items))
    for name in ("labels", "status_by_turn", "paper_operations"):
        tables: Mapping[TurnId, object] = getattr(gold, name)
        yield from ((turn, f"gold.{name}.{turn}") for turn in tables)
    yield from ((item.turn, f"gold.failures[{place}].turn") for place, item in enumerate(gold.failures))
    yield from ((turn, f"gold.key_shifts[{place}]") for place, turn in enumerate(gold.key_shifts))


def references_of(operation: Operation, names: Iterable[str] = _REFERENCES) -> Iterator[tuple[str, Literal]]:
    """Give each literal that an operation refers to, with the field that names it."""
    for name in names:
        yield from ((name, found) for found in _literals_in(getattr(operation, name, None)))


def _literals_in(content: Any) -> Iterator[Literal]:
    if isinstance(content, Literal):
        yield content
    elif isinstance(content, str):
        yield Literal(PropositionId(content))
    elif isinstance(content, tuple):
        for item in content:  # pyright: ignore[reportUnknownVariableType]
            yield from _literals_in(item)


def _refuse_self_support(operation: Operation, key: str) -> None:
    own = {getattr(operation, "id", None)}
    if isinstance(operation, Support | Undermine | Revise):
        own.add(operation.target)
    for name, found in references_of(operation, _GROUNDS):
        if found.proposition in own:
            raise MalformedInput(f"{found} is given as its own ground", key=f"{key}.{name}")


def _refuse_dangling(operation: Operation, introduced: Mapping[PropositionId, object], key: str) -> None:
    for name, found in references_of(operation):
        if found.proposition not in introduced:
            raise MalformedInput(f"nobody introduced {found.proposition!r} before", key=f"{key}.{name}")


def _introduce(operation: Operation, introduced: dict[PropositionId, Operation | Proposition], key: str) -> None:
    identity: PropositionId | None = getattr(operation, "id", None)
    if identity is None:
        return
    earlier = introduced.setdefault(identity, operation)
    if earlier is not operation and not _says_the_same(earlier, operation):
        raise MalformedInput(f"the id {identity!r} is taken by something else", key=f"{key}.id")


def _says_the_same(earlier: Operation | Proposition, later: Operation) -> bool:
    if not isinstance(later, Observe) or not isinstance(earlier, Observe | Proposition):
        return False
    return (earlier.text, earlier.kind, earlier.formula) == (later.text, later.kind, later.formula)


def _all_listed(agents: Iterable[AgentId], listed: frozenset[AgentId], key: str) -> None:
    for agent in agents:
        if agent not in listed:
            raise MalformedInput(f"{agent!r} is not among the agents", key=key)


def _no_repeats(names: Sequence[_Id | None], key: str) -> None:
    seen: set[_Id | None] = set()
    for place, name in enumerate(names):
        if name is not None and name in seen:
            raise MalformedInput(f"the id {name!r} occurs twice", key=f"{key}[{place}].id")
        seen.add(name)
