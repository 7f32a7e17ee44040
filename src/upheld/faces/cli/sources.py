"""What a FILE on the command line means: a transcript in a file, on standard input, or a conversation in a store."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from upheld.conversation.asking.questions import Snapshot
from upheld.conversation.asking.transcribing import transcribed, untold
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.conversation.wiring import is_address, opened_store, without_password
from upheld.errors import LimitExceeded, MalformedInput, UnknownConversation
from upheld.faces.cli.closing import closed_at_the_end
from upheld.faces.cli.console import note, progress
from upheld.faces.cli.options import FileOptions, Reading
from upheld.record.stores.tenants import DEFAULT
from upheld.speech.formats.reading import MAX_FILE, taken_from, taken_from_bytes
from upheld.speech.formats.taking import Taken
from upheld.speech.formats.transcript import FORMAT, Transcript
from upheld.speech.models.language_model import LanguageModel

STDIN = "-"
_STDIN_NAME = "<stdin>"
_BEGINNING = 4096
MOST_DAMAGED = 10
"""Damaged records that are noted one by one."""
_AS_IT_IS = FileOptions()
_ENDINGS = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreAddress:
    """A conversation in a store: ``url#id``; without an id, the only one that the store has."""

    url: str
    id: str
    tenant: str = DEFAULT

    @classmethod
    def read(cls, name: str, *, tenant: str = DEFAULT) -> StoreAddress | None:
        """Read an address; ``None`` when the name is that of a file."""
        if not is_address(name):
            return None
        url, _, id = name.partition("#")
        return cls(url=url, id=id, tenant=tenant)

    def opened(self) -> Conversation:
        """Open the conversation, until the command ends.

        Raises:
            StoreError: there is no such store (none is made), or no such conversation in it.
        """
        if self.id:
            return closed_at_the_end(Conversation.open(self.url, id=self.id, tenant=self.tenant))
        with opened_store(self.url, tenant=self.tenant, must_exist=True) as store:
            there = store.conversations()
        if len(there) != 1:
            listed = ", ".join(there) or "none at all"
            raise UnknownConversation(f"{without_password(self.url)}: name a conversation after #; it has {listed}")
        return closed_at_the_end(Conversation.open(self.url, id=there[0], tenant=self.tenant))


def transcript_of(name: str, options: FileOptions = _AS_IT_IS) -> Transcript:
    """Read a transcript from a file, an export or standard input, and note what was left out of it.

    ``name#id`` is the conversation ``id`` of a file, unless there is a file of that whole name.

    Raises:
        MalformedInput: it cannot mean anything; file, line and key are named. Or there are several conversations.
        LimitExceeded: it is too large.
    """
    if StoreAddress.read(name) is not None:
        raise MalformedInput("a store is no transcript: convert it to a file first", source=without_password(name))
    if options.tenant != DEFAULT:
        raise MalformedInput("a file has no tenants: name a store", source=name, key="--tenant")
    if name == STDIN:
        content = sys.stdin.buffer.read(MAX_FILE + 1)
        if len(content) > MAX_FILE:
            raise LimitExceeded(f"{_STDIN_NAME}: larger than {MAX_FILE} bytes")
        taken = taken_from_bytes(content, source=_STDIN_NAME, form=options.form, conversation=options.conversation)
    else:
        path, conversation = _path_of(name)
        if conversation and options.conversation not in ("", conversation):
            raise MalformedInput("another conversation stands after #", source=name, key="--conversation")
        taken = taken_from(path, form=options.form, conversation=conversation or options.conversation)
    _note_what_was_left(taken, name)
    return taken.transcript


def _path_of(name: str) -> tuple[Path, str]:
    path, sign, id = name.rpartition("#")
    return (Path(path), id) if sign and path and not Path(name).exists() else (Path(name), "")


def _note_what_was_left(taken: Taken, name: str) -> None:
    if taken.count > 1:
        note(f"{name}: {taken.count} conversations; this is {taken.transcript.id} ({taken.form})")
    if taken.left_out:
        counted = ", ".join(f"{count} {kind}" for kind, count in sorted(taken.left_out.items()))
        note(f"{name}: no turns were made of {counted}")
    for damaged in taken.damaged[:MOST_DAMAGED]:
        note(f"{name}: {damaged.place}: {damaged.why}; left out")
    more = len(taken.damaged) - MOST_DAMAGED + taken.unlisted
    if more > 0:
        note(f"{name}: {more} more damaged records were left out")


def conversation_of(
    name: str,
    reading: Reading = Reading.AUTO,
    *,
    options: FileOptions = _AS_IT_IS,
    llm: LanguageModel | None = None,
) -> Conversation:
    """Give the conversation of a transcript, told to its end, or open the one in a store; raises as both do."""
    address = StoreAddress.read(name, tenant=options.tenant)
    if address is not None:
        return replace(address, id=address.id or options.conversation).opened()
    transcript = transcript_of(name, options)
    with progress("reading") as advance:
        return loaded(transcript, interpreter=reading.name_of_interpreter, progress=advance, llm=llm)


def snapshot_of(
    name: str, *, at: str, reading: Reading, options: FileOptions = _AS_IT_IS, llm: LanguageModel | None = None
) -> Snapshot:
    """Give a conversation as of a turn, or as it is now; raises also when there is no such turn."""
    return snapshot_at(conversation_of(name, reading, options=options, llm=llm), at)


def snapshot_at(conversation: Conversation, at: str) -> Snapshot:
    """Give a conversation as of a turn, or as it is now; raises also when there is no such turn."""
    return conversation.at(at) if at else Snapshot(conversation.state, seen_by=conversation.seen_by)


def transcript_told(conversation: Conversation) -> Transcript:
    """Give a conversation of a store as an annotated transcript.

    What was taken back outside any turn has no place in that format; it is left out, and said so.
    """
    left_out = untold(conversation)
    if left_out:
        note(f"{left_out} retractions by the keeper of the record are left out: a transcript holds only turns")
    return transcribed(conversation)


def files_under(names: Sequence[str]) -> list[Path]:
    """Give the files of some paths, each folder standing for the annotated transcripts below it, sorted.

    Inside a folder a file without the format's name near its beginning is passed over: other things lie there too.

    Raises:
        MalformedInput: a folder without any.
    """
    found: list[Path] = []
    for name in names:
        path = Path(name)
        if not path.is_dir():
            found.append(path)
            continue
        within = sorted(each for each in path.rglob("*") if each.suffix in _ENDINGS and _is_marked(each))
        if not within:
            raise MalformedInput(f"a folder without a file of the format {FORMAT}", source=name)
        found.extend(within)
    return found


def _is_marked(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return FORMAT.encode() in file.read(_BEGINNING)
