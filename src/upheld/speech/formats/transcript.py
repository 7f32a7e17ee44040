"""A conversation as a file has it: who took part, what they said, and, where a person annotated it, what that did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import TurnId
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.turns import Turn
from upheld.speech.formats.gold import Gold

FORMAT = "upheld/annotated-transcript@1"
"""Identity of the annotated format; another version has another number and is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One conversation.

    ``turns`` are in the order in which they were said; their ``operations`` are filled when ``is_annotated``.
    ``initial`` is in view before the first turn. ``threads`` names, for conversations that a program interleaved,
    where each turn came from: for checking only. ``extra`` keeps the paper's own numbering of turns.
    """

    id: str
    turns: tuple[Turn, ...]
    agents: tuple[Agent, ...] = ()
    initial: tuple[Proposition, ...] = ()
    title: str = ""
    domain: str = ""
    paradigm: str = ""
    provenance: str = ""
    is_annotated: bool = False
    gold: Gold | None = None
    notes: tuple[str, ...] = ()
    threads: Mapping[TurnId, str] = field(default_factory=dict[TurnId, str])
    extra: Mapping[str, object] = field(default_factory=dict[str, object])
