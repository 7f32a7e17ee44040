"""Who finds the correcting turns: an interpreter with the engine, or cue words alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import check_text
from upheld.conversation.checking.readers import matcher
from upheld.logic.language.standing import GIVEN_UP
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.state import State
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.view import Known
from upheld_evals.external.corrections.dialogues import SYSTEM, Dialogue, Said
from upheld_evals.external.corrections.replies import Reply, replies_after
from upheld_evals.external.wording import has_any
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Item, Responder
from upheld_evals.harness.telling import ASKING_MATCHERS, is_asking, told

_CUES = re.compile(
    r"\b(?:actually|instead|change[ds]?|how about|what about|no|rather|sorry|wait|oops|i mean|i meant|correction|"
    r"make (?:it|that))\b",
    re.IGNORECASE,
)


def is_cued(text: str) -> bool:
    """Tell whether a turn has a cue word of a correction."""
    return _CUES.search(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A user's turn in its dialogue."""

    dialogue: Dialogue
    place: int

    @property
    def said(self) -> Said:
        """The turn."""
        return self.dialogue.turns[self.place]

    @property
    def replies(self) -> tuple[Reply, ...]:
        """Replies to hold against the state after it; none where nothing was corrected."""
        return replies_after(self.dialogue, self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineArm:
    """Turns read by an interpreter, the user's alone or ``has_system``'s as well; replies held against the state.

    A turn corrects when something that stood before it is given up after it.
    """

    interpreter: str = "cues"
    matching: str = "text"
    has_system: bool = False

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter or its matcher does."""
        return is_asking(self.interpreter) or self.matching in ASKING_MATCHERS

    @property
    def name(self) -> str:
        """Who reads what, and who matches."""
        turns = "all turns" if self.has_system else "user turns"
        return f"upheld, {self.interpreter} interpreter, {turns}, {self.matching} matching"

    @property
    def identity(self) -> str:
        """The choices and the source."""
        return f"corrections {self.interpreter} {self.matching} {self.has_system} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the whole dialogue once; each turn is looked at as of its own moment."""
        dialogue: Dialogue = items[0].content.dialogue
        transcript = dialogue.transcript(has_system=self.has_system)
        timeline = told(transcript, self.interpreter, llm).timeline
        reader = matcher(self.matching, llm=llm, interpreter=self.interpreter)

        def answered(item: Item) -> Answer:
            moment: Moment = item.content
            before, after = timeline.before(moment.said.id), timeline.at(moment.said.id)
            known = list(StateView(after).known())
            stood = {each.proposition.id for each in StateView(before).known() if each.lifecycle not in GIVEN_UP}
            fallen = [each for each in known if each.lifecycle in GIVEN_UP and each.proposition.id in stood]
            standing = [each for each in known if each.lifecycle not in GIVEN_UP]
            upto = transcript.turns[: [turn.id for turn in transcript.turns].index(moment.said.id) + 1]

            def outcome(reply: Reply) -> Outcome:
                view = StateView(after, earlier=lambda count: upto[-count:] if count else ())
                return check_text(after, reply.text, reader, speaker=SYSTEM, view=view).outcome

            value = {
                "corrects": bool(fallen),
                "fallen": len(fallen),
                "new": _count(after) - _count(before),
                "slots": [
                    {"superseded": _is_in(each.older, fallen), "current": _is_in(each.newer, standing)}
                    for each in moment.said.corrections
                ],
                "replies": [[each.kind, each.wording, outcome(each).value] for each in moment.replies],
            }
            return Answer(value=value)

        return answered


def _count(state: State) -> int:
    return len(state.propositions)


def _is_in(forms: tuple[str, ...], known: Iterable[Known]) -> bool:
    return any(has_any(each.proposition.text, forms) for each in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class CueArm:
    """A turn corrects when a cue word is in it; a value that the user said at any time is grounded, any other is not.

    It is told the slot: with a cue, and the new value in the same turn, the old one counts as replaced.
    """

    name: str = "cue words, literal match"
    identity: str = "correction cues@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read beforehand."""

        def answered(item: Item) -> Answer:
            moment: Moment = item.content
            corrects = is_cued(moment.said.text)
            said = [turn.text for turn in moment.dialogue.turns[: moment.place + 1] if turn.is_user]
            value = {
                "corrects": corrects,
                "slots": [
                    {
                        "superseded": corrects and has_any(moment.said.text, each.newer),
                        "current": has_any(moment.said.text, each.newer),
                    }
                    for each in moment.said.corrections
                ],
                "replies": [[each.kind, each.wording, _literal(each, said).value] for each in moment.replies],
            }
            return Answer(value=value)

        return answered


def _literal(reply: Reply, said: Sequence[str]) -> Outcome:
    return Outcome.GROUNDED if any(has_any(text, reply.value) for text in said) else Outcome.UNGROUNDED
