"""Who says what a turn about a booking rests on, and whether a correction takes its support away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Observe
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.policy import EVERYONE
from upheld.logic.reasoning.state import State
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.external.corrections.arms import is_cued
from upheld_evals.external.corrections.bookings import Resting, is_about_booking, slots_said
from upheld_evals.external.corrections.dialogues import SYSTEM, USER, Dialogue, spoken_name
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Item, Responder
from upheld_evals.harness.telling import is_asking, told

LABELS = "labels given"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldingArm:
    """The engine, with turns read by an interpreter, or with the labels of the file (:data:`LABELS`) given to it.

    A turn has lost its support when nothing holds any more of what it put forward and held before the correction.
    """

    reading: str

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter does."""
        return is_asking(self.reading)

    @property
    def name(self) -> str:
        """Who reads."""
        return f"upheld, {LABELS}" if self.reading == LABELS else f"upheld, {self.reading} interpreter, all turns"

    @property
    def identity(self) -> str:
        """Who reads, and the source."""
        return f"holding {self.reading} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the whole dialogue once."""
        dialogue: Dialogue = items[0].content.dialogue
        is_given = self.reading == LABELS
        talk = labelled(dialogue) if is_given else told(dialogue.transcript(has_system=True), self.reading, llm)
        timeline = talk.timeline

        def answered(item: Item) -> Answer:
            resting: Resting = item.content
            at = resting.corrected.id
            before = _held(timeline.before(at), resting.booked.id)
            if not before:
                return Answer(value={"falls": False}, abstained="nothing was read in the turn that held")
            return Answer(value={"falls": not before & _held(timeline.at(at), resting.booked.id)})

        return answered


def _held(state: State, turn: TurnId) -> frozenset[PropositionId]:
    """Give what a turn put forward and holds."""
    return frozenset(
        each.proposition.id
        for each in StateView(state).known()
        if each.turn == turn and each.label is Label.IN and each.lifecycle not in GIVEN_UP
    )


def labelled(dialogue: Dialogue) -> Conversation:
    """Tell a dialogue by its labels: values replace older ones of their slot, bookings rest on the values they say."""
    talk = Conversation({USER: "user", SYSTEM: "system"}, policy=EVERYONE)
    current: dict[str, tuple[PropositionId, tuple[str, ...]]] = {}
    for place, said in enumerate(dialogue.turns):
        operations: list[Observe] = []
        for number, (slot, value) in enumerate(said.values.items() if said.is_user else (), start=1):
            older = current.get(slot)
            if older is not None and set(older[1]) & set(value):
                continue
            id = PropositionId(f"{said.id}.{number}")
            text = f"The {spoken_name(slot)} is {value[0]}."
            operations.append(Observe(id=id, text=text, supersedes=(older[0],) if older is not None else ()))
            current[slot] = (id, value)
        slots = slots_said(dialogue, place) if is_about_booking(said) else ()
        if slots:
            grounds = tuple(Literal(current[slot][0]) for slot in slots)
            operations.append(Observe(id=PropositionId(f"{said.id}.0"), text=said.text, depends_on=grounds))
        talk.tell(
            Turn(id=said.id, speaker=USER if said.is_user else SYSTEM, text=said.text, operations=tuple(operations))
        )
    return talk


@dataclass(frozen=True, slots=True, kw_only=True)
class LastBookingArm:
    """With a cue word in the user's turn, the last turn about a booking before it loses its support, and no other."""

    name: str = "cue words, the last booking"
    identity: str = "last booking@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read beforehand."""

        def answered(item: Item) -> Answer:
            resting: Resting = item.content
            turns = resting.dialogue.turns[: resting.place]
            last = max(place for place, said in enumerate(turns) if is_about_booking(said))
            return Answer(value={"falls": last == resting.booking and is_cued(resting.corrected.text)})

        return answered
