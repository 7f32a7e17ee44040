"""Where the trained weights are, and whether they are those that were measured.

The encoder and its heads lie beside this file, eleven megabytes in eight bits, with a card that says on what they were
trained and what they reach. The table of word vectors and the tokenizer are those of the embedder's package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from upheld.errors import MalformedInput
from upheld.speech.embedding.weights import PACKAGE, PINNED, TENSORS, TOKENIZER, digest_of, pinned_folder

FOLDER = Path(__file__).parent / "files"
"""Where the weights of this release lie."""

NETWORK, CARD = "judge.onnx", "judge.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedWeights:
    """Files of one network. ``name`` ends in the first digits of its digest; ``card`` is what is told of it."""

    name: str
    network: Path
    tokenizer: Path
    words: Path
    words_offset: int
    words_shape: tuple[int, int]
    card: Mapping[str, Any]


def trained_weights(folder: Path = FOLDER) -> TrainedWeights:
    """Find the weights of this release, or of a folder that ``make models`` wrote.

    Raises:
        MissingExtra: the package with the word vectors is not installed.
        MalformedInput: a file is missing, or differs from the digest on the card.

    Cost: reads all of it once for the digests, 100 MB.
    """
    card = _card(folder / CARD)
    found = digest_of(folder / NETWORK)
    if found != card.get("sha256"):
        raise MalformedInput(
            f"not the weights that the card tells of: SHA-256 {found}, expected {card.get('sha256')}; install upheld "
            "again, or make them with `make models`",
            source=str(folder / NETWORK),
        )
    package = pinned_folder()
    words = cast("Mapping[str, Any]", card["words"])
    if words["sha256"] != PINNED[TENSORS]:
        raise MalformedInput(
            f"were trained on other word vectors ({words['sha256']}) than those of {PACKAGE}: make them anew with "
            "`make models`",
            source=str(folder / NETWORK),
        )
    return TrainedWeights(
        name=f"{card['name']}@{found[:12]}",
        network=folder / NETWORK,
        tokenizer=package / TOKENIZER,
        words=package / TENSORS,
        words_offset=int(words["offset"]),
        words_shape=(int(words["rows"]), int(words["width"])),
        card=card,
    )


def _card(path: Path) -> Mapping[str, Any]:
    try:
        return cast("Mapping[str, Any]", json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise MalformedInput(f"no card of trained weights: {error}", source=str(path)) from error
