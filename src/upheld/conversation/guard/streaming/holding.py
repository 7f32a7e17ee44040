"""A reply that arrives in pieces: what is held back of it, and when it may leave."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Generic, TypeVar

from upheld.conversation.guard.judging import unchecked
from upheld.conversation.guard.policy import Action, GuardPolicy
from upheld.conversation.guard.verdict import Blocked, GuardVerdict
from upheld.speech.matching.clauses import sentences

T = TypeVar("T")


class SentenceCutter:
    """Cuts a text that arrives in pieces into sentences, each with the blanks after it.

    Where it cuts does not depend on the pieces: a sentence is over when the next one has begun. Cost of a piece: the
    length of the sentence that is not over yet.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._begun = ""

    @property
    def length(self) -> int:
        """Characters that are held, of a sentence that is not over yet."""
        return len(self._begun)

    def feed(self, piece: str) -> list[str]:
        """Take a piece and give the sentences that are over."""
        text = self._begun + piece
        begins = [start for start, _ in sentences(text)][1:]
        places = [0, *begins]
        self._begun = text[places[-1] :]
        return [text[start:end] for start, end in zip(places, begins, strict=False)]

    def rest(self) -> str:
        """Give what is left as a sentence, and begin anew."""
        text, self._begun = self._begun, ""
        return text


class Holding(Generic[T]):
    """What one stream holds back, and what it may give away.

    ``next_unit`` is what must be checked next; :meth:`settle` with the verdict lets it out. Everything that came before
    a passage that fails leaves, nothing of it or after it does.
    """

    def __init__(self, policy: GuardPolicy) -> None:
        """Begin with nothing."""
        self._policy = policy
        self._cutter = SentenceCutter()
        self._waiting: deque[str | _Item[T]] = deque()
        self._out: deque[str | T] = deque()
        self._left: list[str] = []
        self.verdicts: list[GuardVerdict] = []
        self.failed: GuardVerdict | None = None

    @property
    def left(self) -> str:
        """All text that may leave so far."""
        return "".join(self._left)

    def take(self, piece: T) -> None:
        """Take what arrived."""
        if not isinstance(piece, str):
            self.cut()
            self._waiting.append(_Item(piece))
            return
        self._waiting.extend(self._cutter.feed(piece))
        if self._cutter.length > self._policy.max_held:
            self.cut()

    def cut(self) -> None:
        """Take what is begun for a sentence, because nothing more of it will come."""
        rest = self._cutter.rest()
        if rest:
            self._waiting.append(rest)

    def next_unit(self) -> str | None:
        """Give the sentence to check next; ``None`` when nothing waits, or the stream has failed."""
        while self._waiting and self.failed is None:
            first = self._waiting[0]
            if isinstance(first, _Item):
                self._out.append(first.item)
            elif not first.strip():
                self._let_out(first)
            elif len(first) > self._policy.max_held:
                why = f"over the limit of {self._policy.max_held} characters in one sentence"
                self.settle(unchecked(first, why, self._policy))
                continue
            else:
                return first
            self._waiting.popleft()
        return None

    def settle(self, verdict: GuardVerdict) -> None:
        """Let the first sentence that waits out, or what can be said in its place, or nothing more at all."""
        unit = self._waiting.popleft()
        assert isinstance(unit, str), "only sentences are checked"
        self.verdicts.append(verdict)
        if verdict.passes:
            self._let_out(unit)
        elif self._is_mended(verdict):
            if verdict.rewritten:
                blanks = unit[len(unit.rstrip()) :]
                self._let_out(verdict.rewritten.rstrip() + blanks)
        else:
            self.failed = replace(verdict, reply=unit)
            self.drop()

    def drop(self) -> None:
        """Let go of what was not checked yet."""
        self._waiting.clear()
        self._cutter.rest()

    def next_out(self) -> deque[str | T]:
        """Give what may leave now, the first first; whoever gives it away takes it from here."""
        return self._out

    def error(self) -> Blocked:
        """Give the exception that ends a stream that failed."""
        assert self.failed is not None, "nothing failed"
        return Blocked(self.failed, left=self.left)

    def _is_mended(self, verdict: GuardVerdict) -> bool:
        is_for_a_person = verdict.action is Action.QUEUE
        return self._policy.is_mending_streams and not verdict.could_not_check and not is_for_a_person

    def _let_out(self, text: str) -> None:
        self._out.append(text)
        self._left.append(text)


class _Item(Generic[T]):
    """What is no text, in its place among the sentences."""

    def __init__(self, item: T) -> None:
        self.item = item
