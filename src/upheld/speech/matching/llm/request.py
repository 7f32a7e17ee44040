"""The request that asks a language model about a reply, as a value that can be sent, exported or looked up.

What people said stands in one JSON object of a user message, so that no text can leave its quotation marks. Lifecycle
and standing are not in it; neither order nor names of the propositions tell of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from upheld.logic.language.identities import AgentId
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching.llm.candidates import Candidates, LexicalCandidates
from upheld.speech.models.prompts.loading import Prompt, prompt_in
from upheld.speech.models.request import Message, Request, Role, Shape
from upheld.speech.view import Known, Situation, View

LIMIT = 60
"""Propositions that are shown beside a reply."""

TURNS = 4
"""Turns before a reply that are shown with it, for what its pronouns refer to."""

FEWEST_TOKENS, MOST_TOKENS = 4_096, 16_384
"""Tokens that an answer may have: it repeats the reply, claim by claim."""

MOST_OF_A_TURN = 600
"""Characters of an earlier turn that are shown."""

RELATIONS = ("supported_by", "committed_to", "denies", "contradicts")
"""What a language model may say of a claim and a proposition."""

_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a language model sees under one name: every proposition of one wording."""

    name: str
    known: tuple[Known, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request, and what is needed to read its reply. ``agents`` are the names by which speakers may be called."""

    request: Request
    text: str
    shown: tuple[Shown, ...]
    agents: tuple[tuple[AgentId, str], ...] = ()


def instructions() -> Prompt:
    """Give what the matcher tells a language model."""
    return prompt_in("upheld.speech.matching.prompts", "match")


def request_for(
    text: str,
    view: View,
    speaker: AgentId | None = None,
    *,
    candidates: Candidates | None = None,
    limit: int = LIMIT,
    turns: int = TURNS,
) -> Asked:
    """Give the request about a reply. Equal meaning gives equal requests: standing and order leave no trace.

    Earlier turns are shown where the view is a :class:`~upheld.speech.view.Situation`, and only those that the speaker
    heard.
    """
    find = candidates if candidates is not None else LexicalCandidates()
    shown = _shown(find(text, view, limit))
    situation = view if isinstance(view, Situation) else None
    earlier = situation.earlier(turns) if situation is not None and turns > 0 else ()
    agents = situation.agents() if situation is not None else ()
    prompt = instructions()
    material = {
        "reply": printable(text),
        "speaker": printable(speaker or ""),
        "earlier_turns": [_quoted(turn) for turn in earlier if _is_heard(turn, speaker)],
        "propositions": [_listed(each) for each in shown],
    }
    messages = (
        Message(role=Role.SYSTEM, text=prompt.text),
        Message(role=Role.USER, text=json.dumps(material, ensure_ascii=False, indent=1)),
    )
    return Asked(
        request=Request(
            prompt=prompt.label,
            messages=messages,
            shape=SHAPE,
            limit=max(FEWEST_TOKENS, min(MOST_TOKENS, len(text))),
        ),
        text=text,
        shown=shown,
        agents=tuple((agent.id, agent.name or agent.id) for agent in agents),
    )


def printable(text: str) -> str:
    """Give a text with a blank or a mark in place of each character that nobody sees, place for place.

    Control characters, marks of direction, characters of no width and lone surrogates are no part of what is said.
    """
    return _UNSEEN.sub(lambda found: "\ufffd" if "\ud800" <= found.group() <= "\udfff" else " ", text)


def _shown(candidates: Sequence[Known]) -> tuple[Shown, ...]:
    """Put propositions under names by the alphabet of their texts: by introduction, the newer value would be seen."""
    wordings: dict[str, list[Known]] = {}
    for known in sorted(candidates, key=lambda each: each.proposition.id):
        wording = _BLANKS.sub(" ", printable(known.proposition.text)).strip().casefold()
        wordings.setdefault(wording, []).append(known)
    return tuple(
        Shown(name=f"p{place}", known=tuple(wordings[wording])) for place, wording in enumerate(sorted(wordings), 1)
    )


def _listed(shown: Shown) -> dict[str, object]:
    return {
        "id": shown.name,
        "text": printable(shown.known[0].proposition.text),
        "said_by": _unique(known.speaker for known in shown.known),
        "turns": _unique(known.turn for known in shown.known),
    }


def _unique(names: Iterable[str | None]) -> list[str]:
    return sorted({printable(name) for name in names if name})


def _quoted(turn: Turn) -> dict[str, str]:
    text = turn.text if len(turn.text) <= MOST_OF_A_TURN else turn.text[:MOST_OF_A_TURN] + " [cut]"
    return {"turn": printable(turn.id), "speaker": printable(turn.speaker), "text": printable(text)}


def _is_heard(turn: Turn, speaker: AgentId | None) -> bool:
    return turn.audience is None or (speaker is not None and (speaker == turn.speaker or speaker in turn.audience))


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_LINK = _closed({"id": {"type": "string"}, "relation": {"type": "string", "enum": list(RELATIONS)}})
_CLAIM = _closed(
    {
        "text": {"type": "string"},
        "stance": {"type": "string", "enum": [each.value for each in Stance]},
        "modality": {"type": "string", "enum": [each.value for each in Modality]},
        "links": {"type": "array", "items": _LINK},
        "new": {"type": "boolean"},
    }
)
SHAPE = Shape(
    name="matched_claims",
    schema=_closed(
        {
            "claims": {"type": "array", "items": _CLAIM},
            "no_claim": {"type": "array", "items": {"type": "string"}},
        }
    ),
)
"""The JSON that a reply must be."""
