"""Hashes of what decides an answer: data files, and the source code of what is measured."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import upheld
import upheld_evals


def digest_of(paths: Iterable[Path]) -> str:
    """Give a hash of files' contents, in this order; names and places do not matter. Cost: reading them."""
    total = hashlib.sha256()
    for path in paths:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


@cache
def source_digest() -> str:
    """Give a hash of the source of ``upheld`` and of this package.

    An arm that runs in this process answers otherwise when either changes, whatever the version says.
    """
    total = hashlib.sha256()
    for package in (upheld, upheld_evals):
        for folder in package.__path__:
            for path in sorted(Path(folder).rglob("*.py")):
                total.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:16]
