"""An answer held against what stands, as a guard does it, and what the client and the log are told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from upheld.conversation.answering.context import rendered
from upheld.conversation.asking.view import Earlier
from upheld.conversation.checking.claims import CheckedClaim, checked
from upheld.conversation.conversation import Conversation
from upheld.conversation.guard.concerns import Concern
from upheld.conversation.guard.instructions import InstructionWatch
from upheld.conversation.guard.judging import Judge
from upheld.conversation.guard.policy import Action, Concerning, GuardPolicy, Note, strictest
from upheld.conversation.guard.verdict import NOTHING_CHECKED, GuardVerdict
from upheld.conversation.hosting.host import Room
from upheld.errors import LimitExceeded
from upheld.faces.proxy.events import Tree
from upheld.faces.proxy.placing import NOTICE, History, Placed, assistant_of, key_of
from upheld.faces.server.access import Visit, persistently
from upheld.faces.server.noting import Noted, note_verdict
from upheld.faces.trees import plain
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.answers.views import was_told
from upheld.logic.reasoning.state import State
from upheld.speech.matching.llm.redacting import RedactingMatcher
from upheld.speech.models.prompts.loading import prompt_in
from upheld.speech.rendering.context.pages import Rendering

Placeable = TypeVar("Placeable", Concern, CheckedClaim)

PROXY = "proxy"
"""Who flags what the proxy puts before a person."""

MOST_TOLD = 5
"""Values that a refusal names as standing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checker:
    """Checks the answers to one request. What it has read of the conversation it does not read again."""

    visit: Visit
    placed: Placed
    policy: GuardPolicy
    watch: InstructionWatch = field(default_factory=InstructionWatch)

    def verdict(self, text: str) -> GuardVerdict:
        """Judge a text against what the conversation came to where the history ends; for a thread.

        Raises:
            UpheldError: it could not be checked.
        """
        with self.visit.entered(self.placed.conversation) as room:
            talk = room.conversation
            redactor, end = talk.reader.redactor, self.placed.end(talk)
            state = talk.state if end is None else talk.timeline.at(end)
            # The room's matcher keeps an index of the conversation as it is now.
            matcher = room.matcher if end is None else self.visit.house.equipment.matcher()
            judge = Judge(
                matcher=matcher if redactor is None else RedactingMatcher(matcher, redactor),
                policy=self.policy,
                speaker=assistant_of(talk),
                watch=room.watch if end is None else self.watch,
            )
            earlier = _earlier(talk, state)
            found = judge.mended(judge.verdict(text, state, earlier), state, earlier)
        unread = self.placed.unread
        if not unread:
            return found
        action = strictest((found.action, self.policy.action_for(Note.UNREAD)))
        return replace(found, unread=unread, action=action)

    def note(self, verdict: GuardVerdict, response: str) -> None:
        """Let a verdict be counted, and told to whoever listens; ``response`` is the upstream's id of the answer."""
        with self.visit.entered(self.placed.conversation) as room:
            talk = room.conversation
            noted = Noted(version=talk.version, speaker=assistant_of(talk), text=verdict.reply, response=response)
            note_verdict(self.visit, talk.id, verdict.checked, noted)

    def flag(self, verdict: GuardVerdict, history: History) -> str:
        """Put an answer before a person, once however often it is asked for, and give the name of its flag.

        Raises:
            UpheldError: it could not be put on record.
        """
        with self.visit.entered(self.placed.conversation) as room:
            talk = room.conversation
            # Where the record has gone on since, it is judged as things stand now.
            found = verdict.checked if self.placed.end(talk) is None and verdict.checked != NOTHING_CHECKED else None
            key = key_of(self.visit.caller.tenant, history, verdict.reply)
            note = f"the proxy holds it to be ungrounded: {', '.join(verdict.reasons)}"
            if verdict.could_not_check:
                note = f"the proxy could not check it: {verdict.could_not_check}"

            def filed() -> str:
                speaker = assistant_of(talk)
                return talk.flag(
                    verdict.reply, matcher=room.matcher, checked=found, speaker=speaker, by=PROXY, note=note, key=key
                ).id

            return persistently(talk, filed)

    def standing(self, budget: int) -> str:
        """Give what stands, as the assistant was told it, for the instructions; empty where nothing does."""
        with self.visit.entered(self.placed.conversation) as room:
            try:
                page = self._page(room, budget)
            except LimitExceeded:
                return ""
        return f"{prompt_in('upheld.faces.proxy.prompts', 'standing').text}\n\n{page.text}" if page.shown else ""

    def _page(self, room: Room, budget: int) -> Rendering:
        talk = room.conversation
        end = self.placed.end(talk)
        if end is None and not talk.timeline.has_private_turns:
            return room.context.render(budget=budget)
        turns = [event for event in talk.timeline.events if isinstance(event, Turn)]
        return rendered(talk.timeline.seen_by(assistant_of(talk), upto=end), budget=budget, turns=turns)


def policy_for(*, may_pass_unchecked: bool, is_mending: bool) -> GuardPolicy:
    """Give the policy of a guard that the proxy's settings come to; no retries are counted in it."""
    unchecked = Action.PASS if may_pass_unchecked else Action.BLOCK
    actions: dict[Concerning, Action] = {Note.NOT_COVERED: unchecked}
    return GuardPolicy(actions=actions, attempts=0, on_failure=unchecked, deadline=None, is_mending=is_mending)


def together(verdicts: Sequence[GuardVerdict], whole: str) -> GuardVerdict:
    """Give the verdicts on the sentences of an answer, in order, as one on the whole of it."""
    concerns: list[Concern] = []
    claims: list[CheckedClaim] = []
    begin = 0
    for verdict in verdicts:
        begin = max(begin, whole.find(verdict.reply, begin))
        concerns += [_moved(each, begin) for each in verdict.concerns]
        claims += [_moved(each, begin) for each in verdict.checked.claims]
        begin += len(verdict.reply)
    return GuardVerdict(
        reply=whole,
        action=strictest(verdict.action for verdict in verdicts),
        checked=checked(claims) if claims else next((each.checked for each in verdicts), NOTHING_CHECKED),
        concerns=tuple(concerns),
        could_not_check=next((verdict.could_not_check for verdict in verdicts if verdict.could_not_check), ""),
        unread=verdicts[0].unread if verdicts else (),
    )


def outcome_of(verdict: GuardVerdict) -> str:
    """Give the outcome in a word: that of the engine, or ``could_not_check``."""
    return "could_not_check" if verdict.could_not_check else verdict.checked.outcome.value


def mark_of(verdict: GuardVerdict, *, is_refused: bool) -> Tree:
    """Give what the client is told of a verdict; what was refused is not quoted."""
    hidden = {"span", "text"} if is_refused else set[str]()
    concerns = [
        {name: value for name, value in plain(concern).items() if name not in hidden}
        for concern in verdict.concerns
        if concern.action is not Action.PASS
    ]
    return {
        "outcome": outcome_of(verdict),
        "reasons": [reason.value for reason in verdict.reasons],
        "could_not_check": verdict.could_not_check,
        "concerns": concerns,
        "unread": list(verdict.unread),
        "flag": verdict.flag or None,
    }


def notice_of(verdict: GuardVerdict) -> str:
    """Say why an answer is held back and what stands instead, without a word of what it said."""
    looked_at = f" A person will look at it ({verdict.flag})." if verdict.flag else ""
    if verdict.could_not_check:
        return f"{NOTICE}this answer could not be checked against the conversation.{looked_at}"
    reasons = ", ".join(reason.value.replace("_", " ") for reason in verdict.reasons)
    stands = dict.fromkeys(stated.text for concern in verdict.concerns for stated in concern.stands)
    told = f"{NOTICE}this answer does not rest on what stands in the conversation ({reasons}).{looked_at}"
    values = " ".join(f"“{text}”" for text in list(stands)[:MOST_TOLD])
    return f"{told} What stands: {values}" if values else told


def _moved(place: Placeable, begin: int) -> Placeable:
    start, end = place.span
    return replace(place, span=(start + begin, end + begin))


def _earlier(talk: Conversation, state: State) -> Earlier:
    speaker = assistant_of(talk)

    def earlier(count: int) -> Sequence[Turn]:
        turns = talk.timeline.last(count)
        return [turn for turn in turns if turn.id in state.turns and was_told(turn, speaker)]

    return earlier
