"""The trivial graph format ``tgf``: one argument a line, a line ``#``, one attack ``a b`` a line.

Source: the solver requirements of ICCMA 2015 to 2021, format ``tgf``. The format at large lets a label follow an
argument or an edge; the competitions do not, and neither does this reader, since it would lose the label.
"""

from __future__ import annotations

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.flattening import attacks_in_order
from upheld.logic.argumentation.framework import Framework, framework_of

_MARK = "#"


def read_tgf(text: str, *, source: str = "") -> Framework[str]:
    """Read a framework.

    Raises:
        MalformedInput: an argument is declared twice, an attack names one that is not, or no ``#`` stands between.
    """
    arguments: dict[str, str] = {}
    attacks: set[tuple[str, str]] = set()
    has_mark = False
    for line, content in enumerate(text.splitlines(), start=1):
        words = content.split()
        if not words:
            continue
        if words == [_MARK]:
            if has_mark:
                raise MalformedInput("a second #", source=source, line=line)
            has_mark = True
        elif has_mark:
            attacks.add(_attack(words, arguments, source, line))
        elif len(words) != 1 or words[0].startswith(_MARK):
            raise MalformedInput(f"no argument: {content.strip()[:60]!r}", source=source, line=line)
        elif words[0] in arguments:
            raise MalformedInput(f"{words[0]} is declared twice", source=source, line=line)
        else:
            arguments[words[0]] = words[0]
    if not has_mark:
        raise MalformedInput("no # between arguments and attacks", source=source)
    return framework_of(arguments, attacks)


def write_tgf(framework: Framework[str]) -> str:
    """Write a framework without supports, arguments in their order and attacks sorted by it.

    Raises:
        MalformedInput: it has supports (see :func:`.flattened`), or a name that is no single word.
    """
    attacks = attacks_in_order(framework, form="tgf")
    for name in framework.arguments:
        if name.split() != [name] or name.startswith(_MARK):
            raise MalformedInput(f"{name!r} is no name in tgf: a word without blanks that does not begin with #")
    lines = [*(f"{name}\n" for name in framework.arguments), f"{_MARK}\n", *(f"{a} {b}\n" for a, b in attacks)]
    return "".join(lines)


def _attack(words: list[str], arguments: dict[str, str], source: str, line: int) -> tuple[str, str]:
    if len(words) != 2:
        raise MalformedInput(f"no attack: {' '.join(words)[:60]!r}", source=source, line=line)
    for name in words:
        if name not in arguments:
            raise MalformedInput(f"{name} is attacked or attacks, but is no argument", source=source, line=line)
    return arguments[words[0]], arguments[words[1]]
