"""A text as a framework and back, whatever its format."""

from __future__ import annotations

from enum import StrEnum

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.af import read_af, write_af
from upheld.logic.argumentation.formats.apx import read_apx, write_apx
from upheld.logic.argumentation.formats.tgf import read_tgf, write_tgf
from upheld.logic.argumentation.framework import Framework


class Form(StrEnum):
    """A text format of the competitions."""

    AF = "af"
    APX = "apx"
    TGF = "tgf"


READERS = {Form.AF: read_af, Form.APX: read_apx, Form.TGF: read_tgf}
WRITERS = {Form.AF: write_af, Form.APX: write_apx, Form.TGF: write_tgf}


def form_named(name: str) -> Form | None:
    """Tell by its suffix of which format a file is; ``None`` where it has none of theirs.

    The suffixes of the dynamic track, ``apxm`` and ``tgfm``, are files of edits, not of frameworks.
    """
    suffix = name.rpartition(".")[2].lower()
    return Form(suffix) if suffix in set(Form) else None


def form_of(text: str, *, name: str = "") -> Form:
    """Tell of which format a text is: by the suffix of its file, else by its first line that says something.

    Raises:
        MalformedInput: neither tells.
    """
    if (named := form_named(name)) is not None:
        return named
    for content in text.splitlines():
        line = content.strip()
        if line.startswith("p af"):
            return Form.AF
        if line.startswith(("arg(", "att(", "%")):
            return Form.APX
        # What follows # is a comment of af; alone on its line it is the mark of tgf, here of one without arguments.
        if line == "#" or (line and not line.startswith("#")):
            return Form.TGF
    raise MalformedInput(f"no framework in it; formats: {', '.join(Form)}", source=name)


def framework_from(text: str, *, name: str = "", form: Form | None = None) -> Framework[str]:
    """Read a framework in the given format, or in the one that ``name`` or the first line tells.

    Raises:
        MalformedInput: the text cannot mean anything; ``name`` and the line stand in the message.
        LimitExceeded: it is larger than the format's reader takes.
    """
    return READERS[form or form_of(text, name=name)](text, source=name)


def text_of(framework: Framework[str], form: Form) -> str:
    """Write a framework without supports.

    Raises:
        MalformedInput: it has supports, or a name that the format cannot carry.
    """
    return WRITERS[form](framework)
