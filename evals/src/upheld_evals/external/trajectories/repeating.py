"""Who notices that a reply repeats what a call replaced: the verifier, or a search in the record's readings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import check_text
from upheld.conversation.checking.readers import matcher
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.operations import Observe
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.external.trajectories.arms import conversation_of, observed
from upheld_evals.external.trajectories.reading import Message, Role, Trajectory
from upheld_evals.external.trajectories.records import AS_READ, Record, Repeated, parts, record_in
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Item, Responder
from upheld_evals.harness.telling import ASKING_MATCHERS, is_asking


class Readings:
    """Observations of one trajectory, in order: what a newer reading of a record no longer says, it replaces."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self._standing: dict[str, dict[PropositionId, str]] = {}

    def __call__(self, message: Message) -> Iterator[Observe]:
        """Give the observations of the next source."""
        record, found = record_in(message), tuple(observed(message))
        if record is None:
            yield from found
            return
        known = self._standing.setdefault(record.id, {})
        gone = {id: said for id, said in known.items() if not record.says(said)}
        heirs = {id: _nearest(said, found) for id, said in gone.items()}
        for each in found:
            yield replace(each, supersedes=tuple(id for id, heir in heirs.items() if heir == each.id))
        self._standing[record.id] = {id: said for id, said in known.items() if id not in gone} | {
            each.id: each.text for each in found
        }


def _nearest(said: str, found: Sequence[Observe]) -> PropositionId:
    """Give the first of the observations that share most parts with what is replaced."""
    return max(found, key=lambda each: len(parts(each.text) & parts(said))).id


class Facts:
    """The same, with every value of a record as a sentence of its own, which the newer value of that name replaces."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self._standing: dict[tuple[str, str], Observe] = {}

    def __call__(self, message: Message) -> Iterator[Observe]:
        """Give the observations of the next source."""
        record = record_in(message)
        if record is None:
            yield from observed(message)
            return
        kept = {place: each for place, each in self._standing.items() if place[0] == record.id}
        gone = [each.id for (_, name), each in kept.items() if name not in record.fields]
        for number, name in enumerate(record.fields, start=1):
            text, older = record.sentence(name), kept.get((record.id, name))
            if older is not None and older.text == text:
                continue
            # What has no newer value of its name (a leg that is flown no more) falls to the first that is new.
            replaced, gone = ([older.id] if older is not None else []) + gone, []
            fact = Observe(id=PropositionId(f"{message.id}.{number}"), text=text, supersedes=tuple(replaced))
            self._standing[record.id, name] = fact
            yield fact
        for _, name in kept:
            if name not in record.fields:
                del self._standing[record.id, name]


class Telling(StrEnum):
    """How the outputs of tools are told to the engine."""

    AS_GIVEN = ""
    REPLACED = "replaced readings told"
    FACTS = "values told one by one"


def _reader(telling: Telling) -> Callable[[Message], Iterable[Observe]]:
    match telling:
        case Telling.AS_GIVEN:
            return observed
        case Telling.REPLACED:
            return Readings()
        case Telling.FACTS:
            return Facts()


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedArm:
    """The verifier right after the call; ``telling``: what of the outputs of tools it is told, and how."""

    interpreter: str
    matching: str
    telling: Telling = Telling.AS_GIVEN

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter or its matcher does."""
        return is_asking(self.interpreter) or self.matching in ASKING_MATCHERS

    @property
    def name(self) -> str:
        """Who reads, who matches, and how the outputs of tools are told."""
        told = f", {self.telling}" if self.telling else ""
        return f"upheld, {self.interpreter} interpreter, {self.matching} matching{told}"

    @property
    def identity(self) -> str:
        """The choices and the source."""
        return f"repeated {self.interpreter} {self.matching} {self.telling} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the whole trajectory once; each reply is checked as of the moment after the call."""
        trajectory: Trajectory = items[0].content.trajectory
        timeline = conversation_of(trajectory, self.interpreter, llm, read=_reader(self.telling)).timeline
        reader = matcher(self.matching, llm=llm, interpreter=self.interpreter)

        def answered(item: Item) -> Answer:
            reply: Repeated = item.content
            after = timeline.at(reply.changed.id)
            checked = check_text(
                after, reply.text, reader, speaker=AgentId(Role.ASSISTANT.value), view=StateView(after)
            )
            reasons = {claim.reason for claim in checked.claims if claim.outcome is Outcome.UNGROUNDED}
            value = {"outcome": checked.outcome.value, "superseded": Reason.SUPERSEDED in reasons}
            return Answer(value=value, abstained=checked.abstained if checked.outcome is Outcome.ABSTAIN else "")

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingsArm:
    """A reply is grounded when a reading of the record has its value: any reading so far, or the ``is_newest`` alone.

    It is told which record the reply is about, and its value; a value that another field has passes as well.
    """

    is_newest: bool
    asks_llm: bool = False

    @property
    def name(self) -> str:
        """Where it searches."""
        return "literal match, newest reading" if self.is_newest else "literal match, any reading"

    @property
    def identity(self) -> str:
        """Where it searches, and the version of that."""
        return f"{self.name}@1"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Read the records once."""
        trajectory: Trajectory = items[0].content.trajectory
        found = [(place, record_in(message)) for place, message in enumerate(trajectory.messages)]
        read = [(place, record) for place, record in found if record is not None]

        def answered(item: Item) -> Answer:
            reply: Repeated = item.content
            own = [record for place, record in read if place <= reply.place and record.id == reply.record]
            is_there = any(_has(record, reply) for record in own[-1 if self.is_newest else 0 :])
            outcome = Outcome.GROUNDED if is_there else Outcome.UNGROUNDED
            return Answer(value={"outcome": outcome.value, "superseded": self.is_newest and not is_there})

        return answered


def _has(record: Record, reply: Repeated) -> bool:
    if reply.wording == AS_READ:
        return record.says(reply.text)
    return re.search(rf"(?<!\w){re.escape(reply.value)}(?!\w)", "\n".join(record.statements)) is not None
