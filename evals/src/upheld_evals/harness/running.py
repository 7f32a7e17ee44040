"""Runs a suite: every arm over every item, conversation by conversation, going on where an earlier run stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from upheld.errors import BudgetSpent, ModelUnreachable, NoRecording, UpheldError
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.metering import CountingModel
from upheld.speech.models.reply import Usage
from upheld_evals.harness.journal import Journal, journal_path
from upheld_evals.harness.repeating import as_run
from upheld_evals.harness.suite import Answer, Arm, Item, Outcome, Responder, Scored, Status, Suite
from upheld_evals.statistics import by_group

Progress = Callable[[str, int, int], None]
"""Called with an arm's name, the items done and the items in all."""

NOT_FOR_KEEPS = (NoRecording, ModelUnreachable)
"""Failures that say nothing of the arm: such an item is tried again next time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a suite is run. ``limit`` takes the first so many items; ``concurrency`` counts conversations at a time."""

    limit: int = 0
    seed: int = 0
    concurrency: int = 1
    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmRun:
    """What became of one arm. ``skipped`` says why it was not run at all; ``stopped`` why not to the end.

    ``resumed`` counts the outcomes that an earlier run left behind.
    """

    arm: str
    llm: str = ""
    outcomes: tuple[Scored, ...] = ()
    asked: int = 0
    resumed: int = 0
    skipped: str = ""
    stopped: str = ""

    @property
    def usage(self) -> Usage:
        """What a language model was asked for, earlier runs included."""
        return sum((outcome.usage for _, outcome in self.outcomes), Usage())

    def count(self, status: Status) -> int:
        """Count the outcomes of a kind."""
        return sum(outcome.status is status for _, outcome in self.outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRun:
    """A suite with what became of its arms; ``items`` are those that the limit left."""

    suite: Suite
    seed: int
    items: tuple[Item, ...]
    arms: tuple[ArmRun, ...] = field(default=())

    @property
    def is_complete(self) -> bool:
        """Whether every arm that could be run was run to the end."""
        return not any(each.stopped for each in self.arms)


def run_suite(
    suite: Suite, settings: Settings, *, llm: LanguageModel | None = None, progress: Progress | None = None
) -> SuiteRun:
    """Run every arm of a suite over its items.

    A failure of one item is that item's outcome. A spent budget stops the arm: what was answered is kept, and another
    run goes on from there.

    Raises:
        MalformedInput: a journal that is damaged.
    """
    items = suite.items[: settings.limit] if settings.limit else suite.items
    runs = [_ArmBeingRun(suite, arm, items, settings, llm, progress).run() for arm in suite.arms]
    return SuiteRun(suite=suite, seed=settings.seed, items=items, arms=tuple(runs))


class _ArmBeingRun:
    def __init__(
        self,
        suite: Suite,
        arm: Arm,
        items: Sequence[Item],
        settings: Settings,
        llm: LanguageModel | None,
        progress: Progress | None,
    ) -> None:
        self._suite = suite
        self._arm = arm
        self._items = items
        self._settings = settings
        self._llm = llm if arm.asks_llm else None
        self._progress = progress
        self._journal: Journal | None = None
        self._outcomes: dict[str, Outcome] = {}
        self._stopped = ""

    def run(self) -> ArmRun:
        if self._arm.asks_llm and self._llm is None:
            return ArmRun(arm=self._arm.name, skipped="no language model was named (--model or --recordings)")
        self._resume()
        resumed = len(self._outcomes)
        conversations = list(by_group((item.conversation, item) for item in self._items).values())
        if self._settings.concurrency > 1 and len(conversations) > 1:
            self._run_together(conversations)
        else:
            for each in conversations:
                self._run_conversation(each)
        outcomes = tuple((item, self._outcomes[item.id]) for item in self._items if item.id in self._outcomes)
        return ArmRun(
            arm=self._arm.name,
            llm=self._llm.name if self._llm is not None else "",
            outcomes=outcomes,
            asked=len(self._items),
            resumed=resumed,
            stopped=self._stopped,
        )

    def _resume(self) -> None:
        if self._settings.folder is None:
            return
        llm = self._llm.name if self._llm is not None else ""
        fingerprint = self._suite.fingerprint(self._arm, llm)
        path = journal_path(self._settings.folder, self._suite.name, self._arm.name, fingerprint)
        head = {"suite": self._suite.name, "arm": self._arm.name, "identity": self._arm.identity, "llm": llm}
        self._journal = Journal(path, head=head)
        for item in self._items:
            known = self._journal.get(item.id)
            if known is not None:
                self._outcomes[item.id] = known

    def _run_together(self, conversations: Sequence[Sequence[Item]]) -> None:
        with ThreadPoolExecutor(self._settings.concurrency) as pool:
            running: list[Future[None]] = [pool.submit(self._run_conversation, each) for each in conversations]
            for each in running:
                each.result()

    def _run_conversation(self, items: Sequence[Item]) -> None:
        missing = [item for item in items if item.id not in self._outcomes]
        if not missing or self._stopped:
            return
        counting = CountingModel(as_run(self._llm, items)) if self._llm is not None else None
        try:
            start = time.perf_counter()
            responder = self._arm.begun(items, counting)
            preparing = time.perf_counter() - start
        except BudgetSpent as spent:
            self._stopped = str(spent)
            return
        except UpheldError as error:
            for item in missing:
                self._keep(self._failed(item, error), is_for_keeps=not isinstance(error, NOT_FOR_KEEPS))
            return
        for item in missing:
            if self._stopped:
                return
            self._answer(item, responder, preparing, counting)
            preparing = 0.0

    def _answer(self, item: Item, responder: Responder, preparing: float, counting: CountingModel | None) -> None:
        start = time.perf_counter()
        try:
            answer = responder(item)
        except BudgetSpent as spent:
            self._stopped = str(spent)
        except UpheldError as error:
            failed = replace(self._failed(item, error), usage=_taken(counting))
            self._keep(failed, is_for_keeps=not isinstance(error, NOT_FOR_KEEPS))
        else:
            seconds = time.perf_counter() - start
            scored = replace(self._scored(item, answer, seconds, preparing), usage=_taken(counting))
            self._keep(scored, is_for_keeps=True)

    def _scored(self, item: Item, answer: Answer, seconds: float, preparing: float) -> Outcome:
        return Outcome(
            item=item.id,
            arm=self._arm.name,
            status=Status.ABSTAINED if answer.abstained else Status.ANSWERED,
            score=0.0 if answer.abstained else self._suite.score(item, answer),
            value=answer.value,
            certainty=answer.certainty,
            reason=answer.abstained,
            seconds=seconds,
            preparing=preparing,
        )

    def _failed(self, item: Item, error: UpheldError) -> Outcome:
        status = Status.MISSING if isinstance(error, NoRecording) else Status.FAILED
        return Outcome(item=item.id, arm=self._arm.name, status=status, score=0.0, reason=str(error))

    def _keep(self, outcome: Outcome, *, is_for_keeps: bool) -> None:
        self._outcomes[outcome.item] = outcome
        if self._journal is not None and is_for_keeps:
            self._journal.add(outcome)
        if self._progress is not None:
            self._progress(self._arm.name, len(self._outcomes), len(self._items))


def _taken(counting: CountingModel | None) -> Usage:
    """What reading the conversation cost comes with its first item, as its time does."""
    return counting.taken() if counting is not None else Usage()
