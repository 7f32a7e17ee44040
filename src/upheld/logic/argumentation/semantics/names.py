"""The semantics that can be asked for, by their plain names."""

from __future__ import annotations

from enum import StrEnum


class Semantics(StrEnum):
    """What makes a set of arguments an extension; S is such a set, and all else is defined in ``framework.py``.

    With supports every definition reads the same, since ``rejected(S)`` and being supported say what they change.
    Where S is stable it is semi-stable and stage as well, and then nothing else is.
    """

    ADMISSIBLE = "admissible"
    """Conflict-free, supported, and defends each member (Dung 1995, definition 6)."""
    COMPLETE = "complete"
    """Admissible, and holds all that it defends (Dung 1995, definition 23)."""
    GROUNDED = "grounded"
    """The least complete set (Dung 1995, definition 20)."""
    PREFERRED = "preferred"
    """Admissible, and no admissible set is larger (Dung 1995, definition 7)."""
    STABLE = "stable"
    """Admissible, and rejects all that is not in it; there may be none (Dung 1995, definition 13)."""
    SEMI_STABLE = "semi-stable"
    """Admissible, with S and ``rejected(S)`` together as large as an admissible set has them (Caminada 2006)."""
    IDEAL = "ideal"
    """The largest admissible set that lies in every preferred one (Dung, Mancarella and Toni 2007)."""
    STAGE = "stage"
    """Conflict-free and supported, with S and ``rejected(S)`` as large as such a set has them (Verheij 1996)."""
