"""The suites over public files that anybody can get, and where to get them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from upheld.errors import UpheldError
from upheld_evals.external.corrections.dependants import dependants_suite
from upheld_evals.external.corrections.suite import corrections_suite
from upheld_evals.external.finding.qmsum import qmsum_suite
from upheld_evals.external.proofs.edges import edges_suite
from upheld_evals.external.proofs.retraction import entailmentbank_suite
from upheld_evals.external.replies.begin import begin_suite
from upheld_evals.external.replies.dialfact import dialfact_suite
from upheld_evals.external.replies.mtrag import mtrag_suite
from upheld_evals.external.trajectories.staleness import staleness_suite
from upheld_evals.external.trajectories.suite import taubench_suite
from upheld_evals.harness.corpus import shared
from upheld_evals.harness.suite import Suite
from upheld_evals.harness.telling import known_matchers
from upheld_evals.plan import Entry, Plan

FROM = {
    "multiwoz_corrections": "made of MultiWOZ 2.1 (github.com/thu-coai/ConvLab-2, data/multiwoz), fields as in"
    " upheld_evals.external.corrections.dialogues",
    "sgd_corrections": "made of SGD (github.com/google-research-datasets/dstc8-schema-guided-dialogue), fields as in"
    " upheld_evals.external.corrections.dialogues",
    "dialfact": "from github.com/salesforce/DialFact",
    "mtrag": "from github.com/IBM/mt-rag-benchmark, human evaluations",
    "begin": "from github.com/google/BEGIN-dataset",
    "entailment_bank": "from github.com/allenai/entailment_bank",
    "tau_bench": "from github.com/sierra-research/tau-bench, historical trajectories",
    "qmsum": "from github.com/Yale-LILY/QMSum",
}
"""Where each folder of the shared data comes from."""


def _shared(folder: str, name: str) -> Path:
    try:
        return shared("data", folder, name)
    except UpheldError as missing:
        raise UpheldError(f"{missing}; the file is {FROM[folder]}") from missing


def _one(plan: Plan, folder: str, name: str) -> Path:
    """Give the one file that a suite reads: the path that was given, or its place in the shared folder."""
    if len(plan.data) > 1:
        raise UpheldError(f"this suite reads one file (such as {name}); name one with --data")
    return plan.data[0] if plan.data else _shared(folder, name)


def _dialogues(plan: Plan) -> Sequence[Path]:
    return plan.data or (
        _shared("multiwoz_corrections", "multiwoz21_test_dialogues_with_corrections.jsonl"),
        _shared("sgd_corrections", "sgd_dev_300_dialogues_with_corrections.jsonl"),
    )


def _corrections(plan: Plan) -> Suite:
    return corrections_suite(_dialogues(plan), interpreters=plan.interpreters, matchers=known_matchers(plan.matchers))


def _dialfact(plan: Plan) -> Suite:
    return dialfact_suite(_one(plan, "dialfact", "testsmall.jsonl"), matchers=known_matchers(plan.matchers))


def _mtrag(plan: Plan) -> Suite:
    path = _one(plan, "mtrag", "reference_subset_every_third_task.json")
    return mtrag_suite(path, matchers=known_matchers(plan.matchers))


def _begin(plan: Plan) -> Suite:
    return begin_suite(_one(plan, "begin", "begin_dev_wow.tsv"), matchers=known_matchers(plan.matchers))


def _edges(plan: Plan) -> Suite:
    return edges_suite(_one(plan, "entailment_bank", "task_1_dev.jsonl"), interpreters=plan.interpreters)


def _trajectories(plan: Plan) -> Path:
    return _one(plan, "tau_bench", "gpt-4o-airline-trial0.json")


def _taubench(plan: Plan) -> Suite:
    matchers = known_matchers(plan.matchers)
    return taubench_suite(_trajectories(plan), interpreters=plan.interpreters, matchers=matchers)


def _staleness(plan: Plan) -> Suite:
    matchers = known_matchers(plan.matchers)
    return staleness_suite(_trajectories(plan), interpreters=plan.interpreters, matchers=matchers)


PUBLIC = (
    Entry(
        name="corrections",
        about="MultiWOZ and SGD: values that the user replaces, and replies with a stale one",
        data="data/multiwoz_corrections and data/sgd_corrections",
        made=_corrections,
    ),
    Entry(
        name="corrections-dependants",
        about="MultiWOZ and SGD: what the system booked or confirmed on a value that the user then replaces",
        data="data/multiwoz_corrections and data/sgd_corrections",
        made=lambda plan: dependants_suite(_dialogues(plan), interpreters=plan.interpreters),
    ),
    Entry(
        name="dialfact",
        about="DialFact: does the evidence support a reply, refute it, or not decide?",
        data="data/dialfact",
        made=_dialfact,
    ),
    Entry(
        name="mtrag",
        about="MTRAG: support by retrieved passages against people's judgement",
        data="data/mtrag",
        made=_mtrag,
    ),
    Entry(name="begin", about="BEGIN: is a reply attributable to its knowledge?", data="data/begin", made=_begin),
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
        made=_edges,
    ),
    Entry(
        name="taubench",
        about="tau-bench, airline: where the values in an agent's messages came from",
        data="data/tau_bench",
        made=_taubench,
    ),
    Entry(
        name="taubench-staleness",
        about="tau-bench, airline: replies that repeat a value read before a call replaced it",
        data="data/tau_bench",
        made=_staleness,
    ),
    Entry(
        name="qmsum",
        about="QMSum: are the turns of a meeting found that bear on a query?",
        data="data/qmsum",
        made=lambda plan: qmsum_suite(_one(plan, "qmsum", "product_test.jsonl")),
    ),
)
