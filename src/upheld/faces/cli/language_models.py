"""The options of every command that may ask a language model, and the one that they mean."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from upheld.faces.cli.console import note
from upheld.faces.cli.options import FileOptions
from upheld.speech.models.batches.exporting import export_requests
from upheld.speech.models.choosing import Choice, chosen_model
from upheld.speech.models.collecting import CollectingModel, ImportedModel
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.metering import MeteredModel
from upheld.speech.models.reply import Usage

LlmName = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        help="Language model to ask, such as openai:gpt-4o; or UPHELD_MODEL.",
        show_default=False,
    ),
]
BaseUrl = Annotated[
    str,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="Its server, if it speaks the OpenAI protocol, such as http://localhost:11434/v1; or UPHELD_BASE_URL.",
        show_default=False,
    ),
]
Responses = Annotated[
    Path | None,
    typer.Option(
        "--import-responses",
        metavar="FILE",
        help="Take replies from this recording, or batch that came back, and send nothing.",
        show_default=False,
    ),
]
Requests = Annotated[
    Path | None,
    typer.Option(
        "--export-requests",
        metavar="FILE",
        help="Send nothing: write the requests that wait for a reply, as a batch of OpenAI's format.",
        show_default=False,
    ),
]
Record = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Write every reply down, to be replayed.", show_default=False),
]
Cache = Annotated[
    Path | None,
    typer.Option("--cache", metavar="FILE", help="Keep replies for other runs in this file.", show_default=False),
]
MOST_PROBLEMS = 10
"""Lines of a file of responses that are named one by one where they hold no reply."""

Calls = Annotated[int, typer.Option("--calls", metavar="N", help="The most calls; 0 for no limit.", min=0)]
Tokens = Annotated[int, typer.Option("--tokens", metavar="N", help="The most tokens; 0 for no limit.", min=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmOptions(FileOptions):
    """What a command takes that may ask a language model."""

    llm: LlmName = ""
    base_url: BaseUrl = ""
    responses: Responses = None
    requests: Requests = None
    record: Record = None
    cache: Cache = None
    calls: Calls = 0
    tokens: Tokens = 0


@dataclass(slots=True, kw_only=True)
class Asked:
    """The language model of a run, or none; ``usage`` is what it was asked so far."""

    llm: LanguageModel | None
    is_export: bool = False
    exported: int = 0
    _metered: MeteredModel | None = None
    _collecting: CollectingModel | None = None
    _labels: list[str] = field(default_factory=list[str])

    @property
    def usage(self) -> Usage:
        """What was asked of the language model."""
        return self._metered.bill.usage if self._metered is not None else Usage()

    def label(self, name: str, *, chain: str = "") -> None:
        """Name what is worked on: the requests that are exported bear it.

        Of a ``chain``, in which each request follows from the replies before it, only the first that waits is exported.
        """
        if self._collecting is not None:
            self._collecting.label, self._collecting.chain = name, chain


@contextmanager
def asked_model(options: LlmOptions) -> Generator[Asked]:
    """Give the language model that was chosen; afterwards say what it took, or write the requests down.

    Raises:
        MalformedInput: options that do not go together.
        MissingExtra: what is needed to reach one is not installed.
    """
    choice = Choice(
        name=options.llm,
        base_url=options.base_url,
        responses=options.responses,
        record=options.record,
        cache=options.cache,
        calls=options.calls,
        tokens=options.tokens,
        is_export=options.requests is not None,
    )
    llm = chosen_model(choice)
    if llm is None:
        yield Asked(llm=None)
        return
    _tell_problems(llm)
    metered = MeteredModel(llm)
    collecting = llm if isinstance(llm, CollectingModel) else None
    asked = Asked(llm=metered, is_export=collecting is not None, _metered=metered, _collecting=collecting)
    try:
        yield asked
    finally:
        if asked.usage.calls:
            for line in metered.bill.lines():
                note(line)
    if collecting is not None and options.requests is not None:
        waiting = list(collecting.requests)
        export_requests(waiting, options.requests, collecting.called)
        asked.exported = len(waiting)
        note(f"{len(waiting)} requests are in {options.requests}; none was sent")


def _tell_problems(llm: LanguageModel) -> None:
    """Say which lines of the imported responses hold no reply; what they should have answered will be missing."""
    known = llm.known if isinstance(llm, CollectingModel) else llm
    problems = known.problems if isinstance(known, ImportedModel) else ()
    for problem in problems[:MOST_PROBLEMS]:
        note(f"no reply in {problem}")
    if len(problems) > MOST_PROBLEMS:
        note(f"and {len(problems) - MOST_PROBLEMS} lines more without a reply")
