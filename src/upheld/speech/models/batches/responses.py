"""What came back from a batch, line by line: replies, and problems that do not spoil the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from upheld.errors import MalformedInput
from upheld.speech.models.plain import Reading, numbered_lines, read_reply, tree_of
from upheld.speech.models.recordings import FORMAT, Origin, origin_of
from upheld.speech.models.reply import Finish, Reply

_FINISHES = {"length": Finish.LENGTH, "content_filter": Finish.FILTERED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A line of a file of responses that gave no reply, or a request without one (``line`` 0)."""

    message: str
    line: int = 0
    custom_id: str = ""

    def __str__(self) -> str:
        """Say where, then what."""
        return ": ".join(filter(None, [f"line {self.line}" if self.line else "", self.custom_id, self.message]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One reply and what it answers: a ``custom_id``, or the key of a request where a recording says it."""

    reply: Reply
    line: int
    custom_id: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Responses:
    """What a file of responses holds: replies, and problems of single lines; the one does not spoil the other."""

    responses: tuple[Response, ...] = ()
    problems: tuple[Problem, ...] = ()
    origin: Origin | None = None


def read_responses(path: Path | str) -> Responses:
    """Read the output of a batch, or lines of a recording; what is wrong with a line is reported, and it goes on.

    Two different replies to one ``custom_id`` are reported, and neither is used.

    Raises:
        MalformedInput: the file cannot be read at all.
    """
    found: list[Response] = []
    problems: list[Problem] = []
    origin: Origin | None = None
    for number, text in numbered_lines(Path(path)):
        tree: object = None
        try:
            tree = tree_of(text)
            reading = Reading(tree, line=number)
            if reading.tree.get("format") == FORMAT:
                origin = origin_of(reading)
            else:
                found.append(_response(reading, number))
        except MalformedInput as error:
            told = ": ".join(filter(None, [error.key, error.message]))
            problems.append(Problem(message=told, line=number, custom_id=_custom_id(tree)))
    kept, contradictions = _without_contradictions(found)
    problems = sorted((*problems, *contradictions), key=lambda problem: problem.line)
    return Responses(responses=kept, problems=tuple(problems), origin=origin)


def _without_contradictions(found: list[Response]) -> tuple[tuple[Response, ...], list[Problem]]:
    first: dict[tuple[str, str], Response] = {}
    problems: list[Problem] = []
    spoiled: set[tuple[str, str]] = set()
    for response in found:
        place = response.custom_id, "" if response.custom_id else response.key
        other = first.setdefault(place, response)
        if other.reply.text != response.reply.text:
            spoiled.add(place)
            told = f"another reply than line {other.line}; neither is used"
            problems.append(Problem(message=told, line=response.line, custom_id=response.custom_id))
    return tuple(response for place, response in first.items() if place not in spoiled), problems


def _response(reading: Reading, line: int) -> Response:
    """Read a line of ours or of a batch output."""
    custom_id, key = reading.text("custom_id", ""), reading.text("key", "")
    if not custom_id and not key:
        raise reading.wrong("custom_id", "is missing")
    if "text" in reading.tree:
        return Response(reply=read_reply(reading.tree, line=line), line=line, custom_id=custom_id, key=key)
    if reading.tree.get("error"):
        raise reading.wrong("error", _reason(reading.tree["error"]))
    response = Reading(reading.tree.get("response"), line=line)
    body = Reading(response.tree.get("body"), line=line)
    status = response.number("status_code", 200)
    if status != 200:
        raise response.wrong("", f"status {status:g}: {_reason(body.tree.get('error') or body.tree)}")
    return Response(reply=_completed(body), line=line, custom_id=custom_id)


def _completed(body: Reading) -> Reply:
    choices = body.items("choices")
    if len(choices) != 1:
        raise body.wrong("choices", f"there must be one, and there are {len(choices)}")
    choice = Reading(choices[0], line=body.line)
    message = Reading(choice.mapping("message"), line=body.line)
    refusal = message.text("refusal", "")
    finish = Finish.FILTERED if refusal else _FINISHES.get(choice.text("finish_reason", ""), Finish.STOP)
    usage = body.usage("usage")
    return Reply(
        text=message.text("content", refusal),
        answered_by=body.text("model", ""),
        usage=replace(usage, calls=1),
        finish=finish,
    )


def _reason(error: object) -> str:
    if isinstance(error, Mapping):
        tree = cast(Mapping[str, Any], error)
        return str(tree.get("message") or tree.get("code") or dict(tree))[:300]
    return str(error)[:300]


def _custom_id(tree: object) -> str:
    given = cast(Mapping[str, Any], tree).get("custom_id") if isinstance(tree, Mapping) else None
    return given if isinstance(given, str) else ""
