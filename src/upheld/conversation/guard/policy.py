"""What is to be done with a reply that does not stand: a table of actions, limits, and what to do when in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from upheld.errors import MalformedInput
from upheld.logic.language.verdicts import Reason


class Action(StrEnum):
    """What happens to a reply, from the mildest to the strictest; the first two let it leave.

    ``RETRY``: the language model is told what was wrong and asked again. ``QUEUE``: a person decides.
    """

    PASS = "pass"
    WARN = "warn"
    RETRY = "retry"
    QUEUE = "queue"
    BLOCK = "block"

    @property
    def lets_through(self) -> bool:
        """Tell whether the reply may leave."""
        return self in (Action.PASS, Action.WARN)


class Note(StrEnum):
    """What a guard has to say besides the reasons of the engine.

    ``NOT_CHECKED``: a claim that nothing in the conversation decides. ``DISPUTED``: one on which the matcher and a
    named rule (a number, a name, a negation) disagree. ``NOT_COVERED``: the matcher does not read the language.
    ``UNREAD``: a turn before the reply could not be read, so that what it changed is not known.
    ``COULD_NOT_CHECK``: no verdict could be reached (too late, too long, a store or a language model that failed).
    ``INSTRUCTION_LIKE``: the claim does what a passage says that reads like an instruction to a language model.
    """

    NOT_CHECKED = "not_checked"
    DISPUTED = "disputed"
    NOT_COVERED = "not_covered"
    UNREAD = "unread"
    COULD_NOT_CHECK = "could_not_check"
    INSTRUCTION_LIKE = "instruction_like"


class Severity(StrEnum):
    """How much a claim commits to: what is put as fact is severe, what is reported or supposed is slight."""

    SLIGHT = "slight"
    SEVERE = "severe"


Concerning = Reason | Note

_ORDER = tuple(Action)

DEFAULT_ACTIONS: Mapping[Concerning, Action] = MappingProxyType(
    {
        Reason.UNKNOWN: Action.WARN,
        Reason.OUT_OF_VIEW: Action.BLOCK,
        Reason.ABANDONED: Action.RETRY,
        Reason.RETRACTED: Action.RETRY,
        Reason.SUPERSEDED: Action.RETRY,
        Reason.CONTRADICTED: Action.RETRY,
        Reason.PREMISE_LOST: Action.RETRY,
        Reason.UNDERMINED: Action.WARN,
        Reason.REOPENED: Action.WARN,
        Reason.UNDECIDED: Action.WARN,
        Reason.OVERCLAIMED: Action.WARN,
        Reason.TOO_WEAK: Action.WARN,
        Note.NOT_CHECKED: Action.PASS,
        Note.DISPUTED: Action.WARN,
        Note.NOT_COVERED: Action.BLOCK,
        Note.UNREAD: Action.WARN,
        Note.INSTRUCTION_LIKE: Action.RETRY,
    }
)
"""What a policy does where it says nothing else; ``COULD_NOT_CHECK`` is its ``on_failure``."""


def strictest(actions: Iterable[Action]) -> Action:
    """Give the strictest of some actions; of none, ``PASS``."""
    return max(actions, key=_ORDER.index, default=Action.PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardPolicy:
    """What a guard does with a reply. What is left out of ``actions`` is as in :data:`DEFAULT_ACTIONS`.

    ``slight`` goes before ``actions`` for what is only reported or supposed. After ``attempts`` retries of one reply
    ``RETRY`` becomes ``exhausted``. A check that takes longer than ``deadline`` seconds (``None``: any time), or fails,
    or is of a text longer than ``max_text`` characters, is no verdict: then ``on_failure`` is done, and the verdict
    says so. ``max_held`` is how many characters of one sentence a stream holds back; ``is_mending``: a reply that is
    not let through comes with one that could be; ``is_mending_streams``: a stream goes on with it.
    """

    actions: Mapping[Concerning, Action] = field(default_factory=dict[Concerning, Action], hash=False)
    slight: Mapping[Concerning, Action] = field(default_factory=dict[Concerning, Action], hash=False)
    attempts: int = 2
    exhausted: Action = Action.BLOCK
    deadline: float | None = 10.0
    on_failure: Action = Action.BLOCK
    max_text: int = 20_000
    max_held: int = 4_000
    is_mending: bool = True
    is_mending_streams: bool = False

    def __post_init__(self) -> None:
        """Refuse what could not be meant."""
        if Action.RETRY in (self.exhausted, self.on_failure):
            raise MalformedInput("what comes after retries, or after a failure, is no retry", key="policy")
        if self.attempts < 0 or self.max_text < 1 or self.max_held < 1:
            raise MalformedInput("attempts and limits are counted from 0 and from 1", key="policy")
        if self.deadline is not None and self.deadline <= 0:
            raise MalformedInput("a deadline lies ahead", key="policy.deadline")
        if Note.COULD_NOT_CHECK in {**self.actions, **self.slight}:
            raise MalformedInput("what could not be checked is decided by on_failure", key="policy.actions")

    def action_for(self, reason: Concerning, severity: Severity = Severity.SEVERE) -> Action:
        """Give what is to be done about a claim, retries not yet counted."""
        if reason is Note.COULD_NOT_CHECK:
            return self.on_failure
        if severity is Severity.SLIGHT and reason in self.slight:
            return self.slight[reason]
        return self.actions.get(reason, DEFAULT_ACTIONS[reason])

    def after(self, action: Action, retries: int) -> Action:
        """Give what is to be done after so many retries of the same reply."""
        return self.exhausted if action is Action.RETRY and retries >= self.attempts else action

    @classmethod
    def from_text(cls, text: str) -> GuardPolicy:
        """Read a policy from a few sentences, divided by full stops, semicolons or lines; a later one wins.

        ``retry once, then flag`` · ``retry 3 times, then queue`` · ``flag`` · ``block`` · ``flag unknown and
        overclaimed`` · ``block superseded, abandoned`` · ``pass reported overclaimed`` (only what is reported or
        supposed) · ``when unsure, warn`` (claims that nothing decides) · ``on failure, pass`` · ``within 2.5 seconds``
        · ``without a deadline`` · ``mend streams``. An action alone is for whatever is retried by default. ``flag`` is
        ``warn``; ``hold`` and ``ask a person`` are ``queue``.

        Raises:
            MalformedInput: a sentence that is none of these.
        """
        policy = cls()
        for sentence in re.split(r"[;\n]+|\.(?!\d)", text):
            if sentence.strip():
                policy = _told(policy, " ".join(sentence.casefold().split()))
        return policy


DEFAULT_POLICY = GuardPolicy()
"""Two retries, then a block; a check that fails is a block."""

_ACTIONS = {
    "pass": Action.PASS,
    "allow": Action.PASS,
    "warn": Action.WARN,
    "flag": Action.WARN,
    "retry": Action.RETRY,
    "queue": Action.QUEUE,
    "hold": Action.QUEUE,
    "ask a person": Action.QUEUE,
    "block": Action.BLOCK,
}
_NAMED: dict[str, Concerning] = {name.value.replace("_", " "): name for name in (*Reason, *Note)}
_TIMES = {"once": 1, "twice": 2, "three times": 3}
_ACTION = "|".join(_ACTIONS)
_RETRY = re.compile(rf"retry (?P<times>once|twice|three times|\d+ times?)(?:,? then (?P<then>{_ACTION}))?")
_UNSURE = re.compile(rf"when unsure,? (?P<action>{_ACTION})")
_FAILURE = re.compile(rf"(?:on failure|if it (?:could not|cannot) be checked),? (?P<action>{_ACTION})")
_WITHIN = re.compile(r"within (?P<count>\d+(?:\.\d+)?) ?(?P<unit>ms|milliseconds|s|seconds?)")
_DIRECT = re.compile(rf"(?P<action>{_ACTION})(?: about)?(?: (?P<slight>reported))?(?: (?P<names>.+))?")


def _told(policy: GuardPolicy, sentence: str) -> GuardPolicy:
    if found := _RETRY.fullmatch(sentence):
        times = _TIMES.get(found["times"]) or int(found["times"].split()[0])
        exhausted = _ACTIONS[found["then"]] if found["then"] else policy.exhausted
        return replace(_with(policy, Action.RETRY, ()), attempts=times, exhausted=exhausted)
    if found := _UNSURE.fullmatch(sentence):
        return _with(policy, _ACTIONS[found["action"]], (Note.NOT_CHECKED,))
    if found := _FAILURE.fullmatch(sentence):
        return replace(policy, on_failure=_ACTIONS[found["action"]])
    if found := _WITHIN.fullmatch(sentence):
        return replace(policy, deadline=float(found["count"]) / (1000 if found["unit"].startswith("m") else 1))
    if sentence == "without a deadline":
        return replace(policy, deadline=None)
    if sentence == "mend streams":
        return replace(policy, is_mending_streams=True)
    if found := _DIRECT.fullmatch(sentence):
        names = _names(found["names"] or "", sentence)
        return _with(policy, _ACTIONS[found["action"]], names, is_slight=found["slight"] is not None)
    raise MalformedInput(f"no sentence of a policy: {sentence!r}; write such as 'retry once, then flag'", key="policy")


def _names(listed: str, sentence: str) -> tuple[Concerning, ...]:
    names = [name.replace("_", " ").strip() for name in re.split(r",(?: and)?| and ", listed) if name.strip()]
    for name in names:
        if _NAMED.get(name, Note.COULD_NOT_CHECK) is Note.COULD_NOT_CHECK:
            known = ", ".join(each for each, meant in _NAMED.items() if meant is not Note.COULD_NOT_CHECK)
            raise MalformedInput(f"no reason {name!r} in {sentence!r}; one of {known}", key="policy")
    return tuple(_NAMED[name] for name in names)


def _with(
    policy: GuardPolicy, action: Action, reasons: tuple[Concerning, ...], *, is_slight: bool = False
) -> GuardPolicy:
    meant = reasons or tuple(reason for reason, default in DEFAULT_ACTIONS.items() if default is Action.RETRY)
    changed = dict.fromkeys(meant, action)
    if is_slight:
        return replace(policy, slight={**policy.slight, **changed})
    return replace(policy, actions={**policy.actions, **changed})
