"""Requests kept instead of being sent, and answered from a file once somebody has answered them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from threading import Lock

from upheld.errors import NoRecording
from upheld.speech.models.batches.responses import Problem, Responses
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Reply, Usage
from upheld.speech.models.request import Request

_OUTSIDE = re.compile(r"[^A-Za-z0-9_]+")
_MARK = 12
"""Hexadecimal digits of a request's key at the end of its name: enough to find its reply again."""


def name_of_request(request: Request, label: str = "") -> str:
    """Give the name under which a request goes out and its reply returns: letters, digits, ``_`` and ``-``, 64 at most.

    It ends in the beginning of the request's key, so that a reply finds its request whatever stands before.
    """
    words = _OUTSIDE.sub("-", label or request.prompt.partition("@")[0]).strip("-")
    return f"{words[: 63 - _MARK]}-{request.key[:_MARK]}"


class ImportedModel:
    """Answers with the responses of a file, and nothing else; ``problems`` are its lines that hold none."""

    def __init__(self, responses: Responses) -> None:
        """Take what :func:`~upheld.speech.models.batches.responses.read_responses` gave."""
        origin = responses.origin
        named = sorted({each.reply.answered_by for each in responses.responses} - {""})
        self.name = origin.asked if origin is not None else "+".join(named) or "imported"
        self.problems: tuple[Problem, ...] = responses.problems
        self._by_key = {each.key: each.reply for each in responses.responses if each.key}
        self._by_mark = {each.custom_id[-_MARK:]: each.reply for each in responses.responses if each.custom_id}

    def ask(self, request: Request, /) -> Reply:
        """Give the response to a request, as ``reused``.

        Raises:
            NoRecording: the file has none.
        """
        reply = self._by_key.get(request.key) or self._by_mark.get(request.key[:_MARK])
        if reply is None:
            raise NoRecording(request.key, prompt=request.prompt)
        return replace(reply, usage=Usage(reused=1))


class CollectingModel:
    """Keeps each request once, in the order in which they came, and answers only what ``known`` answers.

    ``label`` goes before the name of a request; whoever works through several things sets it as they go on. So they do
    with ``chain``: what comes later in a chain is asked on the ground of what was answered before, so that only the
    first request that waits is kept, with its other samples; what would be asked after it is not known yet. Without a
    chain all are kept.
    """

    def __init__(self, name: str, *, known: LanguageModel | None = None, called: str = "") -> None:
        """``name`` is the language model that shall answer, ``called`` what its server calls it."""
        self.name = name
        self.called = called or name
        self.label = ""
        self.chain = ""
        self.known = known
        self._lock = Lock()
        self._requests: dict[str, tuple[str, Request]] = {}
        self._ends: dict[str, Request] = {}

    def ask(self, request: Request, /) -> Reply:
        """Answer from what is known, or keep the request.

        Raises:
            NoRecording: nobody has answered it yet.
        """
        if self.known is not None:
            try:
                return self.known.ask(request)
            except NoRecording:
                pass
        with self._lock:
            drawn = replace(request, sample=0)
            if not self.chain or self._ends.setdefault(self.chain, drawn) == drawn:
                self._requests.setdefault(request.key, (name_of_request(request, self.label), request))
        raise NoRecording(request.key, prompt=request.prompt)

    @property
    def requests(self) -> Iterator[tuple[str, Request]]:
        """Give the requests that wait for a reply, each with a name that no other has."""
        with self._lock:
            found = tuple(self._requests.values())
        return iter(found)
