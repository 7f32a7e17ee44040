"""Why something holds, as an indented tree of text lines down to the turns that said it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import Label
from upheld.speech.rendering.lines import one_line


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Justification:
    """A literal with what it rests on: ``children`` jointly, each of ``alternatives`` instead of them.

    Children may be shared between parents. Compared by identity and shown by its literal alone: by content, either
    would recurse as deep as the tree, and a chain of grounds has no bound.
    """

    literal: Literal
    text: str
    label: Label
    speaker: AgentId | None = None
    turn: TurnId | None = None
    children: tuple[Justification, ...] = ()
    alternatives: tuple[tuple[Justification, ...], ...] = ()

    def __repr__(self) -> str:
        """Show the literal."""
        return f"Justification({str(self.literal)!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawing:
    branch: str
    last: str
    bar: str
    marks: dict[Label, str]
    more: str


_UNICODE = _Drawing(
    branch="├─ ", last="└─ ", bar="│  ", marks={Label.IN: "✓", Label.OUT: "✗", Label.UNDECIDED: "?"}, more="…"
)
_ASCII = _Drawing(
    branch="|- ", last="`- ", bar="|  ", marks={Label.IN: "+", Label.OUT: "x", Label.UNDECIDED: "?"}, more="..."
)


@dataclass(frozen=True, slots=True)
class _Pending:
    item: Justification | str
    indent: str
    connector: str
    depth: int


def tree_lines(root: Justification, *, depth: int = 12, ascii_only: bool = False) -> tuple[str, ...]:
    """Draw a justification, one line a literal; a literal drawn before is named again but not unfolded again.

    ``depth`` levels below the root are drawn, and what lies deeper is counted ("… 7 more"). Cost: linear in the size
    of the justification, shared parts once; the text of the lines stays as it is in both alphabets.
    """
    drawing = _ASCII if ascii_only else _UNICODE
    lines: list[str] = []
    drawn: set[Literal] = set()
    stack = [_Pending(root, "", "", 0)]
    while stack:
        place = stack.pop()
        item = place.item
        if isinstance(item, str):
            lines.append(f"{place.indent}{place.connector}{item}")
            continue
        is_repeated = item.literal in drawn and _rests_on_something(item)
        lines.append(f"{place.indent}{place.connector}{_sentence(item, drawing)}{' (above)' if is_repeated else ''}")
        if place.depth < depth:
            drawn.add(item.literal)
        if not is_repeated:
            stack.extend(reversed(list(_below(item, place, depth, drawing))))
    return tuple(lines)


def _rests_on_something(item: Justification) -> bool:
    return bool(item.children or item.alternatives)


def _below(item: Justification, place: _Pending, depth: int, drawing: _Drawing) -> Iterator[_Pending]:
    if not _rests_on_something(item):
        return
    indent = place.indent
    if place.connector:
        indent += drawing.bar if place.connector == drawing.branch else " " * len(drawing.bar)
    if place.depth >= depth:
        yield _Pending(f"{drawing.more} {_size_below(item)} more", indent, drawing.last, place.depth + 1)
        return
    rows: list[Justification | str] = list(item.children)
    for alternative in item.alternatives:
        rows += ["or, instead:", *alternative]
    for index, row in enumerate(rows):
        connector = drawing.last if index == len(rows) - 1 else drawing.branch
        yield _Pending(row, indent, connector, place.depth + 1)


def _size_below(item: Justification) -> int:
    """Count the literals under ``item``, each once."""
    seen: set[Literal] = set()
    stack = [item]
    while stack:
        top = stack.pop()
        for child in (*top.children, *(one for joint in top.alternatives for one in joint)):
            if child.literal not in seen:
                seen.add(child.literal)
                stack.append(child)
    return len(seen)


def _sentence(item: Justification, drawing: _Drawing) -> str:
    origin = ", ".join(part for part in (item.turn, item.speaker) if part)
    text = one_line(item.text)
    return " ".join(
        part
        for part in (drawing.marks[item.label], str(item.literal), text, f"({one_line(origin)})" if origin else "")
        if part
    )
