"""Instructions to language models: Markdown files with a name and a version, wherever in the package they lie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from upheld.errors import MalformedInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Instructions, or several put together; ``label`` names each part with its version (``definitions@1``)."""

    label: str
    text: str


@lru_cache(maxsize=64)
def prompt_in(folder: str, name: str) -> Prompt:
    """Load one file of instructions from a package (``upheld.speech.matching.prompts``); read once.

    It has a front matter with ``name`` and ``version`` between ``---``, then the text. Whoever changes the text gives
    it another version.

    Raises:
        MalformedInput: the file has no front matter, another name than its own, or no words.
    """
    source = f"{name}.md"
    raw = files(folder).joinpath(source).read_text("utf-8")
    head, fields, text = _parts(raw, source)
    if head or fields.get("name") != name or not fields.get("version"):
        raise MalformedInput(f"the front matter needs name: {name} and a version", source=source)
    if not text:
        raise MalformedInput("there are no words after the front matter", source=source)
    return Prompt(label=f"{name}@{fields['version']}", text=text)


def joined(*prompts: Prompt) -> Prompt:
    """Put instructions together in this order; the label names all of them."""
    return Prompt(
        label="+".join(prompt.label for prompt in prompts), text="\n\n".join(prompt.text for prompt in prompts)
    )


def _parts(raw: str, source: str) -> tuple[str, dict[str, str], str]:
    pieces = raw.split("---\n", 2)
    if len(pieces) != 3:
        raise MalformedInput("there is no front matter between --- and ---", source=source)
    head, matter, text = pieces
    pairs = (line.partition(":") for line in matter.splitlines() if line.strip())
    return head.strip(), {key.strip(): value.strip() for key, _, value in pairs}, text.strip()
