"""What people do about a reply, as acts of a conversation: each is one append, and changes no claim."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import Checked, check_text
from upheld.conversation.events import Event
from upheld.conversation.reading.reader import Reader
from upheld.conversation.reviewing.review import Review, StepTaken, flagged_claims, reviews_of
from upheld.conversation.timeline import Timeline
from upheld.errors import MalformedInput, RepeatedIdentity, UnknownReference, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId, Epoch, FlagId
from upheld.logic.reasoning.transition.step import Finding
from upheld.record.ledger.entry import Content, Entry, step_of
from upheld.record.ledger.review.contents import (
    Assigned,
    Commented,
    CorrectedClaim,
    Decided,
    Flagged,
    ReviewOutcome,
    ReviewStep,
    without_words,
)
from upheld.record.ledger.review.queue import steps_of
from upheld.record.ledger.store import Store
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Matcher


class Flagging(ABC):
    """The acts of a review. Who reviews is a person outside: they need not take part in the conversation.

    An act with the ``key`` of an earlier one is that one again. With ``expected``, the version of the review that was
    looked at, an act is refused where somebody acted on the flag since; what is said in the conversation meanwhile
    stands in nobody's way. All of them raise :class:`~upheld.errors.UnknownReference` for a flag that there is not.
    """

    _store: Store
    _id: ConversationId
    _reader: Reader
    _timeline: Timeline

    @property
    @abstractmethod
    def version(self) -> int:
        """Number of entries of the record that the state rests on."""

    @abstractmethod
    def _record(self, events: Sequence[Event], contents: Sequence[Content], key: str = "") -> tuple[Finding, ...]: ...

    def flags(self) -> tuple[Review, ...]:
        """Give the flags of the conversation with what became of them, oldest first. Cost: their entries."""
        return reviews_of(self._steps())

    def flagged(self, id: str) -> Review:
        """Give one flag with what became of it.

        Raises:
            UnknownReference: there is none of that name.
        """
        found = reviews_of(self._steps(FlagId(id)))
        if not found:
            raise UnknownReference(id, where="the flags of this conversation")
        return found[0]

    def flag(
        self,
        text: str,
        *,
        matcher: Matcher | None = None,
        checked: Checked | None = None,
        speaker: str | None = None,
        by: str | None = None,
        note: str = "",
        key: str = "",
    ) -> Review:
        """Put a reply before a person: it is verified as things stand, and filed with what was found, whatever it is.

        ``speaker`` would say it. Without a ``matcher`` its claims are found by words alone. What the conversation's
        redactor finds is taken out first. ``checked`` is the verdict on this very text by this speaker as things stand,
        where somebody has it already; it is not used for a text that had to be redacted.

        Raises:
            UnknownReference: the speaker does not take part.
            MalformedInput: no text.
            RepeatedIdentity: the key was used before, for something else.
        """
        clean, said_by = self._clean(text), AgentId(speaker) if speaker else None
        if not clean.strip():
            raise MalformedInput("there is nothing to look at", key="text")
        steps = self._steps()
        again = _used(key, reviews_of(steps))
        if again is not None:
            return _first(again, lambda step, content: _is_on(step, content, clean, said_by), key)
        state = self._timeline.now
        if said_by is not None and said_by not in state.agents:
            raise UnknownReference(said_by, where="those who take part")
        if checked is None or clean != text:
            view = StateView(state, earlier=self._timeline.last)
            checked = check_text(state, clean, matcher or LexicalMatcher(), speaker=said_by, view=view)
        flag = Flagged(
            flag=_next_flag(steps),
            text=clean,
            epoch=Epoch(self.version),
            outcome=checked.outcome,
            speaker=said_by,
            at=next((turn.id for turn in self._timeline.last(1)), None),
            claims=flagged_claims(checked),
            abstained=self._clean(checked.abstained),
            by=AgentId(by) if by else None,
            note=self._clean(note),
        )
        self._record([], [flag], key)
        return self.flagged(flag.flag)

    def assign(
        self, flag: str, to: str | None, *, by: str | None = None, expected: int | None = None, key: str = ""
    ) -> Review:
        """Give a flag to somebody to look at; to ``None``: back to all."""
        given = Assigned(flag=FlagId(flag), to=AgentId(to) if to else None, by=AgentId(by) if by else None)
        return self._step(given, expected=expected, key=key)

    def comment(self, flag: str, text: str, *, by: str, expected: int | None = None, key: str = "") -> Review:
        """Remark on a flag; raises :class:`~upheld.errors.MalformedInput` for nothing said, or by nobody."""
        said = self._clean(text)
        if not said.strip():
            raise MalformedInput("a comment says something", key="text")
        return self._step(Commented(flag=FlagId(flag), by=_named(by), text=said), expected=expected, key=key)

    def decide(
        self,
        flag: str,
        outcome: ReviewOutcome | str,
        *,
        by: str,
        reason: str = "",
        claims: Sequence[CorrectedClaim] | None = None,
        expected: int | None = None,
        key: str = "",
    ) -> Review:
        """Decide a flag. ``claims`` say how the reply should have been matched, where that was wrong.

        A later decision takes the place of an earlier one, and both stay on record; whoever makes it names the version
        that they saw. Without ``expected`` it is expected that nobody decided yet.

        Raises:
            VersionConflict: somebody decided, or acted, first.
            UnknownReference: a claim rests on what nobody said.
            MalformedInput: an outcome that there is not, a span that is not in the text, or decided by nobody.
        """
        if outcome not in set(ReviewOutcome):
            raise MalformedInput(f"{outcome!r}; one of {', '.join(ReviewOutcome)}", key="outcome")
        decided = Decided(
            flag=FlagId(flag),
            outcome=ReviewOutcome(outcome),
            by=_named(by),
            reason=self._clean(reason),
            claims=None if claims is None else tuple(claims),
        )
        return self._step(decided, expected=expected, key=key)

    def _step(self, step: Assigned | Commented | Decided, *, expected: int | None, key: str) -> Review:
        review = self.flagged(step.flag)
        again = _used(key, self.flags()) if key else None
        if again is not None:
            return _first(
                again, lambda taken, content: content == (without_words(step) if taken.is_erased else step), key
            )
        if expected is not None and expected != review.version:
            raise VersionConflict(f"{self._id}/{step.flag}", expected=expected, found=review.version)
        if isinstance(step, Decided):
            self._refuse_undecidable(step, review, expected)
        self._record([], [step], key)
        return self.flagged(step.flag)

    def _refuse_undecidable(self, decided: Decided, review: Review, expected: int | None) -> None:
        if expected is None and review.decisions:
            first = next(n for n, step in enumerate(review.history) if isinstance(step.content, Decided))
            raise VersionConflict(f"{self._id}/{decided.flag}", expected=first, found=review.version)
        for place, claim in enumerate(decided.claims or ()):
            start, end = claim.span
            if not (0 <= start < end <= len(review.flagged.text)):
                raise MalformedInput(f"{start} to {end} is no part of the text", key=f"claims[{place}].span")
            for each in claim.literals:
                if each.proposition not in self._timeline.now.propositions:
                    raise UnknownReference(each.proposition, where=f"claims[{place}].literals")

    def _steps(self, flag: FlagId | None = None) -> tuple[Entry, ...]:
        """Give the steps that this conversation has seen; what others did since is read with :meth:`refresh`."""
        return tuple(entry for entry in steps_of(self._store, self._id, flag) if entry.epoch <= self.version)

    def _clean(self, text: str) -> str:
        redactor = self._reader.redactor
        return text if redactor is None else redactor.redact(text).text


def _next_flag(entries: Sequence[Entry]) -> FlagId:
    """Give a name that no step has, be it one whose flag is not there."""
    taken = {step.flag for entry in entries if (step := step_of(entry.content)) is not None}
    count = sum(isinstance(step_of(entry.content), Flagged) for entry in entries) + 1
    while FlagId(f"F{count}") in taken:
        count += 1
    return FlagId(f"F{count}")


def _named(by: str) -> AgentId:
    if not by.strip():
        raise MalformedInput("say who", key="by")
    return AgentId(by)


def _used(key: str, reviews: Sequence[Review]) -> tuple[Review, StepTaken] | None:
    """Give what an idempotency key was used for; without one, nothing."""
    steps = ((review, step) for review in reviews for step in review.history)
    return next(((review, step) for review, step in steps if key and step.key == key), None)


def _first(used: tuple[Review, StepTaken], is_same: Callable[[StepTaken, ReviewStep], bool], key: str) -> Review:
    """Give what the first try came to; raises :class:`~upheld.errors.RepeatedIdentity` where this is no second one."""
    review, step = used
    if not is_same(step, step.content):
        raise RepeatedIdentity(f"the key {key!r} was used before, for something else")
    return review


def _is_on(taken: StepTaken, content: ReviewStep, text: str, speaker: AgentId | None) -> bool:
    """Tell whether a step flagged this reply; words that were erased since cannot be compared."""
    if not isinstance(content, Flagged):
        return False
    return content.speaker == speaker and (taken.is_erased or content.text == text)
