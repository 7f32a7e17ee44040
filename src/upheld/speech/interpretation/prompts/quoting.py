"""What people and documents said, set apart from instructions: inside tags that no text can close.

A quotation is data. ``&``, ``<``, ``>`` and ``"`` are escaped in it, so that an end tag in the text is text; characters
that cannot be seen or sent (controls, lone surrogates, marks that reverse the writing) give way to one that can.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from upheld.logic.language.turns import Turn

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_KEPT = frozenset("\n\t")
_REVERSING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_PUT_IN = "\ufffd"


def escaped(text: str) -> str:
    """Give a text that holds no tag and nothing unseen. Cost: linear."""
    if not text.isprintable():
        text = "".join(_seen(char) for char in text.replace("\r\n", "\n").replace("\r", "\n"))
    return text.translate(_ESCAPES)


def quoted(tag: str, text: str, attributes: Mapping[str, str] | None = None) -> str:
    """Give a text between tags; attributes without a value are left out."""
    said = "".join(f' {name}="{_in_line(value)}"' for name, value in (attributes or {}).items() if value)
    return f"<{tag}{said}>{escaped(text)}</{tag}>"


def quoted_turn(turn: Turn) -> str:
    """Give a turn's words with its id, its speaker and, when it was said in private, who heard it."""
    heard = " ".join(sorted({turn.speaker, *turn.audience})) if turn.audience is not None else ""
    return quoted("turn", turn.text, {"id": turn.id, "speaker": turn.speaker, "at": turn.at, "heard-by": heard})


def block(tag: str, lines: Iterable[str]) -> str:
    """Give lines, quoted already, between tags of their own."""
    return "\n".join((f"<{tag}>", *lines, f"</{tag}>"))


def _seen(char: str) -> str:
    is_kept = char in _KEPT or (char not in _REVERSING and unicodedata.category(char) not in {"Cc", "Cs"})
    return char if is_kept else _PUT_IN


def _in_line(text: str) -> str:
    return " ".join(escaped(text).split())
