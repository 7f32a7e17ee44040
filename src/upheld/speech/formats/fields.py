"""Reading a frozen value from a tree, key by key, and writing it back: the shape is that of the dataclass.

Each reader takes the content and its dotted key, and either gives the value or says what is wrong where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from typing import Any, cast

from upheld.errors import MalformedInput, UpheldError
from upheld.logic.language.formulas import Formula
from upheld.logic.language.literals import Literal, literal
from upheld.logic.language.notation import format_formula, parse_formula
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


def mapping(content: object, key: str) -> Mapping[str, object]:
    """Take a mapping as it is."""
    if not isinstance(content, Mapping):
        raise MalformedInput(f"expected a mapping, found {kind_of(content)}", key=key)
    return cast("Mapping[str, object]", content)


def kind_of(content: object) -> str:
    """Name the type of a leaf in the words of the file's author."""
    match content:
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case int() | float():
            return f"the number {content} (quote it, if text is meant)"
        case str():
            return "text"
        case list() | tuple():
            return "a list"
        case Mapping():
            return "a mapping"
        case _:
            return type(content).__name__


def text(content: object, key: str) -> str:
    """Take text."""
    if not isinstance(content, str):
        raise MalformedInput(f"expected text, found {kind_of(content)}", key=key)
    return content


def name(content: object, key: str) -> str:
    """Take an id: not empty, no white space, no leading ``~``."""
    content = text(content, key)
    if not content or content.startswith("~") or any(char.isspace() for char in content):
        raise MalformedInput(f"{content!r} is no id: no white space, no leading ~", key=key)
    return content


def is_set(content: object, key: str) -> bool:
    """Take true or false."""
    if not isinstance(content, bool):
        raise MalformedInput(f"expected true or false, found {kind_of(content)}", key=key)
    return content


def number(content: object, key: str) -> int:
    """Take a whole number."""
    if not isinstance(content, int) or isinstance(content, bool):
        raise MalformedInput(f"expected a whole number, found {kind_of(content)}", key=key)
    return content


def signed(content: object, key: str) -> Literal:
    """Take a literal: an id, or ``~`` and an id."""
    try:
        return literal(text(content, key))
    except MalformedInput as error:
        raise MalformedInput(error.message, key=key) from None


def formula(content: object, key: str) -> Formula:
    """Take a formula in the notation of :mod:`upheld.logic.language.notation`."""
    try:
        return parse_formula(text(content, key))
    except UpheldError as error:
        raise MalformedInput(str(error), key=key) from error


def member(kind: type[StrEnum]) -> Reader:
    """Make a reader of one of an enum's values."""

    def read(content: object, key: str) -> StrEnum:
        if text(content, key) not in {item.value for item in kind}:
            raise MalformedInput(f"{content!r} is none of {', '.join(item.value for item in kind)}", key=key)
        return kind(cast("str", content))

    return read


def many(read: Reader) -> Reader:
    """Make a reader of a list of what ``read`` takes."""

    def read_all(content: object, key: str) -> tuple[Any, ...]:
        if not isinstance(content, list | tuple):
            raise MalformedInput(f"expected a list, found {kind_of(content)}", key=key)
        items = cast("list[object] | tuple[object, ...]", content)
        return tuple(read(item, f"{key}[{place}]") for place, item in enumerate(items))

    return read_all


def one_or_many(read: Reader) -> Reader:
    """Make a reader of a list that may be written as its only item."""
    read_all = many(read)

    def read_either(content: object, key: str) -> tuple[Any, ...]:
        return read_all(cast("object", content), key) if isinstance(content, list | tuple) else (read(content, key),)

    return read_either


def table(read: Reader) -> Reader:
    """Make a reader of a mapping whose values are what ``read`` takes."""

    def read_all(content: object, key: str) -> dict[str, Any]:
        return {entry: read(value, f"{key}.{entry}") for entry, value in mapping(content, key).items()}

    return read_all


def change(content: object, key: str) -> Retraction:
    """Take one change, such as ``{retract: o1}``."""
    tree = mapping(content, key)
    named = [entry for entry in CHANGE_KEYS if entry in tree]
    if len(named) != 1:
        raise MalformedInput(f"expected just one of {', '.join(CHANGE_KEYS)}", key=key)
    (verb,) = named
    place = f"{key}.{verb}"
    if verb == "supersede":
        pair = mapping(tree[verb], place)
        if set(pair) != {"older", "newer"}:
            raise MalformedInput("expected the keys older and newer", key=place)
        return Supersede(
            older=cast("Any", name(pair["older"], f"{place}.older")),
            newer=cast("Any", name(pair["newer"], f"{place}.newer")),
        )
    if verb == "withdraw":
        return Withdraw(source=text(tree[verb], place))
    return cast("Any", _CHANGES[verb])(target=name(tree[verb], place))


def lone_change(content: object, key: str) -> Retraction:
    """Take one change that has a mapping of its own, with no other key in it."""
    for entry in mapping(content, key):
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
    tree = mapping(content, key)
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
