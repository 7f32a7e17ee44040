"""How well the answers agree with the labels of annotated files: every count that ``upheld score`` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from upheld.conversation.checking.claims import check_text
from upheld.conversation.checking.readers import matcher
from upheld.conversation.checking.replaying import candidates_of, loaded
from upheld.conversation.conversation import Conversation
from upheld.conversation.scoring.alignment import Alignment, aligned
from upheld.conversation.scoring.tallies import Ratio, Tally
from upheld.conversation.scoring.worlds import score_worlds
from upheld.errors import CouldNotCheck, UnknownReference
from upheld.logic.dependency.justifications import grounds_of
from upheld.logic.language.literals import Literal
from upheld.logic.language.notation import format_formula
from upheld.logic.language.operations import name_of
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.answers.verify import verify
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.speech.formats.gold import Gold, VerifyItem
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel

IMPLIED: Mapping[str, frozenset[Reason]] = {
    "stale": frozenset({Reason.ABANDONED, Reason.RETRACTED, Reason.REOPENED}),
    "superseded": frozenset({Reason.SUPERSEDED}),
    "premise_lost": frozenset({Reason.PREMISE_LOST}),
    "cross_conversation": frozenset({Reason.UNKNOWN}),
    "overclaim": frozenset({Reason.OVERCLAIMED, Reason.UNDERMINED}),
}
"""Reasons that a category implies (the corpus's README); a ``reason`` on the item itself goes before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One answer that differs from its label."""

    file: str
    kind: str
    item: str
    expected: str
    found: str


@dataclass(slots=True, kw_only=True)
class Score:
    """Counts over all files scored so far; ``misses`` names every answer that differs."""

    files: int = 0
    turns: int = 0
    status: Ratio = field(default_factory=Ratio)
    affected: Ratio = field(default_factory=Ratio)
    reopens: Ratio = field(default_factory=Ratio)
    reasons: Ratio = field(default_factory=Ratio)
    verify: Ratio = field(default_factory=Ratio)
    worlds: Ratio = field(default_factory=Ratio)
    beliefs: Ratio = field(default_factory=Ratio)
    dependencies: Tally = field(default_factory=Tally)
    operations: Tally = field(default_factory=Tally)
    exact: Ratio = field(default_factory=Ratio)
    false_grounded: int = 0
    false_ungrounded: int = 0
    abstained: int = 0
    by_category: dict[str, Ratio] = field(default_factory=dict[str, Ratio])
    misses: list[Miss] = field(default_factory=list[Miss])

    def as_tree(self) -> dict[str, Any]:
        """Give the counts as ``upheld score --json`` prints them."""
        return {
            "files": self.files,
            "turns": self.turns,
            "status": self.status.as_tree(),
            "dependencies": self.dependencies.as_tree(),
            "affected": self.affected.as_tree(),
            "operations": {"type_f1": self.operations.f1, "exact": self.exact.share},
            "verify": {
                **self.verify.as_tree(),
                "false_grounded": self.false_grounded,
                "false_ungrounded": self.false_ungrounded,
                "abstained": self.abstained,
                "by_category": {name: ratio.as_tree() for name, ratio in sorted(self.by_category.items())},
            },
            "reasons": self.reasons.as_tree(),
            "reopens": self.reopens.as_tree(),
            "worlds": self.worlds.as_tree() if self.worlds.of else None,
            "beliefs": self.beliefs.as_tree() if self.beliefs.of else None,
        }


def score(
    transcripts: Iterable[tuple[str, Transcript]],
    *,
    interpreter: str = "annotated",
    matching: str = "gold",
    progress: Callable[[str], None] | None = None,
    llm: LanguageModel | None = None,
) -> Score:
    """Score annotated files, each given with its name.

    With ``matching="gold"`` a candidate is what its labels say that it rests on and contradicts; items marked
    ``beyond`` are left out, since no proposition decides them. With another of
    :data:`~upheld.conversation.checking.readers.MATCHERS` only its words are read, and all items count. An interpreter
    other than ``annotated`` makes propositions of its own: they are matched with the file's, turn by turn, by their
    words.
    """
    total = Score()
    for name, transcript in transcripts:
        _File(total, name, transcript, interpreter, matching, llm).score()
        if progress is not None:
            progress(name)
    return total


class _File:
    """One file being scored."""

    def __init__(
        self,
        total: Score,
        name: str,
        transcript: Transcript,
        interpreter: str,
        matching: str,
        llm: LanguageModel | None,
    ) -> None:
        self._total = total
        self._name = name
        self._transcript = transcript
        self._matching = matching
        self._talk: Conversation = loaded(transcript, interpreter=interpreter, llm=llm)
        self._ids: Alignment = aligned(transcript, self._talk, is_same=interpreter == "annotated")
        self._matcher = matcher("text" if matching == "gold" else matching, llm=llm)

    def score(self) -> None:
        gold = self._transcript.gold or Gold()
        self._total.files += 1
        self._total.turns += len(self._transcript.turns)
        self._score_operations()
        self._score_status(gold)
        self._score_dependencies(gold)
        self._score_affected(gold)
        self._score_beliefs(gold)
        for item in gold.verify:
            if not (item.beyond and self._matching == "gold"):
                self._score_item(item)
        if gold.worlds is not None:
            for question, is_right in score_worlds(gold.worlds):
                self._count(self._total.worlds, "worlds", question, "as stated", "as stated" if is_right else "other")

    def _count(self, ratio: Ratio, kind: str, item: str, expected: str, found: str) -> None:
        ratio.count(is_right=expected == found)
        if expected != found:
            miss = Miss(file=self._name, kind=kind, item=item, expected=expected, found=found)
            self._total.misses.append(miss)

    def _score_operations(self) -> None:
        for turn in self._transcript.turns:
            labelled = Counter(name_of(operation) for operation in turn.operations)
            told = Counter(name_of(operation) for operation in self._talk.timeline.told(turn.id).operations)
            self._total.operations.count(labelled, told)
            self._total.exact.count(is_right=labelled == told)

    def _score_status(self, gold: Gold) -> None:
        for id, expected in gold.status.items():
            if id in gold.status_not_from_operations:
                continue
            own = self._ids.get(id)
            found = lifecycle_of(self._talk.state, own).value if own is not None else "not found"
            self._count(self._total.status, "status", id, expected.value, found)

    def _score_dependencies(self, gold: Gold) -> None:
        state = self._talk.state
        for id, labelled in gold.dependencies.items():
            own = self._ids.get(id)
            expected = Counter(str(item) for item in labelled)
            found: Counter[str] = Counter()
            if own is not None:
                stories = state.dependencies.larger_stories.get(own, ())
                grounds = (*grounds_of(state.dependencies, own), *(Literal(story) for story in stories))
                found = Counter(self._ids.back(item) for item in dict.fromkeys(grounds))
            self._total.dependencies.count(expected, found)
            if expected != found:
                names = (", ".join(sorted(expected)), ", ".join(sorted(found)))
                self._total.misses.append(
                    Miss(file=self._name, kind="dependencies", item=id, expected=names[0], found=names[1])
                )

    def _score_affected(self, gold: Gold) -> None:
        for query in gold.affected:
            state = self._talk.at(query.at).state if query.at is not None else self._talk.state
            change = self._ids.change(query.change)
            try:
                delta = affected(state, change) if change is not None else None
            except UnknownReference:
                delta = None
            reached = {self._ids.back(Literal(id)) for id in delta.affected} if delta is not None else set[str]()
            returned = (*delta.reopened, *delta.reinstated) if delta is not None else ()
            back = {self._ids.back(Literal(id)) for id in returned}
            asked = str(query.change)
            for id in query.affected:
                self._count(self._total.affected, "affected", f"{id} by {asked}", "yes", _yes(id in reached))
            for id in query.unaffected:
                self._count(self._total.affected, "affected", f"{id} by {asked}", "no", _yes(id in reached))
            for id in query.reopens:
                self._count(self._total.reopens, "reopens", f"{id} by {asked}", "yes", _yes(id in back))

    def _score_beliefs(self, gold: Gold) -> None:
        for query in gold.beliefs:
            talk = self._talk if query.at is None else self._talk.at(query.at)
            try:
                found = _yes(talk.holds(query.formula))
            except CouldNotCheck:
                found = "could not check"
            asked = f"{format_formula(query.formula)} at {query.at or 'the end'}"
            self._count(self._total.beliefs, "beliefs", asked, _yes(query.holds), found)

    def _score_item(self, item: VerifyItem) -> None:
        total = self._total
        outcome, reason = self._verdict(item)
        self._count(total.verify, "verify", item.id, item.label.value, outcome.value)
        total.by_category.setdefault(item.category or "none", Ratio()).count(is_right=outcome is item.label)
        total.abstained += outcome is Outcome.ABSTAIN
        total.false_grounded += outcome is Outcome.GROUNDED and item.label is Outcome.UNGROUNDED
        total.false_ungrounded += outcome is Outcome.UNGROUNDED and item.label is Outcome.GROUNDED
        implied = _implied(item)
        if implied and not item.ambiguous and self._matching == "gold":
            is_right = reason in implied
            expected = " or ".join(sorted(each.value for each in implied))
            found = expected if is_right else reason.value if reason is not None else "none"
            self._count(total.reasons, "reason", item.id, expected, found)

    def _verdict(self, item: VerifyItem) -> tuple[Outcome, Reason | None]:
        state = self._state_for(item)
        if self._matching != "gold":
            found = check_text(state, item.text, self._matcher, speaker=item.speaker)
            return found.outcome, None
        candidates = [self._ids.candidate(each) for each in candidates_of(item)]
        verdict = verify(state, candidates, speaker=item.speaker)
        return verdict.outcome, verdict.reason

    def _state_for(self, item: VerifyItem) -> State:
        state = self._talk.at(item.at).state if item.at is not None else self._talk.state
        for change in item.after:
            own = self._ids.change(change)
            if own is not None:
                state = taken_back(state, own)
        return state


def _implied(item: VerifyItem) -> frozenset[Reason]:
    if item.label is not Outcome.UNGROUNDED:
        return frozenset()
    return frozenset({item.reason}) if item.reason is not None else IMPLIED.get(item.category, frozenset())


def _yes(answer: object) -> str:
    return "yes" if answer else "no"
