"""Operations, turns and retractions as plain trees of dicts, lists and strings, and back.

One definition of the shape serves the ledger's codec and the annotated files. Reading is strict: an unknown key, a
missing one or a wrong type is named with its dotted path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from enum import StrEnum
from typing import Any, cast

from upheld.errors import MalformedInput, UpheldError
from upheld.logic.language.formulas import (
    And,
    Aware,
    Believes,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    Or,
    Top,
)
from upheld.logic.language.formulas import Atom as AtomFormula
from upheld.logic.language.literals import Literal, literal
from upheld.logic.language.notation import format_formula, parse_formula
from upheld.logic.language.operations import OPERATION_NAMES, Operation, ResolveMode, name_of
from upheld.logic.language.propositions import Kind
from upheld.logic.language.provenance import Provenance
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw

Tree = dict[str, Any]
"""A mapping whose leaves are strings, booleans, numbers, lists and such mappings: what JSON can carry."""

_FORMULA_TYPES = (
    Top, Bottom, AtomFormula, Not, And, Or, Implies, Iff,
    Knows, KnowsWhether, Believes, CommonKnowledge, DistributedKnowledge, Aware,
)  # fmt: skip

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
    mapping = _mapping(tree, key)
    name = mapping.get("op")
    if not isinstance(name, str) or name not in _OPERATIONS:
        raise MalformedInput(f"unknown operation {name!r}; one of {', '.join(_OPERATIONS)}", key=f"{key}.op")
    return cast("Operation", _read_fields(_OPERATIONS[name], mapping, key, skip="op"))


def read_retraction(tree: object, *, key: str = "retraction") -> Retraction:
    """Read one retraction; raises like :func:`read_operation`."""
    mapping = _mapping(tree, key)
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
    return cast("Provenance", _read_fields(Provenance, _mapping(tree, key), key))


def _plain_fields(value: Any) -> Tree:
    tree: Tree = {}
    for field in fields(value):
        content = getattr(value, field.name)
        if field.default is not MISSING and content == field.default:
            continue
        tree[field.name] = _plain(content)
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
    known: dict[str, Field[Any]] = {field.name: field for field in fields(kind)}
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


def _mapping(tree: object, key: str) -> Mapping[str, object]:
    if not isinstance(tree, Mapping):
        raise MalformedInput(f"expected a mapping, found {type(tree).__name__}", key=key)
    return cast("Mapping[str, object]", tree)


def _text(content: object, key: str) -> str:
    if not isinstance(content, str):
        raise MalformedInput(f"expected text, found {type(content).__name__}", key=key)
    return content


def _name(content: object, key: str) -> str:
    text = _text(content, key)
    if not text or text.startswith("~") or any(char.isspace() for char in text):
        raise MalformedInput(f"{text!r} is no id: no white space, no leading ~", key=key)
    return text


def _flag(content: object, key: str) -> bool:
    if not isinstance(content, bool):
        raise MalformedInput(f"expected true or false, found {type(content).__name__}", key=key)
    return content


def _many(read: Callable[[object, str], Any]) -> Callable[[object, str], Any]:
    def read_all(content: object, key: str) -> tuple[Any, ...]:
        if not isinstance(content, list | tuple):
            raise MalformedInput(f"expected a list, found {type(content).__name__}", key=key)
        items = cast("list[object] | tuple[object, ...]", content)
        return tuple(read(item, f"{key}[{place}]") for place, item in enumerate(items))

    return read_all


def _literal(content: object, key: str) -> Literal:
    try:
        return literal(_text(content, key))
    except MalformedInput as error:
        raise MalformedInput(error.message, key=key) from None


def _formula(content: object, key: str) -> Any:
    try:
        return parse_formula(_text(content, key))
    except UpheldError as error:
        raise MalformedInput(str(error), key=key) from error


def _member(kind: type[StrEnum]) -> Callable[[object, str], Any]:
    def read(content: object, key: str) -> StrEnum:
        text = _text(content, key)
        if text not in {member.value for member in kind}:
            raise MalformedInput(f"{text!r} is none of {', '.join(member.value for member in kind)}", key=key)
        return kind(text)

    return read


def _provenance(content: object, key: str) -> Provenance:
    return read_provenance(content, key=key)


_READERS: dict[str, Callable[[object, str], Any]] = {
    "str": _text,
    "bool": _flag,
    "PropositionId": _name,
    "PropositionId | None": _name,
    "tuple[PropositionId, ...]": _many(_name),
    "tuple[AgentId, ...]": _many(_name),
    "Literal": _literal,
    "tuple[Literal, ...]": _many(_literal),
    "tuple[tuple[Literal, ...], ...]": _many(_many(_literal)),
    "Kind": _member(Kind),
    "ResolveMode": _member(ResolveMode),
    "Formula | None": _formula,
    "Provenance | None": _provenance,
}
"""How each annotation of the language is read; annotations are strings because the modules postpone them."""
