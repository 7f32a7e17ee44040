"""Standard input and output for messages alone. Knows nothing of the protocol, so that it can be taken first of all."""

from __future__ import annotations

import os
from io import TextIOWrapper

Wire = tuple[TextIOWrapper, TextIOWrapper]
"""What the host writes, and what it reads."""


def claimed_wire() -> Wire:
    """Take standard input and output for the protocol alone, for as long as the process lives.

    Whatever else is written to standard output from now on, by a log, a plug-in or a child of it, goes to standard
    error: one line that is no message ends the session. What was printed before and not sent yet goes there as well.
    They are not given back: a line printed at exit would be one too many.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return (
        TextIOWrapper(os.fdopen(incoming, "rb"), encoding="utf-8", errors="replace"),
        TextIOWrapper(os.fdopen(outgoing, "wb"), encoding="utf-8", newline="\n"),
    )
