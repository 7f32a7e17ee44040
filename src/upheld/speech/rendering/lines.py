"""Text of strangers as one safe line: what the writers of this package print."""

from __future__ import annotations

import re

# Patterns are left to the cache of ``re``: compiling these costs more than the rest of the import.
_BREAKS = r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+"
# XML 1.0, section 2.2: no other character may stand in a document, not even escaped.
_NOT_XML = "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def one_line(text: str, *, limit: int = 0) -> str:
    """Give a text on one line, cut to ``limit`` characters with an ellipsis (0: not cut).

    Line breaks, control characters and marks that reverse the reading direction become a space, so that a quoted text
    can neither start a line of its own nor hide one.
    """
    line = re.sub(_BREAKS, " ", text).strip()
    return line if limit <= 0 or len(line) <= limit else f"{line[: max(limit - 1, 0)].rstrip()}…"


def xml_text(text: str) -> str:
    """Give a text with each character that XML 1.0 cannot carry replaced by U+FFFD."""
    return re.sub(_NOT_XML, "\ufffd", text)
