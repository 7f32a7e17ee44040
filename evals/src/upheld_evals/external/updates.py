"""Table 5: LongMemEval-KU with the evidence given, answered in words: the current value, or that nobody said.

The paper's judge is not printed. Ours is deterministic: a right answer has the expected words in it, one after the
other, once both are brought into one form (case, punctuation, articles, endings, numbers as digits); on the questions
that nobody answered it says so. A right answer in other words is missed, by every arm alike: a lower bound.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from upheld_evals.external.locomo import NOTHING, NothingArm
from upheld_evals.external.longmemeval import ABSTENTION, EVIDENCE, SINGLE, UPDATE, read_items
from upheld_evals.external.reading import TurnsReadingArm, record_arms
from upheld_evals.external.wording import has_any
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Printed, Scored, Suite
from upheld_evals.suites.tables import costs, share

TABLE5 = (
    ("LLM-only", "69/78"),
    ("verifier, dependency map", "68/78"),
    ("transcript-RAG k=20", "68/78"),
    ("verifier, content + retrieval", "70/78"),
)

_ASIDE = re.compile(r"\s*\((?:or\s+)?([^)]*)\)")
_SILENT = re.compile(
    r"no information available|not mentioned|not enough|does not say|do not say|cannot be answered", re.IGNORECASE
)


def is_silent(reply: str) -> bool:
    """Tell whether a reply says that the answer is not there."""
    return not reply.strip() or _SILENT.search(reply) is not None


def has_answer(reply: str, expected: str) -> bool:
    """Tell whether a reply has an expected answer in it; what stands in brackets after "or" is another form of it."""
    forms = {_ASIDE.sub("", expected), *(aside[1] for aside in _ASIDE.finditer(expected) if "(or" in aside[0])}
    return has_any(reply, forms)


def is_right(item: Item, answer: Answer) -> float:
    """Score an answer: 1 when it is the expected one."""
    reply = str(answer.value["answer"])
    if item.facets["kind"] == ABSTENTION:
        return float(is_silent(reply))
    return float(not is_silent(reply) and has_answer(reply, item.label))


def update_answers_suite(path: Path, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give the 78 items, each with its own sessions alone."""
    items = tuple(item for item in read_items(path) if item.facets["setting"] == EVIDENCE)
    baseline = NothingArm()
    turns = [TurnsReadingArm(k=0), TurnsReadingArm(k=20)]
    arms: list[Arm] = [*record_arms(interpreters), *turns, baseline]
    return Suite(
        name="paper table5",
        version="1",
        purpose="Whether the current value is answered, and abstained on what nobody said (Table 5).",
        data=f"{path.name}: {len(items)} items, evidence turns of the user",
        digest=digest_of([path]),
        items=items,
        arms=tuple(arms),
        baseline=baseline.name,
        rivals=tuple(each.name for each in turns),
        score=is_right,
        measures=answer_measures,
        printed=tuple(
            Printed(source=f"the paper, Table 5, {name}, GPT-4o", name="correct", value=value, n="78")
            for name, value in TABLE5
        ),
        notes=(
            f"The expected words, or {NOTHING!r} on the questions nobody answered: a lower bound for every arm.",
            "The paper's items are whole sessions: its figures are not of these.",
            "An item has two or three turns here: transcript-RAG at k = 20 reads all that shares a word.",
        ),
    )


def answer_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the share that is right, by kind, and how often an arm keeps silent where there was an answer."""
    del seed
    answerable = [outcome for item, outcome in scored if item.facets["kind"] != ABSTENTION]
    measures = [share("correct", (outcome.score == 1 for _, outcome in scored))]
    measures += [
        share("correct", (outcome.score == 1 for item, outcome in scored if item.facets["kind"] == kind), group=kind)
        for kind in (UPDATE, SINGLE, ABSTENTION)
    ]
    silent = (outcome.value is None or is_silent(str(outcome.value["answer"])) for outcome in answerable)
    return [*measures, share("silent where there is an answer", silent), *costs(scored)]
