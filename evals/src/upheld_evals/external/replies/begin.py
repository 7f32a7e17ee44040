"""The suite ``begin`` (protocol P7): replies of language models to a piece of knowledge, attributable to it or not.

Source: Dziri et al., BEGIN (TACL 2022). Words alone do well on it: it is a weak test, and is there for thresholds.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from upheld.errors import MalformedInput
from upheld_evals.external.replies.arms import VerifierArm, WordsArm
from upheld_evals.external.replies.evidence import Judged, Passage
from upheld_evals.external.replies.measures import FAITHFUL, UNFAITHFUL, is_label, two_way_measures
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Item, Printed, Suite

_LABELS = {"Fully attributable": FAITHFUL, "Not fully attributable": UNFAITHFUL, "Generic": UNFAITHFUL}


def read_begin(path: Path) -> tuple[Item, ...]:
    """Read the replies; what is generic is not supported by its knowledge.

    Raises:
        MalformedInput: a row without its columns, with another label, or a file without rows.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    if not rows:
        raise MalformedInput("no replies of BEGIN in it", source=str(path))
    try:
        return tuple(_item(row, number) for number, row in enumerate(rows, start=1))
    except (AttributeError, KeyError) as error:
        raise MalformedInput(f"no replies of BEGIN: {error}", source=str(path)) from error


def _item(row: dict[str, str], number: int) -> Item:
    knowledge = row["knowledge"]
    return Item(
        id=f"{number}/{row['model_name']}",
        # Replies to the same piece of knowledge are not independent: they are drawn together.
        conversation=sha256(knowledge.encode()).hexdigest()[:12],
        label=_LABELS[row["begin_label"].strip()],
        facets={"system": row["model_name"]},
        content=Judged(reply=row["response"], passages=(Passage(text=knowledge),), before=((False, row["message"]),)),
    )


def begin_suite(path: Path, *, matchers: Sequence[str] = ("text",)) -> Suite:
    """Give the suite over one file."""
    items = read_begin(path)
    baseline = WordsArm()
    faithful = sum(item.label == FAITHFUL for item in items)
    return Suite(
        name="begin",
        version="1",
        purpose="Whether a reply is attributable to the knowledge that it was given.",
        data=f"{path.name} of BEGIN: {len(items)} replies, {faithful} fully attributable",
        digest=digest_of([path]),
        items=items,
        arms=(*(VerifierArm(matching=each) for each in matchers), baseline),
        baseline=baseline.name,
        score=is_label,
        measures=two_way_measures,
        printed=(Printed(source="the protocol's share of words, WoW test", name="area under the curve", value="0.94"),),
        tuned_on="none of it so far; the protocol lets thresholds be chosen on it",
        notes=("The best F1 has its threshold chosen on the very items that it is taken on: an upper bound.",),
    )
