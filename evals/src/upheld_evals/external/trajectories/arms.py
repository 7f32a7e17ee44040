"""Who says where the values of a message came from: the verifier with a matcher, or a search for the value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import CheckedClaim, check_text
from upheld.conversation.checking.readers import interpreter_for, matcher
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.state import State
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.external.trajectories.messages import Told
from upheld_evals.external.trajectories.reading import Message, Role, Trajectory, statements
from upheld_evals.external.trajectories.values import Value, has_literally, normal_forms
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Item, Responder
from upheld_evals.harness.telling import ASKING_MATCHERS, is_asking

AGENTS = (
    Agent(id=AgentId(Role.SYSTEM.value), kind=AgentKind.TOOL),
    Agent(id=AgentId(Role.USER.value)),
    Agent(id=AgentId(Role.TOOL.value), kind=AgentKind.TOOL),
    Agent(id=AgentId(Role.ASSISTANT.value), kind=AgentKind.ASSISTANT),
)
LINKED, UNSUPPORTED, UNCHECKED = "linked", "unsupported", "could not check"


def observed(message: Message) -> Iterator[Observe]:
    """Give each statement of a source as an observation; its id is the message's and its number."""
    for number, said in enumerate(statements(message.text), start=1):
        yield Observe(id=PropositionId(f"{message.id}.{number}"), text=said)


def conversation_of(
    trajectory: Trajectory,
    interpreter: str,
    llm: LanguageModel | None,
    *,
    read: Callable[[Message], Iterable[Observe]] = observed,
) -> Conversation:
    """Tell a trajectory: the user's words by an interpreter, tools and rules by ``read``, the agent's as words."""
    transcript = Transcript(id="trajectory", turns=(), agents=AGENTS)
    reader = interpreter_for(interpreter, transcript, llm=llm)
    talk = Conversation(Beginning(agents=AGENTS), interpreter=reader, is_lenient=True)
    for message in trajectory.messages:
        turn = Turn(id=message.id, speaker=AgentId(message.role.value), text=message.text)
        if message.role is Role.USER:
            talk.hear(turn)
        else:
            talk.tell(replace(turn, operations=tuple(read(message)) if message.is_source else ()))
    return talk


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierArm:
    """The verifier: a value is linked to the turn that grounds the claim around it.

    Flagged is a message with an ungrounded claim; one of which nothing could be checked is neither flagged nor passed.
    """

    interpreter: str = "cues"
    matching: str = "text"

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter or its matcher does."""
        return is_asking(self.interpreter) or self.matching in ASKING_MATCHERS

    @property
    def name(self) -> str:
        """Who reads, and who matches."""
        return f"upheld, {self.interpreter} interpreter, {self.matching} matching"

    @property
    def identity(self) -> str:
        """The choices and the source."""
        return f"trajectory {self.interpreter} {self.matching} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the whole trajectory once; each message is checked as of the moment before it."""
        trajectory: Trajectory = items[0].content.trajectory
        timeline = conversation_of(trajectory, self.interpreter, llm).timeline
        reader = matcher(self.matching, llm=llm, interpreter=self.interpreter)

        def answered(item: Item) -> Answer:
            told: Told = item.content
            at = trajectory.messages[told.place].id
            before = timeline.before(at)
            view = StateView(before, earlier=lambda count: timeline.last(count, before=at))
            checked = check_text(before, told.text, reader, speaker=AgentId(Role.ASSISTANT.value), view=view)
            value = {
                "flagged": checked.outcome is Outcome.UNGROUNDED,
                "unsupported": sum(claim.outcome is Outcome.UNGROUNDED for claim in checked.claims),
                "values": [[each.kind.value, *_source(each, checked.claims, before)] for each in told.values],
            }
            abstained = checked.abstained if checked.outcome is Outcome.ABSTAIN else ""
            return Answer(value=value, abstained=abstained)

        return answered


def _source(value: Value, claims: Sequence[CheckedClaim], before: State) -> tuple[str, str]:
    """Give what became of a value, and the turn that it is linked to."""
    around = [claim for claim in claims if claim.span[0] < value.span[1] and value.span[0] < claim.span[1]]
    if any(claim.outcome is Outcome.UNGROUNDED for claim in around):
        return UNSUPPORTED, ""
    grounds = (ground for claim in around if claim.outcome is Outcome.GROUNDED for finding in claim.findings
               for ground in finding.grounds if ground.depth == 0)  # fmt: skip
    turn: TurnId | None = next((ground.turn for ground in grounds if ground.turn in before.turns), None)
    return (LINKED, turn) if turn is not None else (UNCHECKED, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchArm:
    """A value is linked to the last source that has it: as it is written, or ``is_normal`` in any way to write it.

    Flagged is a message with a value that no source has; what a value is said *of* is not looked at.
    """

    is_normal: bool = False
    asks_llm: bool = False

    @property
    def name(self) -> str:
        """How it searches."""
        return "values in normal form" if self.is_normal else "literal match"

    @property
    def identity(self) -> str:
        """How it searches, and the version of that."""
        return f"{self.name}@1"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Bring the sources into normal form, once."""
        trajectory: Trajectory = items[0].content.trajectory
        forms = {each.id: normal_forms(each.text) for each in trajectory.messages if each.is_source}

        def has(message: Message, value: Value) -> bool:
            if self.is_normal:
                return (value.kind, value.normal) in forms[message.id]
            return has_literally(message.text, value)

        def answered(item: Item) -> Answer:
            told: Told = item.content
            newest_first = told.sources[::-1]
            found = [(value, next((each.id for each in newest_first if has(each, value)), "")) for value in told.values]
            return Answer(
                value={
                    "flagged": any(not turn for _, turn in found),
                    "unsupported": sum(not turn for _, turn in found),
                    "values": [[value.kind.value, LINKED if turn else UNSUPPORTED, turn] for value, turn in found],
                }
            )

        return answered
