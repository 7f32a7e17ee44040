"""The seam to the local embedder: array libraries and weights are loaded when somebody asks for it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from upheld.errors import MissingExtra
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.embedding.weights import weights

REMEMBERED = 4096
"""Vectors kept by text, six megabytes of them."""


def local_embedder(path: Path | None = None, *, threads: int = 1, remembered: int = REMEMBERED) -> Embedder:
    """Give the embedder that runs on this machine, without a key and without a network.

    ``path`` is a folder of weights (else ``UPHELD_EMBEDDER_PATH``, else the pinned package); such weights are held
    against a self-test when they are loaded, with the first text. One embedder may serve many conversations; it keeps
    the vectors of the ``remembered`` texts that it saw last.

    Raises:
        MissingExtra: numpy, onnxruntime, tokenizers or the weights are not installed.
        MalformedInput: the files are not the pinned ones.
    """
    found = weights(path)
    try:
        made = import_module("upheld.speech.embedding.minilm")
    except ModuleNotFoundError as error:
        raise MissingExtra("local", needed_for="the local embedder") from error
    return cast("Embedder", made.MiniLmEmbedder(found, threads=threads, remembered=remembered))
