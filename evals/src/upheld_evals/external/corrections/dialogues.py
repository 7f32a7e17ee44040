"""Dialogues with corrected values, read from a reduction of MultiWOZ 2.1 or of SGD; no text of theirs is kept here.

Sources: Eric et al. (LREC 2020), MultiWOZ 2.1, whose state labels are known to be noisy; Rastogi et al. (AAAI 2020),
Schema-Guided Dialogue. A line is a dialogue: turns with the slots that each set, and ``corrections``, slots whose value
was replaced at a user's turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from upheld.errors import MalformedInput
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript
from upheld_evals.external.lines import read_lines
from upheld_evals.external.wording import has_any

USER, SYSTEM = AgentId("user"), AgentId("system")
MULTIWOZ, SGD = "multiwoz", "sgd"

_SPOKEN = {
    "arrive by": "arrival time",
    "leave at": "departure time",
    "people": "number of people",
    "pricerange": "price range",
    "stars": "number of stars",
    "stay": "length of stay",
}
"""Slots whose names are no words that anybody would say."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A slot whose value was replaced; values in all forms in which the file has them.

    ``is_literal``: the new value stands in the user's own words. ``is_negated``: the user said no to the old one.
    """

    slot: str
    older: tuple[str, ...]
    newer: tuple[str, ...]
    is_literal: bool
    is_negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn: who, the words, the values that it set, and the corrections that the labels see in it."""

    id: TurnId
    is_user: bool
    text: str
    values: Mapping[str, tuple[str, ...]]
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """One dialogue; ``origin`` is :data:`MULTIWOZ` or :data:`SGD`."""

    id: str
    origin: str
    turns: tuple[Said, ...]

    def transcript(self, *, has_system: bool) -> Transcript:
        """Give the words as a transcript: the user's turns, and the system's where they are wanted."""
        chosen = (each for each in self.turns if each.is_user or has_system)
        return Transcript(
            id=self.id,
            turns=tuple(Turn(id=each.id, speaker=USER if each.is_user else SYSTEM, text=each.text) for each in chosen),
            agents=(Agent(id=USER), Agent(id=SYSTEM, kind=AgentKind.ASSISTANT)),
        )

    def untouched(self, place: int) -> tuple[str, tuple[str, ...]] | None:
        """Give the first slot that was set in the user's words before a turn and never since, with its value."""
        corrected = {each.slot for turn in self.turns[: place + 1] for each in turn.corrections}
        said = [turn.text for turn in self.turns[:place] if turn.is_user]
        for turn in self.turns[:place]:
            for slot, value in turn.values.items():
                is_kept = slot not in corrected and slot not in self.turns[place].values
                if is_kept and any(has_any(text, value) for text in said):
                    return slot, value
        return None


def read_dialogues(paths: Sequence[Path]) -> tuple[Dialogue, ...]:
    """Read dialogues of both sources; a line with ``services`` is one of SGD.

    Raises:
        MalformedInput: a line that is no dialogue, or two dialogues of one name.
    """
    found = tuple(each for path in paths for each in read_lines(path, _dialogue, "dialogue with corrections"))
    names = sorted(f"{each.origin}/{each.id}" for each in found)
    twice = [one for one, other in pairwise(names) if one == other]
    if twice:
        raise MalformedInput(f"two dialogues are called {twice[0]}", source=", ".join(map(str, paths)))
    return found


def spoken_name(slot: str) -> str:
    """Give the name of a slot as one would say it: ``restaurant-pricerange`` is "restaurant price range"."""
    domain, _, name = slot.rpartition("-")
    words = _CAMEL.sub(" ", name).replace("_", " ").casefold()
    return f"{domain} {_SPOKEN.get(words, words)}".strip()


def _dialogue(tree: dict[str, Any]) -> Dialogue:
    is_sgd = "services" in tree
    texts = {int(turn["i"]): str(turn["text"]) for turn in tree["turns"]}
    by_turn: dict[int, list[Correction]] = {}
    for each in tree["corrections"]:
        newer, text = _forms(each["new"]), texts[int(each["user_turn"])]
        by_turn.setdefault(int(each["user_turn"]), []).append(
            Correction(
                slot=str(each["slot"]),
                older=_forms(each["old"]),
                newer=newer,
                is_literal=bool(each["new_value_in_user_text"]) if not is_sgd else has_any(text, newer),
                is_negated=bool(each.get("user_negates", False)),
            )
        )
    turns = tuple(
        Said(
            id=TurnId(f"T{turn['i']}"),
            is_user=turn["speaker"] == "user",
            text=texts[int(turn["i"])],
            values=dict(_values(turn.get("state_set", {}), is_by_service=is_sgd)),
            corrections=tuple(by_turn.get(int(turn["i"]), ())),
        )
        for turn in tree["turns"]
    )
    return Dialogue(id=str(tree["dialogue_id"]), origin=SGD if is_sgd else MULTIWOZ, turns=turns)


def _values(set_here: Mapping[str, Any], *, is_by_service: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    groups = cast("list[Mapping[str, Any]]", list(set_here.values())) if is_by_service else [set_here]
    for group in groups:
        for slot, value in group.items():
            yield slot, _forms(value)


def _forms(value: Any) -> tuple[str, ...]:
    return tuple(map(str, cast("list[object]", value))) if isinstance(value, list) else (str(value),)
