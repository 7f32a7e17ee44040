"""An answer that a program can read: the JSON of a reply, told from everything else, and one repair.

Never a guess: of two different objects, of a key that is there twice, of half an object, nothing is taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NoReturn, TypeVar, cast

from upheld.errors import ModelFailure, UnusableReply, UpheldError
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.prompts import wording
from upheld.speech.models.reply import Finish, Reply, Usage, costing, usage_of
from upheld.speech.models.request import Message, Request, Role, Shape

T = TypeVar("T")
REPAIR = "repair@1"
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_MOST_QUOTED, _MOST_COMPLAINED = 20_000, 2_000
_QUOTED_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_MARK = re.compile(r'["{}\[\]]')
_DEEPEST = 200
"""Far more than any shape of ours; Python reads and compares nested values by recursion, which has an end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Generic[T]):
    """What was read from a reply. ``usage`` covers the repair as well; ``repairs`` is 0 or 1."""

    value: T
    usage: Usage
    reply: Reply
    repairs: int = 0


def ask_for(llm: LanguageModel, request: Request, read: Callable[[object], T]) -> Answered[T]:
    """Ask, find the JSON object of the reply, and read it; if that fails, ask once more with the exact complaint.

    ``read`` is given the object as Python's mappings, lists, strings and numbers. It raises an error of
    :mod:`upheld.errors` when a field is missing or wrong; the message is what the language model is told.

    Raises:
        UnusableReply: the repair failed too, or a filter of the provider took the reply away. Says what it cost.
        ModelFailure: whatever the language model raises; what was spent before is counted in.
    """
    first = llm.ask(request)
    try:
        return Answered(value=_value(first, request, read), usage=first.usage, reply=first)
    except UpheldError as error:
        complaint = error
    if first.finish is Finish.FILTERED:
        raise _unusable(complaint, first, first.usage)
    try:
        second = llm.ask(_repair(request, first, str(complaint)))
    except ModelFailure as failure:
        costing(failure, first.usage + usage_of(failure))
        raise
    usage = first.usage + second.usage
    try:
        return Answered(value=_value(second, request, read), usage=usage, reply=second, repairs=1)
    except UpheldError as error:
        complaint = error
    raise _unusable(complaint, second, usage)


def object_in(text: str, shape: Shape | None = None) -> Mapping[str, Any]:
    """Give the one JSON object in a text, whatever words or fences stand around it.

    Raises:
        UnusableReply: there is none, there are two that differ, one is broken, or it is the schema itself.

    Cost: linear in the text.
    """
    tree: Mapping[str, Any] | None = None
    for part in _objects(_THOUGHT.sub("", text, count=1)):
        found = _parsed(part, text)
        if tree is not None and found is not None and found != tree:
            raise UnusableReply("there are several different JSON objects; give exactly one", reply=text)
        tree = found if tree is None else tree
    if tree is None:
        raise UnusableReply("there is no JSON object in the reply", reply=text)
    if shape is not None and is_echo(tree, shape.schema):
        raise UnusableReply(
            "that is the JSON Schema itself; give data that follows it, with the fields it names", reply=text
        )
    return tree


def is_echo(tree: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Tell whether an object is the schema, or some schema, where data was asked for (graphiti #868, #912).

    A field that the schema itself asks for says nothing, so that data about schemas can still be answered.
    """
    declared: Mapping[str, Any] = schema.get("properties") or {}
    foreign = {key: value for key, value in tree.items() if key not in declared}
    if tree == schema or "$defs" in foreign or "$schema" in foreign:
        return True
    if isinstance(foreign.get("properties"), Mapping) and ("type" in foreign or "title" in foreign):
        return True
    if "title" in foreign and foreign["title"] == schema.get("title"):
        return True
    inner = next(iter(foreign.values()), None) if len(tree) == 1 else None
    return isinstance(inner, Mapping) and isinstance(cast(Mapping[str, Any], inner).get("properties"), Mapping)


def _value(reply: Reply, request: Request, read: Callable[[object], T]) -> T:
    if reply.finish is Finish.FILTERED:
        raise UnusableReply("a filter of the provider took the reply away", reply=reply.text)
    if reply.finish is Finish.LENGTH:
        raise UnusableReply(
            f"the reply was cut off at the limit of {request.limit} tokens; give a shorter one", reply=reply.text
        )
    return read(object_in(reply.text, request.shape))


def _repair(request: Request, reply: Reply, complaint: str) -> Request:
    """Give the request that sends a bad reply back: as further messages, since instructions in between are refused."""
    said = (Message(role=Role.ASSISTANT, text=reply.text[:_MOST_QUOTED]),) if reply.text.strip() else ()
    asked = wording(REPAIR).replace("{complaint}", complaint[:_MOST_COMPLAINED])
    messages = (*request.messages, *said, Message(role=Role.USER, text=asked))
    return replace(request, prompt=f"{request.prompt}+{REPAIR}", messages=messages)


def _unusable(complaint: UpheldError, reply: Reply, usage: Usage) -> UnusableReply:
    return costing(UnusableReply(str(complaint), reply=reply.text), usage)


def _objects(text: str) -> Iterator[str]:
    """Give every outermost stretch from a brace to where it closes; an open one runs to the end.

    Inner objects of a broken one are not looked for: half an answer could pass for a whole one.
    """
    start, depth, place = 0, 0, 0
    while mark := _MARK.search(text, place):
        place = mark.end()
        if not depth and mark[0] != "{":
            continue
        if mark[0] == '"':
            place = cast(re.Match[str], _QUOTED_STRING.match(text, mark.start())).end()
            continue
        start = start if depth else mark.start()
        depth += 1 if mark[0] in "{[" else -1
        if depth > _DEEPEST:
            raise UnusableReply(f"the JSON object is nested more than {_DEEPEST} deep", reply=text)
        if not depth:
            yield text[start:place]
    if depth:
        yield text[start:]


def _parsed(part: str, text: str) -> Mapping[str, Any] | None:
    """Give the object, or nothing where the braces are prose; a brace and then a quote is meant as JSON."""
    try:
        return json.loads(part, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except ValueError as error:
        if re.match(r'\{\s*["}]', part):
            raise UnusableReply(f"the JSON object is broken or incomplete: {error}", reply=text) from None
        return None


def _without_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    tree = dict(pairs)
    if len(tree) != len(pairs):
        twice = next(key for place, (key, _) in enumerate(pairs) if key in {each for each, _ in pairs[:place]})
        raise ValueError(f"the key {twice!r} is there twice in one object")
    return tree


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
