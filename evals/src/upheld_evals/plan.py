"""What a run of some suites is told, and what a suite is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from upheld_evals.harness.gateway import Answering
from upheld_evals.harness.running import Settings
from upheld_evals.harness.suite import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is run: suites by name, over which data, and who answers.

    ``data`` are files or folders instead of the shared ones; ``repeats`` is how often each item is asked.
    """

    suites: tuple[str, ...]
    data: tuple[Path, ...] = ()
    interpreters: tuple[str, ...] = ("cues",)
    matchers: tuple[str, ...] = ("text",)
    answering: Answering = field(default_factory=Answering)
    repeats: int = 1
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A suite that can be asked for by name; ``data`` says what it reads when no path is given.

    One that ``is_apart`` reads other data than its group, and is run only when it is named.
    """

    name: str
    about: str
    data: str
    made: Callable[[Plan], Suite]
    is_apart: bool = False
