"""The format ``af``: ``p af 3``, then ``1 2`` for each attack; arguments are the numbers from 1.

Source: the solver requirements of ICCMA 2023 and 2025, input format of the main track.
"""

from __future__ import annotations

from upheld.errors import LimitExceeded, MalformedInput
from upheld.logic.argumentation.formats.flattening import attacks_in_order
from upheld.logic.argumentation.framework import A, Framework, framework_of, places_of

MOST_ARGUMENTS = 10_000_000
"""A header may not ask for more: its one line would fill the memory of the machine."""

_MOST_DIGITS = 9


def read_af(text: str, *, source: str = "") -> Framework[str]:
    """Read a framework; a line that begins with ``#`` is a comment. The names of arguments are "1" to "n".

    Cost: linear; a million attacks take about three seconds.

    Raises:
        MalformedInput: the header is no ``p af n``, or a line is no pair of arguments.
        LimitExceeded: more than ``MOST_ARGUMENTS``.
    """
    lines = enumerate(text.splitlines(), start=1)
    names: dict[str, str] | None = None
    attacks: set[tuple[str, str]] = set()
    for line, content in lines:
        words = content.split()
        if not words or words[0].startswith("#"):
            continue
        if names is None:
            names = {name: name for name in map(str, range(1, _count(words, source, line) + 1))}
            continue
        if len(words) != 2:
            raise MalformedInput(f"no attack: {content.strip()[:60]!r}", source=source, line=line)
        try:
            # The words of the header, not those of this line: a million short strings are many megabytes.
            attacks.add((names[words[0]], names[words[1]]))
        except KeyError as error:
            raise MalformedInput(f"{error.args[0][:20]} is no argument", source=source, line=line) from None
    if names is None:
        raise MalformedInput("no header: expected 'p af' and the number of arguments", source=source)
    return framework_of(names, attacks)


def write_af(framework: Framework[A]) -> str:
    """Write a framework without supports; arguments are numbered in their order, and comments keep other names.

    Raises:
        MalformedInput: it has supports (see :func:`.flattened`), or a name that does not fit on a line.
    """
    number = {name: str(place + 1) for name, place in places_of(framework).items()}
    attacks = attacks_in_order(framework, form="af")
    lines = [f"p af {len(number)}\n"]
    if any(str(name) != given for name, given in number.items()):
        lines += [f"# {given} {_on_one_line(str(name))}\n" for name, given in number.items()]
    lines += [f"{number[attacker]} {number[target]}\n" for attacker, target in attacks]
    return "".join(lines)


def _count(words: list[str], source: str, line: int) -> int:
    match words:
        case ["p", "af", count] if count.isascii() and count.isdigit():
            # The length first: Python refuses to read numbers of thousands of digits.
            if len(count.lstrip("0")) <= _MOST_DIGITS and int(count) <= MOST_ARGUMENTS:
                return int(count)
            raise LimitExceeded(f"{source}:{line}: at most {MOST_ARGUMENTS} arguments")
        case _:
            message = f"expected 'p af' and the number of arguments, not {' '.join(words)[:60]!r}"
            raise MalformedInput(message, source=source, line=line)


def _on_one_line(name: str) -> str:
    if len(name.splitlines()) > 1 or name != name.strip():
        raise MalformedInput(f"{name!r} does not fit on a line of its own")
    return name
