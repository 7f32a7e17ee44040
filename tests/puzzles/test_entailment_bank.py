"""Proof trees of EntailmentBank: what a retraction reaches is what a graph library says it reaches."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, cast

import networkx
import pytest

from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation
from upheld.logic.language.turns import Retract, Turn
from upheld.logic.language.verdicts import Candidate, Effect, Modality
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.answers.verify import verify_literal
from upheld.logic.reasoning.policy import EVERYONE
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened, step

SHARED = Path(os.environ.get("UPHELD_SHARED", Path(__file__).parents[3] / "shared"))
BANK = SHARED / "data" / "entailment_bank" / "task_1_dev.jsonl"
SPEAKER = AgentId("teacher")
nx = cast("Any", networkx)
Tree = dict[str, tuple[str, ...]]


def trees() -> list[Tree]:
    """Each tree as conclusion → premises, in an order in which premises come first; sentences have none."""
    if not BANK.exists():
        pytest.skip(f"EntailmentBank (task 1, dev) is not at {BANK}")
    lines = BANK.read_text(encoding="utf-8").splitlines()
    return [_ordered(cast("dict[str, Any]", json.loads(line))) for line in lines]


def _ordered(record: dict[str, Any]) -> Tree:
    steps: Tree = {}
    for part in filter(None, map(str.strip, str(record["proof"]).split(";"))):
        premises, _, conclusion = part.partition(" -> ")
        steps[conclusion.partition(":")[0].strip()] = tuple(each.strip() for each in premises.split("&"))
    tree: Tree = dict.fromkeys(cast("dict[str, Any]", record["meta"]["triples"]), ())
    while waiting := [name for name in steps if name not in tree]:
        ready = [name for name in waiting if all(premise in tree for premise in steps[name])]
        assert ready, f"{record['id']}: a circle, or a premise that nobody states"
        tree |= {name: steps[name] for name in ready}
    return tree


def told(tree: Tree) -> State:
    """The tree as a conversation: sentences observed, conclusions put forward on their premises."""
    operations: list[Operation] = []
    for name, premises in tree.items():
        id, grounds = PropositionId(name), tuple(Literal(PropositionId(each)) for each in premises)
        text = f"what {name} says"
        operations.append(Hypothesize(id=id, text=text, depends_on=grounds) if premises else Observe(id=id, text=text))
    turn = Turn(id=TurnId("T1"), speaker=SPEAKER, operations=tuple(operations))
    return step(opened([Agent(id=SPEAKER)], policy=EVERYONE), turn, is_lenient=True).state


def graph_of(tree: Tree) -> Any:
    """The tree as a directed graph from premises to conclusions."""
    graph = nx.DiGraph()
    graph.add_nodes_from(tree)
    graph.add_edges_from((premise, name) for name, premises in tree.items() for premise in premises)
    return graph


def test_what_a_retraction_loses_is_what_the_graph_reaches() -> None:
    """Dalvi et al. 2021 (EntailmentBank, task 1 dev): all pairs of a retraction and a conclusion, every tree."""
    count = lost_count = 0
    for tree in trees():
        state, graph = told(tree), graph_of(tree)
        for source in tree:
            reached = nx.descendants(graph, source)
            delta = affected(state, Retract(target=PropositionId(source)))
            lost = {item.id: item for item in delta.lost}
            for conclusion in (name for name, premises in tree.items() if premises and name != source):
                assert (conclusion in lost) == (conclusion in reached), (source, conclusion)
                count += 1
            assert not delta.thinned
            assert all(item.effect is Effect.LOST and nx.is_path(graph, item.path) for item in delta.lost)
            lost_count += len(lost)
    assert count > 3000
    assert 0 < lost_count < count


def test_the_provenance_of_a_conclusion_is_what_leads_to_it_in_the_graph() -> None:
    """Our promise (semantics, section 6): grounded with the whole provenance, down to the sentences."""
    for tree in trees():
        state, graph = told(tree), graph_of(tree)
        root = next(reversed(tree))
        found = verify_literal(state, _as_view(root))
        assert {str(ground.literal) for ground in found.grounds} == {root, *nx.ancestors(graph, root)}


def _as_view(name: str) -> Candidate:
    return Candidate(literal=Literal(PropositionId(name)), modality=Modality.HYPOTHESIS)
