"""The suites by name, and what a run of some of them is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from upheld.errors import UpheldError
from upheld_evals.external.corrections.suite import corrections_suite
from upheld_evals.external.finding.qmsum import qmsum_suite
from upheld_evals.external.locomo import locomo_suite
from upheld_evals.external.longmemeval import longmemeval_suite
from upheld_evals.external.proofs.edges import edges_suite
from upheld_evals.external.proofs.retraction import entailmentbank_suite
from upheld_evals.external.replies.begin import begin_suite
from upheld_evals.external.replies.dialfact import dialfact_suite
from upheld_evals.external.replies.mtrag import mtrag_suite
from upheld_evals.external.trajectories.suite import taubench_suite
from upheld_evals.external.updates import update_answers_suite
from upheld_evals.harness.corpus import Corpus, read_corpus, shared, shared_folder
from upheld_evals.harness.gateway import Answering
from upheld_evals.harness.running import Settings
from upheld_evals.harness.suite import Suite
from upheld_evals.harness.telling import known_matchers
from upheld_evals.paper.agreement import kappa_suite, read_second_labels
from upheld_evals.paper.classification import table1_suite, table7_suite
from upheld_evals.paper.decisions import table2_suite
from upheld_evals.paper.direct import direct_suite
from upheld_evals.paper.grounding import e2_suite
from upheld_evals.paper.latency import figure2_suite
from upheld_evals.paper.noise import e5_suite
from upheld_evals.paper.retrospect import retrospect_suite
from upheld_evals.paper.variants import variants_suite
from upheld_evals.suites.dependencies import dependencies_suite
from upheld_evals.suites.operations import operations_suite
from upheld_evals.suites.questions import questions_suite
from upheld_evals.suites.retraction import retraction_suite
from upheld_evals.suites.verifying import long_suite, verify_suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is run: suites by name, over which data, and who answers.

    ``data`` are files or folders instead of the shared ones; ``repeats`` is how often each item is asked.
    """

    suites: tuple[str, ...]
    data: tuple[Path, ...] = ()
    interpreters: tuple[str, ...] = ("local",)
    matchers: tuple[str, ...] = ("text",)
    answering: Answering = field(default_factory=Answering)
    repeats: int = 1
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A suite that can be asked for by name; ``data`` says what it reads when no path is given.

    One that ``is_apart`` reads other data than its group, and is run only when it is named.
    """

    name: str
    about: str
    data: str
    made: Callable[[Plan], Suite]
    is_apart: bool = False


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


def _one(plan: Plan, *parts: str) -> Path:
    """Give the one file that a suite reads: the path that was given, or its place in the shared folder."""
    if len(plan.data) > 1:
        raise UpheldError(f"this suite reads one file ({parts[-1]}); name one with --data")
    return plan.data[0] if plan.data else shared("data", *parts)


def _corrections(plan: Plan) -> Suite:
    paths = plan.data or (
        shared("data", "multiwoz_corrections", "multiwoz21_test_dialogues_with_corrections.jsonl"),
        shared("data", "sgd_corrections", "sgd_dev_300_dialogues_with_corrections.jsonl"),
    )
    return corrections_suite(paths, interpreters=plan.interpreters, matchers=known_matchers(plan.matchers))


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
    Entry(
        name="corrections",
        about="MultiWOZ and SGD: values that the user replaces, and replies with a stale one",
        data="data/multiwoz_corrections and data/sgd_corrections",
        made=_corrections,
    ),
    Entry(
        name="dialfact",
        about="DialFact: does the evidence support a reply, refute it, or not decide?",
        data="data/dialfact",
        made=lambda plan: dialfact_suite(
            _one(plan, "dialfact", "testsmall.jsonl"), matchers=known_matchers(plan.matchers)
        ),
    ),
    Entry(
        name="mtrag",
        about="MTRAG: support by retrieved passages against people's judgement",
        data="data/mtrag",
        made=lambda plan: mtrag_suite(
            _one(plan, "mtrag", "reference_subset_every_third_task.json"), matchers=known_matchers(plan.matchers)
        ),
    ),
    Entry(
        name="begin",
        about="BEGIN: is a reply attributable to its knowledge?",
        data="data/begin",
        made=lambda plan: begin_suite(_one(plan, "begin", "begin_dev_wow.tsv"), matchers=known_matchers(plan.matchers)),
    ),
    Entry(
        name="entailmentbank",
        about="EntailmentBank: what falls in a proof tree with one of its sentences",
        data="data/entailment_bank",
        made=lambda plan: entailmentbank_suite(_one(plan, "entailment_bank", "task_1_dev.jsonl")),
    ),
    Entry(
        name="entailmentbank-edges",
        about="EntailmentBank: what rests on what, read from sentences alone",
        data="data/entailment_bank",
        made=lambda plan: edges_suite(
            _one(plan, "entailment_bank", "task_1_dev.jsonl"), interpreters=plan.interpreters
        ),
    ),
    Entry(
        name="taubench",
        about="tau-bench, airline: where the values in an agent's messages came from",
        data="data/tau_bench",
        made=lambda plan: taubench_suite(
            _one(plan, "tau_bench", "gpt-4o-airline-trial0.json"),
            interpreters=plan.interpreters,
            matchers=known_matchers(plan.matchers),
        ),
    ),
    Entry(
        name="qmsum",
        about="QMSum: are the turns of a meeting found that bear on a query?",
        data="data/qmsum",
        made=lambda plan: qmsum_suite(_one(plan, "qmsum", "product_test.jsonl")),
    ),
)
