"""Answers other than a check, as lines and tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.table import Table
from rich.text import Text

from upheld.conversation.asking.questions import Questions, Status
from upheld.faces.report.wording import name_of, quoted
from upheld.faces.trees import limited
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.logic.language.verdicts import Affected, Delta
from upheld.logic.reasoning.answers.brief import Brief, Remark
from upheld.logic.reasoning.answers.explain import AgainstIt, Explanation
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.lines import one_line
from upheld.speech.rendering.tree import Justification, tree_lines

NOTHING = "nothing"

_FORCES = {Label.IN: "stands", Label.OUT: "has fallen", Label.UNDECIDED: "is undecided"}
_LABELS = {Label.IN: "green", Label.OUT: "red", Label.UNDECIDED: "yellow"}


def status_table(questions: Questions, statuses: Iterable[Status]) -> Table:
    """Give a table of claims: what the speakers did with each, and whether it holds."""
    table = Table(box=None, header_style="dim", padding=(0, 1), expand=True)
    for name in ("id", "kind", "lifecycle", "standing", "turn", "speaker"):
        table.add_column(name, no_wrap=True)
    table.add_column("text", ratio=1)
    state = questions.state
    for each in statuses:
        origin = state.node(each.id).first.origin
        proposition = state.proposition(each.id)
        is_gone = each.lifecycle in GIVEN_UP
        table.add_row(
            Text(each.id),
            Text(proposition.kind),
            Text(each.lifecycle, "dim" if is_gone else ""),
            Text(each.standing, _LABELS[each.standing]),
            Text(origin.turn),
            Text(one_line(name_of(state, origin.speaker)) if origin.speaker else ""),
            Text(_status_words(each, proposition.text), "dim" if is_gone else ""),
        )
    return table


def _status_words(status: Status, text: str) -> str:
    fallen = f" [look again: {', '.join(map(str, status.fallen))} fell]" if status.needs_reevaluation else ""
    return f"{one_line(text)}{fallen}"


def delta_lines(state: State, delta: Delta, *, limit: int = 0) -> list[Text]:
    """Give what a change would do, an effect a section; the effects that do not occur are left out.

    ``limit`` is how many claims a section shows before it counts the rest; 0: all.
    """
    shown = limited(delta, limit)
    parts: list[tuple[str, str, list[str], int]] = [
        ("lost", "red", _reached(state, shown.lost), len(delta.lost)),
        ("thinned", "yellow", _reached(state, shown.thinned), len(delta.thinned)),
        ("defeated", "red", _plain(state, shown.defeated), len(delta.defeated)),
        ("no longer explained", "yellow", _plain(state, shown.explained_by), len(delta.explained_by)),
        ("back", "green", _plain(state, shown.reinstated), len(delta.reinstated)),
        ("reopened", "yellow", _plain(state, shown.reopened), len(delta.reopened)),
        ("activated", "green", _plain(state, shown.activated), len(delta.activated)),
    ]
    lines: list[Text] = []
    for name, style, rows, count in parts:
        rest = [f"and {count - len(rows)} more"] if len(rows) < count else []
        lines += section(name, [*rows, *rest], style) if rows else []
    return lines or [Text("nothing changes")]


def section(title: str, rows: Iterable[str], style: str = "bold") -> list[Text]:
    """Give a heading with its rows."""
    return [Text(f"{title}:", style), *(Text(f"  {row}") for row in rows)]


def explanation_lines(state: State, told: Explanation, *, depth: int, is_ascii: bool) -> list[str | Text]:
    """Give why a claim stands as a tree, then what is held against it and what would break it."""
    lines: list[str | Text] = [*tree_lines(justification_of(state, told), depth=depth, ascii_only=is_ascii)]
    attacks = [_attack_words(state, attack) for attack in told.attacks]
    if attacks:
        lines += section("against it", attacks)
    if told.nodes[0].label is Label.IN:
        suffix = "" if told.is_complete else " (the search stopped at its budget)"
        lines += section(f"falls with any of{suffix}", [quoted(state, id) for id in told.breaks_if] or [NOTHING])
        if told.breaks_if_together:
            more = "" if told.is_complete_together else " (there may be more)"
            rows = [" + ".join(quoted(state, id) for id in group) for group in told.breaks_if_together]
            lines += section(f"falls with all of a line{more}", rows)
    sources = sorted(f"{name_of(state, AgentId(who))} ({id})" if id != "source" else who for id, who in told.roots)
    lines += section("independent sources", sources or ["none"])
    if told.held_by:
        lines += section("held by", [", ".join(name_of(state, agent) for agent in told.held_by)])
    if told.dissent:
        lines += section("dissent", [", ".join(name_of(state, AgentId(agent)) for agent in told.dissent)])
    return lines


def justification_of(state: State, told: Explanation) -> Justification:
    """Give the tree of an explanation as it is drawn. Built from the leaves up, since depth has no bound."""
    built: dict[int, Justification] = {}
    for index in range(len(told.nodes) - 1, -1, -1):
        node = told.nodes[index]
        built[index] = Justification(
            literal=node.literal,
            text=node.text,
            label=node.label,
            speaker=AgentId(name_of(state, node.speaker)) if node.speaker else None,
            turn=node.turn,
            children=tuple(built[child] for child in node.premises),
        )
    return built[0]


def brief_lines(state: State, told: Brief, change: str) -> list[Text]:
    """Give the re-evaluation brief, point by point; an empty point says so."""
    conditions = [
        f"{condition.literal} {'has come about' if condition.has_come_about else 'has not come about'}"
        f" (agreed with {condition.decision})"
        for condition in told.conditions
    ]
    kept = [
        f"{_remark(state, each.position)}; given up because of {_ids(state, each.because) or 'no recorded reason'}"
        for each in told.not_to_reopen
    ]
    points: list[tuple[str, list[str]]] = [
        ("decisions that rested on it", _remarks(state, told.decisions)),
        ("agreed conditions for looking again", conditions),
        ("concerns now live", _remarks(state, told.concerns)),
        ("alternatives to compare", _remarks(state, told.alternatives)),
        ("not to be reopened", kept),
        ("dissent", _remarks(state, told.dissent)),
    ]
    lines = [Text(f"if {change}:", "bold"), *(Text(f"  {line}") for line in delta_lines(state, told.delta))]
    for title, rows in points:
        lines += section(title, rows or ["none"])
    return lines


def moved_words(before: tuple[Lifecycle, Label] | None, after: tuple[Lifecycle, Label]) -> Text:
    """Give a change of lifecycle and standing: ``active, in → abandoned, out``."""
    now = f"{after[0]}, {after[1]}"
    text = Text(now if before is None else f"{before[0]}, {before[1]} → ")
    if before is not None:
        text.append(now)
    text.stylize(_LABELS[after[1]], len(text) - len(now))
    return text


def claims_lines(state: State, ids: Iterable[PropositionId]) -> Iterator[str]:
    """Give claims, one a line, with the turns that said them."""
    for id in ids:
        origin = state.node(id).first.origin
        yield f"{quoted(state, id)}{f' ({origin.turn})' if origin.turn else ''}"


def _reached(state: State, items: Iterable[Affected]) -> list[str]:
    return [f"{quoted(state, item.id)}{_way(item)}" for item in items]


def _way(item: Affected) -> str:
    return f"  via {' → '.join(item.path[1:-1])}" if len(item.path) > 2 else ""


def _plain(state: State, ids: Iterable[PropositionId]) -> list[str]:
    return [quoted(state, id) for id in ids]


def _attack_words(state: State, attack: AgainstIt) -> str:
    at = f" ({attack.turn})" if attack.turn else ""
    risk = f", accepted as a risk by {', '.join(attack.accepted_by)}" if attack.accepted_by else ""
    force = "answered" if attack.is_answered else _FORCES[attack.label]
    return f"{_attacker(state, attack.attacker)} {attack.kind.replace('_', ' ')} it{at}: {force}{risk}"


def _attacker(state: State, vertex: str) -> str:
    id = PropositionId(vertex.partition(" ")[0])
    if id in state.propositions:
        return quoted(state, id)
    node = state.nodes.get(id)
    return name_of(state, node.first.origin.speaker) if node is not None and node.introductions else id


def _remarks(state: State, remarks: Iterable[Remark]) -> list[str]:
    return [_remark(state, remark) for remark in remarks]


def _remark(state: State, remark: Remark) -> str:
    where = ", ".join(filter(None, (name_of(state, remark.speaker) if remark.speaker else "", remark.turn or "")))
    about = f" on {remark.about}" if remark.about else ""
    return f"{remark.id}{about} {one_line(remark.text)}{f' ({where})' if where else ''}"


def _ids(state: State, remarks: Iterable[Remark]) -> str:
    return ", ".join(quoted(state, remark.id) for remark in remarks)
