"""What the fold consumes, and how it is read off the ledger: the newest interpretation of each turn counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.turns import Retraction, Turn
from upheld.record.ledger.entry import Content, Entry, Erased, Erasure, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.review.contents import Assigned, Commented, Decided, Flagged


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Agents who came into the conversation."""

    agents: tuple[Agent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """Something was taken back by whoever keeps the record."""

    retraction: Retraction
    by: AgentId | None = None
    reason: str = ""


Event = Turn | Joined | Took


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTold:
    """A turn that was told under an idempotency key, as it was told first, as far as it was not erased."""

    turn: Turn
    lacks_words: bool = False
    lacks_meaning: bool = False

    def repeats(self, turn: Turn) -> bool:
        """Tell whether a turn is the same again; what was erased of the first cannot be compared."""
        if self.lacks_words:
            turn = replace(turn, text=self.turn.text)
        if self.lacks_meaning:
            turn = replace(turn, operations=self.turn.operations)
        return turn == self.turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """How a conversation opened."""

    agents: tuple[Agent, ...] = ()
    initial: tuple[Proposition, ...] = ()
    title: str = ""
    paradigm: str = ""


def beginning_of(entries: Sequence[Entry]) -> Beginning:
    """Give the opening of a record; an empty one when its first entry is none."""
    content = entries[0].content if entries else None
    if not isinstance(content, Opening):
        return Beginning()
    return Beginning(agents=content.agents, initial=content.initial, title=content.title, paradigm=content.paradigm)


def opening_of(beginning: Beginning) -> Opening:
    """Give the first entry of a record that begins so."""
    return Opening(
        agents=beginning.agents, initial=beginning.initial, title=beginning.title, paradigm=beginning.paradigm
    )


def events_of(entries: Sequence[Entry]) -> list[Event]:
    """Give the events of a record in the order of its words.

    A turn without an interpretation yet is a turn without operations. Cost: linear.
    """
    newest: dict[TurnId, Interpretation] = {}
    for entry in entries:
        if isinstance(entry.content, Interpretation):
            newest[entry.content.turn] = entry.content
        elif isinstance(entry.content, Erased) and entry.content.turn is not None and entry.content.remains is None:
            # An interpretation that was erased does not bring an earlier one back.
            newest[entry.content.turn] = Interpretation(turn=entry.content.turn)
    events: list[Event] = []
    for entry in entries:
        event = _event(entry.content, newest, is_first=entry.epoch == 1)
        if event is not None:
            events.append(event)
    return events


def words_in(entry: Entry) -> Words | None:
    """Give the words of a turn that an entry holds, or what is left of them; ``None`` for any other entry."""
    content = entry.content.remains if isinstance(entry.content, Erased) else entry.content
    return content if isinstance(content, Words) else None


def is_event(entry: Entry) -> bool:
    """Tell whether an entry is an event of the fold: words, a retraction, or somebody who joined."""
    is_later = isinstance(entry.content, Opening) and entry.epoch > 1
    return is_later or isinstance(entry.content, Retracted) or words_in(entry) is not None


def events_after(entries: Sequence[Entry]) -> list[Event] | None:
    """Give the events of the entries after some fold, or ``None`` when one of them changes what was folded already.

    An interpretation of an earlier turn does (it is an amendment, or the first meaning of words that had none), and an
    erasure. Cost: linear in these entries.
    """
    told = {entry.content.turn for entry in entries if isinstance(entry.content, Words)}
    for entry in entries:
        content = entry.content
        if isinstance(content, Erasure | Erased) or (isinstance(content, Interpretation) and content.turn not in told):
            return None
    return events_of(entries)


def contents_of(turn: Turn, *, interpreter: str) -> tuple[Content, Content]:
    """Give the two entries of a turn: its words, and what they mean."""
    words = Words(
        turn=turn.id,
        speaker=turn.speaker,
        text=turn.text,
        audience=turn.audience,
        session=turn.session,
        at=turn.at,
        simultaneous=turn.simultaneous,
    )
    return words, Interpretation(turn=turn.id, operations=turn.operations, interpreter=interpreter)


def keyed_turns(entries: Iterable[Entry]) -> dict[str, FirstTold]:
    """Give the turn that was told under each idempotency key, as it was told first. Cost: linear."""
    told: dict[str, FirstTold] = {}
    for entry in entries:
        if not entry.key:
            continue
        match entry.content:
            case Words() as words:
                told[entry.key] = FirstTold(turn=_turn(words, None))
            case Erased(remains=Words() as words):
                told[entry.key] = FirstTold(turn=_turn(words, None), lacks_words=True)
            case Interpretation(operations=operations) if entry.key in told:
                first = told[entry.key]
                told[entry.key] = replace(first, turn=replace(first.turn, operations=operations))
            case Erased() if entry.key in told:
                told[entry.key] = replace(told[entry.key], lacks_meaning=True)
            case _:
                pass
    return told


def keyed_acts(entries: Iterable[Entry]) -> frozenset[str]:
    """Give the idempotency keys under which something else than a turn was put on record. Cost: linear."""
    told, used = set[str](), set[str]()
    for entry in entries:
        if entry.key:
            words = entry.content.remains if isinstance(entry.content, Erased) else entry.content
            (told if isinstance(words, Words) else used).add(entry.key)
    return frozenset(used - told)


def _event(content: Content, newest: dict[TurnId, Interpretation], *, is_first: bool) -> Event | None:
    match content:
        case Opening():
            return None if is_first else Joined(agents=content.agents)
        case Words():
            return _turn(content, newest.get(content.turn))
        case Interpretation():
            return None
        case Retracted():
            return Took(retraction=content.retraction, by=content.by, reason=content.reason)
        case Erased(remains=Words() as words):
            return _turn(words, newest.get(words.turn))
        case Erased() | Erasure() | Flagged() | Assigned() | Decided() | Commented():
            return None


def _turn(words: Words, meaning: Interpretation | None) -> Turn:
    return Turn(
        id=words.turn,
        speaker=words.speaker,
        operations=meaning.operations if meaning is not None else (),
        text=words.text,
        audience=words.audience,
        session=words.session,
        at=words.at,
        simultaneous=words.simultaneous,
    )
