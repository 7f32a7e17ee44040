"""Reading a frozen value from a tree, key by key, and writing it back: the shape is that of the dataclass.

Each reader takes the content and its dotted key, and either gives the value or says what is wrong where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from typing import Any, cast

from upheld.errors import MalformedInput
from upheld.logic.language.formulas import Formula
from upheld.logic.language.literals import Literal
from upheld.logic.language.notation import format_formula
from upheld.logic.language.plain import as_id, as_mapping, as_text, kind_of, many_of
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw

Reader = Callable[[object, str], Any]
Tree = dict[str, Any]

EXTRA = "extra"
"""Field of a dataclass that takes the keys nobody knows; without it they are refused."""

_FORMULAS = cast("tuple[type[Formula], ...]", Formula.__args__)
_CHANGES: dict[str, type[Retract] | type[Falsify] | type[Withdraw]] = {
    "retract": Retract,
    "falsify": Falsify,
    "withdraw": Withdraw,
}
CHANGE_KEYS = (*_CHANGES, "supersede")
"""Keys that name a change: ``retract: o1``, ``falsify: o1``, ``withdraw: T3``, ``supersede: {older: a, newer: b}``."""


def number(content: object, key: str) -> int:
    """Take a whole number."""
    if not isinstance(content, int) or isinstance(content, bool):
        raise MalformedInput(f"expected a whole number, found {kind_of(content)}", key=key)
    return content


def one_or_many(read: Reader) -> Reader:
    """Make a reader of a list that may be written as its only item."""
    read_all = many_of(read)

    def read_either(content: object, key: str) -> tuple[Any, ...]:
        return read_all(cast("object", content), key) if isinstance(content, list | tuple) else (read(content, key),)

    return read_either


def table(read: Reader) -> Reader:
    """Make a reader of a mapping whose values are what ``read`` takes."""

    def read_all(content: object, key: str) -> dict[str, Any]:
        return {entry: read(value, f"{key}.{entry}") for entry, value in as_mapping(content, key).items()}

    return read_all


def change(content: object, key: str) -> Retraction:
    """Take one change, such as ``{retract: o1}``."""
    tree = as_mapping(content, key)
    named = [entry for entry in CHANGE_KEYS if entry in tree]
    if len(named) != 1:
        raise MalformedInput(f"expected just one of {', '.join(CHANGE_KEYS)}", key=key)
    (verb,) = named
    place = f"{key}.{verb}"
    if verb == "supersede":
        pair = as_mapping(tree[verb], place)
        if set(pair) != {"older", "newer"}:
            raise MalformedInput("expected the keys older and newer", key=place)
        return Supersede(
            older=cast("Any", as_id(pair["older"], f"{place}.older")),
            newer=cast("Any", as_id(pair["newer"], f"{place}.newer")),
        )
    if verb == "withdraw":
        return Withdraw(source=as_text(tree[verb], place))
    return cast("Any", _CHANGES[verb])(target=as_id(tree[verb], place))


def lone_change(content: object, key: str) -> Retraction:
    """Take one change that has a mapping of its own, with no other key in it."""
    for entry in as_mapping(content, key):
        if entry not in CHANGE_KEYS:
            raise MalformedInput(f"unknown key; one of {', '.join(CHANGE_KEYS)}", key=f"{key}.{entry}")
    return change(content, key)


def read_fields(kind: type[Any], content: object, key: str, readers: Mapping[str, Reader]) -> Any:
    """Read a value of ``kind``, each field by the reader of its name or else of its annotation.

    Raises:
        MalformedInput: unknown or missing key, wrong type; its ``key`` says where.
    """
    known: dict[str, Field[Any]] = {field.name: field for field in fields(kind)}
    values: dict[str, Any] = {}
    rest: Tree = {}
    tree = as_mapping(content, key)
    if "change" in known:
        values["change"] = change(tree, key)
    for entry, value in tree.items():
        place = f"{key}.{entry}" if key else entry
        if entry in known and entry not in {EXTRA, "change"}:
            read = readers.get(f"{kind.__name__}.{entry}") or readers[str(known[entry].type)]
            values[entry] = read(value, place)
        elif entry not in CHANGE_KEYS or "change" not in known:
            rest[entry] = value
            if EXTRA not in known:
                raise MalformedInput(f"unknown key; one of {', '.join(known)}", key=place)
    missing = [entry for entry, field in known.items() if _is_required(field) and entry not in values]
    if missing:
        raise MalformedInput(f"{missing[0]} is missing", key=key)
    return kind(**values, **({EXTRA: rest} if rest else {}))


def plain_fields(value: Any) -> Tree:
    """Give a value as a tree that :func:`read_fields` reads back; fields at their default are left out."""
    tree: Tree = {}
    for field in fields(value):
        content = getattr(value, field.name)
        if field.name == EXTRA:
            tree.update(content)
        elif field.name == "change":
            tree.update(plain(content))
        elif _is_required(field) or content != _default_of(field):
            tree[field.name] = plain(content)
    return tree


def plain(content: Any) -> Any:
    """Give any value of this package as mappings, lists and leaves."""
    match content:
        case StrEnum():
            return content.value
        case Literal():
            return str(content)
        case Retract() | Falsify():
            return {next(verb for verb, kind in _CHANGES.items() if kind is type(content)): content.target}
        case Withdraw():
            return {"withdraw": content.source}
        case Supersede():
            return {"supersede": {"older": content.older, "newer": content.newer}}
        case tuple() | list():
            return [plain(item) for item in cast("tuple[Any, ...]", content)]
        case Mapping():
            return {str(key): plain(item) for key, item in cast("Mapping[object, Any]", content).items()}
        case _ if isinstance(content, _FORMULAS):
            return format_formula(content)
        case _:
            return plain_fields(content) if is_dataclass(content) else content


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _default_of(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
