"""Files written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from upheld.errors import UpheldError


def refuse_overwriting(path: Path, *, is_forced: bool) -> None:
    """Refuse a target that is there already, unless forced.

    Raises:
        UpheldError: it is there.
    """
    if path.exists() and not is_forced:
        raise UpheldError(f"{path} is there already; add --force to overwrite it")


def write_whole(contents: Mapping[Path, str]) -> None:
    """Write files, each through a neighbour that then takes its place; folders on the way are made.

    All neighbours are written before the first takes a place, so a full disk leaves every target as it was.

    Raises:
        UpheldError: one cannot be written.
    """
    waiting: dict[Path, Path] = {}
    path = Path()
    try:
        for path, text in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            neighbour = path.with_name(f".{path.name}.{os.getpid()}")
            waiting[path] = neighbour
            neighbour.write_text(text, encoding="utf-8", newline="\n", errors="replace")
        for path, neighbour in waiting.items():
            neighbour.replace(path)
    except OSError as error:
        raise UpheldError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        for neighbour in waiting.values():
            neighbour.unlink(missing_ok=True)
