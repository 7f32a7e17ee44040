"""Messages with values, as they were said and with one value swapped for another of its kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from upheld_evals.external.trajectories.reading import Message, Role, Trajectory
from upheld_evals.external.trajectories.values import Kind, Value, values_in, values_told
from upheld_evals.harness.suite import Item

AS_SAID, SWAPPED = "as said", "swapped"
FROM_HERE, FROM_ELSEWHERE = "for one told here", "for one told elsewhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A message of the agent at its place, in its own words or in others; ``text`` is what is checked."""

    trajectory: Trajectory
    place: int
    text: str

    @property
    def sources(self) -> tuple[Message, ...]:
        """What was told before it by anybody but the agent."""
        return tuple(each for each in self.trajectory.messages[: self.place] if each.is_source and each.text)

    @property
    def values(self) -> tuple[Value, ...]:
        """The values in its text."""
        return values_in(self.text)


def message_items(trajectories: Sequence[Trajectory]) -> tuple[Item, ...]:
    """Give the agent's messages that have a value, each followed by its swapped copies.

    The value that is swapped, and the one that takes its place, follow from a hash of the message's name: anybody gets
    the same ones.
    """
    pools = {each.id: _pool(each.messages) for each in trajectories}
    return tuple(item for each in trajectories for item in _items(each, pools))


def _items(trajectory: Trajectory, pools: dict[str, list[Value]]) -> Iterator[Item]:
    own = {(value.kind, value.normal) for value in pools[trajectory.id]}
    elsewhere = [value for id, pool in pools.items() if id != trajectory.id for value in pool]
    elsewhere = [value for value in elsewhere if (value.kind, value.normal) not in own]
    for place, message in enumerate(trajectory.messages):
        values = values_in(message.text) if message.role is Role.ASSISTANT else ()
        if not values:
            continue
        name = f"{trajectory.id}/{message.id}"
        facets = {"reward": "1" if trajectory.reward >= 1 else "0"}
        said = Told(trajectory=trajectory, place=place, text=message.text)
        yield Item(id=name, conversation=trajectory.id, label=AS_SAID, facets=facets, content=said)
        here = _pool(trajectory.messages[:place])
        for how, pool in ((FROM_HERE, here), (FROM_ELSEWHERE, elsewhere)):
            text = _swapped(message.text, values, pool, f"{name} {how}")
            if text:
                yield Item(
                    id=f"{name} {how}",
                    conversation=trajectory.id,
                    label=SWAPPED,
                    facets={**facets, "swap": how},
                    content=Told(trajectory=trajectory, place=place, text=text),
                )


def _pool(messages: Iterable[Message]) -> list[Value]:
    """Give the values that sources tell, each once, in their order."""
    found: dict[tuple[Kind, str], Value] = {}
    for message in messages:
        if message.role in (Role.USER, Role.TOOL):
            for value in values_told(message.text):
                found.setdefault((value.kind, value.normal), value)
    return list(found.values())


def _swapped(text: str, values: Sequence[Value], pool: Sequence[Value], name: str) -> str:
    """Give a text with one value replaced everywhere by one that is not in it; empty where no kind has another."""
    number = int(sha256(name.encode()).hexdigest(), 16)
    present = {(value.kind, value.normal) for value in values}
    distinct = list({(value.kind, value.normal): value for value in values}.values())
    start = number % len(distinct)
    for value in (*distinct[start:], *distinct[:start]):
        others = [
            each
            for each in pool
            # A date without its year may be the same as one with it.
            if each.kind is value.kind
            and all(each.normal[-5:] != normal[-5:] for kind, normal in present if kind is each.kind)
        ]
        if others:
            other = others[number // 7 % len(others)]
            same = [each for each in values if (each.kind, each.normal) == (value.kind, value.normal)]
            for each in sorted(same, key=lambda each: -each.span[0]):
                text = text[: each.span[0]] + other.written + text[each.span[1] :]
            return text
    return ""
