"""From what a caller types to an operation: the same strict reading that files and the ledger go through."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Unpack, cast, get_args

from upheld.conversation import details
from upheld.logic.language.agents import Agent, Audience
from upheld.logic.language.formulas import Formula
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.notation import format_formula
from upheld.logic.language.operations import Operation
from upheld.logic.language.plain import read_operation
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.step import Finding

_FORMULAS = get_args(Formula)
_CIRCUMSTANCES = ("said", "audience", "session", "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A turn that was accepted. ``findings`` are preconditions that were passed over or cost an operation, and
    ``abstained`` is why the words could not be read."""

    turn: TurnId
    operations: tuple[Operation, ...]
    findings: tuple[Finding, ...] = ()
    abstained: str = ""


class Speaking(ABC):
    """The eight operations as methods: each tells one turn that performs one of them.

    Keyword arguments are the fields of the operation, and how the turn was said (``said``, ``audience``, ``session``,
    ``at``). They raise :class:`~upheld.errors.MalformedInput` for a value of the wrong type, and what
    :func:`~upheld.logic.reasoning.step.step` raises; a refused turn changes nothing.
    """

    @abstractmethod
    def _perform(self, speaker: str, name: str, fields: Mapping[str, Any]) -> Told: ...

    def observe(self, speaker: str, id: str, text: str, **more: Unpack[details.ObserveDetails]) -> Told:
        """Report a fact, a constraint, an assumption, a tool result or dissent (``kind``)."""
        return self._perform(speaker, "observe", {"id": id, "text": text, **more})

    def hypothesize(self, speaker: str, id: str, text: str, **more: Unpack[details.HypothesizeDetails]) -> Told:
        """Propose an explanation, or a position on an issue (``on``)."""
        return self._perform(speaker, "hypothesize", {"id": id, "text": text, **more})

    def support(self, speaker: str, target: str, **more: Unpack[details.SupportDetails]) -> Told:
        """Give evidence or an argument for a claim."""
        return self._perform(speaker, "support", {"target": target, **more})

    def undermine(self, speaker: str, target: str, **more: Unpack[details.UndermineDetails]) -> Told:
        """Give evidence or an argument against a claim."""
        return self._perform(speaker, "undermine", {"target": target, **more})

    def revise(self, speaker: str, target: str, **more: Unpack[details.ReviseDetails]) -> Told:
        """Give a claim up, or replace it."""
        return self._perform(speaker, "revise", {"target": target, **more})

    def expand_awareness(
        self, speaker: str, id: str, text: str, **more: Unpack[details.ExpandAwarenessDetails]
    ) -> Told:
        """Bring up what nobody had in view."""
        return self._perform(speaker, "expand_awareness", {"id": id, "text": text, **more})

    def resolve(self, speaker: str, target: str, **more: Unpack[details.ResolveDetails]) -> Told:
        """Settle a claim, with everybody's consent or by authority (``mode``)."""
        return self._perform(speaker, "resolve", {"target": target, **more})

    def question(self, speaker: str, text: str, **more: Unpack[details.QuestionDetails]) -> Told:
        """Ask, or flag something as unexplained; an ``id`` opens an issue."""
        return self._perform(speaker, "question", {"text": text, **more})


def operation_of(name: str, fields: Mapping[str, Any]) -> Operation:
    """Read an operation from keyword arguments.

    Raises:
        MalformedInput: a value of the wrong type; the argument is named.
    """
    tree = {key: _plain(value) for key, value in fields.items() if key not in _CIRCUMSTANCES}
    return read_operation({"op": name, **tree}, key=name)


def turn_of(id: TurnId, speaker: str, operations: Iterable[Operation], circumstances: Mapping[str, Any]) -> Turn:
    """Put a turn together from who speaks and how."""
    audience = circumstances.get("audience")
    heard: Audience | None = None if audience is None else frozenset(AgentId(agent) for agent in audience)
    return Turn(
        id=id,
        speaker=AgentId(speaker),
        operations=tuple(operations),
        text=circumstances.get("said", ""),
        audience=heard,
        session=circumstances.get("session", ""),
        at=circumstances.get("at", ""),
    )


def agents_of(agents: Mapping[str, str | Agent] | Iterable[Agent]) -> tuple[Agent, ...]:
    """Read agents from a mapping of ids to roles (or agents), or from agents."""
    if not isinstance(agents, Mapping):
        return tuple(agents)
    known = cast("Mapping[str, str | Agent]", agents)
    return tuple(
        each if isinstance(each, Agent) else Agent(id=AgentId(id), name=id, role=each) for id, each in known.items()
    )


def _plain(value: Any) -> Any:
    if isinstance(value, str | bool | Mapping):
        return value
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, _FORMULAS):
        return format_formula(value)
    if isinstance(value, Iterable):
        return [_plain(item) for item in cast("Iterable[Any]", value)]
    return value
