"""Where something came from, down to a place in a document or a tool call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """A source outside the conversation: a document, a tool call, a remembered episode.

    ``uri`` identifies it, ``version`` tells one content from the next, ``span`` is the place in it in the source's own
    terms (``"lines 14-18"``, ``"chars 20:41"``), ``method`` how it was read.
    """

    uri: str
    version: str = ""
    span: str = ""
    method: str = ""
