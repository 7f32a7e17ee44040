"""From a conversation, and what a check of it found, to the values that the page shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from upheld.conversation.asking.picturing import (
    Standing,
    changes,
    edges_of,
    is_falsification,
    nodes_of,
    standing_in,
    steps,
)
from upheld.conversation.checking.replaying import CheckedReply, CheckReport
from upheld.conversation.conversation import Conversation
from upheld.conversation.timeline import Timeline
from upheld.faces.report.contents import (
    CheckedClaim,
    ExplanationLine,
    Report,
    ReportChange,
    ReportEdge,
    ReportProposition,
    ReportTurn,
    ReportVerdict,
    StandingState,
)
from upheld.faces.report.wording import failing_findings, reason_of, reasons_of, summary_of
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.plain import plain_operation
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.answers.grounds import complete_justification
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import Finding
from upheld.speech.rendering.picture import PictureNode

LINES = 60
"""Lines of one explanation: as many as the page shows."""


def report_of(conversation: Conversation, *, title: str = "", check: CheckReport | None = None) -> Report:
    """Give the report on a conversation as it is now, with the verdicts of a check where there is one.

    What was in view before anybody spoke is shown at the first turn. Cost: a replay, and all nodes and edges.
    """
    timeline, state = conversation.timeline, conversation.state
    edges = edges_of(state)
    nodes = nodes_of(state, edges)
    turns = timeline.turns
    placed = _Placed(turns)
    drawn = {node.id for node in nodes} if turns else set[PropositionId]()
    replies = check.replies if check is not None else ()
    return Report(
        title=title or (check.title if check is not None else "") or conversation.id,
        agents=tuple(state.agents[id] for id in sorted(state.agents)),
        turns=tuple(_turns(timeline, check)),
        propositions=tuple(_proposition(node, placed) for node in nodes if node.id in drawn),
        edges=tuple(
            ReportEdge(
                source=dated.edge.source, target=dated.edge.target, kind=dated.edge.kind, turn=placed(dated.turn)
            )
            for dated in edges
        ),
        changes=tuple(_changes(timeline, nodes, drawn, placed)),
        explanations=_explanations(state, drawn, replies),
        verdicts=tuple(_verdict(reply, state, drawn) for reply in replies),
    )


class _Placed:
    """The turn under which something is shown: its own, or the first for what came before all turns."""

    def __init__(self, turns: tuple[TurnId, ...]) -> None:
        self._known = frozenset(turns)
        self._first = turns[0] if turns else TurnId("")
        self._last = turns[-1] if turns else TurnId("")

    def __call__(self, turn: TurnId, *, is_late: bool = False) -> TurnId:
        if turn in self._known:
            return turn
        return self._last if is_late else self._first


def _proposition(node: PictureNode, placed: _Placed) -> ReportProposition:
    return ReportProposition(
        id=node.id,
        text=node.text,
        kind=node.kind,
        turn=placed(node.turn, is_late=is_falsification(node)),
        speaker=node.speaker,
    )


def _turns(timeline: Timeline, check: CheckReport | None) -> Iterator[ReportTurn]:
    notes = _notes(check)
    for event in timeline.events:
        if isinstance(event, Turn):
            yield ReportTurn(
                id=event.id,
                speaker=event.speaker,
                text=event.text,
                session=event.session,
                at=event.at,
                operations=tuple(plain_operation(operation) for operation in event.operations),
                findings=tuple(notes.get(event.id, ())),
            )


def _notes(check: CheckReport | None) -> Mapping[TurnId, list[str]]:
    notes: dict[TurnId, list[str]] = defaultdict(list)
    if check is not None:
        for finding in check.findings:
            notes[finding.turn].append(note_of(finding))
        for turn, reason in check.unread:
            notes[turn].append(f"not read: {reason}")
    return notes


def note_of(finding: Finding) -> str:
    """Say which precondition an operation failed."""
    return f"operation {finding.operation + 1}: {finding.failure.name.replace('_', ' ')}: {finding.failure.message}"


def _changes(
    timeline: Timeline, nodes: Iterable[PictureNode], drawn: set[PropositionId], placed: _Placed
) -> Iterator[ReportChange]:
    """Give what changed, turn by turn; what happened between two turns belongs to the earlier."""
    by_turn: dict[TurnId, dict[PropositionId, StandingState]] = {turn: {} for turn in timeline.turns}
    current = placed(TurnId(""))
    for number, (event, before, after) in enumerate(steps(timeline)):
        current = event.id if isinstance(event, Turn) else current
        changed = changes(before, after, event)
        known = {id: standing_in(before, id) for id in before.nodes} if number == 0 else {}
        states = {id: each for id, each in {**known, **changed}.items() if each is not None and id in drawn}
        by_turn[current].update({id: _shown(each) for id, each in states.items()})
    for node in nodes:
        if node.id in drawn and is_falsification(node):
            by_turn[current][node.id] = StandingState(label=node.label, lifecycle=node.lifecycle)
    yield from (ReportChange(turn=turn, states=states) for turn, states in by_turn.items() if states)


def _shown(standing: Standing) -> StandingState:
    return StandingState(label=standing.label, lifecycle=standing.lifecycle)


def _explanations(
    state: State, drawn: set[PropositionId], replies: Iterable[CheckedReply]
) -> Mapping[PropositionId, tuple[ExplanationLine, ...]]:
    """Give the engine's own explanation where the page could not derive it: of claims with alternative grounds.

    Those of the replies are given too. The rest follows from the edges, and a record of thousands of claims stays
    small.
    """
    cited = {finding.literal.proposition for reply in replies for finding in reply.checked.findings}
    forked = {id for id in state.propositions if len(state.dependencies.justifications_of(id)) > 1}
    wanted = sorted(id for id in (cited | forked) & drawn if complete_justification(state, id) is not None)
    return {id: tuple(_explanation(state, id)) for id in wanted}


def _explanation(state: State, id: PropositionId) -> Iterator[ExplanationLine]:
    pending: list[tuple[Literal, int]] = [(Literal(id), 0)]
    unfolded: set[Literal] = set()
    written = 0
    while pending and written < LINES:
        item, depth = pending.pop()
        proposition = state.propositions.get(item.proposition)
        origin = state.node(item.proposition).first.origin
        text = proposition.text if proposition is not None else ""
        yield ExplanationLine(depth=depth, id=item, text=text, turn=origin.turn or None)
        written += 1
        if item in unfolded or item.negated:
            continue
        unfolded.add(item)
        premises = complete_justification(state, item.proposition) or ()
        pending.extend((premise, depth + 1) for premise in reversed(premises))


def _verdict(reply: CheckedReply, state: State, drawn: set[PropositionId]) -> ReportVerdict:
    checked = reply.checked
    reason = next(iter(reasons_of(checked)), None)
    because = (id for finding in failing_findings(checked) for id in (finding.literal.proposition, *finding.because))
    return ReportVerdict(
        turn=reply.turn,
        text=reply.text,
        outcome=checked.outcome,
        reason=reason or (checked.abstained if checked.outcome is Outcome.ABSTAIN else ""),
        summary="" if checked.outcome is Outcome.ABSTAIN else summary_of(state, checked),
        because=tuple(dict.fromkeys(id for id in because if id in drawn)),
        claims=tuple(
            CheckedClaim(
                start=claim.span[0],
                end=claim.span[1],
                text=claim.text,
                literals=tuple(finding.literal for finding in claim.findings),
                outcome=claim.outcome,
                reason=reason_of(claim),
            )
            for claim in checked.claims
        ),
    )
