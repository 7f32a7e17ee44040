"""What would follow from a change: ``affected``, ``review``, ``whatif`` and ``brief``; nothing is ever changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.text import Text

from upheld.conversation.asking.questions import Questions, Snapshot
from upheld.conversation.asking.what_if import WhatIf, moved
from upheld.errors import MalformedInput
from upheld.faces.cli.console import say_json, say_lines
from upheld.faces.cli.options import GROUNDED, AsJson, At, ClaimId, FileName, FileOptions, Interpreter, Reading, command
from upheld.faces.cli.rendering.answers import (
    NOTHING,
    brief_lines,
    claims_lines,
    delta_lines,
    moved_words,
)
from upheld.faces.cli.sources import snapshot_of
from upheld.faces.report.wording import QUOTED, ending_of, grounds_line, quoted, spoken
from upheld.faces.trees import Tree, limited, plain
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import literal
from upheld.logic.language.turns import Falsify, Retract
from upheld.logic.language.verdicts import Verdict
from upheld.speech.rendering.lines import one_line

IsFalsified = Annotated[bool, typer.Option("--falsify", help="Suppose it turns out false, not just taken back.")]
IsDirect = Annotated[
    bool, typer.Option("--direct", help="Only direct dependents, standing or not: the paper's Affected(p).")
]
IsCount = Annotated[bool, typer.Option("--count", help="Only how many would be lost, and how many thinned.")]
Limit = Annotated[
    int,
    typer.Option("--limit", metavar="N", min=0, help="At most N claims an effect, and how many more; 0: all."),
]
IsRetracted = Annotated[
    bool, typer.Option("--retract", help="Suppose it is taken back, nothing being said about its falsity.")
]
Retracts = Annotated[
    list[str],
    typer.Option("--retract", metavar="ID", help="Suppose nobody holds this any more.", show_default=False),
]
Falsifies = Annotated[
    list[str], typer.Option("--falsify", metavar="ID", help="Suppose this turns out false.", show_default=False)
]
Withdraws = Annotated[
    list[str],
    typer.Option(
        "--withdraw", metavar="TURN", help="Suppose this turn, or document, did not count.", show_default=False
    ),
]
Supersedes = Annotated[
    list[str],
    typer.Option("--supersede", metavar="OLD=NEW", help="Suppose one replaces the other.", show_default=False),
]
Asks = Annotated[
    list[str],
    typer.Option(
        "--ask", metavar="ID", help="Claim to judge before and after; all that moves, if none.", show_default=False
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedOptions(FileOptions):
    """What ``affected`` takes."""

    file: FileName
    id: ClaimId
    at: At = ""
    is_falsified: IsFalsified = False
    is_direct: IsDirect = False
    is_count: IsCount = False
    limit: Limit = 0
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@command(
    "affected",
    "List what would change if a claim were taken back.",
    "upheld affected talk.yaml o9",
    "upheld affected talk.yaml o9 --falsify --at T9",
    "upheld affected talk.yaml o9 --count",
    "upheld affected sqlite:///incident.db#night o9 --limit 20 --json",
)
def affected(options: AffectedOptions) -> int:
    """List what would change if a claim were taken back, with the way from it to each."""
    if options.is_direct and (options.is_count or options.limit):
        raise MalformedInput("--direct takes neither --count nor --limit")
    snapshot = snapshot_of(options.file, at=options.at, reading=options.interpreter, options=options)
    if options.is_direct:
        return _listed(snapshot, snapshot.directly_affected(options.id), is_json=options.as_json)
    target = PropositionId(options.id)
    change = Falsify(target=target) if options.is_falsified else Retract(target=target)
    if options.is_count:
        counted = snapshot.count_affected(change)
        if options.as_json:
            say_json(plain(counted))
        else:
            say_lines([f"{counted.lost} lost, {counted.thinned} thinned"])
        return GROUNDED
    delta = snapshot.affected(change)
    if options.as_json:
        shown = limited(delta, options.limit)
        left_off = {"left_off": len(delta.affected) - len(shown.affected)} if options.limit else {}
        say_json({**plain(shown), "affected": list(shown.affected), **left_off})
        return GROUNDED
    say_lines(delta_lines(snapshot.state, delta, limit=options.limit))
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions(FileOptions):
    """What ``review`` takes."""

    file: FileName
    id: ClaimId
    at: At = ""
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@command(
    "review",
    "List all to look at when a claim is in doubt.",
    "upheld review talk.yaml o8",
    "upheld review talk.yaml o8 --at T9 --json",
)
def review(options: ReviewOptions) -> int:
    """List all that a person should look at when a claim is in doubt, over every kind of edge, nearest first."""
    snapshot = snapshot_of(options.file, at=options.at, reading=options.interpreter, options=options)
    return _listed(snapshot, snapshot.review(options.id), is_json=options.as_json)


def _listed(snapshot: Questions, ids: tuple[PropositionId, ...], *, is_json: bool) -> int:
    if is_json:
        say_json(list(ids))
    else:
        say_lines(claims_lines(snapshot.state, ids) if ids else [NOTHING])
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfOptions(FileOptions):
    """What ``whatif`` takes."""

    file: FileName
    retract: Retracts = field(default_factory=list[str])
    falsify: Falsifies = field(default_factory=list[str])
    withdraw: Withdraws = field(default_factory=list[str])
    supersede: Supersedes = field(default_factory=list[str])
    ask: Asks = field(default_factory=list[str])
    at: At = ""
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@command(
    "whatif",
    "Try changes on a branch, and show what moves.",
    "upheld whatif talk.yaml --retract o9 --ask h2",
    "upheld whatif talk.yaml --withdraw T7 --falsify o5",
    "upheld whatif talk.yaml --supersede o2=o12 --json",
)
def what_if(options: WhatIfOptions) -> int:
    """Try changes on a branch, and show what moves; the changes are tried in the order of the options below."""
    snapshot = snapshot_of(options.file, at=options.at, reading=options.interpreter, options=options)
    branch = _branch(snapshot, options)
    after = branch.then
    asked = [literal(each) for each in options.ask]
    for each in asked:
        snapshot.state.proposition(each.proposition)
    changed = [] if asked else list(moved(snapshot, after))
    if options.as_json:
        questions = [
            {
                "claim": str(each),
                "before": _answer(snapshot, each.proposition, snapshot.verify(each)),
                "after": _answer(after, each.proposition, after.verify(each)),
            }
            for each in asked
        ]
        movements = [
            {"claim": id, "before": plain(snapshot.status(id)), "after": plain(after.status(id))} for id in changed
        ]
        say_json({"changes": plain(branch.changes), "asked": questions, "moved": movements})
        return GROUNDED
    lines = [line for each in asked for line in _asked_lines(snapshot, after, str(each))]
    lines += [_moved_line(snapshot, after, id) for id in changed]
    say_lines(lines or [Text("nothing moves")])
    return GROUNDED


def _branch(snapshot: Questions, options: WhatIfOptions) -> WhatIf:
    branch = WhatIf(snapshot.state, snapshot.seen_by)
    for id in options.retract:
        branch.retract(id)
    for id in options.falsify:
        branch.falsify(id)
    for source in options.withdraw:
        branch.withdraw(source)
    for pair in options.supersede:
        older, separator, newer = pair.partition("=")
        if not (older and separator and newer):
            raise MalformedInput(f"{pair!r} is no replacement: write OLD=NEW", key="--supersede")
        branch.supersede(older, newer)
    if not branch.changes:
        raise MalformedInput("nothing to suppose: give --retract, --falsify, --withdraw or --supersede")
    return branch


def _moved_line(before: Questions, after: Questions, id: PropositionId) -> Text:
    was, now = before.status(id), after.status(id)
    words = moved_words((was.lifecycle, was.standing), (now.lifecycle, now.standing))
    return Text.assemble((id, "bold"), "  ", words, f"  {one_line(after.state.proposition(id).text, limit=QUOTED)}")


def _asked_lines(before: Questions, after: Snapshot, claim: str) -> Iterator[Text]:
    yield Text(claim, "bold")
    for name, questions in (("now", before), ("then", after)):
        yield Text(f"  {name}: {_verdict_words(questions, questions.verify(claim))}")


def _verdict_words(questions: Questions, verdict: Verdict) -> str:
    finding = verdict.findings[0]
    if finding.reason is None:
        return f"grounded  {grounds_line(finding.grounds)}"
    what = quoted(questions.state, finding.literal.proposition)
    return f"ungrounded: {spoken(finding.reason)}, {what} {ending_of(questions.state, finding)}"


def _answer(questions: Questions, id: PropositionId, verdict: Verdict) -> Tree:
    return {"status": plain(questions.status(id)), "verdict": plain(verdict)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefOptions(FileOptions):
    """What ``brief`` takes."""

    file: FileName
    id: ClaimId
    at: At = ""
    is_retracted: IsRetracted = False
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@command(
    "brief",
    "Give the re-evaluation brief for a claim that turns out false.",
    "upheld brief talk.yaml o3",
    "upheld brief talk.yaml o3 --retract --json",
)
def brief(options: BriefOptions) -> int:
    """Give the re-evaluation brief for the case that a claim turns out false.

    What changed, the decisions that rested on it, the conditions under which all agreed to look again, the concerns
    now live, the alternatives, what not to reopen and why, and who dissented: from the record alone.
    """
    snapshot = snapshot_of(options.file, at=options.at, reading=options.interpreter, options=options)
    target = PropositionId(options.id)
    told = snapshot.brief(Retract(target=target) if options.is_retracted else Falsify(target=target))
    if options.as_json:
        say_json(plain(told))
        return GROUNDED
    change = f"{quoted(snapshot.state, target)} {'is taken back' if options.is_retracted else 'turns out false'}"
    say_lines(brief_lines(snapshot.state, told, change))
    return GROUNDED
