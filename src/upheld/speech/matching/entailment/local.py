"""The seam to a user's own network: array libraries and weights are loaded when somebody asks for it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from upheld.errors import MissingExtra
from upheld.speech.matching.entailment.judge import PairJudge
from upheld.speech.matching.entailment.weights import NliWeights, nli_weights


def local_pair_judge(path: Path | None = None) -> PairJudge:
    """Give the network of a folder, else that of ``UPHELD_NLI_PATH``; one a process for the same files.

    It is read and held against the self-test with the first pair.

    Raises:
        UpheldError: no folder is named.
        MissingExtra: numpy, onnxruntime or tokenizers are not installed.
        MalformedInput: a file is missing or cannot be read.
    """
    return _opened(nli_weights(path))


@cache
def _opened(found: NliWeights) -> PairJudge:
    try:
        made = import_module("upheld.speech.matching.entailment.network")
    except ModuleNotFoundError as error:
        raise MissingExtra("local", needed_for="matching by natural language inference") from error
    return cast("PairJudge", made.NliNetwork(found))
