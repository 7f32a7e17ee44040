"""The suites over proof trees, on invented trees, on drawn ones, and on some real ones where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedInput
from upheld_evals.external.proofs.edges import edges_suite, transcript_of
from upheld_evals.external.proofs.retraction import entailmentbank_suite, fallen, incremental, rebuilt, told
from upheld_evals.external.proofs.trees import Tree, fell_and_stood, reached, read_trees
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.harness.suite import Suite
from upheld_evals.report.results import report_of


def _record(proof: str, concluded: dict[str, str], **stated: str) -> dict[str, Any]:
    return {
        "id": "bread", "hypothesis": "the loaf is sold out by noon", "proof": proof,
        "meta": {"triples": stated, "intermediate_conclusions": concluded},
    }  # fmt: skip


BREAD = _record(
    "int1 & sent3 -> hypothesis; sent1 & sent2 -> int1: the baker works at night; ",
    {"int1": "the baker works at night"},
    sent1="the baker works before dawn",
    sent2="before dawn is at night",
    sent3="a loaf baked at night is sold by noon",
    sent4="cats sleep a lot",
)


@pytest.fixture
def bread(tmp_path: Path) -> Path:
    """One tree whose steps stand in the wrong order, with a sentence that nothing rests on."""
    path = tmp_path / "bread.jsonl"
    path.write_text(json.dumps(BREAD) + "\n", encoding="utf-8")
    return path


def _figures(suite: Suite) -> dict[tuple[str, str], float | None]:
    report = report_of(run_suite(suite, Settings()), date="2026-01-02", upheld="0")
    return {(arm.run.arm, each.name): each.value for arm in report.arms for each in arm.measures}


def test_steps_are_put_in_an_order_in_which_premises_come_first(bread: Path) -> None:
    """Dalvi et al. 2021: a proof is a set of steps up to the hypothesis."""
    (tree,) = read_trees(bread)
    assert list(tree.steps) == ["int1", "hypothesis"]
    assert tree.sentences == ("sent1", "sent2", "sent3", "sent4")
    assert tree.falls_with("sent1") == {"int1", "hypothesis"}
    assert tree.falls_with("sent3") == {"hypothesis"}
    assert tree.falls_with("sent4") == frozenset()


@pytest.mark.parametrize("proof", ["int1 -> hypothesis; hypothesis -> int1: x; ", "sent9 -> hypothesis; ", ""])
def test_a_circle_a_missing_premise_and_a_tree_without_steps_are_named(proof: str, tmp_path: Path) -> None:
    """Our promise: file and line."""
    path = tmp_path / "torn.jsonl"
    path.write_text(json.dumps(_record(proof, {"int1": "x"}, sent1="y")) + "\n", encoding="utf-8")
    with pytest.raises(MalformedInput, match=r"torn\.jsonl:1"):
        read_trees(path)


def test_what_must_fall_falls_and_the_rest_stands_while_direct_premises_miss_what_is_further_up(bread: Path) -> None:
    """Protocols, P4: 100 % both ways, incremental and rebuilt."""
    figures = _figures(entailmentbank_suite(bread))
    for arm in ("upheld, incremental", "upheld, rebuilt from the record"):
        assert figures[arm, "conclusions that must fall, fell"] == 1.0
        assert figures[arm, "conclusions that must stand, stood"] == 1.0
    assert figures["direct premises alone", "conclusions that must fall, fell"] == 3 / 5
    assert figures["direct premises alone", "retractions right in every conclusion"] == 0.5


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Trees, and graphs in which a sentence serves several steps."""
    sentences = [f"s{number}" for number in range(draw(st.integers(1, 4)))]
    steps: dict[str, tuple[str, ...]] = {}
    for number in range(draw(st.integers(1, 4))):
        earlier = st.sampled_from([*sentences, *steps])
        steps[f"c{number}"] = tuple(draw(st.lists(earlier, min_size=1, max_size=3, unique=True)))
    texts = {name: f"what {name} says" for name in (*sentences, *steps)}
    return Tree(id="drawn", texts=texts, steps=steps)


@given(trees(), st.data())
def test_incremental_rebuilt_and_reached_over_the_edges_are_the_same(tree: Tree, data: st.DataObject) -> None:
    """Protocols, P4: incremental equal to a rebuild; both what the construction says."""
    sentence = data.draw(st.sampled_from(tree.sentences))
    expected = sorted(tree.falls_with(sentence))
    assert fallen(tree, told(tree)) == []
    assert incremental(tree)(sentence) == rebuilt(tree)(sentence) == expected


def test_pairs_are_counted_both_ways() -> None:
    """Our promise: what fell that must not is no less wrong than what stood that must fall."""
    tree = Tree(id="t", texts={"s": "", "o": "", "a": "", "b": ""}, steps={"a": ("s",), "b": ("o",)})
    assert fell_and_stood([(tree, "s", ["b"])]) == ([False], [False])
    assert reached("s", [("s", "a"), ("a", "s")]) == {"a"}


def test_trees_are_read_from_their_words_and_the_edges_scored_beside_shared_words(bread: Path) -> None:
    """Protocols, P4: extraction without the proof, precision, recall, F1, and the retractions on what was found."""
    (tree,) = read_trees(bread)
    transcript, names = transcript_of(tree)
    assert transcript.turns[0].text == "The baker works before dawn."
    assert list(names.values()) == ["sent1", "sent2", "sent3", "sent4", "int1", "hypothesis"]
    figures = _figures(edges_suite(bread))
    assert figures["most shared words", "edges, recall"] == 0.75
    assert figures["most shared words", "edges, precision"] == 0.75
    assert figures["upheld, cues interpreter", "on found edges: conclusions that must stand, stood"] == 1.0


def test_a_spoken_because_is_an_edge(tmp_path: Path) -> None:
    """Our promise: what an interpreter reads as a ground is counted, back to the turn that said it."""
    concluded = "the shop is empty because the loaf is sold out"
    record = _record("sent1 -> int1: x; int1 -> hypothesis; ", {"int1": concluded}, sent1="the loaf is sold out")
    path = tmp_path / "because.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    figures = _figures(edges_suite(path))
    assert figures["upheld, cues interpreter", "edges, recall"] == 0.5
    assert figures["upheld, cues interpreter", "edges, precision"] == 1.0


@pytest.mark.parametrize("made", [entailmentbank_suite, edges_suite])
def test_the_first_real_trees_run(made: Any, shared: Path) -> None:
    """Protocols, P4: task 1 dev has 187 trees."""
    path = shared / "data" / "entailment_bank" / "task_1_dev.jsonl"
    if not path.exists():
        pytest.skip("EntailmentBank is not here")
    suite: Suite = made(path)
    assert "187 trees" in suite.data
    run = run_suite(suite, Settings(limit=20))
    assert all(len(arm.outcomes) == 20 for arm in run.arms)
    if made is entailmentbank_suite:
        assert all(outcome.score == 1 for arm in run.arms[:2] for _, outcome in arm.outcomes)
