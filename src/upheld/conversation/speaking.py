"""From what a caller types to an operation: the same strict reading that files and the ledger go through."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack, cast, get_args

from rpds import HashTrieSet

from upheld.conversation import details
from upheld.conversation.earlier import Earlier
from upheld.conversation.events import Beginning, FirstTold
from upheld.errors import MalformedInput, RepeatedIdentity
from upheld.logic.language.agents import Agent, Audience
from upheld.logic.language.formulas import Formula
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.notation import format_formula
from upheld.logic.language.operations import Operation
from upheld.logic.language.plain import read_operation
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import Finding
from upheld.speech.interpretation.interpreter import Objection
from upheld.speech.models.reply import Usage

_FORMULAS = get_args(Formula)
_OPERATIONS = get_args(Operation)
_CIRCUMSTANCES = ("said", "audience", "session", "at", "key")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A turn that was accepted.

    ``findings`` are preconditions that were passed over or cost an operation, and ``abstained`` is why the words could
    not be read. ``objections`` are what the interpreter was asked again with, and ``usage`` what a language model was
    asked for; both are told when it happens and kept nowhere.
    """

    turn: TurnId
    operations: tuple[Operation, ...]
    findings: tuple[Finding, ...] = ()
    abstained: str = ""
    objections: tuple[Objection, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """What an idempotency key was used for: a turn as it was told first, and what was answered then."""

    first: FirstTold
    told: Told

    def again(self, turn: Turn) -> Told:
        """Give the first answer.

        Raises:
            RepeatedIdentity: the key comes with another turn; silence would lose it.
        """
        if not self.first.repeats(turn):
            raise RepeatedIdentity(f"the key of turn {self.told.turn!r} was given again with something else")
        return self.told


class KeyedTurns:
    """The turns that were told under idempotency keys; one from before a snapshot is read when its key comes again.

    Of what else was done under a key only the key is known here: the record has the rest.
    """

    def __init__(self, earlier: Earlier | None = None) -> None:
        """Begin with those from before a snapshot, if there is one."""
        self._earlier = earlier
        self._known: dict[str, Keyed] = {}
        self._acts: set[str] = set()

    def get(self, key: str, findings: Sequence[Finding]) -> Keyed | None:
        """Give what a key was used for; ``findings`` are those of the conversation. Cost: none, if it never was."""
        earlier = self._earlier
        if key and self._is_new(key) and earlier is not None and key in earlier.kept.keys:
            first = earlier.keyed.get(key)
            if first is None:
                self._acts.add(key)
            else:
                self.take({key: first}, findings)
        return self._known.get(key)

    def is_used(self, key: str) -> bool:
        """Tell whether anything was done under a key, a turn or something else. Cost: none."""
        return bool(key) and (not self._is_new(key) or (self._earlier is not None and key in self._earlier.kept.keys))

    def note(self, *keys: str) -> None:
        """Note that something else than a turn was done under these keys; without a key, nothing."""
        self._acts.update(key for key in keys if key)

    def put(self, key: str, turn: Turn, told: Told) -> None:
        """Note what a key was used for now; without a key, nothing."""
        if key:
            # What it cost was told once; whoever adds up what is told does not count it twice.
            again = replace(told, usage=Usage()) if told.usage.calls else told
            self._known[key] = Keyed(first=FirstTold(turn=turn), told=again)

    def take(self, firsts: Mapping[str, FirstTold], findings: Sequence[Finding]) -> None:
        """Note what is on record; why the words of a turn could not be read is not."""
        for key, first in firsts.items():
            turn = first.turn
            found = tuple(finding for finding in findings if finding.turn == turn.id)
            told = Told(turn=turn.id, operations=turn.operations, findings=found)
            self._known[key] = Keyed(first=first, told=told)

    def forget_words(self, turn: TurnId) -> None:
        """Let go of what was said in a turn."""
        for key, keyed in self._known.items():
            if keyed.told.turn == turn:
                first = replace(keyed.first, turn=replace(keyed.first.turn, text=""), lacks_words=True)
                self._known[key] = replace(keyed, first=first)

    def names(self) -> HashTrieSet[str]:
        """Give every key that was used."""
        earlier: HashTrieSet[str] = HashTrieSet() if self._earlier is None else self._earlier.kept.keys
        return earlier.update(self._known).update(self._acts)

    def _is_new(self, key: str) -> bool:
        return key not in self._known and key not in self._acts


class Speaking(ABC):
    """The eight operations as methods: each tells one turn that performs one of them.

    Keyword arguments are the fields of the operation, and how the turn was said (``said``, ``audience``, ``session``,
    ``at``, ``key``). They raise :class:`~upheld.errors.MalformedInput` for a value of the wrong type and for a keyword
    that there is not, and what :func:`~upheld.logic.reasoning.transition.step.step` raises; a refused turn changes
    nothing.
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


def circumstances_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Give those keyword arguments that say how a turn was said, and are no field of its operation."""
    return {name: value for name, value in fields.items() if name in _CIRCUMSTANCES}


def turn_of(id: TurnId, speaker: str, operations: Iterable[Operation], circumstances: Mapping[str, Any]) -> Turn:
    """Put a turn together from who speaks and how.

    Raises:
        MalformedInput: a value of the wrong type, or an argument that there is not; it is named.
    """
    for name in circumstances:
        if name not in _CIRCUMSTANCES:
            raise MalformedInput(f"unknown argument; one of {', '.join(_CIRCUMSTANCES)}", key=name)
    key_of(circumstances)
    return Turn(
        id=id,
        speaker=_agent(speaker, "speaker"),
        operations=operations_of(operations),
        text=_text(circumstances.get("said", ""), "said"),
        audience=_audience(circumstances.get("audience")),
        session=_text(circumstances.get("session", ""), "session"),
        at=_text(circumstances.get("at", ""), "at"),
    )


def key_of(circumstances: Mapping[str, Any]) -> str:
    """Give the idempotency key, or nothing; raises :class:`~upheld.errors.MalformedInput`."""
    return _text(circumstances.get("key", ""), "key")


def operations_of(operations: object) -> tuple[Operation, ...]:
    """Give operations as a turn keeps them; raises :class:`~upheld.errors.MalformedInput` for anything else."""
    if not isinstance(operations, Iterable):
        raise MalformedInput(f"expected a list of operations, found {type(operations).__name__}", key="operations")
    found = tuple(cast("Iterable[Operation]", operations))
    for place, operation in enumerate(found):
        if not isinstance(operation, _OPERATIONS):
            raise MalformedInput(f"{operation!r} is no operation", key=f"operations[{place}]")
    return found


def newcomers(state: State, turn: Turn) -> tuple[Agent, ...]:
    """Give those who speak or hear in a turn and were not announced: they are taken for persons."""
    named = dict.fromkeys((turn.speaker, *sorted(turn.audience or ())))
    return tuple(Agent(id=id, name=id) for id in named if id not in state.agents)


def begun(agents: Mapping[str, str | Agent] | Iterable[Agent] | Beginning, initial: Iterable[Proposition]) -> Beginning:
    """Give how a conversation begins."""
    if not isinstance(agents, Beginning):
        return Beginning(agents=agents_of(agents), initial=tuple(initial))
    return replace(agents, initial=(*agents.initial, *initial))


def agents_of(agents: Mapping[str, str | Agent] | Iterable[Agent]) -> tuple[Agent, ...]:
    """Read agents from a mapping of ids to roles (or agents), or from agents."""
    if not isinstance(agents, Mapping):
        return tuple(agents)
    known = cast("Mapping[str, str | Agent]", agents)
    return tuple(
        each if isinstance(each, Agent) else Agent(id=AgentId(id), name=id, role=each) for id, each in known.items()
    )


def _plain(value: Any) -> Any:
    if isinstance(value, str | bool):
        return value
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, _FORMULAS):
        return format_formula(value)
    if isinstance(value, Iterable):
        return [_plain(item) for item in cast("Iterable[Any]", value)]
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise MalformedInput(f"expected text, found {type(value).__name__}", key=name)
    return value


def _agent(value: object, name: str) -> AgentId:
    text = _text(value, name)
    if not text:
        raise MalformedInput("an id is not empty", key=name)
    return AgentId(text)


def _audience(value: object) -> Audience | None:
    if value is None:
        return None
    # A text is a list of letters to Python, and nobody means that.
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise MalformedInput(f"expected a list of ids, found {type(value).__name__}", key="audience")
    heard = cast("Iterable[object]", value)
    return frozenset(_agent(agent, f"audience[{place}]") for place, agent in enumerate(heard))
