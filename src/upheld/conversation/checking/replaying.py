"""A whole transcript told again: turn by turn, each reply judged against the state before it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from upheld.conversation.checking.claims import Checked, check_candidates, check_text
from upheld.conversation.checking.readers import interpreter_for, matcher
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.conversation.interpreting import read_turn
from upheld.conversation.speaking import newcomers
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
from upheld.logic.language.verdicts import Candidate, Modality, Stance
from upheld.logic.reasoning.policy import EVERYONE, PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.state import State, folded
from upheld.logic.reasoning.transition.step import Finding, joined
from upheld.speech.formats.gold import VerifyItem
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.interpreter import Interpreter

Progress = Callable[[int, int], None]
"""Called with the turns done and the turns in all."""

GOLD, LABELS = "gold", "labels"


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
    words could not be read, with the reason.
    """

    title: str
    interpreter: str
    matcher: str
    replies: tuple[CheckedReply, ...]
    findings: tuple[Finding, ...]
    unread: tuple[tuple[TurnId, str], ...]
    has_replies_of_all: bool
    conversation: Conversation


def loaded(
    transcript: Transcript,
    *,
    interpreter: str = "",
    policy: SourcePolicy | None = None,
    progress: Progress | None = None,
) -> Conversation:
    """Give a lenient conversation with every turn of a transcript told; ``interpreter`` as in :func:`check_replies`."""
    replay = _Replay(transcript, interpreter, policy)
    for done, _ in enumerate(replay.turns(), start=1):
        if progress is not None:
            progress(done, len(transcript.turns))
    return replay.conversation


def check_replies(
    transcript: Transcript,
    *,
    interpreter: str = "",
    matching: str = "",
    speakers: Collection[str] = (),
    progress: Progress | None = None,
) -> CheckReport:
    """Judge each reply against the state before it, then tell it.

    ``interpreter`` is ``annotated`` or ``local`` (empty: annotated where the file is). ``matching`` is ``gold`` (what
    the file's labels say a reply rests on) or ``text`` (its words alone; empty: gold where there is any). Replies are
    the turns of ``speakers``, else of the assistants, else everybody's.

    Raises:
        UpheldError: a file that means nothing; nothing was written.
    """
    replay = _Replay(transcript, interpreter, None)
    who = _repliers(transcript, speakers)
    replies: list[CheckedReply] = []
    judge = _Judge(transcript, matching or (GOLD if transcript.is_annotated else "text"))
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
    )


class _Replay:
    """Tells a transcript's turns one by one, handing out the state before each."""

    def __init__(self, transcript: Transcript, interpreter: str, policy: SourcePolicy | None) -> None:
        name = interpreter or ("annotated" if transcript.is_annotated else "local")
        self._transcript = transcript
        self._is_read = name != "annotated"
        self._interpreter: Interpreter = interpreter_for(name, transcript)
        self.interpreter_name = f"{self._interpreter.name}@{self._interpreter.version}"
        self.findings: list[Finding] = []
        self.unread: list[tuple[TurnId, str]] = []
        self.conversation = Conversation(
            Beginning(
                agents=transcript.agents,
                initial=transcript.initial,
                title=transcript.title,
                paradigm=transcript.paradigm,
            ),
            id=transcript.id or "conversation",
            policy=policy or policy_of(transcript, is_labelled=not self._is_read),
            is_lenient=True,
        )

    def turns(self) -> Iterator[tuple[Turn, State]]:
        for turn in self._transcript.turns:
            before = self.conversation.state
            self._tell(turn, before)
            yield turn, before

    def _tell(self, turn: Turn, before: State) -> None:
        if not self._is_read:
            told = self.conversation.tell(turn, interpreter=self.interpreter_name)
            self.findings.extend(told.findings)
            return
        present = joined(before, newcomers(before, turn))
        reading = read_turn(present, replace(turn, operations=()), self._interpreter)
        self.conversation.tell(reading.turn, interpreter=reading.interpreter)
        self.findings.extend(reading.dropped)
        if reading.abstained:
            self.unread.append((turn.id, reading.abstained))


class _Judge:
    """Gives the verdict on a reply by the labels of the file, or by its words."""

    def __init__(self, transcript: Transcript, matching: str) -> None:
        self._matching = matching
        self._matcher = matcher()
        self._items: dict[tuple[str, str], VerifyItem] = {}
        turns = {turn.id: index for index, turn in enumerate(transcript.turns)}
        for item in transcript.gold.verify if transcript.gold is not None else ():
            place = turns.get(item.at, -2) + 1 if item.at is not None else 0
            if place >= 0 and not item.after:
                self._items[(str(place), folded(item.text))] = item
        self._places = {turn: str(index) for turn, index in turns.items()}
        self.name = f"{self._matcher.name}@{self._matcher.version}" if matching == "text" else LABELS

    def verdict(self, turn: Turn, before: State) -> Checked:
        if self._matching == "text":
            return check_text(before, turn.text, self._matcher, speaker=turn.speaker)
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
        return check_text(before, turn.text, self._matcher, speaker=turn.speaker)


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
