"""Labels that the protocols want given by hand, of data that is not here: ids and labels, and no text of the data.

Who gave them stands in the file, ``labelled_by``, and belongs beside every figure that uses them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LONGMEMEVAL, MULTIWOZ, TAU_BENCH = "longmemeval", "multiwoz", "tau_bench"


def hand_labels(data: str) -> Mapping[str, str]:
    """Give the label of each id of one of the data sets."""
    labels: dict[str, str] = _read()[data]["labels"]
    return labels


def labelled_by() -> str:
    """Give in words who gave the labels."""
    return str(_read()["labelled_by"])


@cache
def _read() -> dict[str, Any]:
    tree: dict[str, Any] = json.loads(files("upheld_evals.external").joinpath("hand_labels.json").read_text("utf-8"))
    return tree
