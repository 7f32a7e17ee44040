"""E1b (the paper's Appendix I): four ways to ask for ``depends_on``, through the whole path, on Phase 2."""

from __future__ import annotations

from dataclasses import replace

from upheld.speech.interpretation.llm.requesting import Dependencies
from upheld_evals.harness.corpus import Corpus, only
from upheld_evals.harness.suite import Arm, Printed, Suite
from upheld_evals.paper.decisions import PHASE2
from upheld_evals.paper.direct import extraction_measures, hypotheses_of
from upheld_evals.suites.dependencies import GroundsArm, dependencies_suite

TABLE11 = (
    ("baseline", "0.33"),
    ("chain_of_thought", "0.44"),
    ("examples", "0.50"),
    ("self_consistency", "0.50"),
)


def variants_suite(corpus: Corpus) -> Suite:
    """Give E1b: grounds of the four hypotheses, at their creation and at the end, by each way of asking.

    At the end the look back of the resolve counts, which no way of asking at creation can replace; it is ``paper e1c``.
    """
    file = only(corpus, PHASE2)
    whole = dependencies_suite(replace(corpus, files=(file,)), interpreters=())
    hypotheses = hypotheses_of(file.transcript)
    asked: list[Arm] = [GroundsArm(interpreter="llm", variant=variant.value) for variant in Dependencies]
    labelled, baseline = whole.arms[0], whole.arms[-1]
    return replace(
        whole,
        name="paper e1b",
        purpose="What the hypotheses of Phase 2 rest on, by how the language model is asked for it.",
        items=tuple(item for item in whole.items if item.content.id in hypotheses),
        arms=(labelled, *asked, baseline),
        measures=extraction_measures,
        printed=tuple(
            Printed(
                source=f"the paper, Table 11, {name}, GPT-4o, creation time",
                name="F1 of edges",
                value=value,
                n="3 seeds",
            )
            for name, value in TABLE11
        ),
        notes=(
            *whole.notes,
            "The text is told again in other words, and the ids are those of Appendix C with o9 as a ground of h4.",
        ),
        tuned_on="",
    )
