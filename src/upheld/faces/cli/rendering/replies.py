"""The table of a check: each reply with its verdict, and under it why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from upheld.conversation.checking.claims import Checked, CheckedClaim
from upheld.conversation.checking.replaying import CheckedReply, CheckReport
from upheld.faces.report.wording import (
    ending_of,
    grounds_line,
    headline,
    name_of,
    quoted,
)
from upheld.faces.trees import Tree, checked_tree
from upheld.logic.language.verdicts import Finding, Outcome
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.lines import one_line

MARKS = {Outcome.GROUNDED: "✓", Outcome.UNGROUNDED: "✗", Outcome.ABSTAIN: "?"}
STYLES = {Outcome.GROUNDED: "green", Outcome.UNGROUNDED: "bold red", Outcome.ABSTAIN: "yellow"}

_LONGEST_REPLY = 300
_INDENT = "  "


def replies_table(report: CheckReport) -> Table:
    """Give the table of a check, a row a reply."""
    table = Table(box=None, header_style="dim", padding=(0, 1), expand=True)
    table.add_column("turn", no_wrap=True)
    table.add_column("speaker", no_wrap=True, max_width=16)
    table.add_column("says", ratio=2)
    table.add_column("verdict", ratio=3)
    state = report.conversation.state
    for reply in report.replies:
        said = one_line(reply.text, limit=_LONGEST_REPLY)
        speaker = Text(one_line(name_of(state, reply.speaker)))
        table.add_row(Text(reply.turn), speaker, Text(said), _verdict_cell(state, reply.checked))
    return table


def verdict_text(state: State, checked: Checked) -> Text:
    """Give a verdict as lines: the headline, then for each ungrounded claim why, and what would restore it."""
    return Text("\n").join([_head(checked), *(Text(_INDENT) + line for line in _below(state, checked))])


def _verdict_cell(state: State, checked: Checked) -> Group:
    """Give a verdict for a cell of a table, where a long line goes on under its own beginning."""
    below = (Padding(line, (0, 0, 0, len(_INDENT))) for line in _below(state, checked))
    return Group(_head(checked), *below)


def _head(checked: Checked) -> Text:
    head = (f"{MARKS[checked.outcome]} {headline(checked)}", STYLES[checked.outcome])
    if checked.outcome is Outcome.UNGROUNDED:
        return Text.assemble(head)
    tail = _chains(checked.claims) if checked.outcome is Outcome.GROUNDED else checked.abstained
    return Text.assemble(head, (f"  {tail}", "" if checked.outcome is Outcome.GROUNDED else "dim"))


def counts_of(outcomes: Iterable[Outcome]) -> dict[Outcome, int]:
    """Count outcomes, those that do not occur too."""
    counted = Counter(outcomes)
    return {outcome: counted[outcome] for outcome in Outcome}


def counts_line(outcomes: list[Outcome]) -> str:
    """Give the counts in words: ``2 replies checked: 1 grounded, 1 ungrounded, 0 abstained``."""
    counts = counts_of(outcomes)
    replies = "1 reply" if len(outcomes) == 1 else f"{len(outcomes)} replies"
    listed = f"{counts[Outcome.GROUNDED]} grounded, {counts[Outcome.UNGROUNDED]} ungrounded"
    return f"{replies} checked: {listed}, {counts[Outcome.ABSTAIN]} abstained"


def reply_tree(reply: CheckedReply) -> Tree:
    """Give a checked reply as a tree."""
    return {"turn": reply.turn, "speaker": reply.speaker, "text": reply.text, **checked_tree(reply.checked)}


def _below(state: State, checked: Checked) -> Iterator[Text]:
    is_only_one = len(checked.claims) == 1
    for claim in checked.claims:
        if claim.outcome is Outcome.UNGROUNDED:
            if not is_only_one:
                yield Text(f'in "{one_line(claim.text, limit=80)}"', "dim")
            yield from _why(state, claim)
    others = [claim for claim in checked.claims if claim.outcome is not checked.outcome]
    grounded = [claim for claim in others if claim.outcome is Outcome.GROUNDED]
    if grounded:
        yield Text(f"the rest is grounded  {_chains(grounded)}", "dim")
    unchecked = sum(claim.outcome is Outcome.ABSTAIN for claim in others)
    if unchecked:
        yield Text(f"{_claims(unchecked)} could not be checked", "dim")


def _claims(count: int) -> str:
    return "1 claim more" if count == 1 else f"{count} claims more"


def _why(state: State, claim: CheckedClaim) -> Iterator[Text]:
    failing = [finding for finding in claim.findings if finding.outcome is Outcome.UNGROUNDED]
    if not failing:
        yield Text("it rests on nothing that was said")
    for finding in failing:
        yield from finding_lines(state, finding)


def finding_lines(state: State, finding: Finding) -> Iterator[Text]:
    """Give why one literal is not grounded, and what would restore it."""
    negation = "not " if finding.literal.negated else ""
    yield Text(f"{negation}{quoted(state, finding.literal.proposition)}")
    yield Text(f"{ending_of(state, finding)}")
    if finding.restored_if:
        yield Text(f"would be grounded if: {finding.restored_if}", "dim")


def _chains(claims: Iterable[CheckedClaim]) -> str:
    lines = (grounds_line(finding.grounds) for claim in claims for finding in claim.findings)
    return "; ".join(dict.fromkeys(line for line in lines if line))
