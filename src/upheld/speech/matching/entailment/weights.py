"""Where a user's own network for natural language inference is, and what its configuration says of it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from upheld.errors import MalformedInput, UpheldError
from upheld.speech.embedding.weights import digest_of
from upheld.speech.matching.entailment.labels import Order, order_of

PATH_VARIABLE = "UPHELD_NLI_PATH"
"""Names a folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``."""

NETWORKS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
"""Where exports put the network; the first that is there is used."""

TOKENIZER, CONFIGURATION = "tokenizer.json", "config.json"

MOST_PIECES = 512
"""Word pieces of a pair that are read at most, marks included, whatever the configuration allows."""

_OFFSET = 2
"""Places that RoBERTa and its kin count beyond the pieces that they read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NliWeights:
    """Files of one network. ``name`` ends in the first digits of its digest.

    ``order`` is the place of each label among the outputs, ``longest`` the most pieces of a pair, ``padding`` the
    number of the piece that fills up a row of a fixed length.
    """

    name: str
    network: Path
    tokenizer: Path
    order: Order
    longest: int
    padding: int


def nli_weights(path: Path | None = None) -> NliWeights:
    """Find a network: in a folder, else in that of ``UPHELD_NLI_PATH``.

    Tokenizer and configuration lie in that folder, or beside the network in ``onnx/``.

    Raises:
        UpheldError: no folder is named.
        MalformedInput: a file is missing or cannot be read, or the configuration does not name the three labels.

    Cost: reads the network once for the digest.
    """
    named = path or (Path(os.environ[PATH_VARIABLE]) if os.environ.get(PATH_VARIABLE) else None)
    if named is None:
        raise UpheldError(
            "matching by natural language inference asks a network of your own, and none is named: set "
            f"{PATH_VARIABLE} to a folder with {NETWORKS[0]}, {TOKENIZER} and {CONFIGURATION}"
        )
    network = next((named / name for name in NETWORKS if (named / name).is_file()), None)
    if network is None:
        raise MalformedInput(f"has no network: needed is one of {', '.join(NETWORKS)}", source=str(named))
    configuration = _beside(named, network, CONFIGURATION)
    told = _read(configuration)
    return NliWeights(
        name=f"{named.resolve().name}@{_digest(network)[:12]}",
        network=network,
        tokenizer=_beside(named, network, TOKENIZER),
        order=order_of(told, str(configuration)),
        longest=min(MOST_PIECES, _number(told, "max_position_embeddings", MOST_PIECES + _OFFSET) - _OFFSET),
        padding=_number(told, "pad_token_id", 0),
    )


def _beside(folder: Path, network: Path, name: str) -> Path:
    found = next((each / name for each in (folder, network.parent) if (each / name).is_file()), None)
    if found is None:
        raise MalformedInput(f"has no {name}: it belongs to every export of a network", source=str(folder))
    return found


def _read(path: Path) -> Mapping[str, object]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    # A tree that is nested too deeply ends in a RecursionError.
    except (OSError, ValueError, RecursionError) as error:
        raise MalformedInput(f"no configuration of a network: {error}", source=str(path)) from error
    if not isinstance(told, dict):
        raise MalformedInput("no configuration of a network: needed is an object with id2label", source=str(path))
    return cast("Mapping[str, object]", told)


def _number(told: Mapping[str, object], key: str, otherwise: int) -> int:
    found = told.get(key)
    return found if isinstance(found, int) and found >= 0 else otherwise


def _digest(network: Path) -> str:
    """Give the digest of the file; where its tensors lie beside it, one over the digests of all its files."""
    beside = sorted(each for each in network.parent.glob(f"{network.name}[._]data*") if each.is_file())
    own = digest_of(network)
    return hashlib.sha256("".join((own, *map(digest_of, beside))).encode()).hexdigest() if beside else own
