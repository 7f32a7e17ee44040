"""The JSON that a language model answers with, read into values or refused with what is wrong."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from upheld.errors import UnusableReply
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching.llm.request import RELATIONS

MOST_CLAIMS = 400
"""Claims of one reply; a language model that finds more is not believed."""

MOST_LINKS = 40
"""Links of one claim."""

Choice = TypeVar("Choice", Stance, Modality)


@dataclass(frozen=True, slots=True, kw_only=True)
class WireLink:
    """The name of a shown proposition, and one of :data:`~upheld.speech.matching.llm.request.RELATIONS`."""

    name: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WireClaim:
    """A claim as it was answered; its text is not yet found in the reply."""

    text: str
    stance: Stance
    modality: Modality
    links: tuple[WireLink, ...]
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WireReply:
    """Everything that was answered."""

    claims: tuple[WireClaim, ...]
    no_claim: tuple[str, ...]


def wire_reply(value: object, names: Collection[str]) -> WireReply:
    """Read the JSON of an answer; ``names`` are those of the propositions that were shown.

    Raises:
        UnusableReply: a field that is missing or of another kind, a name that was not shown; says where.
    """
    tree = _tree(value, "the answer")
    claims = _list(tree, "claims", "the answer", most=MOST_CLAIMS)
    silent = _list(tree, "no_claim", "the answer", most=MOST_CLAIMS)
    return WireReply(
        claims=tuple(_claim(each, f"claims[{place}]", names) for place, each in enumerate(claims)),
        no_claim=tuple(_words(each, f"no_claim[{place}]") for place, each in enumerate(silent)),
    )


def _claim(value: object, where: str, names: Collection[str]) -> WireClaim:
    tree = _tree(value, where)
    links = _list(tree, "links", where, most=MOST_LINKS)
    is_new = tree.get("new", False)
    if not isinstance(is_new, bool):
        raise UnusableReply(f"{where}.new must be true or false")
    return WireClaim(
        text=_words(tree.get("text"), f"{where}.text"),
        stance=_choice(Stance, tree.get("stance"), f"{where}.stance"),
        modality=_choice(Modality, tree.get("modality"), f"{where}.modality"),
        links=tuple(_link(each, f"{where}.links[{place}]", names) for place, each in enumerate(links)),
        is_new=is_new,
    )


def _link(value: object, where: str, names: Collection[str]) -> WireLink:
    tree = _tree(value, where)
    name, relation = tree.get("id"), tree.get("relation")
    if not isinstance(name, str) or name not in names:
        raise UnusableReply(f"{where}.id: {_short(name)} is none of the propositions given")
    if relation not in RELATIONS:
        raise UnusableReply(f"{where}.relation must be one of {', '.join(RELATIONS)}, not {_short(relation)}")
    return WireLink(name=name, relation=cast("str", relation))


def _tree(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UnusableReply(f"{where} must be a JSON object")
    return cast("dict[str, Any]", value)


def _list(tree: Mapping[str, Any], key: str, where: str, *, most: int) -> list[object]:
    value = tree.get(key)
    if not isinstance(value, list):
        raise UnusableReply(f"{where} must have {key!r}, a list")
    found = cast("list[object]", value)
    if len(found) > most:
        raise UnusableReply(f"{where} has {len(found)} {key}; at most {most} are read")
    return found


def _words(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UnusableReply(f"{where} must be a text that is not empty")
    return value


def _choice(kind: type[Choice], value: object, where: str) -> Choice:
    try:
        return kind(cast("str", value))
    except ValueError:
        allowed = ", ".join(each.value for each in kind)
        raise UnusableReply(f"{where} must be one of {allowed}, not {_short(value)}") from None


def _short(value: object) -> str:
    return repr(value)[:60]
