"""A language model that says what it is told to: for tests of whatever asks one, in this process, without a network.

::

    scripted = ScriptedModel(['{"operations": []}'])
    scripted = ScriptedModel(lambda request: {"operations": []})

No figure may be reported from it: it measures the path, never an answer.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence

from upheld.errors import ModelFailure
from upheld.speech.models.reply import Finish, Reply, Usage
from upheld.speech.models.request import Request

Line = str | Mapping[str, object] | Reply | ModelFailure
"""What is answered to one request: a text, an object that becomes its JSON, a whole reply, or a failure to raise."""


class ScriptedModel:
    """Answers from a list, in order, or from a callable that is given each request; safe to call from several threads.

    A list that has been used up is an error of the test, not of the language model: it raises ``AssertionError``.
    Tokens are counted as words, so that costs can be compared and are never zero by accident.
    """

    def __init__(self, script: Sequence[Line] | Callable[[Request], Line], *, name: str = "scripted:model") -> None:
        """``script`` gives the lines; ``name`` is what stands in readings and verdicts."""
        self.name = name
        self._script = script
        self._asked: list[Request] = []
        self._lock = threading.Lock()

    @property
    def asked(self) -> tuple[Request, ...]:
        """Every request so far, in order."""
        with self._lock:
            return tuple(self._asked)

    def ask(self, request: Request, /) -> Reply:
        """Answer with the next line of the script."""
        with self._lock:
            place = len(self._asked)
            self._asked.append(request)
        if callable(self._script):
            return self._replied(request, self._script(request))
        if place >= len(self._script):
            raise AssertionError(f"the script has {len(self._script)} lines, and was asked {place + 1} times")
        return self._replied(request, self._script[place])

    def _replied(self, request: Request, line: Line) -> Reply:
        if isinstance(line, ModelFailure):
            raise line
        if isinstance(line, Reply):
            return line
        text = line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
        return Reply(text=text, answered_by=self.name, usage=word_count(request, text), finish=Finish.STOP)


def word_count(request: Request, text: str) -> Usage:
    """Give the usage of one call with words for tokens."""
    asked = sum(len(message.text.split()) for message in request.messages)
    return Usage(calls=1, input_tokens=asked, output_tokens=len(text.split()))
