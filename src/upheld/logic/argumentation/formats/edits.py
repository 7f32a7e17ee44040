"""A file of edits to a framework, one a line, as in the dynamic track.

Sources: the solver requirements of ICCMA 2019 and 2021, formats ``apxm`` (``+att(a,b).``, ``-att(a,b).``, ``+arg(c).``,
``+arg(c):att(c,a):att(b,c).``, ``-arg(c).``) and ``tgfm`` (``+a b``, ``-a b``, ``+c``, ``+c:c a:b c``, ``-c``). A blank
may follow the sign, so that ``+ 1 2`` edits a framework of the format af. ``%`` and ``#`` start a line of comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from upheld.errors import MalformedInput
from upheld.logic.argumentation.semantics.dynamic import Edit

_EDIT = re.compile(r"([+-])\s*(.*)")
_ARG = re.compile(r"arg\(\s*(\w+)\s*\)", re.ASCII)
_ATT = re.compile(r"att\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.ASCII)

Names = tuple[str, ...]
"""One name for an argument, two for an attack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An edit, and the line that it stands on."""

    edit: Edit[str]
    number: int


def edits_from(text: str, *, source: str = "") -> tuple[Line, ...]:
    """Read edits in either format, each line for itself.

    Raises:
        MalformedInput: a line is no edit; ``source`` and the line stand in the message.
    """
    lines: list[Line] = []
    for number, content in enumerate(text.splitlines(), start=1):
        stripped = content.strip()
        if stripped and not stripped.startswith(("#", "%")):
            edit = _edit(stripped)
            if edit is None:
                raise MalformedInput(f"no edit: {stripped[:60]!r}", source=source, line=number)
            lines.append(Line(edit=edit, number=number))
    return tuple(lines)


def _edit(text: str) -> Edit[str] | None:
    found = _EDIT.fullmatch(text)
    if found is None:
        return None
    sign, rest = found.groups()
    parts = _statements(rest) if "(" in rest else _pairs(rest)
    if parts is None:
        return None
    match sign, parts:
        case "-", [(name,)]:
            return Edit(remove_arguments=frozenset({name}))
        case "-", [(attacker, target)]:
            return Edit(remove_attacks=frozenset({(attacker, target)}))
        case "+", [(attacker, target)]:
            return Edit(add_attacks=frozenset({(attacker, target)}))
        case "+", [(name,), *attacks]:
            pairs = frozenset((attack[0], attack[1]) for attack in attacks if len(attack) == 2 and name in attack)
            # What comes with an argument is about it: another attack is an edit of its own.
            return Edit(add_arguments=(name,), add_attacks=pairs) if len(pairs) == len(attacks) else None
        case _:
            return None


def _statements(text: str) -> list[Names] | None:
    if not text.endswith("."):
        return None
    found: list[Names] = []
    for part in text[:-1].split(":"):
        statement = _ARG.fullmatch(part.strip()) or _ATT.fullmatch(part.strip())
        if statement is None:
            return None
        found.append(statement.groups())
    return found


def _pairs(text: str) -> list[Names] | None:
    found = [tuple(part.split()) for part in text.split(":")]
    return found if all(len(names) in (1, 2) for names in found) else None
