"""The ``apx`` text of the argumentation competitions: ``arg(a).`` and ``att(a,b).``, one statement a line.

It has no word for supports. :func:`flattened` says them by attacks on auxiliary arguments, which are marked by their
names; :func:`write_apx` refuses a framework that still has supports, since what a reader would then compute is another
thing. Source: the ICCMA solver requirements (2015 to 2021), format ``apx``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.errors import MalformedInput
from upheld.logic.argumentation.framework import Framework, framework_of

AUXILIARY = "_aux_"
"""How the name of an argument begins that :func:`flattened` adds."""

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
        MalformedInput: it has supports (see :func:`flattened`), or a name that is not letters, digits and underscores.
    """
    if framework.has_supports:
        raise MalformedInput("apx has no supports: flatten the framework first, which keeps its grounded labelling")
    _check_names(framework)
    place = {name: number for number, name in enumerate(framework.arguments)}
    attacks = sorted(framework.attacks, key=lambda pair: (place[pair[0]], place[pair[1]]))
    lines = [*(f"arg({name}).\n" for name in framework.arguments), *(f"att({a},{b}).\n" for a, b in attacks)]
    return "".join(lines)


def flattened(framework: Framework[str]) -> Framework[str]:
    """Give a framework without supports that has the same grounded labelling on the original arguments.

    For an argument x that needs something: ``_aux_lacks_x`` attacks x, each justification ``_aux_way_i_x`` of x attacks
    that, and ``_aux_no_p`` (attacked by the premise p) attacks each justification that needs p. So the label of each
    auxiliary is that of the sentence in its name, and the least fixpoint is the same.

    Where no premises form a circle, complete and preferred extensions correspond one to one as well. Where some do,
    they need not: attacks alone cannot say that a circle may not hold itself up.

    Raises:
        MalformedInput: a name begins as the auxiliaries do.
    """
    for name in framework.arguments:
        if name.startswith(AUXILIARY):
            raise MalformedInput(f"{name}: the beginning {AUXILIARY!r} is kept for auxiliary arguments")
    arguments: dict[str, None] = dict.fromkeys(framework.arguments)
    attacks = set(framework.attacks)
    for name in framework.arguments:
        ways = framework.justifications.get(name)
        if ways is None or frozenset() in ways:
            continue
        attacks.add((f"{AUXILIARY}lacks_{name}", name))
        for number, way in enumerate(ways):
            attacks.add((f"{AUXILIARY}way_{number}_{name}", f"{AUXILIARY}lacks_{name}"))
            for premise in way:
                attacks.add((premise, f"{AUXILIARY}no_{premise}"))
                attacks.add((f"{AUXILIARY}no_{premise}", f"{AUXILIARY}way_{number}_{name}"))
    arguments.update(dict.fromkeys(sorted({name for pair in attacks for name in pair} - arguments.keys())))
    return framework_of(arguments, attacks)


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
