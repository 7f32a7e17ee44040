"""Annotated files as a suite reads them: from paths that are given, or from the folder that the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from upheld.errors import MalformedInput, UpheldError
from upheld.speech.formats.gold import Gold
from upheld.speech.formats.reading import read_transcript
from upheld.speech.formats.transcript import FORMAT, Transcript
from upheld_evals.harness.sources import digest_of

SHARED = "UPHELD_SHARED"
"""Environment variable with the folder that holds ``corpus`` and ``data``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledFile:
    """An annotated file with its labels."""

    path: Path
    transcript: Transcript
    gold: Gold

    @property
    def name(self) -> str:
        """Name without folder and ending."""
        return self.path.stem


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Some annotated files, with what to call them and a hash of their contents."""

    name: str
    files: tuple[LabelledFile, ...]
    digest: str

    @property
    def counts(self) -> str:
        """Say how much there is."""
        turns = sum(len(each.transcript.turns) for each in self.files)
        items = sum(len(each.gold.verify) for each in self.files)
        return f"{self.name}: {len(self.files)} files, {turns} turns, {items} verify items"


def shared_folder() -> Path | None:
    """Give the folder with the shared corpora, or ``None`` where the environment names none."""
    named = os.environ.get(SHARED)
    return Path(named) if named else None


def shared(*parts: str) -> Path:
    """Give a path below the shared folder.

    Raises:
        UpheldError: the environment names no such folder, or it has no such path.
    """
    folder = shared_folder()
    path = folder.joinpath(*parts) if folder is not None else None
    if path is None or not path.exists():
        wanted = "/".join(parts)
        raise UpheldError(f"this needs {wanted}: name it with --data, or set {SHARED} to the folder that holds it")
    return path


def read_corpus(paths: Sequence[Path], *, name: str = "") -> Corpus:
    """Read annotated files; a folder stands for those below it.

    Raises:
        MalformedInput: there are none, or one cannot be read.
    """
    found = tuple(sorted({file for path in paths for file in _files_in(path)}))
    if not found:
        raise MalformedInput("no annotated files", source=", ".join(map(str, paths)))
    files = tuple(_labelled(path) for path in found)
    return Corpus(name=name or " + ".join(path.name for path in paths), files=files, digest=digest_of(found))


def only(corpus: Corpus, *names: str) -> LabelledFile:
    """Give the one file of a corpus whose conversation has one of these ids.

    Raises:
        UpheldError: there is none.
    """
    for each in corpus.files:
        if each.transcript.id in names:
            return each
    raise UpheldError(f"{corpus.name} has no conversation {' or '.join(names)}")


def _files_in(path: Path) -> Iterable[Path]:
    if not path.is_dir():
        return (path,)
    return (each for each in path.rglob("*") if each.suffix in {".yaml", ".yml", ".json"} and _is_marked(each))


def _is_marked(path: Path) -> bool:
    with path.open("rb") as file:
        return FORMAT.encode() in file.read(4096)


def _labelled(path: Path) -> LabelledFile:
    transcript = read_transcript(path)
    if not transcript.is_annotated:
        raise MalformedInput("no annotated transcript: there is nothing to score against", source=str(path))
    return LabelledFile(path=path, transcript=transcript, gold=transcript.gold or Gold())
