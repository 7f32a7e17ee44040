"""Replies that are paid for once."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from upheld.errors import ModelUnreachable, StoreError
from upheld.speech.models.budget import BudgetedModel
from upheld.speech.models.cache import CachedModel, SqliteReplyStore
from upheld.speech.models.reply import Finish, Level, Reply, Usage
from upheld.speech.models.request import Request
from upheld.testing.language_model_contract import REQUESTS, asked
from upheld.testing.scripted_model import Line, ScriptedModel


@pytest.fixture
def store(tmp_path: Path) -> SqliteReplyStore:
    """Give an empty store."""
    return SqliteReplyStore(tmp_path / "replies.sqlite")


def echo(request: Request) -> Line:
    """Say what was asked last."""
    return request.messages[-1].text


def test_the_same_request_is_asked_once_and_then_reused(store: SqliteReplyStore) -> None:
    """The issue, section 1: a cache by prompt, language model and settings; a hit costs nothing."""
    inner = ScriptedModel(echo)
    first, second = [[CachedModel(inner, store).ask(request) for request in REQUESTS] for _ in range(2)]
    assert len(inner.asked) == len(REQUESTS)
    assert [reply.text for reply in first] == [reply.text for reply in second]
    assert all(reply.usage.calls == 1 for reply in first)
    assert all(reply.usage == Usage(reused=1) for reply in second)


def test_all_of_a_reply_is_kept(store: SqliteReplyStore) -> None:
    """Our promise: what is reused tells as much as what was asked for."""
    reply = Reply(
        text=" \u2028\0🚆\r\n", answered_by="x-1", usage=Usage(calls=1), finish=Finish.LENGTH, level=Level.JSON
    )
    llm = CachedModel(ScriptedModel([reply]), store)
    assert llm.ask(REQUESTS[0]) == reply
    again = llm.ask(REQUESTS[0])
    assert (again.text, again.answered_by, again.finish, again.level) == (reply.text, "x-1", reply.finish, reply.level)


def test_what_decides_a_reply_decides_the_key(store: SqliteReplyStore) -> None:
    """Our promise: another draw, another language model, other settings: another reply."""
    inner = ScriptedModel(echo)
    CachedModel(inner, store).ask(asked("a"))
    CachedModel(inner, store).ask(asked("a", sample=1))
    CachedModel(inner, store, settings="top_p=0.5").ask(asked("a"))
    other = ScriptedModel(echo, name="other:model")
    CachedModel(other, store).ask(asked("a"))
    assert (len(inner.asked), len(other.asked)) == (3, 1)


def test_a_failure_is_not_kept(store: SqliteReplyStore) -> None:
    """Our promise: what failed once may be asked again."""
    llm = CachedModel(ScriptedModel([ModelUnreachable("gone"), "back"]), store)
    with pytest.raises(ModelUnreachable):
        llm.ask(REQUESTS[0])
    assert llm.ask(REQUESTS[0]).text == "back"


def test_threads_that_want_one_reply_ask_once(store: SqliteReplyStore) -> None:
    """Our promise: one asks, the others wait for it, and requests that differ do not wait for each other."""
    both = threading.Barrier(2, timeout=10)

    def script(request: Request) -> Line:
        both.wait()
        return echo(request)

    inner = ScriptedModel(script)
    llm = CachedModel(inner, store)
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(llm.ask, [asked("a"), asked("b")] * 4))
    assert [reply.text for reply in replies] == ["a", "b"] * 4
    assert len(inner.asked) == 2
    assert sum((reply.usage for reply in replies), Usage()).reused == 6


def test_what_is_kept_stays_free_when_the_budget_is_spent(store: SqliteReplyStore) -> None:
    """The issue, section 1: stopping cleanly and resuming; what was answered need not be paid for again."""
    llm = CachedModel(BudgetedModel(ScriptedModel(["a"]), calls=1), store)
    llm.ask(REQUESTS[0])
    assert llm.ask(REQUESTS[0]).text == "a"


def test_processes_agree_on_one_reply(tmp_path: Path) -> None:
    """Our promise: of two processes that ask at once, both go on with the reply of the first."""
    program = """
import sys
from upheld.speech.models.cache import CachedModel, SqliteReplyStore
from upheld.testing.language_model_contract import asked
from upheld.testing.scripted_model import ScriptedModel
llm = CachedModel(ScriptedModel(lambda request: sys.argv[2]), SqliteReplyStore(sys.argv[1]))
print("".join(llm.ask(asked(str(place))).text for place in range(50)))
"""
    path = tmp_path / "replies.sqlite"
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(path), name], stdout=subprocess.PIPE, text=True)
        for name in "ab"
    ]
    said = {process.communicate(timeout=60)[0] for process in running}
    assert len(said) == 1
    assert len(said.pop().strip()) == 50


@pytest.mark.parametrize("content", [b"this is no database, and long enough to be seen as such" * 50, None])
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, content: bytes | None) -> None:
    """Our promise: a damaged medium is a typed error that names the file."""
    path = tmp_path / "missing" / "replies.sqlite" if content is None else tmp_path / "replies.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StoreError, match=r"replies\.sqlite"):
        SqliteReplyStore(path)
