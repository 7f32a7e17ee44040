"""The bars of the interpreter: how likely a move must be to be taken as made, chosen on annotated conversations.

What is chosen for is the F1 of the types of operations, turn by turn as sets, over all operations together; and what is
told of it is what bars reach on the conversations that were left out when they were chosen. One bar is chosen
otherwise: a report is replaced where that is right often enough, since a wrong replacement makes a good reply stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.replaying import policy_of
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.operations import Revise, name_of
from upheld.logic.language.propositions import TENTATIVE
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.trained.deciding import (
    BARRED,
    REPLACE,
    Bars,
    Speaking,
    Strength,
    certainty,
    done,
    strengths,
)
from upheld.speech.interpretation.trained.interpreter import ReadPart, parts_of, read_parts
from upheld.speech.trained.moves import OPERATIONS
from upheld_training.serving import Serving
from upheld_training.talks import ENDING

GRID = tuple(step / 20 for step in range(2, 19))
"""Bars that are tried."""

SURELY, FEWEST, NEVER = 0.9, 20, 2.0
"""Share of turns that must be read just right for a reading to stand without a language model, the fewest turns for
which that share is believed, and a certainty that no reading has."""

REPLACED_RIGHTLY = 0.75
"""Least share of the reports taken for replaced that are, of at least ``FEWEST``. A wrong one makes a good reply look
stale; one that is missed lets a stale reply pass, which is worse. Half of the chats here were written to mislead.
"""

ROUNDS, BEGIN = 3, 0.5
"""How often each bar is tried anew beside the others, and where all begin."""

NEW, TOOLS = 0.5, ("support", "undermine")
"""Share from which a clause reports something, while bars are chosen; and what a tool's output may do besides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTurn:
    """A turn as the network reads it beside what its labels put on the table, and the types that its labels name.

    ``replaced`` are the reports that it gives up by its labels.
    """

    group: str
    parts: tuple[ReadPart, ...]
    speaking: Speaking
    labels: frozenset[str]
    replaced: frozenset[str] = frozenset()


def read_turns(transcripts: Iterable[Transcript], serving: Serving) -> Iterator[ReadTurn]:
    """Have the turns of annotated conversations read."""
    for transcript in transcripts:
        nearest = serving.nearest()
        kinds = {agent.id: agent.kind for agent in transcript.agents}
        conversation = Conversation(
            Beginning(agents=transcript.agents, initial=transcript.initial),
            policy=policy_of(transcript, is_labelled=True),
            is_lenient=True,
        )
        for turn in transcript.turns:
            view = StateView(conversation.state, earlier=conversation.timeline.last)
            read = list(read_parts(parts_of(turn.text), turn, view, serving.network, nearest))
            yield ReadTurn(
                group=group_of(transcript),
                parts=tuple(each for each in read if each is not None),
                speaking=Speaking(speaker=turn.speaker, kinds=kinds),
                labels=frozenset(name_of(each) for each in turn.operations),
                replaced=_replaced(turn, conversation.state),
            )
            conversation.tell(turn, interpreter="annotated")


def _replaced(turn: Turn, state: State) -> frozenset[str]:
    """Give the reports that a turn gives up by its labels."""
    targets = {str(each.target) for each in turn.operations if isinstance(each, Revise)}
    known = {str(each.id): each for each in state.propositions.values()}
    return frozenset(id for id in targets if id in known and known[id].kind not in TENTATIVE)


def types_of(turn: ReadTurn, bars: Bars) -> set[str]:
    """Give the types of operations that a turn is taken to perform; of a tool's output, what the product would take."""
    is_tool = turn.speaking.kind is AgentKind.TOOL
    found: set[str] = {"observe"} if is_tool else set()
    for part in turn.parts:
        own = done(part.clause, part.moves, part.beside, turn.speaking, bars)
        found.update(own.on)
        if not is_tool:
            found.update({own.introduces} - {""}, {"question"} if own.asks else ())
    return found


def chosen(turns: Sequence[ReadTurn]) -> Bars:
    """Choose the bars for the F1 over all operations together, and for its mean over each of them, half and half.

    The first alone never makes a rare move, the second makes too many. One bar after the other, beside the others as
    they are (coordinate ascent); the highest of equals, since what is not sure is better left out.
    """
    tables = _tables(turns)
    of: dict[str, float] = {**dict.fromkeys(OPERATIONS, BEGIN), REPLACE: _replaces_at(turns)}
    for _ in range(ROUNDS):
        for name in OPERATIONS:
            of[name] = max(GRID, key=lambda bar, name=name: (_worth(tables, {**of, name: bar}), bar))
    return Bars(of=of)


def _replaces_at(turns: Sequence[ReadTurn]) -> float:
    """Give the least bar from which reports that are taken for replaced are so often enough; one of its own kind."""
    found: list[tuple[float, bool]] = []
    for turn in turns:
        for part in turn.parts if turn.speaking.kind is not AgentKind.TOOL else ():
            strongest = _strengths(turn, part)[REPLACE]
            if strongest.target is not None:
                found.append((strongest.share, strongest.target.proposition.id in turn.replaced))
    for bar in GRID:
        called = [is_right for share, is_right in found if share >= bar]
        if len(called) >= FEWEST and sum(called) >= REPLACED_RIGHTLY * len(called):
            return bar
    return NEVER


def _strengths(turn: ReadTurn, part: ReadPart) -> Mapping[str, Strength]:
    has_new = part.moves.operations[OPERATIONS.index("observe")] >= NEW
    return strengths(part.clause, part.moves, part.beside, turn.speaking, has_new=has_new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Turns in which an operation was said, in which it was so, and in which both."""

    said: int = 0
    so: int = 0
    right: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(said=self.said + other.said, so=self.so + other.so, right=self.right + other.right)

    @property
    def f1(self) -> float:
        """F1; nothing of nothing is nothing."""
        return 2 * self.right / (self.said + self.so) if self.said + self.so else 0.0


def _tables(turns: Sequence[ReadTurn]) -> Mapping[str, Mapping[float, Tally]]:
    """Give the tally of each operation beside each bar, each operation by itself."""
    found: dict[str, list[tuple[float, bool]]] = {name: [] for name in OPERATIONS}
    for turn in turns:
        strongest = dict.fromkeys(BARRED, 0.0)
        for part in turn.parts:
            for name, each in _strengths(turn, part).items():
                strongest[name] = max(strongest[name], each.share)
        for name in TOOLS if turn.speaking.kind is AgentKind.TOOL else OPERATIONS:
            found[name].append((strongest[name], _is_labelled(turn, name)))
    return {
        name: {
            bar: Tally(
                said=sum(share >= bar for share, _ in rows),
                so=sum(is_so for _, is_so in rows),
                right=sum(share >= bar and is_so for share, is_so in rows),
            )
            for bar in GRID
        }
        for name, rows in found.items()
    }


def _is_labelled(turn: ReadTurn, name: str) -> bool:
    """Tell whether the labels name a move; what gives up reports has a bar of its own, and drops no guess."""
    return name in turn.labels and not (name == "revise" and turn.replaced)


def group_of(transcript: Transcript) -> str:
    """Give what is left out together: a conversation, with all its rival endings."""
    return transcript.id.partition(ENDING)[0]


def _worth(tables: Mapping[str, Mapping[float, Tally]], of: Mapping[str, float]) -> float:
    tallies = [tables[name][of[name]] for name in OPERATIONS]
    return sum(tallies, Tally()).f1 + sum(each.f1 for each in tallies) / len(tallies)


def told(parts: Mapping[str, Sequence[ReadTurn]]) -> dict[str, Any]:
    """Give the bars for the card, with what is reached on conversations that were left out of choosing them.

    ``parts`` are the turns by where they are from; bars are chosen on all of them together.
    """
    turns = [turn for part in parts.values() for turn in part]
    without = {
        group: chosen([turn for turn in turns if turn.group != group])
        for group in sorted({turn.group for turn in turns})
    }
    left_out = {
        name: [(types_of(turn, without[turn.group]), turn.labels) for turn in part] for name, part in parts.items()
    }
    sure_at, passed = _sure_at(turns, [said == so for pairs in left_out.values() for said, so in pairs])
    return {
        "bars": dict(chosen(turns).of),
        "chosen_on": f"{len(turns)} turns of {len(without)} conversations, beside their labels",
        "sure_at": sure_at,
        "sure": f"{SURELY} of the turns read with at least that certainty are read just as their labels say; so are "
        f"{passed} of {len(turns)}",
        "left_out": {name: {"F1 of types": round(_f1(pairs), 3), **_each(pairs)} for name, pairs in left_out.items()},
    }


def _sure_at(turns: Sequence[ReadTurn], is_exact: Sequence[bool]) -> tuple[float, int]:
    """Give the least certainty from which turns are read right often enough, and how many turns have it."""
    found = [
        (certainty([part.moves for part in turn.parts]), right) for turn, right in zip(turns, is_exact, strict=True)
    ]
    for bar in sorted({each for each, _ in found}):
        above = [right for each, right in found if each >= bar]
        if len(above) >= FEWEST and sum(above) >= SURELY * len(above):
            return round(bar, 4), len(above)
    return NEVER, 0


def _each(pairs: Sequence[tuple[set[str], frozenset[str]]]) -> Mapping[str, float]:
    return {name: round(_f1((said & {name}, so & {name}) for said, so in pairs), 3) for name in OPERATIONS}


def _f1(pairs: Any) -> float:
    right = said_in_all = so_in_all = 0
    for said, so in pairs:
        right += len(said & so)
        said_in_all += len(said)
        so_in_all += len(so)
    return 2 * right / (said_in_all + so_in_all) if said_in_all + so_in_all else 0.0
