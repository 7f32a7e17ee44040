"""The suites by name."""

from __future__ import annotations

from pathlib import Path

from upheld.errors import UpheldError
from upheld_evals.external.locomo import locomo_suite
from upheld_evals.external.longmemeval import longmemeval_suite
from upheld_evals.external.public import PUBLIC
from upheld_evals.external.updates import update_answers_suite
from upheld_evals.harness.corpus import Corpus, read_corpus, shared, shared_folder
from upheld_evals.harness.suite import Suite
from upheld_evals.paper.agreement import kappa_suite, read_second_labels
from upheld_evals.paper.classification import table1_suite, table7_suite
from upheld_evals.paper.decisions import table2_suite
from upheld_evals.paper.direct import direct_suite
from upheld_evals.paper.grounding import e2_suite
from upheld_evals.paper.latency import figure2_suite
from upheld_evals.paper.noise import e5_suite
from upheld_evals.paper.retrospect import retrospect_suite
from upheld_evals.paper.variants import variants_suite
from upheld_evals.plan import Entry, Plan
from upheld_evals.suites.dependencies import dependencies_suite
from upheld_evals.suites.operations import operations_suite
from upheld_evals.suites.questions import questions_suite
from upheld_evals.suites.retraction import retraction_suite
from upheld_evals.suites.verifying import long_suite, verify_suite


def _corpus(plan: Plan, *folders: str) -> Corpus:
    if plan.data:
        return read_corpus(plan.data)
    return read_corpus([shared("corpus", folder) for folder in folders])


def _operations(plan: Plan) -> Suite:
    corpus = _corpus(plan, "dev")
    folder = shared_folder()
    agreement = folder / "corpus" / "agreement.md" if folder is not None else None
    second = read_second_labels(agreement, corpus).operations if agreement and agreement.exists() else None
    return operations_suite(corpus, interpreters=plan.interpreters, second=second)


def _figure2(plan: Plan) -> Suite:
    return figure2_suite(plan.data[0] if plan.data else Path("benchmarks"))


def _path(plan: Plan, what: str) -> Path:
    if len(plan.data) != 1:
        raise UpheldError(f"name {what} with --data")
    return plan.data[0]


def _updates(plan: Plan) -> tuple[Path, ...]:
    return plan.data or (shared("data", "longmemeval_ku", "lme_ku_78_evidence_turns.jsonl"),)


def _longmemeval(plan: Plan) -> Suite:
    paths = _updates(plan)
    return longmemeval_suite(paths[0], distractors=paths[1:], interpreters=plan.interpreters)


SUITES = (
    Entry(name="operations", about="operations of each turn, by type", data="corpus/dev", made=_operations),
    Entry(
        name="verify",
        about="is a candidate continuation grounded",
        data="corpus/dev",
        made=lambda plan: verify_suite(_corpus(plan, "dev"), interpreters=plan.interpreters),
    ),
    Entry(
        name="dependencies",
        about="what each proposition rests on",
        data="corpus/dev",
        made=lambda plan: dependencies_suite(_corpus(plan, "dev", "paper"), interpreters=plan.interpreters),
    ),
    Entry(
        name="retraction",
        about="what falls when something is taken back",
        data="corpus/dev and corpus/paper",
        made=lambda plan: retraction_suite(_corpus(plan, "dev", "paper"), interpreters=plan.interpreters),
    ),
    Entry(
        name="questions",
        about="questions to the record, answered or left alone",
        data="corpus/dev",
        made=lambda plan: questions_suite(_corpus(plan, "dev"), interpreters=plan.interpreters),
    ),
    Entry(
        name="long",
        about="the same candidates in conversations of up to 392 turns",
        data="corpus/dev and corpus/long",
        made=lambda plan: long_suite(_corpus(plan, "dev", "long"), interpreters=plan.interpreters),
    ),
    Entry(
        name="paper table1",
        about="classification, Phase 2",
        data="corpus/paper",
        made=lambda plan: table1_suite(_corpus(plan, "paper"), interpreters=plan.interpreters),
    ),
    Entry(
        name="paper table7",
        about="classification, Phase 3",
        data="corpus/paper",
        made=lambda plan: table7_suite(_corpus(plan, "paper"), interpreters=plan.interpreters),
    ),
    Entry(
        name="paper table2",
        about="twelve retraction decisions on given dependencies",
        data="corpus/paper",
        made=lambda plan: table2_suite(_corpus(plan, "paper")),
    ),
    Entry(
        name="paper e1",
        about="Table 2: dependencies asked for directly, and read",
        data="corpus/paper",
        made=lambda plan: direct_suite(_corpus(plan, "paper"), interpreters=plan.interpreters),
    ),
    Entry(
        name="paper e1b",
        about="four ways to ask for grounds, through the whole path",
        data="corpus/paper",
        made=lambda plan: variants_suite(_corpus(plan, "paper")),
    ),
    Entry(
        name="paper e1c",
        about="what is explained when something is settled",
        data="corpus/paper",
        made=lambda plan: retrospect_suite(_corpus(plan, "paper")),
    ),
    Entry(
        name="paper e2",
        about="fifty candidates: verifier, LLM-only, transcript-RAG",
        data="corpus/paper",
        made=lambda plan: e2_suite(_corpus(plan, "paper"), interpreters=plan.interpreters),
    ),
    Entry(
        name="paper e5",
        about="noise in the operations",
        data="corpus/paper",
        made=lambda plan: e5_suite(_corpus(plan, "paper")),
    ),
    Entry(name="paper figure2", about="latency against history", data="benchmarks of a checkout", made=_figure2),
    Entry(
        name="paper kappa",
        about="agreement between annotators",
        data="corpus and corpus/agreement.md",
        made=lambda plan: kappa_suite(_corpus(plan, "dev", "paper"), shared("corpus", "agreement.md")),
    ),
    Entry(
        name="paper table4",
        about="LoCoMo, answers from three pages of the state, from turns, from all",
        data="locomo10.json by path",
        made=lambda plan: locomo_suite(
            _path(plan, "locomo10.json"), interpreters=plan.interpreters, name="paper table4"
        ),
        is_apart=True,
    ),
    Entry(
        name="paper table5",
        about="LongMemEval-KU, answers from the same",
        data="data/longmemeval_ku",
        made=lambda plan: update_answers_suite(_updates(plan)[0], interpreters=plan.interpreters),
        is_apart=True,
    ),
    Entry(
        name="locomo",
        about="LoCoMo, 60 items, evidence and answers",
        data="locomo10.json by path",
        made=lambda plan: locomo_suite(_path(plan, "locomo10.json")),
    ),
    Entry(
        name="longmemeval",
        about="LongMemEval-KU: the current value first, the old one marked",
        data="data/longmemeval_ku",
        made=_longmemeval,
    ),
    *PUBLIC,
)
