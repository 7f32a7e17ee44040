"""The suite ``mtrag`` (protocol P7): answers over retrieved passages, their faithfulness judged by several people.

Source: Katsis et al., MTRAG (TACL 2025), the reference subset with human evaluations.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from upheld.errors import MalformedInput
from upheld_evals.external.replies.arms import VerifierArm, WordsArm
from upheld_evals.external.replies.evidence import Judged, Passage
from upheld_evals.external.replies.measures import FAITHFUL, UNFAITHFUL, is_label, two_way_measures
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Item, Printed, Suite

BAR = 3.5
"""Mean score, of 1 to 4, from which a reply counts as faithful."""


def read_mtrag(path: Path) -> tuple[Item, ...]:
    """Read the replies that have passages and a score of faithfulness.

    Raises:
        MalformedInput: no file of tasks with documents and evaluations, or one without such replies.
    """
    try:
        items = tuple(_items(json.loads(path.read_text("utf-8"))))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise MalformedInput("no tasks of MTRAG with evaluations", source=str(path)) from error
    if not items:
        raise MalformedInput("no reply with passages and a score of faithfulness", source=str(path))
    return items


def _items(tree: Mapping[str, Any]) -> Iterator[Item]:
    passages = {each["document_id"]: _passage(each) for each in tree["documents"]}
    tasks = {each["task_id"]: each for each in tree["tasks"]}
    for each in tree["evaluations"]:
        task = tasks[each["task_id"]]
        given = tuple(passages[context["document_id"]] for context in task["contexts"])
        scores = [float(score["value"]) for score in each["annotations"].get("faithfulness", {}).values()]
        if not given or not scores:
            continue
        before = tuple((turn["speaker"] != "user", str(turn["text"])) for turn in task["input"])
        yield Item(
            id=f"{each['task_id']}/{each['model_id']}",
            conversation=str(each["task_id"]),
            label=FAITHFUL if fmean(scores) >= BAR else UNFAITHFUL,
            content=Judged(reply=str(each["model_response"]), passages=given, before=before),
        )


def _passage(tree: Mapping[str, Any]) -> Passage:
    return Passage(text=str(tree["text"]), title=str(tree.get("title") or ""))


def mtrag_suite(path: Path, *, matchers: Sequence[str] = ("text",)) -> Suite:
    """Give the suite over one file."""
    items = read_mtrag(path)
    baseline = WordsArm()
    faithful = sum(item.label == FAITHFUL for item in items)
    return Suite(
        name="mtrag",
        version="1",
        purpose="Whether retrieved passages support a reply, against people's judgement.",
        data=f"{path.name} of MTRAG: {len(items)} replies, {faithful} faithful (mean of at least {BAR})",
        digest=digest_of([path]),
        items=items,
        arms=(*(VerifierArm(matching=each) for each in matchers), baseline),
        baseline=baseline.name,
        score=is_label,
        measures=two_way_measures,
        printed=(Printed(source="the protocol's share of words", name="area under the curve", value="0.83", n="450"),),
        tuned_on="none of it",
        notes=(
            "The best F1 has its threshold chosen on the very items that it is taken on: an upper bound.",
            "Words alone are called supported when half of them stand in the passages, which nobody tuned.",
        ),
    )
