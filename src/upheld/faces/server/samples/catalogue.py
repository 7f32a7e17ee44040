"""Which samples there are, read from the files beside this one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """One sample: under which name it is asked for, and its conversation."""

    name: str
    about: str
    transcript: Transcript


@cache
def packaged(name: str) -> Packaged:
    """Read a sample; one of :data:`NAMES`. Cost: reading a small file, once."""
    content = (files(__package__ or "") / f"{name}.json").read_bytes()
    return Packaged(name=name, about=ABOUT[name], transcript=taken_from_bytes(content, source=name).transcript)
