"""One request on its way through the proxy: where it belongs, what is added to it, and what is found of its answer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

import anyio

from upheld.conversation.guard.judging import unchecked
from upheld.conversation.guard.policy import Action, GuardPolicy
from upheld.conversation.guard.verdict import GuardVerdict
from upheld.errors import UpheldError
from upheld.faces.proxy.apis.dialect import Dialect, Refusal, heard_in_reply, words_of
from upheld.faces.proxy.checking import Checker, mark_of, notice_of, outcome_of, policy_for
from upheld.faces.proxy.events import Tree
from upheld.faces.proxy.placing import History, Placed, told
from upheld.faces.proxy.resuming import resumed
from upheld.faces.server.access import Visit
from upheld.logic.language.verdicts import Outcome
from upheld.speech.formats.exports.dialogue import Said
from upheld.speech.formats.exports.values import text

T = TypeVar("T")

_LOG = logging.getLogger("upheld.server.proxy")


class Policy(StrEnum):
    """What is done with an answer that does not stand.

    ``OBSERVE``: nothing that anybody sees but headers and the log; nothing is added to the request either.
    ``ANNOTATE``: it passes, with what was found beside it. ``RETRY``: it is asked for once more, with the reasons, and
    what comes then passes. ``BLOCK``: a refusal comes in its place. ``QUEUE``: the same, and it is put before a person.
    """

    OBSERVE = "observe"
    ANNOTATE = "annotate"
    RETRY = "retry"
    BLOCK = "block"
    QUEUE = "queue"

    @property
    def holds_back(self) -> bool:
        """Tell whether an answer that does not stand stays here."""
        return self in (Policy.BLOCK, Policy.QUEUE)


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request and its answer. What fails on our side is kept in ``trouble`` and fails no request.

    ``is_flagging``: an answer that does not stand is put before a person under any policy. ``remember``
    keeps the history of an answer that the record does not find by its id.
    """

    visit: Visit
    dialect: Dialect
    body: Tree
    policy: Policy
    history: History
    is_heard: bool = True
    is_flagging: bool = False
    attempts: int = 1
    trouble: str = ""
    standing: str = ""
    remember: Callable[[str, History], None] = lambda _id, _history: None
    _checker: Checker | None = field(default=None)

    @property
    def conversation(self) -> str:
        """The conversation that the request belongs to; empty, where none could be found."""
        return "" if self._checker is None else self._checker.placed.conversation

    @property
    def guard(self) -> GuardPolicy:
        """What a guard would do."""
        blocks = self.policy.holds_back and self.visit.settings.when_unchecked == "block"
        return policy_for(may_pass_unchecked=not blocks, is_mending=self.policy is Policy.RETRY)

    async def begin(self) -> None:
        """Tell what is new in the request, and look up what stands."""
        await self._safely(self._begun, None)
        if not self.is_heard and not self.trouble:
            self.trouble = "a message of the request could not be read"

    def request(self) -> Tree:
        """Give the request as it goes on."""
        return self.dialect.with_standing(self.body, self.standing) if self.standing else self.body

    def request_again(self, verdict: GuardVerdict) -> Tree:
        """Give the request as it goes on after an answer that does not stand."""
        self.attempts += 1
        return self.dialect.with_reason(self.request(), verdict.for_model())

    async def verdict(self, said: str) -> GuardVerdict:
        """Judge a text; that it could not be judged is a verdict, too."""
        checker = self._checker
        if self.trouble or checker is None:
            return unchecked(said, self.trouble or "nothing is on record", self.guard)
        if not said.strip():
            return GuardVerdict(reply=said, action=Action.PASS)
        if len(said) > self.guard.max_text:
            return unchecked(said, f"over the size limit of {self.guard.max_text} characters", self.guard)
        found, trouble = await self._tried(lambda: checker.verdict(said))
        return found if found is not None else unchecked(said, trouble, self.guard)

    async def noted(self, verdict: GuardVerdict, reply: Tree) -> GuardVerdict:
        """Let the verdict on a whole answer be counted and told to whoever listens; nothing is said of no text.

        It is put before a person where the policy holds it back for one, or where that is wished; the verdict then
        names its flag.
        """
        checker = self._checker
        if checker is None or not verdict.reply.strip():
            return verdict
        await self._tried(lambda: checker.note(verdict, text(reply.get("id"))))
        is_held = self.policy is Policy.QUEUE and not verdict.passes
        is_wished = self.is_flagging and verdict.checked.outcome is Outcome.UNGROUNDED
        if self.trouble or not (is_held or is_wished):
            return verdict
        flag, trouble = await self._tried(lambda: checker.flag(verdict, self.history))
        if trouble:
            _LOG.warning("an answer was not put before a person: %s", trouble)
        return replace(verdict, flag=flag or "")

    async def settle(self, verdict: GuardVerdict, said: Sequence[Said], reply: Tree, *, is_refused: bool) -> Tree:
        """Tell what leaves, note it in the log, and give what the client is told."""
        after, id, placed = self.history.and_then(said), self._id_of(reply), None
        if said and not self.trouble:
            placed, trouble = await self._tried(lambda: told(self.visit, after, answer=id))
            if trouble:
                _LOG.warning("an answer was not put on record: %s", trouble)
        if id and (placed is None or not placed.is_marked):
            self.remember(id, after)
        mark = self.mark(verdict, is_refused=is_refused)
        _LOG.info(
            "conversation=%s policy=%s action=%s outcome=%s reasons=%s attempts=%d",
            self.conversation or "-",
            self.policy.value,
            mark["action"],
            mark["outcome"],
            ",".join(mark["reasons"]) or "-",
            self.attempts,
        )
        return mark

    def mark(self, verdict: GuardVerdict, *, is_refused: bool) -> Tree:
        """Give what the client is told of an answer."""
        is_sound = not verdict.reasons and verdict.passes
        marked = Policy.OBSERVE if self.policy is Policy.OBSERVE else Policy.ANNOTATE
        held = Policy.QUEUE if self.policy is Policy.QUEUE else Policy.BLOCK
        action = held.value if is_refused else "pass" if is_sound else marked.value
        return {
            "conversation": self.conversation,
            "policy": self.policy.value,
            "action": action,
            "attempts": self.attempts,
            **mark_of(verdict, is_refused=is_refused),
        }

    def refusal(self, verdict: GuardVerdict) -> Refusal:
        """Give why an answer does not leave."""
        return Refusal(notice=notice_of(verdict), mark=self.mark(verdict, is_refused=True))

    def headers(self, verdict: GuardVerdict | None = None) -> dict[str, str]:
        """Give what is told in headers; a stream has no verdict yet."""
        told = {"x-upheld-policy": self.policy.value}
        if self.conversation.isascii() and self.conversation:
            told["x-upheld-conversation"] = self.conversation
        if verdict is not None:
            told["x-upheld-outcome"] = outcome_of(verdict)
            told["x-upheld-reasons"] = ",".join(reason.value for reason in verdict.reasons)
            if verdict.flag:
                told["x-upheld-flag"] = verdict.flag
        return told

    def _id_of(self, reply: Tree) -> str:
        """Give the id by which a later request may go on from an answer, if the upstream keeps it for that."""
        is_kept = reply.get("object") == "response" and self.body.get("store") is not False
        return text(reply.get("id")) if is_kept else ""

    def _begun(self) -> None:
        self.history = resumed(self.visit, self.history)
        placed: Placed = told(self.visit, self.history)
        self._checker = checker = Checker(visit=self.visit, placed=placed, policy=self.guard)
        budget = self.visit.settings.standing_tokens
        if budget and self.policy is not Policy.OBSERVE:
            self.standing = checker.standing(budget)

    async def _safely(self, work: Callable[[], T], otherwise: T) -> T:
        found, trouble = await self._tried(work)
        self.trouble = self.trouble or trouble
        return otherwise if found is None else found

    async def _tried(self, work: Callable[[], T]) -> tuple[T | None, str]:
        """Do a piece of work on a thread, for so long and no longer; why it failed is given, and not raised."""
        try:
            with anyio.fail_after(self.visit.settings.check_seconds):
                return await anyio.to_thread.run_sync(work, abandon_on_cancel=True), ""
        except TimeoutError:
            return None, f"too late: nothing within {self.visit.settings.check_seconds} seconds"
        except UpheldError as error:
            _LOG.warning("could not check: %s", type(error).__name__)
            return None, type(error).__name__
        # The edge of one request: a fault of ours must not cost the caller an answer that was paid for.
        except Exception as error:  # noqa: BLE001
            _LOG.error("could not check: %s", type(error).__name__)
            return None, "a fault of the proxy"


def answer_in(tree: Tree) -> tuple[tuple[Said, ...], str]:
    """Give what one answer says and calls, and its text."""
    said = heard_in_reply(tree)
    return said, words_of(said)
