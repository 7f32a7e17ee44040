"""Several readings of one turn made into one by vote, over what they say and not over the ids that they say it under.

Source: the paper's Appendix I (content-aligned voting) and L (where a vote over raw ids comes out empty). Operations of
different samples are the same when they are of one kind and, if they put something forward, say nearly the same; a
reference counts as the same when what it points to does. Operations and references that more than half of the samples
have are kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from upheld.logic.language.operations import Operation
from upheld.logic.language.plain import Tree, plain_operation
from upheld.speech.interpretation.llm.naming import first_free_name
from upheld.speech.interpretation.llm.wire import FIELDS, renamed
from upheld.speech.matching.tokens import frame
from upheld.speech.view import View

ALIKE = 0.5
"""Share of common words, of all words of both, from which two texts say the same."""

_ONE = frozenset("1")
"""Not compared: "an old one" counts nothing."""

_WORD = re.compile(r"\w+")
_LISTS = frozenset(name for fields in FIELDS.values() for name, schema in fields.items() if schema["type"] == "array")
_OF_THE_TURN = "\N{MIDDLE DOT}"
"""Before the number of a proposition that samples put forward; no id that a person gives begins so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voted:
    """What most samples agree on, as operations on the wire; ``certainty`` is the share behind the closest decision."""

    operations: list[Tree]
    certainty: float


@dataclass(slots=True, kw_only=True)
class _Group:
    """Operations of different samples that are taken for one, by sample, with their places in it."""

    name: str
    members: dict[int, Tree] = field(default_factory=dict[int, Tree])
    places: list[float] = field(default_factory=list[float])

    @property
    def first(self) -> Tree:
        return next(iter(self.members.values()))


def voted(samples: Sequence[Sequence[Operation]], view: View, *, of: int) -> Voted:
    """Vote over readings; ``of`` is how many were asked for, so that a sample that failed votes for nothing.

    Cost: the operations of all samples, each compared with the groups so far.
    """
    groups: list[_Group] = []
    for number, sample in enumerate(samples):
        _sort_in(groups, number, sample, view)
    kept = [group for group in groups if 2 * len(group.members) > of]
    kept.sort(key=lambda group: sum(group.places) / len(group.places))
    start = first_free_name(view)
    names = {group.name: f"n{number}" for number, group in enumerate(kept, start)}
    agreed = [max(len(group.members), of - len(group.members)) / of for group in groups]
    return Voted(operations=[_elected(group, names, of) for group in kept], certainty=min(agreed, default=1.0))


def _sort_in(groups: list[_Group], number: int, sample: Sequence[Operation], view: View) -> None:
    """Put each operation of a sample into the group that says the same, or into one of its own."""
    names: dict[str, str] = {}
    for place, operation in enumerate(sample):
        plain = plain_operation(operation)
        tree = {name: renamed(name, content, names) for name, content in plain.items() if name != "id"}
        id = plain.get("id")
        is_new = id is not None and view.get(id) is None
        if id is not None and not is_new:
            tree["id"] = id
        open_to_it = [group for group in groups if number not in group.members]
        group = max(open_to_it, key=lambda each: _likeness(each.first, tree), default=None)
        if group is None or _likeness(group.first, tree) < ALIKE:
            group = _Group(name=f"{_OF_THE_TURN}{len(groups)}")
            groups.append(group)
        if is_new:
            names[str(id)] = group.name
            tree["id"] = group.name
        group.members[number] = tree
        group.places.append(place / len(sample))


def _likeness(one: Tree, other: Tree) -> float:
    """Give how far two operations are the same, in [0, 1]."""
    if one["op"] != other["op"]:
        return 0.0
    if one.get("target") != other.get("target"):
        return 0.0
    if "target" in one and one["op"] in ("revise", "resolve"):
        return 1.0
    texts = one.get("text", ""), other.get("text", "")
    if texts == ("", ""):
        return 1.0
    return _common(*texts)


def _common(one: str, other: str) -> float:
    """Give the share of common words; with other numbers, two texts do not say the same."""
    before, after = frame(one), frame(other)
    if before.numbers - _ONE != after.numbers - _ONE or before.negated != after.negated:
        return 0.0
    words = before.terms or _folded(one), after.terms or _folded(other)
    union = words[0] | words[1]
    return len(words[0] & words[1]) / len(union) if union else 1.0


def _folded(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _elected(group: _Group, names: Mapping[str, str], of: int) -> Tree:
    """Give the operation that a group stands for: its most typical words, and what most samples say of the rest."""
    members = list(group.members.values())
    typical = max(members, key=lambda each: sum(_likeness(each, other) for other in members))
    tree: Tree = {"op": typical["op"]}
    for name in ("id", *FIELDS[typical["op"]]):
        values = [member.get(name) for member in members]
        if name in _LISTS:
            content: Any = _elected_items(values, of)
        elif name == "text":
            content = typical.get("text")
        else:
            content = _most(values, typical.get(name))
        if content not in (None, []):
            tree[name] = renamed(name, content, names)
    if "id" not in tree and typical["op"] in ("support", "undermine", "resolve"):
        tree.pop("text", None)
    elif "id" in tree and "text" not in tree:
        tree["text"] = next((member["text"] for member in members if member.get("text")), None)
    return tree


def _elected_items(values: Sequence[Any], of: int) -> list[Any]:
    """Give the items that more than half of all samples have, in the order of the first that has them."""
    lists = [cast("list[Any]", value) for value in values if isinstance(value, list)]
    votes = Counter(item for items in lists for item in dict.fromkeys(items) if isinstance(item, str))
    return [item for item, count in votes.items() if 2 * count > of]


def _most(values: Sequence[Any], typical: Any) -> Any:
    """Give the value that most members have; where several do, that of the typical one."""
    votes = Counter(values)
    most = max(votes.values())
    best = [value for value, count in votes.items() if count == most]
    return typical if typical in best else best[0]
