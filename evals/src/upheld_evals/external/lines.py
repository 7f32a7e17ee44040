"""Files of one JSON object a line, read into values; a line that is none of them is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from upheld.errors import MalformedInput

Made = TypeVar("Made")


def read_lines(path: Path, made: Callable[[dict[str, Any]], Made], what: str) -> list[Made]:
    """Give what ``made`` makes of each line; ``what`` says in an error what a line should be.

    Raises:
        MalformedInput: a line that is no JSON, or lacks what is needed; or a file without any.
    """
    found: list[Made] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(made(json.loads(line)))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise MalformedInput(f"no {what}", source=str(path), line=number) from error
    if not found:
        raise MalformedInput(f"no {what} in it", source=str(path))
    return found
