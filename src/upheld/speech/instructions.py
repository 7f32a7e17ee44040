"""Passages that read like instructions to a language model, in what people, tools and documents said.

They are flagged and never acted on: what was said is data (semantics, section 10). The patterns know the common
wordings in English and no more; an attacker who wants to can word things otherwise. What protects a conversation is
that no stored text is ever taken for an instruction, not that this list is complete.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MOST_TEXT = 100_000
"""Characters of a text that are looked at."""

_RULES = r"(?:instructions?|prompts?|rules|guidelines|directions|directives|constraints|safeguards|policies)"
_PHRASES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "sets instructions aside",
        re.compile(
            rf"\b(?:ignore|disregard|forget|override|bypass)(?: \w+){{0,5}} {_RULES}\b|"
            r"\b(?:ignore|disregard|forget) (?:all|everything|anything)(?: \w+){0,4} (?:above|before|said|told)\b"
        ),
    ),
    (
        "gives another part to play",
        re.compile(
            r"\byou are (?:now|no longer) (?!in\b|on\b|at\b|ready\b|able\b|all\b|eligible\b|free\b)\w+|"
            r"\bfrom now on,? you (?!can\b|may\b|get\b|have\b)\w+|"
            r"\b(?:pretend|act)(?: to be| as if you| as though you| as an? (?:unrestricted|uncensored|different))\b"
        ),
    ),
    (
        "asks for the instructions",
        re.compile(
            r"\b(?:reveal|print|show|repeat|output|leak|disclose)(?: me)? "
            r"(?:your(?: \w+){0,2}|the (?:system|hidden|initial|original)) (?:prompt|instructions)\b"
        ),
    ),
    ("gives new instructions", re.compile(r"\b(?:new|updated|real|actual|hidden|secret)(?: \w+)? instructions?:")),
    (
        "keeps something from a person",
        re.compile(
            r"\b(?:do not|don't|never) (?:tell|inform|mention (?:this )?to|alert|ask)(?: \w+)? "
            r"(?:user|users|customer|human|anyone)\b|"
            r"\bwithout (?:asking|telling|informing)(?: \w+)? (?:user|customer)\b"
        ),
    ),
    (
        "tells an assistant what to do",
        re.compile(
            r"\b(?:ai|llm|chatbot|language model|ai model|ai agent|assistant)(?:s? reading this)?,? "
            r"(?:must|should|shall|has to|have to|is required to|please|needs? to)\b"
        ),
    ),
)
_MARKUP = (
    "imitates the markup of a prompt",
    re.compile(
        r"<\|? ?/?(?:im_start|im_end|system|assistant|user|endoftext)\b[^>]{0,20}>|\[/?inst\]|<</?sys>>|"
        r"</?(?:system|instructions?|tool_result|function_results?)>|"
        r"(?:\A|(?<=\n))(?:#{1,4} ?)?(?:system|developer)(?: prompt| message)? ?:"
    ),
)
"""The one pattern for which it matters where a line begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """A passage that reads like an instruction: its place in the text, its words, and what it does."""

    span: tuple[int, int]
    text: str
    does: str


def instructions_in(text: str) -> tuple[Instruction, ...]:
    """Give the passages of a text that read like instructions to a language model, in order. Cost: linear."""
    plain, places = _plain(text[:MOST_TEXT])
    in_one_line = plain.replace("\n", " ")
    found = [
        Instruction(span=span, text=text[slice(*span)], does=does)
        for (does, pattern), searched in (*((each, in_one_line) for each in _PHRASES), (_MARKUP, plain))
        for match in pattern.finditer(searched)
        for span in [(places[match.start()], places[match.end() - 1] + 1)]
    ]
    return tuple(sorted(found, key=lambda each: each.span))


def is_instruction(text: str) -> bool:
    """Tell whether a passage of a text reads like an instruction: it can be reported, and no more."""
    return bool(instructions_in(text))


def _plain(text: str) -> tuple[str, list[int]]:
    """Give a text as the patterns want it, with the place of each character in the original.

    Compatible forms of a letter become the letter, invisible characters go, blanks become one.
    """
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char.isspace():
            if chars and chars[-1] in " \n":
                chars[-1] = "\n" if char == "\n" else chars[-1]
                continue
            added = "\n" if char == "\n" else " "
        elif unicodedata.category(char) in ("Cf", "Cc", "Mn"):
            continue
        else:
            added = char.casefold() if char.isascii() else unicodedata.normalize("NFKC", char).casefold()
        chars.extend(added)
        places.extend([place] * len(added))
    return "".join(chars).replace("\u2019", "'"), places
