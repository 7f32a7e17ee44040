"""A report as JSON that may stand inside a script element.

The shape::

    {title, agents: [{id, name, role, kind}],
     turns: [{id, speaker, session, at, text, operations: [tree], findings: [text]}],
     propositions: {id: {text, kind, turn, speaker}}, edges: [{source, target, kind, turn}],
     changes: [{turn, states: {id: {label, lifecycle}}}], explanations: {id: [{depth, id, text, turn}]},
     verdicts: [{turn, text, outcome, reason, summary, because: [id],
                 claims: [{start, end, text, literals, outcome, reason}]}]}
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from upheld.faces.report.contents import Report, ReportVerdict
from upheld.logic.language.agents import Agent

Tree = dict[str, Any]
"""A mapping whose leaves JSON can carry."""

# Inside a script element "</script", "<!--" and "-->" have meaning; U+2028 and U+2029 end a line of a script though
# not of JSON; a lone surrogate has no bytes in UTF-8. As escapes of JSON they are the same text and mean none of that.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"} | {
    code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)
}


def report_json(report: Report) -> str:
    """Write a report as one line of JSON without any character that HTML could read as its own."""
    return json.dumps(report_tree(report), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def report_tree(report: Report) -> Tree:
    """Give a report as a plain tree in the shape above."""
    return {
        "title": report.title,
        "agents": [_agent(agent) for agent in report.agents],
        "turns": [
            {**_flat(turn), "operations": [dict(one) for one in turn.operations], "findings": list(turn.findings)}
            for turn in report.turns
        ],
        "propositions": {one.id: _flat(one, skip="id") for one in report.propositions},
        "edges": [_flat(edge) for edge in report.edges],
        "changes": [
            {"turn": change.turn, "states": {id: _flat(state) for id, state in change.states.items()}}
            for change in report.changes
        ],
        "explanations": {
            id: [{**_flat(line), "id": str(line.id)} for line in lines] for id, lines in report.explanations.items()
        },
        "verdicts": [_verdict(verdict) for verdict in report.verdicts],
    }


def _agent(agent: Agent) -> Tree:
    return {"id": agent.id, "name": agent.name, "role": agent.role, "kind": str(agent.kind)}


def _verdict(verdict: ReportVerdict) -> Tree:
    claims = [{**_flat(claim), "literals": [str(one) for one in claim.literals]} for claim in verdict.claims]
    return {**_flat(verdict), "because": list(verdict.because), "claims": claims}


def _flat(value: Any, *, skip: str = "") -> Tree:
    return {field.name: getattr(value, field.name) for field in fields(value) if field.name != skip}
