"""The page's reading of the record and its layout, run in Node and compared with slow and obvious answers."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from importlib import resources
from itertools import combinations
from typing import Any

import pytest

Tree = dict[str, Any]

LET_GO = ("abandoned", "superseded", "retracted")


def run_in_node(program: str, *names: str) -> Any:
    """Run ``program`` after the named scripts of the page, and read the JSON that it prints."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    folder = resources.files("upheld.faces.report")
    sources = [folder.joinpath(name).read_text(encoding="utf-8") for name in names]
    done = subprocess.run(
        [node, "-"],
        input="\n".join([*sources, "{", program, "}"]),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def random_report(chance: random.Random, turns: int = 12) -> Tree:
    """Give a payload with random claims, edges (circles included) and changes."""
    claims = [f"c{index}" for index in range(chance.randint(1, 14))]
    ids = [f"T{index}" for index in range(turns)]
    places = sorted(chance.randrange(turns) for _ in claims)
    propositions = {
        claim: {"text": claim, "kind": chance.choice(["observation", "hypothesis"]), "turn": ids[place], "speaker": "a"}
        for claim, place in zip(claims, places, strict=True)
    }
    edges = [
        {
            "source": chance.choice(claims),
            "target": chance.choice(claims),
            "kind": chance.choice(["premise", "premise", "corroboration", "attack", "explanation", "supersession"]),
            "turn": chance.choice(ids),
        }
        for _ in range(chance.randint(0, 24))
    ]
    lifecycles = ["active", "weakened", "standing", "resolved", *LET_GO]
    changes = [
        {
            "turn": turn,
            "states": {
                claim: {"label": chance.choice(["in", "out", "undecided"]), "lifecycle": chance.choice(lifecycles)}
                for claim in claims
                if propositions[claim]["turn"] == turn or chance.random() < 0.2
            },
        }
        for turn in ids
    ]
    return {
        "title": "",
        "agents": [],
        "turns": [{"id": turn, "speaker": "a", "text": turn, "operations": [], "findings": []} for turn in ids],
        "propositions": propositions,
        "edges": edges,
        "changes": changes,
        "explanations": {},
        "verdicts": [],
    }


REPORTS = [random_report(random.Random(seed)) for seed in range(40)]


def replayed(report: Tree) -> list[dict[str, Tree]]:
    """Give the states after each turn by playing every change in order."""
    states: dict[str, Tree] = {}
    after: list[dict[str, Tree]] = []
    for change in report["changes"]:
        states = {**states, **change["states"]}
        after.append(states)
    return after


def test_a_state_as_of_a_turn_is_the_last_change_up_to_it() -> None:
    """The report's contract: a node keeps its state until a later change names it."""
    program = f"""
    const answers = {json.dumps(REPORTS)}.map((report) => {{
      const record = readRecord(report);
      return report.turns.map((_, turn) => Object.fromEntries([...record.propositions.keys()].map((id) => {{
        const state = stateAt(record, id, turn);
        return [id, state && {{label: state.label, lifecycle: state.lifecycle}}];
      }})));
    }});
    console.log(JSON.stringify(answers));
    """
    answers = run_in_node(program, "record.js")
    for report, answer in zip(REPORTS, answers, strict=True):
        for states, shown in zip(replayed(report), answer, strict=True):
            assert {id: state for id, state in shown.items() if state} == states


def test_ticks_stand_where_something_fell_came_back_or_was_settled() -> None:
    """The issue's words: a slider over turns. A tick is a change of what holds, not of what was said."""
    program = f"""
    const answers = {json.dumps(REPORTS)}.map((report) => [...readRecord(report).events]);
    console.log(JSON.stringify(answers));
    """
    for report, answer in zip(REPORTS, run_in_node(program, "record.js"), strict=True):
        shown = {turn: {what: set(ids) for what, ids in events.items()} for turn, events in answer}
        before: dict[str, Tree] = {}
        for turn, after in enumerate(replayed(report)):
            held = {id for id, state in before.items() if state["label"] == "in" and state["lifecycle"] not in LET_GO}
            holds = {id for id, state in after.items() if state["label"] == "in" and state["lifecycle"] not in LET_GO}
            was_settled = {id for id, state in before.items() if state["lifecycle"] == "resolved"}
            settled = {id for id, state in after.items() if state["lifecycle"] == "resolved"}
            expected = {
                "fell": held - holds,
                "back": (holds - held) & set(before),
                "settled": settled - was_settled,
            }
            assert shown.get(turn, {"fell": set(), "back": set(), "settled": set()}) == expected
            before = after


def test_what_rests_on_a_claim_is_its_closure_over_carrying_edges() -> None:
    """The semantics, section 7: premises and corroborations carry a loss, over any number of steps."""
    program = f"""
    const answers = {json.dumps(REPORTS)}.map((report) => {{
      const record = readRecord(report);
      return [...record.propositions.keys()].map((id) => [id, restingOn(record, id, 7)]);
    }});
    console.log(JSON.stringify(answers));
    """
    for report, answer in zip(REPORTS, run_in_node(program, "record.js"), strict=True):
        place = {turn["id"]: index for index, turn in enumerate(report["turns"])}
        pairs = {
            (edge["source"], edge["target"])
            for edge in report["edges"]
            if edge["kind"] in ("premise", "corroboration") and place[edge["turn"]] <= 7
        }
        for id, shown in answer:
            reached = {id}
            while more := {target for source, target in pairs if source in reached} - reached:
                reached |= more
            assert sorted(shown) == sorted(reached - {id})


def test_a_layout_puts_grounds_below_and_no_box_upon_another() -> None:
    """The page's design: layered top-down, grounds below, conclusions above."""
    program = f"""
    const answers = {json.dumps(REPORTS)}.map((report) => {{
      const record = readRecord(report);
      const view = {{ turn: 99, claim: null, all: true, unfolded: new Set() }};
      const {{ nodes, edges }} = visibleGraph(record, view);
      const plan = layered(nodes.map((node) => ({{ id: node.id, width: 100, height: 50 }})), edges);
      const boxes = nodes.map((node) => plan.boxes.get(node.id)).map(({{ id, x, y }}) => ({{ id, x, y }}));
      const ends = plan.routes.map((points) => [points[0].id, points.at(-1).id]);
      return {{ boxes, edges, width: plan.width, height: plan.height, ends }};
    }});
    console.log(JSON.stringify(answers));
    """
    answers = run_in_node(program, "record.js", "layering.js", "neighbourhood.js")
    compared = 0
    for answer in answers:
        boxes = {box["id"]: (box["x"], box["y"]) for box in answer["boxes"]}
        for (x, y), (other_x, other_y) in combinations(boxes.values(), 2):
            assert abs(x - other_x) >= 100 - 1e-6 or abs(y - other_y) >= 50 - 1e-6
        assert all(50 <= x <= answer["width"] - 49 and 24 <= y <= answer["height"] - 24 for x, y in boxes.values())
        assert answer["ends"] == [[edge["source"], edge["target"]] for edge in answer["edges"]]
        carrying = {(edge["source"], edge["target"]) for edge in answer["edges"] if edge["carries"]}
        if is_without_circles(carrying):
            for source, target in carrying:
                assert boxes[source][1] > boxes[target][1]
                compared += 1
    assert compared > 20


def is_without_circles(pairs: set[tuple[str, str]]) -> bool:
    """Tell whether taking away nodes without grounds takes away all."""
    left = set(pairs)
    while left:
        targets = {target for _, target in left}
        kept = {(source, target) for source, target in left if source in targets}
        if kept == left:
            return False
        left = kept
    return True


def test_a_long_chain_is_laid_out_without_recursion() -> None:
    """Our promise: user-sized data is never recursed over."""
    program = """
    const nodes = Array.from({ length: 12000 }, (_, index) => ({ id: `n${index}`, width: 100, height: 50 }));
    const edges = nodes.slice(1).map((node, index) => ({ source: `n${index}`, target: node.id, carries: true }));
    const plan = layered(nodes, edges);
    console.log(JSON.stringify([plan.boxes.get("n0").y > plan.boxes.get("n11999").y, plan.width]));
    """
    assert run_in_node(program, "record.js", "layering.js") == [True, 100]


def test_like_grounds_fold_into_one_box_and_unfold_again() -> None:
    """The page's design: clusters collapse to "12 observations"."""
    report = random_report(random.Random(1))
    claims = [f"o{index}" for index in range(12)]
    entry = {"text": "", "kind": "observation", "turn": "T0", "speaker": "a"}
    report["propositions"] = {**dict.fromkeys(claims, entry), "h": {**entry, "kind": "hypothesis"}}
    report["edges"] = [{"source": claim, "target": "h", "kind": "premise", "turn": "T0"} for claim in claims]
    standing = {"label": "in", "lifecycle": "standing"}
    report["changes"] = [{"turn": "T0", "states": dict.fromkeys([*claims, "h"], standing)}]
    program = f"""
    const record = readRecord({json.dumps(report)});
    const view = {{ turn: 0, claim: "h", all: false, unfolded: new Set() }};
    const folded = visibleGraph(record, view);
    const cluster = folded.nodes.find((node) => node.members);
    const unfolded = visibleGraph(record, {{ ...view, unfolded: new Set([cluster.id]) }});
    console.log(JSON.stringify([folded.nodes.length, folded.edges.length, cluster.members.length, cluster.noun,
      unfolded.nodes.length, unfolded.edges.length]));
    """
    answer = run_in_node(program, "record.js", "layering.js", "neighbourhood.js")
    assert answer == [2, 1, 12, "observations", 13, 12]
