"""The requests that a reading takes, as values: what is sent can be looked at, exported, and asked later."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from upheld.errors import MalformedInput
from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.interpreter import Objection
from upheld.speech.interpretation.llm.naming import first_free_name, local_names, on_the_wire
from upheld.speech.interpretation.llm.paradigm import Paradigm
from upheld.speech.interpretation.llm.reading import Roster, roster_of
from upheld.speech.interpretation.llm.situation import (
    Sizes,
    last_words,
    open_problems,
    participants,
    records,
    situation_of,
)
from upheld.speech.interpretation.llm.wire import session_shape, turn_shape
from upheld.speech.interpretation.prompts.loading import LIMIT, Prompt, asked, joined, prompt_named
from upheld.speech.interpretation.prompts.quoting import block, quoted, quoted_turn
from upheld.speech.models.request import Message, Request, Role
from upheld.speech.view import Situation, View


class Condition(StrEnum):
    """What a language model is told and shown (the paper, section 4.2, Table 1).

    ``MINIMAL``: the names of the operations. ``DEFINITIONS``: what they mean as well. Both see the last turns as they
    were said, and what has an id without how it stands. ``STATE_AUGMENTED``: the engine's state in place of most of the
    history: what stands, what was given up, what is open.
    """

    MINIMAL = "minimal"
    DEFINITIONS = "definitions"
    STATE_AUGMENTED = "state_augmented"


class Dependencies(StrEnum):
    """How ``depends_on`` is asked for (the paper, Appendix I)."""

    BASELINE = "baseline"
    CHAIN_OF_THOUGHT = "chain_of_thought"
    EXAMPLES = "examples"
    SELF_CONSISTENCY = "self_consistency"


HOT = 0.7
"""Temperature of samples that are voted on (the paper, Appendix I)."""

RECENT = 2
"""Turns shown as they were said where the state stands for the history: what "yes" and "that one" point back to."""

TOKENS_A_TURN, MOST_TOKENS = 400, 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How turns are put to a language model; equal ones make equal requests.

    ``samples`` counts for self-consistency alone. ``sizes.turns`` is how many turns are shown as they were said; with
    the state in place of the history it is ``RECENT`` of them at most, and 0 gives the paper's condition to the letter.
    """

    condition: Condition = Condition.STATE_AUGMENTED
    dependencies: Dependencies = Dependencies.BASELINE
    paradigm: Paradigm | None = None
    samples: int = 5
    sizes: Sizes = field(default_factory=Sizes)
    has_second_look: bool = True
    has_retrospect: bool = True
    trusts_tools: bool = False

    @property
    def label(self) -> str:
        """Names and versions of the instructions that were chosen, and how many samples are voted on."""
        chosen = [prompt_named(name).label for name in self._chosen()]
        return "+".join((*chosen, *([f"{self.dependencies.value}-{self.samples}"] if self._is_voted else [])))

    def requests_for(self, turn: Turn, view: View) -> tuple[Request, ...]:
        """Give the requests of the first reading of a turn: one, or as many as there are samples."""
        is_tool = self.roster(view).is_bound_to_observe(turn.speaker)
        instructions = self.instructions(is_tool=is_tool)
        shape = turn_shape(is_tool=is_tool, is_reasoned=self._is_reasoned)
        request = asked(instructions, shape, self.shown(view, turn.text), block("turn-to-read", [quoted_turn(turn)]))
        if not self._is_voted:
            return (request,)
        return tuple(replace(request, temperature=HOT, sample=sample) for sample in range(self.samples))

    def session_request(self, turns: Sequence[Turn], view: View) -> Request:
        """Give the one request of the reading of a session."""
        instructions = joined(self.instructions(is_tool=False), prompt_named("session"))
        roster = self.roster(view)
        if any(roster.is_bound_to_observe(turn.speaker) for turn in turns):
            instructions = joined(instructions, prompt_named("session_tools"))
        words = "\n".join(turn.text for turn in turns)
        shape = session_shape(is_reasoned=self._is_reasoned)
        limit = min(MOST_TOKENS, LIMIT + TOKENS_A_TURN * len(turns))
        to_read = block("turns-to-read", [quoted_turn(turn) for turn in turns])
        return asked(instructions, shape, self.shown(view, words), to_read, limit=limit)

    def objection_request(
        self, turn: Turn, view: View, operations: Sequence[Operation], objection: Objection
    ) -> Request:
        """Give the request that asks for a reading once more, with what was wrong with the first."""
        first = replace(self, dependencies=Dependencies.BASELINE) if self._is_voted else self
        (request,) = first.requests_for(turn, view)
        instructions = joined(
            first.instructions(is_tool=self.roster(view).is_bound_to_observe(turn.speaker)), prompt_named("objection")
        )
        names = local_names(operations, view)
        reading = {"operations": [on_the_wire(operation, names) for operation in operations]}
        said = {"reasoning": "", **reading} if self._is_reasoned else reading
        place = str(objection.operation + 1) if objection.operation >= 0 else ""
        message = quoted(
            "objection", _in_local_names(objection.message, names), {"name": objection.failure, "operation": place}
        )
        return replace(
            request,
            prompt=instructions.label,
            messages=(
                Message(role=Role.SYSTEM, text=instructions.text),
                *request.messages[1:],
                Message(role=Role.ASSISTANT, text=json.dumps(said, ensure_ascii=False)),
                Message(role=Role.USER, text=message),
            ),
        )

    def instructions(self, *, is_tool: bool) -> Prompt:
        """Put together the instructions for a turn."""
        is_defined = self.condition is Condition.STATE_AUGMENTED
        names = (*(["definitions"] if is_defined else []), *self._chosen(), *(["tool_output"] if is_tool else []))
        return joined(*map(prompt_named, (*names, "quotation", "reply")))

    def _chosen(self) -> list[str]:
        """Give the names of the instructions that the settings pick; the rest is the same for all."""
        names = [self.condition.value]
        if self.paradigm is not None and self.condition is not Condition.MINIMAL:
            names.append(self.paradigm.value)
        if self.dependencies in (Dependencies.CHAIN_OF_THOUGHT, Dependencies.EXAMPLES):
            names.append(self.dependencies.value)
        return names

    def roster(self, view: View) -> Roster:
        """Give who takes part, and what tools may do."""
        return roster_of(view, trusted=self.trusts_tools)

    def shown(self, view: View, words: str) -> str:
        """Give what a language model sees of the conversation before the words at hand."""
        situation = situation_of(view)
        is_augmented = self.condition is Condition.STATE_AUGMENTED
        sizes = replace(self.sizes, turns=min(RECENT, self.sizes.turns)) if is_augmented else self.sizes
        parts = (
            participants(situation),
            records(situation, words, sizes.records, has_standing=is_augmented),
            open_problems(situation) if is_augmented else "",
            last_words(situation, sizes),
            _first_name(situation),
        )
        return "\n\n".join(filter(None, parts))

    @property
    def _is_voted(self) -> bool:
        return self.dependencies is Dependencies.SELF_CONSISTENCY

    @property
    def _is_reasoned(self) -> bool:
        return self.dependencies is Dependencies.CHAIN_OF_THOUGHT


def _first_name(situation: Situation) -> str:
    number = first_free_name(situation)
    return f"<first-new-name>n{number}</first-new-name>" if number > 1 else ""


def _in_local_names(message: str, names: Mapping[str, str]) -> str:
    """Give a message in which new propositions have the names that the language model gave them."""
    for id, name in sorted(names.items(), key=lambda pair: -len(pair[0])):
        message = re.sub(rf"(?<![\w.]){re.escape(id)}(?!\w|\.\w)", name, message)
    return message


def asking_of(terms: Mapping[str, object], paradigm: str = "") -> Asking:
    """Give the way of asking that plain values name; ``paradigm`` is what a transcript says, which may be no such name.

    Raises:
        MalformedInput: a name that there is not.
    """
    kinds: dict[str, type[StrEnum]] = {"condition": Condition, "dependencies": Dependencies, "paradigm": Paradigm}
    given = {"paradigm": paradigm} if paradigm in {each.value for each in Paradigm} else {}
    chosen: dict[str, Any] = {**given, **terms}
    for name, kind in kinds.items():
        if isinstance(chosen.get(name), str):
            try:
                chosen[name] = kind(chosen[name])
            except ValueError:
                raise MalformedInput(f"one of {', '.join(each.value for each in kind)}", key=name) from None
    return replace(Asking(), **chosen)
