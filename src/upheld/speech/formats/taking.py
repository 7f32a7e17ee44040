"""Conversations of a file, one after the other, and one of them taken by its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from upheld.errors import MalformedInput, SeveralConversations
from upheld.speech.formats.exports.head import Head, head_of
from upheld.speech.formats.exports.sources import Archive, Source
from upheld.speech.formats.exports.tally import Damaged, Tally
from upheld.speech.formats.registry import Export, export_of
from upheld.speech.formats.transcript import Transcript

MAX_LISTED = 20
"""Names of conversations that a message lists."""

MAX_OFFERED = 1_000
"""Conversations that an error has, for a program that lets somebody choose."""

HOW = "after # or by --conversation"
"""How the command line is told which conversation of a file is meant."""

MAX_LOOKED_AT = 1_000
"""Members of an archive that are looked at for a form that is read file by file."""

_FIRST = ("conversations.json", "result.json", "_chat.txt", "MyActivity.json")
_BLANKS = re.compile(r"\s+")


class Transcripts(Iterator[Transcript]):
    """The conversations of a file, read as they are asked for; each has an id of its own.

    ``form`` is the name of the form. ``tally`` collects what is damaged or left out, and grows while the file is read.
    """

    def __init__(self, form: str, found: Iterator[Transcript], tally: Tally, *, name: str) -> None:
        """Give the conversations of a file of this name."""
        self.form = form
        self.tally = tally
        self.name = name
        self.count = 0
        self._found = found
        self._seen: Counter[str] = Counter()

    @property
    def damaged(self) -> Sequence[Damaged]:
        """Records that could not be read so far."""
        return self.tally.damaged

    @property
    def left_out(self) -> Counter[str]:
        """What was no turn so far, counted by kind."""
        return self.tally.left_out

    def __iter__(self) -> Transcripts:
        """Be its own iterator."""
        return self

    def __next__(self) -> Transcript:
        """Give the next conversation.

        Raises:
            MalformedInput: the file is at its end, and nothing in it could be read.
        """
        found = next(self._found, None)
        if found is None:
            if not self.count:
                why = self.damaged[0] if self.damaged else None
                told = f"nothing could be read: {why.place}: {why.why}" if why else "there is no conversation in it"
                raise MalformedInput(f"{told} (read as {self.form})", source=self.name)
            raise StopIteration
        self.count += 1
        id = _BLANKS.sub("-", found.id.strip()).lstrip("~") or str(self.count)
        self._seen[id] += 1
        return replace(found, id=id if self._seen[id] == 1 else f"{id}.{self._seen[id]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One conversation of a file, and what a reader of it should know.

    ``count`` is how many the file has; ``damaged`` and ``left_out`` are of the whole file, ``unlisted`` the damaged
    records beyond those that are listed.
    """

    transcript: Transcript
    form: str
    count: int = 1
    damaged: tuple[Damaged, ...] = ()
    unlisted: int = 0
    left_out: dict[str, int] = field(default_factory=dict[str, int])


def transcripts_in(source: Source | Archive, export: Export, head: Head) -> Transcripts:
    """Give the conversations of a file in a form that is known."""
    tally = Tally()
    if isinstance(source, Archive):
        if export.read_archive is None:
            return Transcripts(export.name, _of_members(source, export, tally), tally, name=source.name)
        return Transcripts(export.name, export.read_archive(source, tally), tally, name=source.name)
    if export.read is None:
        raise MalformedInput(f"{export.name} is a zip or a folder, and this is a file", source=source.name)
    return Transcripts(export.name, export.read(source, head, tally), tally, name=source.name)


def export_in(archive: Archive) -> Export | None:
    """Give the form of an archive: that of the whole, or of the first member that has one."""
    whole = export_of(head_of(archive))
    if whole is not None:
        return whole
    found = (export_of(head_of(source)) for source in _readable(archive))
    return next((export for export in found if export is not None), None)


def take(transcripts: Transcripts, conversation: str, *, name: str, how: str = HOW) -> Taken:
    """Take one conversation, and read the file to its end for what is damaged in it.

    Raises:
        SeveralConversations: there are several and none was named; the message says ``how`` one is.
        MalformedInput: none has that name; the message lists their ids.
    """
    chosen: Transcript | None = None
    titles: dict[str, str] = {}
    for each in transcripts:
        if len(titles) < MAX_OFFERED:
            titles[each.id] = each.title
        if chosen is None and conversation in ("", each.id):
            chosen = each
    if not conversation and transcripts.count > 1:
        raise SeveralConversations(
            f"{transcripts.count} conversations: name one {how}; they are {_listed(titles)}",
            conversations=titles,
            source=transcripts.name,
        )
    if chosen is None:
        raise MalformedInput(f"no conversation {conversation!r}; they are {_listed(titles)}", source=transcripts.name)
    if transcripts.count == 1 and chosen.id == "1":
        chosen = replace(chosen, id=name)
    return Taken(
        transcript=chosen,
        form=transcripts.form,
        count=transcripts.count,
        damaged=tuple(transcripts.damaged),
        unlisted=transcripts.tally.unlisted,
        left_out=dict(transcripts.left_out),
    )


def _of_members(archive: Archive, export: Export, tally: Tally) -> Iterator[Transcript]:
    if export.read is None:
        return
    for source in _readable(archive):
        head = head_of(source)
        if export.sniff(head):
            yield from export.read(source, head, tally)


def _readable(archive: Archive) -> list[Source]:
    """Give the members that may hold conversations, those that usually do first."""
    names = sorted(archive.members, key=lambda name: (not name.endswith(_FIRST), name))
    endings = (".json", ".jsonl", ".ndjson", ".txt", ".traj")
    return [archive.members[name] for name in names if name.casefold().endswith(endings)][:MAX_LOOKED_AT]


def _listed(ids: Collection[str]) -> str:
    more = ", and more" if len(ids) > MAX_LISTED else ""
    return ", ".join(islice(ids, MAX_LISTED)) + more
