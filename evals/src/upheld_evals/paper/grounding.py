"""Table 3 (E2): the fifty candidates of Phase 2, verifier against LLM-only and transcript-RAG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from upheld_evals.harness.corpus import Corpus, only
from upheld_evals.harness.suite import Measure, Printed, Scored, Suite
from upheld_evals.paper.decisions import PHASE2
from upheld_evals.suites.tables import share, verdict_measures
from upheld_evals.suites.verifying import verify_suite

TABLE3 = (
    ("actual", "15", "14/15", "15/15", "15/15", "15/15"),
    ("stale", "15", "15/15", "14/15", "14/15", "15/15"),
    ("cross_conversation", "10", "10/10", "10/10", "10/10", "10/10"),
    ("counterfactual", "10", "10/10", "10/10", "10/10", "10/10"),
    ("stale + counterfactual", "25", "25/25", "24/25", "24/25", "25/25"),
)
COLUMNS = ("verifier", "LLM-only", "transcript-RAG k=5", "transcript-RAG k=20")
POOLED = frozenset({"stale", "counterfactual"})


def e2_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give E2; its arms are those of ``verify``, so that one prompt serves both."""
    file = only(corpus, PHASE2)
    whole = verify_suite(replace(corpus, name=file.name, files=(file,)), interpreters=interpreters, name="paper e2")
    printed = tuple(
        Printed(source=f"the paper, Table 3, {column}, GPT-4o", name=f"accuracy, {category}", value=cell, n=n)
        for category, n, *cells in TABLE3
        for column, cell in zip(COLUMNS, cells, strict=True)
    )
    return replace(
        whole,
        purpose="The paper's fifty candidates on Phase 2 (Table 3).",
        measures=e2_measures,
        printed=printed,
        notes=(
            *whole.notes,
            "Candidates and transcript are told again in other words; the paper's own texts are not here.",
            "The paper's one loss, e2_015, is a candidate that rests on several propositions, which it may do here.",
        ),
    )


def e2_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the table of verdicts and the paper's pooled row."""
    pooled = (outcome.score == 1 for item, outcome in scored if item.facets["category"] in POOLED)
    return [*verdict_measures(scored, seed), share("accuracy", pooled, group="stale + counterfactual")]
