"""The verdict of a guard on one reply, and the exception that ends a stream."""

from __future__ import annotations

from dataclasses import dataclass, field

from upheld.conversation.checking.claims import Checked
from upheld.conversation.guard.concerns import Concern
from upheld.conversation.guard.policy import Action, Concerning, Note
from upheld.conversation.guard.wording import told_to_llm, told_to_people
from upheld.errors import UpheldError
from upheld.logic.language.identities import TurnId
from upheld.logic.language.verdicts import Outcome
from upheld.speech.models.reply import Usage

NOTHING_CHECKED = Checked(outcome=Outcome.ABSTAIN, abstained="nothing was checked")


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardVerdict:
    """What a guard decided about a reply, with the check beneath and one concern for each claim that gave reason to.

    ``could_not_check`` says why there is no verdict; the action is then that of the policy for failures, and it is
    never empty where something was let through unchecked that the policy wants checked. ``rewritten`` is a reply that
    was checked again and is not ungrounded: the offending sentences are left out, or carry the current value; empty
    where there is none. ``unread`` are turns before the reply that could not be read. ``retries`` counts those asked
    for before this check. ``elapsed`` is in seconds. ``flag`` is the name under which the reply waits for a person.
    """

    reply: str
    action: Action
    checked: Checked = NOTHING_CHECKED
    concerns: tuple[Concern, ...] = ()
    could_not_check: str = ""
    rewritten: str = ""
    unread: tuple[TurnId, ...] = ()
    retries: int = 0
    usage: Usage = field(default_factory=Usage)
    elapsed: float = 0.0
    flag: str = ""

    @property
    def passes(self) -> bool:
        """Tell whether the reply may leave, with or without a warning."""
        return self.action.lets_through

    @property
    def reasons(self) -> tuple[Concerning, ...]:
        """Give the reasons for anything but ``PASS``, each once, in the order of the reply; ``UNREAD`` comes last."""
        found = [concern.reason for concern in self.concerns if concern.action is not Action.PASS]
        return tuple(dict.fromkeys([*found, Note.UNREAD] if self.unread else found))

    def for_model(self) -> str:
        """Say which sentences do not stand, why, what stands now, and what would be grounded.

        It goes into the conversation with the language model as it is: whatever people or documents said is quoted in
        one line and escaped. Empty where there is nothing to correct.
        """
        return told_to_llm(self.concerns, self.could_not_check, self.rewritten)

    def for_people(self) -> str:
        """Say what was decided, and a line for each claim."""
        return told_to_people(self.action, self.concerns, self.could_not_check, self.unread)


class Blocked(UpheldError):
    """A stream was ended, or a call refused, because what the reply says before it may not leave.

    ``verdict`` is that on the passage, ``left`` is all that had left before it.
    """

    def __init__(self, verdict: GuardVerdict, *, left: str) -> None:
        """Say what the guard decided."""
        super().__init__(verdict.for_people())
        self.verdict = verdict
        self.left = left
