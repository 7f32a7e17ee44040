"""The arguments of a tool call as something that claims: an agent that acts on what fell is wrong without a word."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

from upheld.logic.language.identities import AgentId
from upheld.speech.matching.clauses import Span
from upheld.speech.matching.matcher import Claim, Matcher
from upheld.speech.view import View

NO_CALL = "it is no tool call: a JSON object with name and arguments was expected"
MOST_VALUES = 1_000
"""Values of one call that are read; a call with more is abstained on whole."""

TOO_MANY = f"a call of more than {MOST_VALUES} values"

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
_SEPARATOR = re.compile(r"[_\-.]+|(?<=[a-z])(?=[A-Z])")


class ToolCallMatcher:
    """Matches the values of a tool call, each said as ``tool, argument: value``, by another matcher in one question.

    Its texts are what :func:`~upheld.speech.formats.plain.calls.tool_call_text` gives; spans lie in that JSON.
    """

    def __init__(self, inner: Matcher) -> None:
        """Let this matcher judge the values."""
        self._inner = inner

    @property
    def name(self) -> str:
        """That of the matcher that judges."""
        return f"tool call, {self._inner.name}"

    @property
    def version(self) -> str:
        """That of the matcher that judges."""
        return self._inner.version

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims of a call. A value that the inner matcher passes over in silence claims nothing.

        Raises:
            ModelFailure: as the inner matcher does.
        """
        if not text.strip():
            return ()
        if not _is_call(text):
            return (Claim(span=(0, len(text)), text=text, abstained=NO_CALL),)
        spoken = _Spoken(text)
        if spoken.count > MOST_VALUES:
            return (Claim(span=(0, len(text)), text=text, abstained=TOO_MANY),)
        claims: list[Claim] = []
        end = 0
        for claim in self._inner.match(spoken.words, view, speaker=speaker):
            start, past = spoken.original(claim.span)
            start = max(start, end)
            if start < past:
                claims.append(replace(claim, span=(start, past), text=text[start:past]))
                end = past
        return tuple(claims)


def _is_call(text: str) -> bool:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(tree, dict) and "arguments" in tree and "name" in tree


@dataclass(slots=True)
class _Scope:
    """An object or a list that is being read: the key last seen in it, and whether a value comes next."""

    is_object: bool
    key: str = ""
    is_value_next: bool = False


class _Spoken:
    """The values of a call as lines of words, with the place of every character in the JSON."""

    def __init__(self, text: str) -> None:
        self._parts: list[str] = []
        self._places: list[int] = []
        self.count = 0
        self._tool = ""
        self._read(text)
        self._places.append(len(text))

    @property
    def words(self) -> str:
        return "".join(self._parts)

    def original(self, span: Span) -> Span:
        """Give the characters of the JSON that a span of the words came from."""
        start, end = span
        return self._places[start], self._places[end - 1] + 1

    def _read(self, text: str) -> None:
        scopes: list[_Scope] = []
        for found in _TOKEN.finditer(text):
            token, scope = found.group(), scopes[-1] if scopes else None
            if token in "{[":
                scopes.append(_Scope(is_object=token == "{"))
            elif token in "}]":
                scopes.pop()
            elif token == ":" and scope is not None:
                scope.is_value_next = True
            elif token == "," and scope is not None:
                scope.is_value_next = False
            elif scope is not None and scope.is_object and not scope.is_value_next:
                scope.key = json.loads(token)
            elif scope is not None:
                self._value(found, scopes)

    def _value(self, found: re.Match[str], scopes: list[_Scope]) -> None:
        path = [scope.key for scope in scopes if scope.key]
        if path == ["name"]:
            self._tool = _spaced(json.loads(found.group()))
            return
        if found.group() == "null" or path[:1] != ["arguments"]:
            return
        self.count += 1
        lead = ", ".join(filter(None, (self._tool, " ".join(_spaced(key) for key in path[1:]))))
        self._add(f"{lead}: ", [found.start()] * (len(lead) + 2))
        token = found.group()
        characters, places = (
            _unescaped(token, found.start()) if token[0] == '"' else (token, list(range(*found.span())))
        )
        self._add(characters, places)
        is_closed = characters.rstrip()[-1:] in {".", "!", "?"}
        self._add("\n" if is_closed else ".\n", [found.end() - 1] * (1 if is_closed else 2))

    def _add(self, characters: str, places: list[int]) -> None:
        self._parts.append(characters)
        self._places.extend(places)


def _unescaped(token: str, start: int) -> tuple[str, list[int]]:
    """Give what a JSON string says, and where each of its characters stands."""
    characters: list[str] = []
    places: list[int] = []
    at = 1
    while at < len(token) - 1:
        escape = _ESCAPE.match(token, at)
        characters.append(json.loads(f'"{escape.group()}"') if escape else token[at])
        places.append(start + at)
        at = escape.end() if escape else at + 1
    return "".join(characters), places


def _spaced(name: object) -> str:
    return _SEPARATOR.sub(" ", str(name)).strip()
