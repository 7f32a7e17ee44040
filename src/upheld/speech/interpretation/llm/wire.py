"""The JSON that a language model replies with: a table of operations and their fields, and the schema made of it.

Names and meanings are those of the annotated-transcript format. A new proposition has a local name (``n1``); what is
known already is referred to by its id. The schema is friendly to strict modes: every key is required, what does not
apply is null or empty, and no other key may stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from upheld.logic.language.plain import Tree
from upheld.speech.models.request import Shape

_TEXT: Tree = {"type": "string"}
_FLAG: Tree = {"type": "boolean"}
_OPTIONAL: Tree = {"type": ["string", "null"]}
_MANY: Tree = {"type": "array", "items": {"type": "string"}}


def _one_of(*values: str) -> Tree:
    return {"type": "string", "enum": list(values)}


KINDS = {
    "observe": ("observation", "constraint", "assumption", "fact", "evidence", "dissent"),
    "hypothesize": ("hypothesis", "position"),
}
"""Kinds of proposition that an operation may introduce, the usual one first."""

FIELDS: dict[str, dict[str, Tree]] = {
    "observe": {
        "id": _TEXT,
        "text": _TEXT,
        "kind": _one_of(*KINDS["observe"]),
        "contradicts": _MANY,
        "supersedes": _MANY,
        "depends_on": _MANY,
        "reinterprets": _MANY,
        "against": _MANY,
        "prefers": _MANY,
        "novel": _FLAG,
    },
    "hypothesize": {
        "id": _TEXT,
        "text": _TEXT,
        "kind": _one_of(*KINDS["hypothesize"]),
        "depends_on": _MANY,
        "explains": _MANY,
        "on": _OPTIONAL,
        "refines": _OPTIONAL,
    },
    "support": {
        "target": _TEXT,
        "id": _OPTIONAL,
        "text": _OPTIONAL,
        "evidence": _MANY,
        "depends_on": _MANY,
        "attacks": _MANY,
        "specific": _FLAG,
        "sufficient": _FLAG,
    },
    "undermine": {
        "target": _TEXT,
        "id": _OPTIONAL,
        "text": _OPTIONAL,
        "evidence": _MANY,
        "depends_on": _MANY,
        "attacks": _MANY,
        "specific": _FLAG,
    },
    "revise": {"target": _TEXT, "replacement": _OPTIONAL, "because": _MANY, "withdrawn": _FLAG},
    "expand_awareness": {"id": _TEXT, "text": _TEXT, "reinterprets": _MANY},
    "resolve": {
        "target": _TEXT,
        "mode": _one_of("consensual", "authoritative"),
        "id": _OPTIONAL,
        "text": _OPTIONAL,
        "subsumes": _MANY,
        "depends_on": _MANY,
        "dissent": _MANY,
        "issue": _OPTIONAL,
        "reopen_if": _MANY,
    },
    "question": {"text": _TEXT, "id": _OPTIONAL, "about": _MANY},
}
"""Fields of each operation with their JSON Schema."""

_SINGLE = frozenset(("target", "on", "refines", "replacement", "issue"))
_SEVERAL = frozenset(
    ("contradicts", "supersedes", "depends_on", "depends_on_any", "reinterprets", "against", "prefers", "explains")
) | frozenset(("evidence", "attacks", "because", "subsumes", "reopen_if", "about"))
REFERRING = _SINGLE | _SEVERAL
"""Fields whose values are ids of propositions, or literals."""


def listed(operation: str, field: str, content: object) -> object:
    """Give one text as a list of one, where a list is asked for: it can mean nothing else."""
    return [content] if isinstance(content, str) and FIELDS[operation].get(field) is _MANY else content


def closed(properties: Mapping[str, Tree]) -> Tree:
    """Give the schema of an object that has just these keys."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def list_of(item: Tree) -> Tree:
    """Give the schema of a list."""
    return {"type": "array", "items": item}


def operation_schema(*names: str) -> Tree:
    """Give the schema of one operation: any of ``names``, or of all eight."""
    options = [closed({"op": {"type": "string", "enum": [name]}, **FIELDS[name]}) for name in names or FIELDS]
    return options[0] if len(options) == 1 else {"anyOf": options}


def turn_shape(*, is_tool: bool = False, is_reasoned: bool = False) -> Shape:
    """Give the shape of the reading of one turn; a tool only observes; reasoning comes before what it leads to."""
    operation = operation_schema("observe") if is_tool else operation_schema()
    reasoning: dict[str, Tree] = {"reasoning": _TEXT} if is_reasoned else {}
    return Shape(name="reading", schema=closed({**reasoning, "operations": list_of(operation)}))


def session_shape(*, is_reasoned: bool = False) -> Shape:
    """Give the shape of the reading of a session: turns by id, in order."""
    turn = closed({"turn": _TEXT, "operations": list_of(operation_schema())})
    reasoning: dict[str, Tree] = {"reasoning": _TEXT} if is_reasoned else {}
    return Shape(name="session_reading", schema=closed({**reasoning, "turns": list_of(turn)}))


def names_in(field: str, content: object) -> Iterator[str]:
    """Give the ids that a field of an operation on the wire refers to, without the sign of a literal."""
    if field in REFERRING:
        yield from (text.removeprefix("~") for text in _texts_in(content))


def renamed(field: str, content: Any, names: Mapping[str, str]) -> Any:
    """Give the content of a referring field, and of ``id``, with other names; what has none keeps its own."""
    return _renamed(content, names) if field == "id" or field in REFERRING else content


def _texts_in(content: object) -> Iterator[str]:
    """Give the texts of a field: one, a list, or a list of lists."""
    for item in _items(content):
        for inner in _items(item):
            if isinstance(inner, str):
                yield inner


def _items(content: object) -> list[object]:
    return cast("list[object]", content) if isinstance(content, list) else [content]


def _renamed(content: object, names: Mapping[str, str], depth: int = 0) -> object:
    """Rename in a text, a list or a list of lists, and no deeper."""
    if isinstance(content, str):
        bare = content.removeprefix("~")
        return content[: len(content) - len(bare)] + names.get(bare, bare)
    if isinstance(content, list) and depth < 2:
        return [_renamed(item, names, depth + 1) for item in cast("list[object]", content)]
    return cast("object", content)
