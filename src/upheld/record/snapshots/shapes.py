"""What a kept value is made of, read off its own type hints: a field that is added tomorrow is kept without an edit.

The list is closed: plain values, enumerations, frozen dataclasses with slots, and the six containers below. What can
change in place is a cache; it is not kept, but made anew by the default factory of its field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from types import MemberDescriptorType, NoneType, UnionType
from typing import Any, Generic, NewType, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from rpds import HashTrieMap, HashTrieSet, List

Item = TypeVar("Item")
Key = TypeVar("Key")

WIDE = 64
"""A map from texts, or a set of texts, of so many stays written when it is read; a smaller one is made at once."""

PLAIN: frozenset[type] = frozenset({str, int, bool, NoneType})
"""Values that are written as they are."""


class _Map(Generic[Key, Item]):
    """Stands in hints for ``HashTrieMap``, which takes no parameters when it runs."""


class _Set(Generic[Item]):
    """Stands in hints for ``HashTrieSet``."""


class _List(Generic[Item]):
    """Stands in hints for ``List``."""


_STAND_INS = {"HashTrieMap": _Map, "HashTrieSet": _Set, "List": _List}
_CONTAINERS: dict[object, type] = {
    _Map: HashTrieMap,
    _Set: HashTrieSet,
    _List: List,
    tuple: tuple,
    frozenset: frozenset,
}
CONTAINERS: tuple[type, ...] = tuple(_CONTAINERS.values())
"""In this order they are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What may stand in a place: each type, with what may stand inside it (of a map: in keys and values)."""

    kinds: Mapping[type, tuple[Hint, ...]]

    @property
    def plain(self) -> frozenset[type]:
        """The types with nothing inside that would have to be looked at."""
        return frozenset(kind for kind, insides in self.kinds.items() if not insides)

    def __str__(self) -> str:
        """Give the types by name, in an order of their own, so that equal hints read the same."""
        parts = (f"{kind.__qualname__}[{', '.join(map(str, inside))}]" for kind, inside in self.kinds.items())
        return " | ".join(sorted(parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A dataclass as it is kept: its fields with their hints, and those that are made anew with what makes them."""

    kind: type
    kept: Mapping[str, Hint]
    remade: Mapping[str, Callable[[], object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapes:
    """Everything that a value of type ``root`` can be made of, by name."""

    root: type
    classes: Mapping[str, Shape]
    enums: Mapping[str, type[Enum]]

    def described(self) -> list[object]:
        """Give names, fields, types and members as plain values, to tell one set of definitions from another."""
        shapes = [
            [name, [[field, str(hint)] for field, hint in shape.kept.items()], sorted(shape.remade)]
            for name, shape in sorted(self.classes.items())
        ]
        enums = [[name, [str(member.value) for member in kind]] for name, kind in sorted(self.enums.items())]
        return [shapes, enums]


def shapes_of(root: type) -> Shapes:
    """Give the shapes that can be reached from a dataclass.

    Raises:
        TypeError: something that is outside the closed list, which is a fault of whoever added it.
    """
    classes: dict[str, Shape] = {}
    enums: dict[str, type[Enum]] = {}
    pending: list[type[Any]] = [root]
    while pending:
        kind = pending.pop()
        if kind.__qualname__ in classes or kind.__qualname__ in enums:
            continue
        if issubclass(kind, Enum):
            enums[kind.__qualname__] = kind
            continue
        shape = _shape_of(kind)
        classes[kind.__qualname__] = shape
        pending.extend(found for hint in shape.kept.values() for found in _named_in(hint))
    return Shapes(root=root, classes=classes, enums=enums)


def _shape_of(kind: type[Any]) -> Shape:
    hints = get_type_hints(kind, localns=_STAND_INS)
    kept: dict[str, Hint] = {}
    remade: dict[str, Callable[[], object]] = {}
    for field in fields(kind):
        if not isinstance(getattr(kind, field.name, None), MemberDescriptorType):
            raise TypeError(f"{kind.__qualname__} has no slots, so it cannot be kept")
        if _is_cache(hints[field.name]):
            remade[field.name] = _factory(kind, field)
        else:
            kept[field.name] = _hint(hints[field.name])
    return Shape(kind=kind, kept=kept, remade=remade)


def _factory(kind: type, field: Field[Any]) -> Callable[[], object]:
    if field.default_factory is MISSING:
        raise TypeError(f"{kind.__qualname__}.{field.name} can change in place and has no default factory")
    return field.default_factory


def _is_cache(hint: object) -> bool:
    return isinstance(hint, type) and hint not in PLAIN and not _is_kept_class(hint)


def _is_kept_class(kind: type) -> bool:
    if is_dataclass(kind):
        return bool(cast("Any", kind).__dataclass_params__.frozen)
    return issubclass(kind, Enum)


def _hint(hint: object) -> Hint:
    if isinstance(hint, NewType):
        return _hint(hint.__supertype__)
    if hint is None:
        return Hint(kinds={NoneType: ()})
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        kinds: dict[type, tuple[Hint, ...]] = {}
        for part in get_args(hint):
            kinds.update(_hint(part).kinds)
        return Hint(kinds=kinds)
    if origin in _CONTAINERS:
        return Hint(kinds={_CONTAINERS[origin]: _insides(get_args(hint), is_map=origin is _Map)})
    if isinstance(hint, type) and (hint in PLAIN or _is_kept_class(hint)):
        return Hint(kinds={hint: ()})
    raise TypeError(f"{hint!r} is outside the list of what can be kept")


def _insides(parts: tuple[object, ...], *, is_map: bool) -> tuple[Hint, ...]:
    if is_map:
        return tuple(_hint(part) for part in parts)
    kinds: dict[type, tuple[Hint, ...]] = {}
    for part in parts:
        if part is not ...:
            kinds.update(_hint(part).kinds)
    return (Hint(kinds=kinds),)


def _named_in(hint: Hint) -> list[type]:
    found: list[type] = []
    pending = [hint]
    while pending:
        for kind, insides in pending.pop().kinds.items():
            pending.extend(insides)
            if kind not in PLAIN and kind not in CONTAINERS:
                found.append(kind)
    return found
