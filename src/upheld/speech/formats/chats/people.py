"""People of a chat by their identity: two who have one display name are two."""

from __future__ import annotations


class People:
    """Names by identity, in the order in which they are met."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._names: dict[str, str] = {}
        self._taken: dict[str, str] = {}

    def name(self, id: str, name: str) -> str:
        """Give the name of an identity: the first that it had, with the identity behind it where another has it."""
        id = id or name
        if id not in self._names:
            plain = name.strip() or id or "unnamed"
            owner = self._taken.setdefault(plain.casefold(), id)
            self._names[id] = plain if owner == id else f"{plain} ({id})"
        return self._names[id]
