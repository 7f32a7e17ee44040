"""Which samples there are, read from the files beside this one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from upheld.conversation.checking.replaying import loaded
from upheld.logic.language.identities import ConversationId
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.record.ledger.store import Store
from upheld.speech.formats.reading import taken_from_bytes
from upheld.speech.formats.transcript import Transcript

NAMES = ("greenhouse", "hall", "moving")
"""The samples in the order in which they are offered."""

PREFIX = "sample-"
"""How the names of their conversations begin."""

ABOUT = {
    "greenhouse": "A likely cause is given up, what rested on it falls, and a sensor turns out to have been wrong.",
    "hall": "A decision is made over dissent; its grounds fall later, and it has to be looked at again.",
    "moving": "Values are replaced twice; the assistant's last reply rests on an old one.",
}

FLAGGED = {"greenhouse": "T8"}
"""The reply of a sample that is put before a person, with what is found of it right before it is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """One sample: under which name it is asked for, and its conversation."""

    name: str
    about: str
    transcript: Transcript

    @property
    def conversation(self) -> ConversationId:
        """Name of its conversation."""
        return ConversationId(self.transcript.id)


def put(name: str, store: Store, *, policy: SourcePolicy = PEOPLE_AND_TOOLS) -> ConversationId:
    """Put a sample into a store as a conversation of its own, and give its name.

    Raises:
        VersionConflict: it is there already, and is left as it is.
    """
    transcript = packaged(name).transcript
    turns = list(transcript.turns)
    place = next((place for place, turn in enumerate(turns) if turn.id == FLAGGED.get(name)), len(turns))
    talk = loaded(replace(transcript, turns=tuple(turns[:place])), policy=policy)
    for turn in turns[place:]:
        if turn.id == FLAGGED.get(name):
            talk.flag(turn.text, speaker=turn.speaker, by="guard", note="Flagged before it was said.")
        talk.tell(turn)
    talk.copy_to(store)
    return talk.id


@cache
def packaged(name: str) -> Packaged:
    """Read a sample; one of :data:`NAMES`. Cost: reading a small file, once."""
    content = (files(__package__ or "") / f"{name}.json").read_bytes()
    return Packaged(name=name, about=ABOUT[name], transcript=taken_from_bytes(content, source=name).transcript)
