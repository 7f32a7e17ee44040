"""Every conformance conversation, played to the engine: each key of each file, exactly as the suite states it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import pytest

import upheld.testing
from upheld.errors import UpheldError
from upheld.logic.dependency.justifications import grounds_of
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.turns import Retract, Retraction
from upheld.logic.language.verdicts import Affected, Candidate, Outcome, Reason
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.answers.conflicts import nogoods
from upheld.logic.reasoning.answers.roots import roots_of
from upheld.logic.reasoning.answers.verify import verify
from upheld.logic.reasoning.answers.views import awareness_of, was_told
from upheld.logic.reasoning.laws import violations
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.policy import EVERYONE, PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import Finding, opened, step
from upheld.speech.formats.gold import Gold, VerifyItem
from upheld.speech.formats.reading import read_transcript
from upheld.speech.formats.transcript import Transcript

FOLDER = Path(upheld.testing.__file__).parent / "conformance"
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.yaml"))}
CHANGES = ("lost", "thinned", "defeated", "explained_by", "reinstated", "reopened", "activated")
KEYS = {
    "status", "status_by_turn", "dependencies", "labels", "deltas", "verify", "failures", "beliefs", "roots", "risks",
    "nogoods", "commitments",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A file and the state after each of its turns."""

    transcript: Transcript
    gold: Gold
    policy: SourcePolicy
    states: Mapping[TurnId, State]
    findings: tuple[Finding, ...]

    def at(self, turn: TurnId | None) -> State:
        """The state after a turn; at the end without one."""
        return self.states[self.transcript.turns[-1].id if turn is None else turn]


@cache
def replayed(name: str) -> Replay:
    """Play a file leniently, as the suite says."""
    transcript = read_transcript(FILES[name])
    assert transcript.gold is not None
    policy = PEOPLE_AND_TOOLS if transcript.extra.get("policy") == "default" else EVERYONE
    state = opened(transcript.agents, initial=transcript.initial, policy=policy)
    states: dict[TurnId, State] = {}
    findings: list[Finding] = []
    for turn in transcript.turns:
        done = step(state, turn, is_lenient=True)
        state = states[turn.id] = done.state
        findings += done.findings
    return Replay(transcript=transcript, gold=transcript.gold, policy=policy, states=states, findings=tuple(findings))


def asked(name: str) -> set[str]:
    """The keys that a file's gold has, empty ones included."""
    _, _, gold = FILES[name].read_text(encoding="utf-8").partition("\ngold:\n")
    lines = [line for line in gold.splitlines() if line.startswith("  ") and line[2].isalpha()]
    return {line.strip().partition(":")[0] for line in lines}


def having(*keys: str) -> list[str]:
    """The files that ask for a key."""
    return [name for name in FILES if asked(name) & set(keys)]


def test_no_file_and_no_key_is_overlooked() -> None:
    """Conformance README: 59 conversations, and every key that a gold has is compared."""
    assert len(FILES) == 59
    assert {key for name in FILES for key in asked(name)} == KEYS


@pytest.mark.parametrize("name", FILES)
def test_every_state_on_the_way_is_sound(name: str) -> None:
    """Our promise: no file leaves labels, indexes or beliefs behind the records."""
    for turn, state in replayed(name).states.items():
        assert violations(state) == (), turn


@pytest.mark.parametrize("name", having("status", "status_by_turn"))
def test_lifecycles_are_those_of_the_file(name: str) -> None:
    """Semantics, section 5: the last act on a proposition decides."""
    replay = replayed(name)
    last = replay.transcript.turns[-1].id
    for turn, wanted in {**replay.gold.status_by_turn, last: replay.gold.status}.items():
        state = replay.at(turn)
        assert {id: lifecycle_of(state, id) for id in wanted} == dict(wanted), turn


@pytest.mark.parametrize("name", having("labels"))
def test_labels_are_those_of_the_file(name: str) -> None:
    """Semantics, section 2: the grounded labelling after each turn."""
    replay = replayed(name)
    for turn, wanted in replay.gold.labels.items():
        assert {id: replay.at(turn).label(id) for id in wanted} == dict(wanted), turn


@pytest.mark.parametrize("name", having("dependencies"))
def test_dependencies_are_those_of_the_file(name: str) -> None:
    """Semantics, section 2: premises, corroborations, and explanation edges."""
    replay = replayed(name)
    kept = replay.at(None).dependencies
    for id, wanted in replay.gold.dependencies.items():
        found = {*map(str, grounds_of(kept, id)), *kept.larger_stories.get(id, ())}
        assert found == set(map(str, wanted)), id


@pytest.mark.parametrize("name", having("deltas"))
def test_what_a_change_would_do_is_exactly_what_the_file_says(name: str) -> None:
    """Semantics, section 7; conformance README: each list is the exact set, an absent one is not asked."""
    replay = replayed(name)
    for query in replay.gold.deltas:
        delta = affected(replay.at(query.at), query.change)
        for part in CHANGES:
            wanted = cast("tuple[PropositionId, ...] | None", getattr(query, part))
            found = cast("tuple[PropositionId | Affected, ...]", getattr(delta, part))
            ids = [each.id if isinstance(each, Affected) else each for each in found]
            assert wanted is None or sorted(ids) == sorted(wanted), (query.change, query.at, part)


def verify_items() -> list[tuple[str, VerifyItem]]:
    """Every candidate of every file."""
    return [(name, item) for name in having("verify") for item in replayed(name).gold.verify]


@pytest.mark.parametrize(("name", "item"), verify_items(), ids=lambda value: getattr(value, "id", value))
def test_a_candidate_gets_the_verdict_of_the_file(name: str, item: VerifyItem) -> None:
    """Semantics, section 6: grounded, or the first reason that applies, with the current value and the policy."""
    replay = replayed(name)
    state = with_changes(replay.at(item.at), item.after)
    candidates = [
        Candidate(literal=literal, stance=item.stance, modality=item.modality)
        for literal in (*item.rests_on, *(~denied for denied in item.contradicts))
    ]
    verdict = verify(state, candidates, speaker=item.speaker)
    assert verdict.outcome is item.label
    if item.reason is not None:
        # Without a literal there is no finding to carry a reason: nobody said any of it.
        assert (verdict.reason if candidates else Reason.UNKNOWN) is item.reason
    if item.current is not None:
        assert item.current in {finding.current for finding in verdict.findings}
    if item.policy:
        assert item.policy in {finding.policy for finding in verdict.findings}
    assert all((finding.reason is None) == (finding.outcome is Outcome.GROUNDED) for finding in verdict.findings)


@pytest.mark.parametrize("name", having("failures"))
def test_exactly_the_preconditions_of_the_file_fail(name: str) -> None:
    """Semantics, section 4: a failed precondition is named; nothing else fails."""
    replay = replayed(name)
    found = [(each.turn, each.operation + 1, each.failure.name.value) for each in replay.findings]
    assert found == [(each.turn, each.operation, each.failure) for each in replay.gold.failures]
    assert all(each.failure.message for each in replay.findings)


@pytest.mark.parametrize("name", having("beliefs"))
def test_beliefs_are_those_of_what_the_agent_was_told(name: str) -> None:
    """Semantics, sections 3 and 8: K, B and conditional belief over the ordered base of the agent's own view."""
    replay = replayed(name)
    for query in replay.gold.beliefs:
        state = view_of(replay, query.agent, query.at)
        aware = None if query.agent is None else awareness_of(state, query.agent)
        assert state.plausibility.holds(query.formula, aware=aware) is query.holds, (query.at, query.formula)


@pytest.mark.parametrize("name", having("roots"))
def test_a_claim_has_as_many_independent_sources_as_the_file_says(name: str) -> None:
    """Semantics, section 10: echo adds no ground."""
    replay = replayed(name)
    state = replay.at(None)
    assert {id: len(roots_of(state, id)) for id in replay.gold.roots} == dict(replay.gold.roots)


@pytest.mark.parametrize("name", having("risks"))
def test_a_decision_lists_the_risks_that_it_accepted(name: str) -> None:
    """Semantics, sections 2 and 4: undefeated attacks are listed as accepted risks."""
    replay = replayed(name)
    nodes = list(replay.at(None).nodes.values())
    for decision, wanted in replay.gold.risks.items():
        found = {attack.attacker for node in nodes for attack in node.attacks if decision in attack.accepted_by}
        assert found == set(wanted)


@pytest.mark.parametrize("name", having("nogoods"))
def test_clashing_claims_name_the_grounds_that_they_share(name: str) -> None:
    """Case C-06: the shared premise of two claims that clash is the suspect; nothing is retracted."""
    replay = replayed(name)
    for query in cast("list[dict[str, list[str]]]", replay.gold.extra["nogoods"]):
        found = nogoods(replay.at(cast("TurnId", query["at"])))
        culprits = [set(each.culprits) for each in found if set(each.claims) == set(query["claims"])]
        assert culprits == [set(query["culprits"])]


@pytest.mark.parametrize("name", having("commitments"))
def test_agents_are_bound_to_the_arguments_of_the_file(name: str) -> None:
    """Semantics, sections 2 and 4: Cm(i), which names arguments and decisions only."""
    replay = replayed(name)
    state = replay.at(None)
    kinds = (Kind.ARGUMENT, Kind.DECISION, Kind.DISSENT)
    for agent, wanted in replay.gold.commitments.items():
        held = {id for id in state.commitments.get(agent, ()) if id in state.propositions}
        assert {id for id in held if state.node(id).kind in kinds} == set(wanted), agent


def with_changes(state: State, changes: tuple[Retraction, ...]) -> State:
    """The state with changes taken as made."""
    for change in changes:
        state = taken_back(state, change)
    return state


def view_of(replay: Replay, agent: AgentId | None, at: TurnId | None) -> State:
    """The fold of what an agent was told up to a turn; of everything when nobody is named."""
    transcript = replay.transcript
    state = opened(transcript.agents, initial=transcript.initial, policy=replay.policy)
    for turn in transcript.turns:
        if agent is None or was_told(turn, agent):
            state = step(state, turn, is_lenient=True).state
        if turn.id == at:
            break
    return state


def test_a_change_of_what_nobody_said_is_refused() -> None:
    """Semantics, section 4: a dangling id is refused."""
    state = replayed("dependency-chain").at(None)
    with pytest.raises(UpheldError, match="nobody introduced 'stranger'"):
        affected(state, Retract(target=PropositionId("stranger")))
