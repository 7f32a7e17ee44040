"""The formats a picture can be written in, under the names that people type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from upheld.speech.rendering.dot import dot
from upheld.speech.rendering.graphml import graphml
from upheld.speech.rendering.mermaid import mermaid
from upheld.speech.rendering.picture import Picture
from upheld.speech.rendering.prov import prov

PICTURE_WRITERS: Mapping[str, Callable[[Picture], str]] = MappingProxyType(
    {"mermaid": mermaid, "dot": dot, "graphml": graphml, "prov": prov}
)
"""Name of a format → the function that writes a picture in it."""
