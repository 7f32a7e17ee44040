"""Table 2, the row "GT deps": twelve decisions on given dependencies, three retractions times four hypotheses."""

from __future__ import annotations

from upheld.logic.language.identities import PropositionId
from upheld_evals.harness.corpus import Corpus, only
from upheld_evals.harness.suite import Item, Printed, Suite
from upheld_evals.suites.retraction import (
    FALLS,
    STAYS,
    AffectedArm,
    Decision,
    ReachabilityArm,
    decision_measures,
    decision_score,
    target_of,
)

PHASE2 = "phase2-debugging"
HYPOTHESES = tuple(map(PropositionId, ("h1", "h2", "h3", "h4")))


def table2_suite(corpus: Corpus) -> Suite:
    """Give the twelve decisions; the labels are the paper's own, direct membership in Dep whatever became of it."""
    file = only(corpus, PHASE2)
    items = tuple(
        Item(
            id=f"{target_of(query.change)}/{id}",
            conversation=file.name,
            label=FALLS if id in query.paper_affected else STAYS,
            content=Decision(file=file, query=query, id=id),
        )
        for query in file.gold.affected
        if query.paper_affected
        for id in HYPOTHESES
    )
    baseline = ReachabilityArm()
    return Suite(
        name="paper table2",
        version="1",
        purpose="Affected or not, on given dependencies (Table 2, row GT deps).",
        data=f"{file.name}: {len(items)} decisions",
        digest=corpus.digest,
        items=items,
        arms=(AffectedArm(is_direct=True), AffectedArm(), baseline),
        baseline=baseline.name,
        score=decision_score,
        measures=decision_measures,
        printed=(
            Printed(source="the paper, Table 2, GT deps", name="affected accuracy", value="12/12", n="12"),
            Printed(
                source="the paper, Table 2, pipeline, GPT-4o", name="affected accuracy", value="1/3", n="3 queries"
            ),
            Printed(source="the paper, Table 2, pipeline, GPT-4o", name="Dep F1", value="0.60"),
            Printed(source="the paper, Table 2, E1 few-shot, GPT-4o", name="Dep F1", value="0.34"),
        ),
        notes=(
            "The paper counts h2 as affected by o8 although h2 was given up; the engine's own `affected` names only"
            " what still stands, so on these labels it differs there on purpose.",
        ),
    )
