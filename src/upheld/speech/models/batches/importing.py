"""The responses of a batch put to the requests that they answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from upheld.speech.models.batches.responses import Problem, Response, Responses
from upheld.speech.models.recordings import Origin, Recorded, RecordedModel, Recording
from upheld.speech.models.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The replies to known requests, ready to be asked for, and everything that did not come to that."""

    replies: RecordedModel
    problems: tuple[Problem, ...] = ()


def responses_as_recording(
    requests: Iterable[tuple[str, Request]], responses: Responses, *, origin: Origin | None = None
) -> Imported:
    """Give a language model that answers these requests with these responses.

    Reported are the problems of the responses, responses to requests that nobody knows, requests that nobody
    answered, and a second, different reply to one and the same request (the first one stands). The origin is the one
    given, else that of the file; a batch file has none, and is called so.
    """
    by_id = {response.custom_id: response for response in responses.responses if response.custom_id}
    by_key = {response.key: response for response in responses.responses if response.key}
    problems = list(responses.problems)
    used: set[int] = set()
    replies: dict[str, Recorded] = {}
    for custom_id, request in requests:
        response = by_id.get(custom_id) or by_key.get(request.key)
        used.update(() if response is None else (response.line,))
        told = _taken(custom_id, request, response, replies)
        if told:
            line = 0 if response is None else response.line
            problems.append(Problem(message=told, line=line, custom_id=custom_id))
    problems += [
        Problem(message="nobody asked this", line=response.line, custom_id=response.custom_id)
        for response in responses.responses
        if response.line not in used
    ]
    origin = origin or responses.origin or Origin(asked=_answerer(responses.responses))
    return Imported(replies=RecordedModel(Recording(origin=origin, replies=replies)), problems=tuple(problems))


def _taken(custom_id: str, request: Request, response: Response | None, replies: dict[str, Recorded]) -> str:
    """Put a reply under its request, and give what is wrong with it, or nothing."""
    if response is None:
        return "no reply came for this request"
    if response.key and response.key != request.key:
        return "this reply answers another request; the prompt or its input has changed since"
    entry = Recorded(key=request.key, reply=response.reply, prompt=request.prompt, custom_id=custom_id, request=request)
    if replies.setdefault(request.key, entry).reply.text != response.reply.text:
        return "the same request has another reply under another custom_id; the first one stands"
    return ""


def _answerer(responses: Iterable[Response]) -> str:
    names = {response.reply.answered_by for response in responses} - {""}
    return names.pop() if len(names) == 1 else "batch"
