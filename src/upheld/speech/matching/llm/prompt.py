"""The instructions of the matcher, from a Markdown file with a name and a version."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Instructions to a language model; whoever changes the text gives it another version."""

    name: str
    version: str
    text: str

    @property
    def label(self) -> str:
        """Name and version, as they stand in requests and verdicts."""
        return f"{self.name}@{self.version}"


@cache
def prompt_named(name: str) -> Prompt:
    """Give the instructions in ``prompts/<name>.md``; read once."""
    written = files("upheld.speech.matching").joinpath("prompts", f"{name}.md").read_text("utf-8")
    _, front, text = written.split("---\n", maxsplit=2)
    fields = dict(line.split(": ", maxsplit=1) for line in front.strip().splitlines())
    return Prompt(name=fields["name"], version=fields["version"], text=text.strip())
