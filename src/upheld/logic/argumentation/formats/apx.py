"""The format ``apx``: ``arg(a).`` and ``att(a,b).``, statements of a logic program.

Source: the solver requirements of ICCMA 2015 to 2021, format ``apx`` (the older name is Aspartix).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.flattening import attacks_in_order
from upheld.logic.argumentation.framework import Framework, framework_of

_NAME = re.compile(r"\w+", re.ASCII)
_STATEMENT = re.compile(r"\s*(?:arg\(\s*(\w+)\s*\)|att\(\s*(\w+)\s*,\s*(\w+)\s*\))\s*\.", re.ASCII)


def read_apx(text: str, *, source: str = "") -> Framework[str]:
    """Read a framework; ``%`` starts a comment, and attacks may come before the arguments that they name.

    Raises:
        MalformedInput: a line is no statement, an argument is declared twice, or an attack names one that never is.
    """
    arguments: dict[str, None] = {}
    attacks: dict[tuple[str, str], int] = {}
    for line, found in _statements(text, source):
        name, attacker, target = found.groups()
        if name is None:
            attacks.setdefault((attacker, target), line)
        elif name in arguments:
            raise MalformedInput(f"{name} is declared twice", source=source, line=line)
        else:
            arguments[name] = None
    for pair, line in attacks.items():
        for name in pair:
            if name not in arguments:
                raise MalformedInput(f"{name} is attacked or attacks, but is no argument", source=source, line=line)
    return framework_of(arguments, attacks)


def write_apx(framework: Framework[str]) -> str:
    """Write a framework without supports, arguments in their order and attacks sorted by it.

    Raises:
        MalformedInput: it has supports (see :func:`.flattened`), or a name that is not letters, digits and underscores.
    """
    _check_names(framework)
    attacks = attacks_in_order(framework, form="apx")
    lines = [*(f"arg({name}).\n" for name in framework.arguments), *(f"att({a},{b}).\n" for a, b in attacks)]
    return "".join(lines)


def _statements(text: str, source: str) -> Iterator[tuple[int, re.Match[str]]]:
    for line, content in enumerate(text.splitlines(), start=1):
        statement = content.partition("%")[0].rstrip()
        start = 0
        while start < len(statement):
            found = _STATEMENT.match(statement, start)
            if found is None:
                raise MalformedInput(f"no statement: {statement[start:].strip()[:60]!r}", source=source, line=line)
            yield line, found
            start = found.end()


def _check_names(framework: Framework[str]) -> None:
    for name in framework.arguments:
        if not _NAME.fullmatch(name):
            raise MalformedInput(f"{name!r} is no name in apx: letters, digits and underscores only")
