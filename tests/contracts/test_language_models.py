"""Every language model against the suite that we ship, and the suite against language models that break it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from upheld.speech.models.budget import BudgetedModel
from upheld.speech.models.cache import CachedModel, SqliteReplyStore
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.metering import MeteredModel
from upheld.speech.models.providers import language_model
from upheld.speech.models.recordings import RecordedModel, read_recording, recording
from upheld.speech.models.reply import Reply, Usage
from upheld.speech.models.request import Request
from upheld.testing.language_model_contract import REQUESTS, LanguageModelContract
from upheld.testing.scripted_model import ScriptedModel
from upheld.testing.scripted_server import ScriptedServer


def scripted() -> ScriptedModel:
    """Give a language model that says one thing."""
    return ScriptedModel(lambda _: '{"answer": "at 9:40"}')


class TestScriptedModel(LanguageModelContract):
    """In this process."""

    @pytest.fixture
    def llm(self) -> LanguageModel:
        """Make one."""
        return scripted()


class TestGateway(LanguageModelContract):
    """Over HTTP, through pydantic-ai."""

    @pytest.fixture
    def llm(self) -> Iterator[LanguageModel]:
        """Make one, and the server that it asks."""
        with ScriptedServer(lambda _: '{"answer": "at 9:40"}') as server:
            yield language_model("scripted", base_url=server.base_url)


class TestCachedModel(LanguageModelContract):
    """Replies kept in SQLite."""

    @pytest.fixture
    def llm(self, tmp_path: Path) -> LanguageModel:
        """Make one with an empty store."""
        return CachedModel(scripted(), SqliteReplyStore(tmp_path / "replies.sqlite"))


class TestRecordingModel(LanguageModelContract):
    """Writing every reply down."""

    @pytest.fixture
    def llm(self, tmp_path: Path) -> LanguageModel:
        """Make one with an empty file."""
        return recording(scripted(), tmp_path / "replies.jsonl")


class TestRecordedModel(LanguageModelContract):
    """Replaying what was written down."""

    @pytest.fixture
    def llm(self, tmp_path: Path) -> LanguageModel:
        """Make one from a recording of the requests of the suite."""
        writing = recording(scripted(), tmp_path / "replies.jsonl")
        for request in REQUESTS:
            writing.ask(request)
        return RecordedModel(read_recording(tmp_path / "replies.jsonl"))


class TestBudgetedModel(LanguageModelContract):
    """Within an allowance."""

    @pytest.fixture
    def llm(self) -> LanguageModel:
        """Make one with enough of it."""
        return BudgetedModel(scripted(), calls=1_000, tokens=1_000_000)


class TestMeteredModel(LanguageModelContract):
    """Counting."""

    @pytest.fixture
    def llm(self) -> LanguageModel:
        """Make one without prices."""
        return MeteredModel(scripted())


class Faulty:
    """A language model whose every reply is changed."""

    def __init__(self, change: Callable[[Reply], Reply], name: str = "faulty:model") -> None:
        """Take the change."""
        self.name = name
        self._change = change

    def ask(self, request: Request, /) -> Reply:
        """Answer."""
        reply = Reply(text="yes", answered_by="faulty", usage=Usage(calls=1, input_tokens=1, output_tokens=1))
        return self._change(reply)


class Looping(Faulty):
    """A language model that cannot answer where an event loop runs."""

    def ask(self, request: Request, /) -> Reply:
        """Answer."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return super().ask(request)
        raise RuntimeError("cannot be called from a running event loop")


SUITE = LanguageModelContract


@pytest.mark.parametrize(
    ("faulty", "check"),
    [
        (Faulty(lambda reply: reply, name=" "), SUITE.test_it_names_itself),
        (Faulty(lambda reply: replace(reply, text="")), SUITE.test_it_answers_every_kind_of_request),
        (Faulty(lambda reply: replace(reply, answered_by="")), SUITE.test_it_answers_every_kind_of_request),
        (Faulty(lambda reply: replace(reply, usage=Usage())), SUITE.test_every_reply_was_paid_for_or_reused),
        (
            Faulty(lambda reply: replace(reply, usage=Usage(reused=1, input_tokens=1))),
            SUITE.test_every_reply_was_paid_for_or_reused,
        ),
        (Faulty(lambda reply: replace(reply, text="")), SUITE.test_it_answers_several_threads_at_once),
    ],
    ids=["unnamed", "silent", "anonymous", "free", "charging-twice", "silent-in-threads"],
)
def test_the_suite_notices_a_faulty_language_model(
    faulty: LanguageModel, check: Callable[[LanguageModelContract, LanguageModel], None]
) -> None:
    """A suite that nothing fails proves nothing."""
    with pytest.raises(AssertionError):
        check(SUITE(), faulty)


def test_the_suite_notices_one_that_works_only_outside_a_running_loop() -> None:
    """C-33: the fault that the suite is there to find."""
    with pytest.raises(RuntimeError, match="running event loop"):
        SUITE().test_it_answers_inside_a_running_loop_and_in_the_next(Looping(lambda reply: reply))
