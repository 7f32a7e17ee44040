"""LoCoMo's scorer on examples worked out by hand, and LongMemEval's measures on two made-up items."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from upheld.errors import MalformedInput
from upheld.testing.scripted_model import ScriptedModel
from upheld_evals.external.bm25 import Bm25
from upheld_evals.external.hand import LONGMEMEVAL, MULTIWOZ, TAU_BENCH, hand_labels, labelled_by
from upheld_evals.external.locomo import (
    answer_score,
    locomo_suite,
    normalised,
    read_locomo,
    recall,
    several_f1,
    token_f1,
)
from upheld_evals.external.longmemeval import longmemeval_suite, read_wanted
from upheld_evals.external.porter import stem
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.report.results import report_of


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # Porter 1980, the examples of the steps.
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"), ("agreed", "agre"),
        ("plastered", "plaster"), ("motoring", "motor"), ("conflated", "conflat"), ("sized", "size"),
        ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("happy", "happi"), ("relational", "relat"),
        ("vietnamization", "vietnam"), ("hopefulness", "hope"), ("electrical", "electr"), ("adjustment", "adjust"),
        ("adoption", "adopt"), ("probate", "probat"), ("rate", "rate"), ("cease", "ceas"), ("controlling", "control"),
        # Where NLTK's default departs from the paper.
        ("dies", "die"), ("died", "die"), ("dying", "die"), ("skies", "sky"), ("enjoy", "enjoy"), ("say", "say"),
        ("spied", "spi"), ("archaeology", "archaeolog"), ("is", "is"), ("news", "news"), ("Yoga", "yoga"),
    ],
)  # fmt: skip
def test_stems_are_porters_as_nltk_has_them(word: str, expected: str) -> None:
    """Porter 1980 and NLTK's documented extensions, which the official evaluation uses."""
    assert stem(word) == expected


def test_answers_are_normalised_as_the_benchmark_does() -> None:
    """LoCoMo, task_eval: commas, punctuation, articles and `and` go; case and blanks are levelled."""
    assert normalised("The  Cat, and a Dog's!") == "cat dogs"
    assert normalised("$1,000") == "1000"


def test_token_f1_counts_stems_as_multisets() -> None:
    """Worked by hand: run/runner differ, running/runs do not; 2 of 3 and 2 of 2 give 0.8."""
    assert token_f1("He was running runs", "run run") == pytest.approx(2 * 2 / (4 + 2))
    assert token_f1("7 May 2023", "7 May") == pytest.approx(0.8)
    assert token_f1("nothing", "else") == 0.0
    assert token_f1("", "else") == 0.0


def test_several_answers_take_the_best_prediction_for_each_part() -> None:
    """LoCoMo, category 1: the mean over the answer's parts."""
    assert several_f1("pottery, camping", "Pottery, swimming") == 0.5
    assert several_f1("pottery camping", "pottery, camping") == pytest.approx(2 / 3)


def test_each_category_is_scored_by_its_own_rule() -> None:
    """LoCoMo, task_eval: category 3 counts what stands before the semicolon, 5 asks for an abstention."""
    assert answer_score("yes", "Yes; she said so", 3) == 1.0
    assert answer_score("Not mentioned in the conversation", "", 5) == 1.0
    assert answer_score("blue", "", 5) == 0.0
    assert answer_score("a, b", "b, a", 2) < 1.0 or answer_score("b a", "b a", 2) == 1.0
    assert answer_score("May", "May", 4) == 1.0
    with pytest.raises(ValueError, match="category 6"):
        answer_score("", "", 6)


def _locomo(path: Path) -> Path:
    talk = {
        "session_1_date_time": "1:00 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "A", "dia_id": "D1:1", "text": "I adopted a dog called Rex."},
            {"speaker": "B", "dia_id": "D1:2", "text": "Lovely!", "blip_caption": "a brown dog"},
        ],
        "session_10": [{"speaker": "A", "dia_id": "D10:1", "text": "Rex learned to swim."}],
        "session_2": [{"speaker": "A", "dia_id": "D2:1", "text": "I went to Rome."}],
    }
    questions: list[dict[str, object]] = [
        {"question": "What is the dog of A called?", "answer": "Rex", "category": 4, "evidence": ["D1:1; D1:2"]},
        {"question": "What does B own?", "adversarial_answer": "a boat", "category": 5, "evidence": []},
    ]
    samples = [{"sample_id": name, "conversation": talk, "qa": questions * 11} for name in
               ("conv-26", "conv-30", "conv-41", "conv-42")]  # fmt: skip
    path.write_text(json.dumps(samples), encoding="utf-8")
    return path


def test_the_sixty_items_are_the_first_twenty_of_three_conversations(tmp_path: Path) -> None:
    """Protocols, P2: first 20 questions of conv-26, 30 and 41; malformed evidence is split."""
    items = read_locomo(_locomo(tmp_path / "locomo.json"))
    assert len(items) == 60
    assert {item.conversation for item in items} == {"conv-26", "conv-30", "conv-41"}
    assert items[0].content.evidence == ("D1:1", "D1:2")
    assert [turn.id for turn in items[0].content.turns] == ["D1:1", "D1:2", "D2:1", "D10:1"]
    assert recall(("D1:1", "D1:2"), ["D1:1"]) == 0.5
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    with pytest.raises(MalformedInput):
        read_locomo(other)


def test_locomo_runs_with_a_scripted_language_model_and_always_nothing_is_right_on_category_five(
    tmp_path: Path,
) -> None:
    """The issue, section 5: LoCoMo by path, official scorer."""
    suite = locomo_suite(_locomo(tmp_path / "locomo.json"))
    run = run_suite(suite, Settings(limit=4), llm=ScriptedModel(lambda _: "Rex"))
    scores = {each.arm: [outcome.score for _, outcome in each.outcomes] for each in run.arms}
    assert scores["always: no information available"] == [0, 1, 0, 1]
    assert scores["LLM-only"] == [1, 0, 1, 0]
    report = report_of(run, date="2026-01-02", upheld="0")
    names = {(each.name, each.group) for arm in report.arms for each in arm.measures}
    assert ("evidence recall@5", "") in names


def test_bm25_prefers_the_rarer_word_and_leaves_out_what_shares_none() -> None:
    """Robertson and Zaragoza 2009: idf."""
    index = Bm25([("a", "the cat sat"), ("b", "the dog sat"), ("c", "the bird")])
    assert index.search("the cat", 5)[0][0] == "a"
    assert index.search("fish", 5) == []


def _updates(path: Path) -> Path:
    def item(id: str, question: str, answer: str, *sessions: tuple[str, str], abstention: bool = False) -> str:
        told = [{"date": date, "turns": [{"role": "user", "content": text}]} for date, text in sessions]
        tree = {"question_id": id, "question": question, "answer": answer, "abstention": abstention,
                "evidence_sessions": told}  # fmt: skip
        return json.dumps(tree)

    lines = [
        item("q1", "What time do I usually go to the gym?", "6 pm",
             ("2023/05/01 (Mon) 10:00", "I usually go to the gym at 7 pm, what time do you go?"),
             ("2023/06/01 (Thu) 10:00", "The gym is at 6 pm now.")),
        item("q2", "How many coins do I have?", "38",
             ("2023/05/02 (Tue) 10:00", "I have coins."),
             ("2023/06/02 (Fri) 10:00", "How many coins do I have now? 38 coins.")),
        item("q1_abs", "When do I swim?", "not said", abstention=True),
    ]  # fmt: skip
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_stale_value_ranked_first_is_counted_and_an_unanswerable_question_is_right_when_nothing_is_found(
    tmp_path: Path,
) -> None:
    """Protocols, P1: current@1, stale-first, abstention on questions that nobody answered."""
    run = run_suite(longmemeval_suite(_updates(tmp_path / "ku.jsonl"), interpreters=()), Settings())
    later, arm = report_of(run, date="2026-01-02", upheld="0").arms
    assert later.run.arm.endswith("later first")
    values = {(each.name, each.group): (each.value, each.n) for each in arm.measures}
    assert values["current at 1, all updates", "haystack"] == (0.5, 2)
    assert values["stale above current, all updates", "haystack"] == (0.5, 2)
    assert values["superseded recall", "haystack"] == (0.0, 2)
    assert values["abstained on the unanswerable", "evidence"][1] == 1


def test_engine_items_say_from_which_turn_they_come_and_how_many_there_are(tmp_path: Path) -> None:
    """Protocols, P1: engine items, with false supersessions per 100 facts."""
    run = run_suite(longmemeval_suite(_updates(tmp_path / "ku.jsonl")), Settings())
    values = [outcome.value for _, outcome in run.arms[0].outcomes]
    assert all(turn.startswith("T") for value in values for turn, _ in value["hits"])
    assert values[-1]["facts"] > 0


def test_twenty_questions_were_labelled_by_hand() -> None:
    """Protocols, P1, gold caution: 9 items mainly in the earlier session and 11 in both are labelled before scoring."""
    wanted = read_wanted()
    assert len(wanted) == 22
    assert set(wanted.values()) == {"current", "earlier", "both"}


@pytest.mark.parametrize("data", [LONGMEMEVAL, MULTIWOZ, TAU_BENCH])
def test_labels_by_hand_are_ids_and_labels_and_say_that_no_person_gave_them(data: str) -> None:
    """Our promise: no text of the data is kept, and who labelled stands beside the labels."""
    assert "language model" in labelled_by()
    assert "No person" in labelled_by()
    labels = hand_labels(data)
    assert labels
    assert not any(" " in id for id in labels)
    assert all(len(id) < 30 for id in labels)


def test_the_hand_labels_are_those_of_the_files_twenty(shared: Path) -> None:
    """Protocols, P1: the twenty are those whose gold tokens lie earlier, or equally in both sessions."""
    path = shared / "data" / "longmemeval_ku" / "lme_ku_78_evidence_turns.jsonl"
    if not path.exists():
        pytest.skip("LongMemEval-KU is not here")
    trees = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    shares = {tree["question_id"]: tree["auto_answer_token_recall_per_session"] for tree in trees}
    twenty = {id for id, share in shares.items() if len(share) == 2 and share[0] >= share[1]}
    assert len(twenty) == 20
    assert twenty <= set(read_wanted())


def test_a_line_that_is_no_item_is_named(tmp_path: Path) -> None:
    """Our promise: file and line."""
    path = tmp_path / "ku.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(MalformedInput, match=r"ku\.jsonl:1"):
        longmemeval_suite(path)
