"""YAML and JSON text as trees, read strictly, and the line at which a dotted key stands.

YAML is read from its events, by the core rules (``true``, ``false``, ``null``, decimal numbers; all else is text), so
that a key ``on`` is the text "on", and never by a constructor: no tags, no aliases, no object but mappings, lists and
leaves. Lines are looked for only once something is wrong, so that a good file does not pay for them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, cast

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from upheld.errors import LimitExceeded, MalformedInput

MAX_DEPTH = 64
"""Levels of nesting; the format needs nine."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_parse = cast("Callable[..., Iterator[Any]]", yaml.parse)  # pyright: ignore[reportUnknownMemberType]

_WORDS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[-+]?[0-9]{1,17}\.[0-9]{1,17}")
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+|\n')
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def yaml_tree(text: str) -> object:
    """Read one YAML document.

    Raises:
        MalformedInput: no YAML, a tag, an alias, a key twice, more than one document.
        LimitExceeded: nested deeper than ``MAX_DEPTH``.
    """
    root: list[Any] = []
    stack: list[Any] = [root]
    keys: list[Any] = [None]
    for event in _events(text):
        if isinstance(event, CollectionEndEvent):
            stack.pop()
            keys.pop()
            continue
        value, is_open = _value_of(event)
        parent = stack[-1]
        if isinstance(parent, dict) and keys[-1] is None:
            keys[-1] = _new_key(event, cast("dict[str, Any]", parent))
            continue
        if isinstance(parent, dict):
            parent[keys[-1]] = value
            keys[-1] = None
        else:
            parent.append(value)
        if is_open:
            stack.append(value)
            keys.append(None)
            if len(stack) > MAX_DEPTH:
                raise LimitExceeded(f"line {_line(event)}: nested deeper than {MAX_DEPTH} levels")
    return root[0] if root else None


def json_tree(text: str) -> object:
    """Read one JSON document.

    Raises:
        MalformedInput: no JSON, a key twice, a number that JSON does not have, half of a surrogate pair.
        LimitExceeded: nested deeper than the parser goes.
    """
    try:
        tree = json.loads(text, object_pairs_hook=_pairs, parse_constant=_refuse_constant)
    except _KeyTwice as error:
        raise MalformedInput(f"the key {error.args[0]!r} occurs twice", line=_line_of_repeat(text)) from None
    except json.JSONDecodeError as error:
        raise MalformedInput(f"no JSON: {error.msg}", line=error.lineno) from None
    except RecursionError:
        raise LimitExceeded("nested too deeply") from None
    except ValueError:
        raise MalformedInput("a number with too many digits") from None
    _refuse_surrogates(tree)
    return tree


def line_of(text: str, key: str, *, is_json: bool) -> int:
    """Give the line (from 1) of a dotted key such as ``turns[3].speaker``, of the nearest above it, or 0.

    ``text`` must have been read before: this follows its tokens and checks nothing.
    """
    best, best_line = -1, 0
    for place, line, _ in _json_places(text) if is_json else _yaml_places(text):
        is_above = not place or (key.startswith(place) and key[len(place) :][:1] in {"", ".", "["})
        if is_above and len(place) > best:
            best, best_line = len(place), line
            if place == key:
                break
    return best_line


def _events(text: str) -> Iterator[Any]:
    documents = 0
    try:
        for event in _parse(text, Loader=_Loader):
            if isinstance(event, ScalarEvent | MappingStartEvent | SequenceStartEvent | CollectionEndEvent):
                yield event
            elif isinstance(event, AliasEvent):
                raise MalformedInput("aliases (*name) are not read: write the value out", line=_line(event))
            elif isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise MalformedInput("more than one document in the file", line=_line(event))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "damaged"
        if "nesting" in problem:
            raise LimitExceeded(f"nested deeper than {MAX_DEPTH} levels") from None
        raise MalformedInput(f"no YAML: {problem}", line=_last_line(text, mark)) from None


def _last_line(text: str, mark: Any) -> int:
    """Give the line of a mark; libyaml puts the end of a text one line below its last."""
    return min(mark.line + 1, text.count("\n") + 1) if mark else 0


def _value_of(event: Any) -> tuple[Any, bool]:
    if event.tag not in {None, "!", "tag:yaml.org,2002:str"}:
        raise MalformedInput(f"tags are not read: {event.tag}", line=_line(event))
    if isinstance(event, MappingStartEvent):
        return {}, True
    if isinstance(event, SequenceStartEvent):
        return [], True
    if event.tag is not None or not event.implicit[0]:
        return event.value, False
    return _leaf(event.value), False


def _leaf(value: str) -> object:
    if value in _WORDS:
        return _WORDS[value]
    if _INTEGER.fullmatch(value):
        return int(value)
    return float(value) if _DECIMAL.fullmatch(value) else value


def _new_key(event: Any, parent: dict[str, Any]) -> str:
    if not isinstance(event, ScalarEvent):
        raise MalformedInput("a key must be text", line=_line(event))
    key: str = event.value
    if key in parent:
        raise MalformedInput(f"the key {key!r} occurs twice", line=_line(event))
    return key


def _line(event: Any) -> int:
    return event.start_mark.line + 1


class _KeyTwice(Exception):
    """Carries the key out of the JSON parser, which does not say where it is."""


def _line_of_repeat(text: str) -> int:
    seen: set[str] = set()
    for place, line, is_key in _json_places(text):
        if is_key and place in seen:
            return line
        if is_key:
            seen.add(place)
    return 0


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        names = [key for key, _ in pairs]
        raise _KeyTwice(next(key for key in names if names.count(key) > 1))
    return tree


def _refuse_constant(constant: str) -> NoReturn:
    raise MalformedInput(f"{constant} is no JSON number")


def _refuse_surrogates(tree: object) -> None:
    pending: list[Any] = [tree]
    while pending:
        current = pending.pop()
        if isinstance(current, str):
            if not current.isascii() and _SURROGATE.search(current):
                raise MalformedInput(f"half of a surrogate pair in {current[:40]!r}")
        elif isinstance(current, dict):
            pending.extend(cast("dict[str, Any]", current).keys())
            pending.extend(cast("dict[str, Any]", current).values())
        elif isinstance(current, list):
            pending.extend(cast("list[Any]", current))


class _Path:
    """Where a walk over tokens stands, as the dotted keys of the open collections."""

    __slots__ = ("_frames",)

    def __init__(self) -> None:
        self._frames: list[list[Any]] = []

    def place(self) -> str:
        """Give the dotted key of the value that comes next, and step on in a list."""
        if not self._frames:
            return ""
        prefix, kind, mark = self._frames[-1]
        if kind == "[":
            self._frames[-1][2] = mark + 1
            return f"{prefix}[{mark}]"
        self._frames[-1][2] = None
        return f"{prefix}.{mark}" if prefix else mark

    def awaits_key(self) -> bool:
        return bool(self._frames) and self._frames[-1][1] == "{" and self._frames[-1][2] is None

    def name(self, key: str) -> str:
        """Take the key of the value that comes next, and give its place."""
        prefix = self._frames[-1][0]
        self._frames[-1][2] = key
        return f"{prefix}.{key}" if prefix else key

    def enter(self, kind: str) -> str:
        place = self.place()
        self._frames.append([place, kind, 0 if kind == "[" else None])
        return place

    def leave(self) -> None:
        self._frames.pop()


def _yaml_places(text: str) -> Iterator[tuple[str, int, bool]]:
    path = _Path()
    for event in _events(text):
        if isinstance(event, CollectionEndEvent):
            path.leave()
        elif isinstance(event, ScalarEvent):
            is_key = path.awaits_key()
            yield (path.name(event.value) if is_key else path.place()), _line(event), is_key
        else:
            yield path.enter("{" if isinstance(event, MappingStartEvent) else "["), _line(event), False


def _json_places(text: str) -> Iterator[tuple[str, int, bool]]:
    path = _Path()
    line = 1
    for match in _JSON_TOKEN.finditer(text):
        token = match.group()
        if token == "\n":
            line += 1
        elif token in "{[":
            yield path.enter(token), line, False
        elif token in "}]":
            path.leave()
        elif token not in ",:":
            is_key = path.awaits_key()
            yield (path.name(json.loads(token)) if is_key else path.place()), line, is_key
