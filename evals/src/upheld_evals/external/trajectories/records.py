"""Records that tools give back, read before and after a call that changes them, and replies that repeat either.

A record is the output of a tool with the id of a reservation. What a change replaced is what its earlier reading says
and the output of the call does not; replies say it in two wordings, by the field's name and as the tool wrote it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

from upheld_evals.external.trajectories.reading import Message, Trajectory, statements
from upheld_evals.harness.suite import Item

STALE, CURRENT, UNTOUCHED = "stale", "current", "untouched"
BY_FIELD, AS_READ = "by the field's name", "as the tool wrote it"
KEY = "reservation_id"
_CHANGING = ("update_", "cancel_", "book_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One reading of a record: its values by their names in words, and its statements as the verifier is told them."""

    id: str
    fields: Mapping[str, str]
    statements: tuple[str, ...]

    def sentence(self, name: str) -> str:
        """Give one of its values as a sentence."""
        return f"The {name} in reservation {self.id} is {self.fields[name]}."

    def says(self, statement: str) -> bool:
        """Tell whether one of its statements has all parts of this one, in any order."""
        return any(parts(statement) <= parts(each) for each in self.statements)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A reply right after a call that changed a record; only :data:`STALE` ones must be flagged."""

    trajectory: Trajectory
    place: int
    record: str
    kind: str
    wording: str
    text: str
    value: str

    @property
    def changed(self) -> Message:
        """The output of the call."""
        return self.trajectory.messages[self.place]


def parts(statement: str) -> frozenset[str]:
    """Give the single values of a statement with their names."""
    return frozenset(statement.split(", "))


def record_in(message: Message) -> Record | None:
    """Give the record that the output of a tool is; ``None`` for any other message."""
    if not message.tool:
        return None
    try:
        tree: object = json.loads(message.text)
    except ValueError:
        return None
    fields = cast("dict[str, Any]", tree) if isinstance(tree, dict) else {}
    if not isinstance(fields.get(KEY), str):
        return None
    return Record(id=fields[KEY], fields=dict(_named(fields)), statements=tuple(statements(message.text)))


def _named(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if not isinstance(value, dict | list):
            yield _words(name), str(value)
            continue
        members = cast("Iterable[object]", value) if isinstance(value, list) else ()
        for number, member in enumerate(members, start=1):
            if isinstance(member, dict):
                each = cast("dict[str, Any]", member)
                is_leg = "origin" in each and "destination" in each
                what = _words(name).removesuffix("s")
                whose = f"the {what} from {each['origin']} to {each['destination']}" if is_leg else f"{what} {number}"
                for inner, said in each.items():
                    if not isinstance(said, dict | list):
                        yield f"{_words(inner)} of {whose}", str(said)


def _words(name: str) -> str:
    return name.replace("_", " ")


def changes_in(trajectory: Trajectory) -> Iterator[tuple[int, Record, Record | None]]:
    """Give each call that changed a record: its place, the record then, and the last reading before (if any)."""
    read: dict[str, Record] = {}
    for place, message in enumerate(trajectory.messages):
        record = record_in(message)
        if record is None:
            continue
        if message.tool.startswith(_CHANGING):
            yield place, record, read.get(record.id)
        read[record.id] = record


def repeated_items(trajectories: Sequence[Trajectory]) -> tuple[Item, ...]:
    """Give the replies after each call that replaced a value; a call that only adds to a record has none.

    There are never more replies about what stayed than about what was replaced; which ones follows from a hash.
    """
    return tuple(
        Item(
            id=f"{trajectory.id}/{trajectory.messages[place].id} {each.wording} {each.kind} {number}",
            conversation=trajectory.id,
            label=each.kind,
            facets={"wording": each.wording, "tool": each.changed.tool},
            content=each,
        )
        for trajectory in trajectories
        for place, now, before in changes_in(trajectory)
        if before is not None
        for number, each in enumerate(_replies(trajectory, place, now, before), start=1)
    )


def _replies(trajectory: Trajectory, place: int, now: Record, before: Record) -> Iterator[Repeated]:
    old, new = before.fields, now.fields
    stale = [name for name in old if old[name] != new.get(name)]
    written = [each for each in before.statements if not now.says(each)]
    if not stale:
        return
    kept = _some([name for name in old if old[name] == new.get(name)], now.id, len(stale))
    stayed = _some([each for each in before.statements if now.says(each)], now.id, len(written))
    by_name = (
        (STALE, before, stale),
        (CURRENT, now, [name for name in new if old.get(name) != new[name]]),
        (UNTOUCHED, before, kept),
    )
    as_read = (
        (STALE, written),
        (CURRENT, [each for each in now.statements if not before.says(each)]),
        (UNTOUCHED, stayed),
    )
    made = [
        (kind, BY_FIELD, record.sentence(name), record.fields[name])
        for kind, record, names in by_name
        for name in names
    ]
    made += [(kind, AS_READ, text, text) for kind, said in as_read for text in said]
    for kind, wording, text, value in made:
        yield Repeated(
            trajectory=trajectory, place=place, record=now.id, kind=kind, wording=wording, text=text, value=value
        )


def _some(found: Sequence[str], name: str, count: int) -> list[str]:
    return sorted(found, key=lambda each: sha256(f"{name} {each}".encode()).hexdigest())[:count]
