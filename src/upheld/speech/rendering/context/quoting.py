"""What people and documents said, as a quotation that it cannot leave.

Stored text is data: whatever it tells a reader to do, it says so inside its quotation marks, on one line, with nothing
in it that could close them, open a tag, or be seen by the language model and not by a person.
"""

from __future__ import annotations

import re

from upheld.speech.rendering.lines import one_line

LONGEST_QUOTE = 320
"""Characters of one quotation; the rest is cut, and shown to be."""

LONGEST_NAME = 60

_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef]")
"""Characters that no reader sees and a tokenizer does, such as tags and joiners."""

_ESCAPED = re.compile(r'[\\"]|<(?=[/!?|a-zA-Z])|```|~~~')
_NAME_MARKS = re.compile(r'["\\`<>(){}\[\],;|]')


def quotation(text: str, *, limit: int = LONGEST_QUOTE) -> str:
    r"""Give a text in double quotes on one line; quotes, backslashes, openings of tags and fences are escaped.

    ``"`` becomes ``\"``, ``\`` becomes ``\\``, ``<`` before a letter or a slash becomes ``\u003c``, a fence is broken.
    """
    line = one_line(_UNSEEN.sub("", text), limit=limit)
    return f'"{_ESCAPED.sub(_escape, line)}"'


def name(text: str) -> str:
    """Give an id or a name of strangers as a bare word or two: on one line, without marks that mean something."""
    return _NAME_MARKS.sub("_", one_line(_UNSEEN.sub("", text), limit=LONGEST_NAME))


def _escape(found: re.Match[str]) -> str:
    mark = found.group()
    if mark == "<":
        return "\\u003c"
    return " ".join(mark) if len(mark) > 1 else f"\\{mark}"
