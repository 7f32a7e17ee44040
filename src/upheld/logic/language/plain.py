"""Operations, turns and retractions as plain trees of dicts, lists and strings, and back.

One definition of the shape serves the ledger's codec and the annotated files. Reading is strict: an unknown key, a
missing one or a wrong type is named with its dotted path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, cast, get_args

from upheld.errors import MalformedInput, UpheldError
from upheld.logic.language.formulas import Formula
from upheld.logic.language.literals import Literal, literal
from upheld.logic.language.notation import format_formula, parse_formula
from upheld.logic.language.operations import OPERATION_NAMES, Operation, ResolveMode, name_of
from upheld.logic.language.propositions import Kind
from upheld.logic.language.provenance import Provenance
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw

Tree = dict[str, Any]
"""A mapping whose leaves are strings, booleans, numbers, lists and such mappings: what JSON can carry."""

Value = TypeVar("Value")
Member = TypeVar("Member", bound=StrEnum)

_LEAVES = frozenset({str, bool, int, float, type(None)})
_FORMULA_TYPES = cast("tuple[type[Formula], ...]", get_args(Formula))

_OPERATIONS: dict[str, type[Operation]] = {name: kind for kind, name in OPERATION_NAMES.items()}
_RETRACTIONS: dict[str, type[Retraction]] = {
    "retract": Retract,
    "falsify": Falsify,
    "withdraw": Withdraw,
    "supersede": Supersede,
}


def plain_operation(operation: Operation) -> Tree:
    """Give an operation as a tree: ``op`` first, fields at their default left out."""
    return {"op": name_of(operation), **_plain_fields(operation)}


def plain_retraction(retraction: Retraction) -> Tree:
    """Give a retraction as a tree: ``act`` first."""
    name = next(name for name, kind in _RETRACTIONS.items() if type(retraction) is kind)
    return {"act": name, **_plain_fields(retraction)}


def read_operation(tree: object, *, key: str = "operation") -> Operation:
    """Read one operation.

    Raises:
        MalformedInput: unknown operation or key, missing key, wrong type; ``key`` says where.
    """
    mapping = as_mapping(tree, key)
    name = mapping.get("op")
    if not isinstance(name, str) or name not in _OPERATIONS:
        raise MalformedInput(f"unknown operation {name!r}; one of {', '.join(_OPERATIONS)}", key=f"{key}.op")
    return cast("Operation", _read_fields(_OPERATIONS[name], mapping, key, skip="op"))


def read_retraction(tree: object, *, key: str = "retraction") -> Retraction:
    """Read one retraction; raises like :func:`read_operation`."""
    mapping = as_mapping(tree, key)
    name = mapping.get("act")
    if not isinstance(name, str) or name not in _RETRACTIONS:
        raise MalformedInput(f"unknown act {name!r}; one of {', '.join(_RETRACTIONS)}", key=f"{key}.act")
    return cast("Retraction", _read_fields(_RETRACTIONS[name], mapping, key, skip="act"))


def plain_provenance(source: Provenance) -> Tree:
    """Give a provenance as a tree, empty fields left out."""
    return _plain_fields(source)


def read_provenance(tree: object, *, key: str = "source") -> Provenance:
    """Read a provenance; a bare string is its ``uri``."""
    if isinstance(tree, str):
        return Provenance(uri=tree)
    return cast("Provenance", _read_fields(Provenance, as_mapping(tree, key), key))


@cache
def fields_of(kind: type[Any]) -> Mapping[str, Field[Any]]:
    """Give the fields of a frozen type by their names; found out once, for each turn asks for those of ten values."""
    return {field.name: field for field in fields(kind)}


def is_leaf(content: object) -> bool:
    """Tell whether something is in a tree as it is; most of what is written and read is."""
    return type(content) in _LEAVES


def _plain_fields(value: Any) -> Tree:
    tree: Tree = {}
    for name, field in fields_of(cast("type[Any]", type(value))).items():
        content = getattr(value, name)
        if field.default is not MISSING and content == field.default:
            continue
        tree[name] = content if is_leaf(content) else _plain(content)
    return tree


def _plain(content: Any) -> Any:
    if isinstance(content, tuple):
        return [_plain(item) for item in cast("tuple[Any, ...]", content)]
    if isinstance(content, Literal):
        return str(content)
    if isinstance(content, _FORMULA_TYPES):
        return format_formula(content)
    if isinstance(content, Provenance):
        return plain_provenance(content)
    if isinstance(content, StrEnum):
        return content.value
    return content


def _read_fields(kind: type[Any], mapping: Mapping[str, object], key: str, *, skip: str = "") -> Any:
    known = fields_of(kind)
    values: dict[str, Any] = {}
    for name, content in mapping.items():
        if name == skip:
            continue
        if name not in known:
            raise MalformedInput(f"unknown key; one of {', '.join(known)}", key=f"{key}.{name}")
        if content is None and known[name].default is None:
            continue
        values[name] = _READERS[str(known[name].type)](content, f"{key}.{name}")
    missing = [name for name, field in known.items() if field.default is MISSING and name not in values]
    if missing:
        raise MalformedInput("missing", key=f"{key}.{missing[0]}")
    return kind(**values)


def kind_of(content: object) -> str:
    """Name the type of a leaf in the words of a file's author."""
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


def as_mapping(content: object, key: str) -> Mapping[str, object]:
    """Take a mapping as it is; like every reader here, raises ``MalformedInput`` that names ``key``."""
    if not isinstance(content, Mapping):
        raise MalformedInput(f"expected a mapping, found {kind_of(content)}", key=key)
    return cast("Mapping[str, object]", content)


def as_text(content: object, key: str) -> str:
    """Take text."""
    if not isinstance(content, str):
        raise MalformedInput(f"expected text, found {kind_of(content)}", key=key)
    return content


def as_id(content: object, key: str) -> str:
    """Take an id: not empty, no white space, no leading ``~``."""
    text = as_text(content, key)
    if not text or text.startswith("~") or any(char.isspace() for char in text):
        raise MalformedInput(f"{text!r} is no id: no white space, no leading ~", key=key)
    return text


def as_flag(content: object, key: str) -> bool:
    """Take true or false."""
    if not isinstance(content, bool):
        raise MalformedInput(f"expected true or false, found {kind_of(content)}", key=key)
    return content


def many_of(read: Callable[[object, str], Value]) -> Callable[[object, str], tuple[Value, ...]]:
    """Make a reader of a list of what ``read`` takes; order kept."""

    def read_all(content: object, key: str) -> tuple[Value, ...]:
        if not isinstance(content, list | tuple):
            raise MalformedInput(f"expected a list, found {kind_of(content)}", key=key)
        items = cast("list[object] | tuple[object, ...]", content)
        return tuple(read(item, f"{key}[{place}]") for place, item in enumerate(items))

    return read_all


def as_literal(content: object, key: str) -> Literal:
    """Take a literal: an id, or ``~`` and an id."""
    try:
        return literal(as_text(content, key))
    except MalformedInput as error:
        raise MalformedInput(error.message, key=key) from None


def as_formula(content: object, key: str) -> Formula:
    """Take a formula in its notation."""
    try:
        return parse_formula(as_text(content, key))
    except UpheldError as error:
        raise MalformedInput(str(error), key=key) from error


def member_of(kind: type[Member]) -> Callable[[object, str], Member]:
    """Make a reader of one of an enum's values."""
    members = {member.value: member for member in kind}

    def read(content: object, key: str) -> Member:
        text = as_text(content, key)
        if text not in members:
            raise MalformedInput(f"{text!r} is none of {', '.join(members)}", key=key)
        return members[text]

    return read


def _provenance(content: object, key: str) -> Provenance:
    return read_provenance(content, key=key)


_READERS: dict[str, Callable[[object, str], Any]] = {
    "str": as_text,
    "bool": as_flag,
    "PropositionId": as_id,
    "PropositionId | None": as_id,
    "tuple[PropositionId, ...]": many_of(as_id),
    "tuple[AgentId, ...]": many_of(as_id),
    "Literal": as_literal,
    "tuple[Literal, ...]": many_of(as_literal),
    "tuple[tuple[Literal, ...], ...]": many_of(many_of(as_literal)),
    "Kind": member_of(Kind),
    "ResolveMode": member_of(ResolveMode),
    "Formula | None": as_formula,
    "Provenance | None": _provenance,
}
"""How each annotation of the language is read; annotations are strings because the modules postpone them."""
