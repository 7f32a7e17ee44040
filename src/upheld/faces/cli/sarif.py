"""A check as SARIF 2.1.0, for tools that show findings beside the line.

Source: OASIS, *Static Analysis Results Interchange Format Version 2.1.0*, 2020.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from upheld.conversation.checking.claims import CheckedClaim
from upheld.conversation.checking.replaying import CheckedReply, CheckReport
from upheld.faces.report.wording import ending_of, name_of, quoted, reason_of, spoken
from upheld.logic.language.identities import TurnId
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.lines import one_line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

_MEANINGS = {
    Reason.UNKNOWN: "Nobody said it.",
    Reason.OUT_OF_VIEW: "It was said, but never to this speaker.",
    Reason.ABANDONED: "Its holders gave it up.",
    Reason.RETRACTED: "The report was taken back.",
    Reason.SUPERSEDED: "Another value replaced it.",
    Reason.CONTRADICTED: "Its negation stands.",
    Reason.PREMISE_LOST: "Something that it rests on fell.",
    Reason.UNDERMINED: "An objection to it stands.",
    Reason.REOPENED: "The reasons for giving it up fell, and nobody took it up again.",
    Reason.UNDECIDED: "A conflict in a circle leaves it open.",
    Reason.OVERCLAIMED: "A live hypothesis, or a decision with dissent, said as plain fact.",
    Reason.TOO_WEAK: "Its strength is below what was asked for.",
}
_RULES = list(_MEANINGS)
_Tree = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A check with the name of its file and the lines of its turns, as far as they are known."""

    file: str
    report: CheckReport
    lines: Mapping[TurnId, int] = field(default_factory=dict[TurnId, int])


def sarif(checks: Sequence[Located]) -> str:
    """Write checks as one SARIF log: a rule a reason, a result a claim that is ungrounded."""
    driver = {"name": "upheld", "semanticVersion": _version(), "rules": [_rule(reason) for reason in _RULES]}
    results = [result for check in checks for result in _results(check)]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _version() -> str:
    try:
        return version("upheld")
    except PackageNotFoundError:
        return "0.0.0"


def _rule(reason: Reason) -> _Tree:
    return {
        "id": f"upheld/{reason}",
        "name": "".join(part.capitalize() for part in reason.split("_")),
        "shortDescription": {"text": f"Ungrounded: {spoken(reason)}"},
        "fullDescription": {"text": _MEANINGS[reason]},
        "defaultConfiguration": {"level": "error"},
    }


def _results(check: Located) -> Iterator[_Tree]:
    state = check.report.conversation.state
    for reply in check.report.replies:
        for claim in reply.checked.claims:
            if claim.outcome is Outcome.UNGROUNDED:
                yield _result(check, reply, claim, state)


def _result(check: Located, reply: CheckedReply, claim: CheckedClaim, state: State) -> _Tree:
    reason = reason_of(claim) or Reason.UNKNOWN
    return {
        "ruleId": f"upheld/{reason}",
        "ruleIndex": _RULES.index(reason),
        "level": "error",
        "message": {"text": _message(reply, claim, state)},
        "locations": [_location(check, reply.turn)],
        "partialFingerprints": {"turnAndSpan/v1": f"{reply.turn}:{claim.span[0]}-{claim.span[1]}"},
    }


def _message(reply: CheckedReply, claim: CheckedClaim, state: State) -> str:
    who = f"{reply.turn}, {name_of(state, reply.speaker)}"
    said = one_line(claim.text, limit=200)
    failing = [finding for finding in claim.findings if finding.outcome is Outcome.UNGROUNDED]
    why = "; ".join(f"{quoted(state, finding.literal.proposition)} {ending_of(state, finding)}" for finding in failing)
    return f'{who}: "{said}" is not grounded: {why or "it rests on nothing that was said"}.'


def _uri(path: Path) -> str:
    """Give a path as a reference relative to the folder that we run in, which a pipeline takes for the repository's."""
    here = Path.cwd()
    if not path.is_absolute():
        return quote(path.as_posix())
    return quote(path.relative_to(here).as_posix()) if path.is_relative_to(here) else path.as_uri()


def _location(check: Located, turn: TurnId) -> _Tree:
    physical: _Tree = {"artifactLocation": {"uri": _uri(Path(check.file))}}
    if turn in check.lines:
        physical["region"] = {"startLine": check.lines[turn]}
    return {"physicalLocation": physical, "logicalLocations": [{"name": turn, "kind": "member"}]}
