"""The suite ``dialfact`` (protocol P7): replies that their evidence supports, refutes, or does not decide.

Source: Gupta et al., DialFact (ACL 2022). Words alone rank its supported above its refuted replies hardly better than
chance, which is why it tells a check of support from a count of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from upheld_evals.external.lines import read_lines
from upheld_evals.external.replies.arms import VerifierArm, WordsArm
from upheld_evals.external.replies.evidence import Judged, Passage
from upheld_evals.external.replies.measures import is_label, three_way_measures
from upheld_evals.external.replies.scoring import NOT_ENOUGH, REFUTES, SUPPORTS
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Item, Printed, Suite

_LABELS = {"SUPPORTS": SUPPORTS, "REFUTES": REFUTES, "NOT ENOUGH INFO": NOT_ENOUGH}


def read_dialfact(path: Path) -> tuple[Item, ...]:
    """Read the replies.

    Raises:
        MalformedInput: a line that is no reply with evidence and a label.
    """
    numbers = count(1)
    return tuple(read_lines(path, lambda tree: _item(tree, next(numbers)), "reply of DialFact"))


def _item(tree: dict[str, Any], number: int) -> Item:
    context = [str(each) for each in tree["context"]]
    judged = Judged(
        reply=str(tree["response"]),
        passages=tuple(
            Passage(text=str(each[2]), title=str(each[0]), is_titled=True) for each in tree["evidence_list"]
        ),
        # The two take turns, so that the last one before the reply is the other's.
        before=tuple(((len(context) - place) % 2 == 0, words) for place, words in enumerate(context)),
    )
    return Item(
        id=f"{number}/{tree['id']}",
        conversation=str(tree["context_id"]),
        label=_LABELS[tree["response_label"]],
        facets={"type": str(tree["type_label"])},
        content=judged,
    )


def dialfact_suite(path: Path, *, matchers: Sequence[str] = ("text",)) -> Suite:
    """Give the suite over one file."""
    items = read_dialfact(path)
    baseline = WordsArm()
    counts = ", ".join(f"{sum(item.label == label for item in items)} {label}" for label in _LABELS.values())
    return Suite(
        name="dialfact",
        version="1",
        purpose="Whether the evidence supports a reply, refutes it, or does not decide.",
        data=f"{path.name} of DialFact: {len(items)} replies, {counts}",
        digest=digest_of([path]),
        items=items,
        arms=(*(VerifierArm(matching=each) for each in matchers), baseline),
        baseline=baseline.name,
        score=is_label,
        measures=three_way_measures,
        printed=(Printed(source="the protocol's share of words", name="area under the curve", value="0.58", n="202"),),
        tuned_on="none of it",
        notes=(
            "The area is of replies that are supported against those refuted; the others are not in it.",
            "Each sentence of evidence is told with the title of its page, as its source gives it to a verifier.",
            "Words alone are called supported when half of them stand in the evidence, which nobody tuned.",
        ),
    )
