"""Recorded replies of several files as one language model: a later round does not have to be copied into the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from upheld.errors import MalformedInput, NoRecording
from upheld.speech.models.batches.responses import read_responses
from upheld.speech.models.collecting import ImportedModel
from upheld.speech.models.reply import Reply
from upheld.speech.models.request import Request


class RecordedReplies:
    """Answers with the first file that has a reply, and nothing else; all files are of one language model."""

    def __init__(self, files: Sequence[ImportedModel]) -> None:
        """Take the files in the order in which they are looked into; at least one."""
        self.name = files[0].name
        self._files = files

    def ask(self, request: Request, /) -> Reply:
        """Give the recorded reply, as ``reused``.

        Raises:
            NoRecording: no file has one.
        """
        for file in self._files:
            try:
                return file.ask(request)
            except NoRecording:
                continue
        raise NoRecording(request.key, prompt=request.prompt)


def recorded_replies(paths: Sequence[Path]) -> RecordedReplies:
    """Read recordings, and batches that came back; a folder stands for the files ``*.jsonl`` in it, by name.

    Raises:
        MalformedInput: there is no such file, one cannot be read, or they are of several language models: figures of a
            mixture would have nobody's name.
    """
    files = [(path, ImportedModel(read_responses(path))) for each in paths for path in _files_in(each)]
    if not files:
        raise MalformedInput("no recordings are there", source=", ".join(map(str, paths)))
    names = {file.name: path for path, file in reversed(files)}
    if len(names) > 1:
        told = "; ".join(f"{path}: {name}" for name, path in names.items())
        raise MalformedInput(f"recordings of several language models, name those of one: {told}")
    return RecordedReplies([file for _, file in files])


def _files_in(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(path.glob("*.jsonl"))
    else:
        yield path
