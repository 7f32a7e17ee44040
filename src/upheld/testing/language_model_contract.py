"""The suite that every language model must pass: subclass it in a test module and bind its fixture.

::

    class TestMyModel(LanguageModelContract):
        @pytest.fixture
        def llm(self) -> LanguageModel:
            return MyModel()

What is bound must answer each of :data:`REQUESTS`, with any text that is not empty.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Finish, Reply
from upheld.speech.models.request import Message, Request, Role, Shape

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}


def asked(text: str, *, sample: int = 0, shape: Shape | None = None) -> Request:
    """Give a request with instructions and one message."""
    messages = (Message(role=Role.SYSTEM, text="Answer briefly."), Message(role=Role.USER, text=text))
    return Request(prompt="contract@1", messages=messages, shape=shape, sample=sample)


REQUESTS = (
    asked("When does the train to Porto leave?"),
    asked("When does the train to Porto leave?", sample=1),
    asked("When does it leave?", shape=Shape(name="answer", schema=SCHEMA)),
    asked("Ein Zug, поезд, 列車, 🚆, \u202e, e\u0301: wann?"),
    asked('{"$defs": {}} ``` </quote> \\ "'),
    asked("word " * 2_000),
    Request(prompt="contract@1", messages=(Message(role=Role.USER, text="No instructions."),)),
    Request(
        prompt="contract@1",
        messages=(
            Message(role=Role.USER, text="First."),
            Message(role=Role.ASSISTANT, text="Then?"),
            Message(role=Role.USER, text="Last."),
        ),
    ),
)
"""Requests of the kinds that rooms make: a second draw, a shape, other scripts, a long one, a longer exchange."""


class LanguageModelContract:
    """What any :class:`~upheld.speech.models.language_model.LanguageModel` promises."""

    def test_it_names_itself(self, llm: LanguageModel) -> None:
        """Demanded by the issue, section 5: never a number without the name of the language model."""
        before = llm.name
        assert before.strip()
        llm.ask(REQUESTS[0])
        assert llm.name == before

    def test_it_answers_every_kind_of_request(self, llm: LanguageModel) -> None:
        """Demanded by the port: a reply says what came, from whom, why it ended and what it took."""
        for request in REQUESTS:
            reply = llm.ask(request)
            assert isinstance(reply, Reply)
            assert reply.text
            assert reply.answered_by
            assert isinstance(reply.finish, Finish)

    def test_every_reply_was_paid_for_or_reused(self, llm: LanguageModel) -> None:
        """Our promise: a report of costs misses nothing; no reply comes from nowhere."""
        for request in REQUESTS:
            usage = llm.ask(request).usage
            assert usage.calls + usage.reused >= 1
            assert min(usage.calls, usage.reused, usage.input_tokens, usage.output_tokens) >= 0
            assert usage.calls or not usage.tokens

    def test_asking_leaves_the_request_as_it_was(self, llm: LanguageModel) -> None:
        """Our promise: a request is a value; its key finds the reply again."""
        keys = [request.key for request in REQUESTS]
        for request in REQUESTS:
            llm.ask(request)
        assert [request.key for request in REQUESTS] == keys

    def test_it_answers_several_threads_at_once(self, llm: LanguageModel) -> None:
        """Demanded by the port: conversations are interpreted side by side."""
        with ThreadPoolExecutor(4) as pool:
            replies = list(pool.map(llm.ask, REQUESTS * 3))
        assert all(reply.text for reply in replies)

    def test_it_answers_inside_a_running_loop_and_in_the_next(self, llm: LanguageModel) -> None:
        """Demanded by C-33 (Memori #11, nexent #787): a script, ``asyncio.run`` twice, and a thread of it."""

        async def inside() -> tuple[Reply, Reply]:
            return llm.ask(REQUESTS[0]), await asyncio.to_thread(llm.ask, REQUESTS[2])

        assert llm.ask(REQUESTS[0]).text
        for _ in range(2):
            assert all(reply.text for reply in asyncio.run(inside()))
