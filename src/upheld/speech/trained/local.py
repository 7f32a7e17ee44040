"""The seam to the trained network: array libraries and weights are loaded when somebody asks for it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from upheld.errors import MissingExtra
from upheld.speech.trained.judge import Judge
from upheld.speech.trained.moves import MoveReader
from upheld.speech.trained.weights import FOLDER, TrainedWeights, trained_weights


class Trained(Judge, MoveReader, Protocol):
    """One network with both abilities."""

    @property
    def weights(self) -> TrainedWeights:
        """Where it comes from, with its card."""
        ...


@cache
def local_network(folder: Path = FOLDER) -> Trained:
    """Give the network that runs on this machine, without a key and without a connection; one a process.

    Raises:
        MissingExtra: numpy, onnxruntime, tokenizers or the word vectors are not installed.
        MalformedInput: the files are not those of the card.
    """
    found = trained_weights(folder)
    try:
        made = import_module("upheld.speech.trained.network")
    except ModuleNotFoundError as error:
        raise MissingExtra("local", needed_for="the trained network") from error
    return cast("Trained", made.TrainedNetwork(found))
