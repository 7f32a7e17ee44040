"""A whole transcript told again: turn by turn, each reply judged against the state before it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from upheld.conversation.asking.transcribing import beginning_in
from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import DEFAULT_POLICY, Checked, CheckPolicy, check_candidates, check_text
from upheld.conversation.checking.readers import interpreter_for, matcher
from upheld.conversation.conversation import Conversation
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Candidate, Modality, Outcome, Stance
from upheld.logic.reasoning.policy import EVERYONE, PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.state import State, folded
from upheld.logic.reasoning.transition.step import Finding
from upheld.speech.formats.gold import VerifyItem
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Usage

Progress = Callable[[int, int], None]
"""Called with the turns done and the turns in all."""

GOLD, LABELS = "gold", "labels"

SAYS_NEW = CheckPolicy(unmatched=Outcome.ABSTAIN)
"""For persons and tools whom nobody named to be checked: new things come from them, so it is no fault in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedReply:
    """A reply and the verdict on it, as of the moment before it was said."""

    turn: TurnId
    speaker: AgentId
    text: str
    checked: Checked


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a check of a transcript found.

    ``has_replies_of_all`` when nobody in it is an assistant, so that every turn was judged; ``unread`` are turns whose
    words could not be read, with the reason; ``usage`` is what reading the turns asked a language model for.
    """

    title: str
    interpreter: str
    matcher: str
    replies: tuple[CheckedReply, ...]
    findings: tuple[Finding, ...]
    unread: tuple[tuple[TurnId, str], ...]
    has_replies_of_all: bool
    conversation: Conversation
    usage: Usage = field(default_factory=Usage)


def loaded(
    transcript: Transcript,
    *,
    interpreter: str | Interpreter = "",
    policy: SourcePolicy | None = None,
    progress: Progress | None = None,
    llm: LanguageModel | None = None,
) -> Conversation:
    """Give a lenient conversation with every turn of a transcript told; ``interpreter`` as in :func:`check_replies`."""
    replay = _Replay(transcript, interpreter, policy, llm)
    for done, _ in enumerate(replay.turns(), start=1):
        if progress is not None:
            progress(done, len(transcript.turns))
    return replay.conversation


def check_replies(
    transcript: Transcript,
    *,
    interpreter: str | Interpreter = "",
    matching: str = "",
    speakers: Collection[str] = (),
    progress: Progress | None = None,
    llm: LanguageModel | None = None,
) -> CheckReport:
    """Judge each reply against the state before it, then tell it.

    ``interpreter`` is one of :data:`~upheld.conversation.checking.readers.INTERPRETERS`, or an interpreter (empty:
    annotated where the file is, else ``llm`` where there is one). ``matching`` is ``gold`` (what the file's labels say
    a reply rests on) or one of :data:`~upheld.conversation.checking.readers.MATCHERS` (empty: chosen likewise). Replies
    are the turns of ``speakers``, else of the assistants, else everybody's.

    Raises:
        UpheldError: a file that means nothing; nothing was written.
    """
    replay = _Replay(transcript, interpreter, None, llm)
    who = _repliers(transcript, speakers)
    replies: list[CheckedReply] = []
    judge = _Judge(replay, matching, llm, answerable=_assistants(transcript) | frozenset(map(AgentId, speakers)))
    for done, (turn, before) in enumerate(replay.turns(), start=1):
        if turn.speaker in who:
            verdict = judge.verdict(turn, before)
            replies.append(CheckedReply(turn=turn.id, speaker=turn.speaker, text=turn.text, checked=verdict))
        if progress is not None:
            progress(done, len(transcript.turns))
    return CheckReport(
        title=transcript.title or transcript.id,
        interpreter=replay.interpreter_name,
        matcher=judge.name,
        replies=tuple(replies),
        findings=tuple(replay.findings),
        unread=tuple(replay.unread),
        has_replies_of_all=not speakers and not _assistants(transcript),
        conversation=replay.conversation,
        usage=replay.usage,
    )


class _Replay:
    """Tells a transcript's turns one by one, handing out the state before each."""

    def __init__(
        self,
        transcript: Transcript,
        interpreter: str | Interpreter,
        policy: SourcePolicy | None,
        llm: LanguageModel | None,
    ) -> None:
        unlabelled = "cues" if llm is None else "llm"
        chosen = interpreter or ("annotated" if transcript.is_annotated else unlabelled)
        self.transcript = transcript
        self._is_read = chosen != "annotated"
        self.read_by = chosen if isinstance(chosen, str) else chosen.name
        self._interpreter = interpreter_for(chosen, transcript, llm=llm) if isinstance(chosen, str) else chosen
        self.interpreter_name = f"{self._interpreter.name}@{self._interpreter.version}"
        self.findings: list[Finding] = []
        self.unread: list[tuple[TurnId, str]] = []
        self.usage = Usage()
        self.conversation = Conversation(
            beginning_in(transcript),
            id=transcript.id or "conversation",
            policy=policy or policy_of(transcript, is_labelled=not self._is_read),
            is_lenient=True,
            interpreter=self._interpreter if self._is_read else None,
        )

    def turns(self) -> Iterator[tuple[Turn, State]]:
        for turn in self.transcript.turns:
            before = self.conversation.state
            self._tell(turn)
            yield turn, before

    def _tell(self, turn: Turn) -> None:
        if not self._is_read:
            told = self.conversation.tell(turn, interpreter=self.interpreter_name)
            self.findings.extend(told.findings)
            return
        told = self.conversation.hear(turn)
        self.findings.extend(told.findings)
        self.usage += told.usage
        if told.abstained:
            self.unread.append((turn.id, told.abstained))


class _Judge:
    """Gives the verdict on a reply by the labels of the file, or by its words."""

    def __init__(
        self, replay: _Replay, matching: str, llm: LanguageModel | None, *, answerable: frozenset[AgentId]
    ) -> None:
        transcript = replay.transcript
        self._timeline = replay.conversation.timeline
        self._answerable = answerable
        self._is_by_label = (matching or (GOLD if transcript.is_annotated else "")) == GOLD
        by_words = matching if matching and matching != GOLD else ("text" if llm is None or matching else "llm")
        self._matcher = matcher(by_words, llm=llm, interpreter=replay.read_by)
        self._items: dict[tuple[str, str], VerifyItem] = {}
        turns = {turn.id: index for index, turn in enumerate(transcript.turns)}
        for item in transcript.gold.verify if transcript.gold is not None else ():
            place = turns.get(item.at, -2) + 1 if item.at is not None else 0
            if place >= 0 and not item.after:
                self._items[(str(place), folded(item.text))] = item
        self._places = {turn: str(index) for turn, index in turns.items()}
        self.name = f"{self._matcher.name}@{self._matcher.version}" if not self._is_by_label else LABELS

    def verdict(self, turn: Turn, before: State) -> Checked:
        if not self._is_by_label:
            return self._by_words(turn, before)
        item = self._items.get((self._places[turn.id], folded(turn.text)))
        if item is not None:
            return check_candidates(before, turn.text, candidates_of(item), matcher=LABELS, speaker=turn.speaker)
        # Whoever reasons from a live hypothesis claims no more than that; what was given up carries nothing. A negated
        # premise waits for the day when it comes true, so that it is nothing to hold against a turn now.
        leaned_on = [
            Candidate(literal=each, stance=Stance.PRESUPPOSES, modality=Modality.HYPOTHESIS)
            for each in leans_on(turn.operations)
            if not each.negated
        ]
        if leaned_on:
            return check_candidates(
                before,
                turn.text,
                leaned_on,
                matcher=LABELS,
                speaker=turn.speaker,
                says_more=any(map(_is_groundless, turn.operations)),
            )
        return self._by_words(turn, before)

    def _by_words(self, turn: Turn, before: State) -> Checked:
        view = StateView(before, earlier=lambda count: self._timeline.last(count, before=turn.id))
        policy = DEFAULT_POLICY if turn.speaker in self._answerable else SAYS_NEW
        return check_text(before, turn.text, self._matcher, speaker=turn.speaker, view=view, policy=policy)


def policy_of(transcript: Transcript, *, is_labelled: bool) -> SourcePolicy:
    """Give the policy of sources for a file: its labeller has judged what was observed, unless it says otherwise."""
    if transcript.extra.get("policy") == "default" or not is_labelled:
        return PEOPLE_AND_TOOLS
    return EVERYONE


def candidates_of(item: VerifyItem) -> list[Candidate]:
    """Give the literals of a labelled candidate: what it rests on, and the negation of what it contradicts."""
    meant = (*item.rests_on, *(~each for each in item.contradicts))
    return [Candidate(literal=each, stance=item.stance, modality=item.modality) for each in meant]


def leans_on(operations: tuple[Operation, ...]) -> tuple[Literal, ...]:
    """Give the earlier claims that a turn presupposes: premises and evidence that it did not introduce itself."""
    found: dict[Literal, None] = {}
    own: set[str] = set()
    for operation in operations:
        found.update(dict.fromkeys(item for item in _premises_of(operation) if item.proposition not in own))
        introduced = None if isinstance(operation, Revise) else operation.id
        if introduced is not None:
            own.add(introduced)
    return tuple(found)


def _premises_of(operation: Operation) -> tuple[Literal, ...]:
    match operation:
        case Observe() | Hypothesize() | Resolve():
            return operation.depends_on
        case Support() | Undermine():
            return (*operation.evidence, *operation.depends_on)
        case Revise():
            return operation.because
        case ExpandAwareness() | Question():
            return ()


def _is_groundless(operation: Operation) -> bool:
    """Tell whether an operation puts something forward on nothing that was said before."""
    if isinstance(operation, Revise | Question) or operation.id is None:
        return False
    return not _premises_of(operation)


def _assistants(transcript: Transcript) -> frozenset[AgentId]:
    return frozenset(agent.id for agent in transcript.agents if agent.kind is AgentKind.ASSISTANT)


def _repliers(transcript: Transcript, speakers: Collection[str]) -> Collection[str]:
    if speakers:
        return frozenset(speakers)
    return _assistants(transcript) or frozenset(turn.speaker for turn in transcript.turns)
