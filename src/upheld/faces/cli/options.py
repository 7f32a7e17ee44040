"""Options that several commands share, and how a class of options becomes a command."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields
from enum import StrEnum
from typing import Annotated, Any, get_type_hints

import typer

from upheld.errors import UpheldError
from upheld.faces.cli.console import complain
from upheld.record.stores.tenants import DEFAULT

GROUNDED, UNGROUNDED, BAD_INPUT, FAULT = 0, 1, 2, 3
"""Exit statuses: all fine, something is ungrounded, bad input or usage, and a fault of upheld's own."""

NOT_PROVED = 4
"""Exit status of ``af`` when the conflicts allowed ran out before a proof."""

INTERRUPTED, BROKEN_PIPE = 130, 141
"""Exit statuses that a shell gives to what a signal ended: SIGINT and SIGPIPE."""


class Reading(StrEnum):
    """How a file's turns get their operations."""

    AUTO = "auto"
    ANNOTATED = "annotated"
    CUES = "cues"
    LOCAL = "local"
    LLM = "llm"
    MIXED = "mixed"

    @property
    def name_of_interpreter(self) -> str:
        """Give the name that the conversation room knows; empty: annotated where the file is."""
        return "" if self is Reading.AUTO else self.value


class Matching(StrEnum):
    """How a text's claims are found."""

    AUTO = "auto"
    GOLD = "gold"
    TEXT = "text"
    LOCAL = "local"
    NLI = "nli"
    LLM = "llm"
    MIXED = "mixed"

    @property
    def name_of_matching(self) -> str:
        """Give the name that the conversation room knows; empty: by labels where there are any."""
        return "" if self is Matching.AUTO else self.value


class FailOn(StrEnum):
    """What makes a command end with status 1: a reason, any ungrounded claim, or what could not be checked."""

    UNGROUNDED = "ungrounded"
    ABSTAIN = "abstain"
    UNKNOWN = "unknown"
    OUT_OF_VIEW = "out_of_view"
    ABANDONED = "abandoned"
    RETRACTED = "retracted"
    SUPERSEDED = "superseded"
    CONTRADICTED = "contradicted"
    PREMISE_LOST = "premise_lost"
    UNDERMINED = "undermined"
    REOPENED = "reopened"
    UNDECIDED = "undecided"
    OVERCLAIMED = "overclaimed"
    TOO_WEAK = "too_weak"


FileName = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A transcript or an export, - for standard input, or sqlite:///x.db#conversation"
        " (or the same of postgresql://user@host/database).",
        show_default=False,
    ),
]
ClaimId = Annotated[str, typer.Argument(metavar="ID", help="Id of a claim, such as o9.", show_default=False)]
At = Annotated[
    str,
    typer.Option("--at", metavar="TURN", help="Ask as of right after this turn instead of now.", show_default=False),
]
Interpreter = Annotated[
    Reading,
    typer.Option(
        "--interpreter",
        help="Where operations come from: the file's annotation, or its words, read by cues, by the trained network "
        "(local), by a language model, or by both (mixed).",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
FailOns = Annotated[
    list[FailOn],
    typer.Option(
        "--fail-on",
        metavar="REASON",
        help=(
            "End with status 1 only for this; may be repeated: ungrounded (any reason), abstain (not checked),"
            " or a reason: " + ", ".join(list(FailOn)[2:]) + "."
        ),
        show_default=False,
    ),
]
FormName = Annotated[
    str,
    typer.Option(
        "--form",
        metavar="FORM",
        help="What FILE is, where its shape does not tell: yaml, json, jsonl, text, or the name of an export.",
    ),
]
ConversationId = Annotated[
    str,
    typer.Option(
        "--conversation", metavar="ID", help="Which conversation of FILE; as FILE#ID does.", show_default=False
    ),
]
TenantName = Annotated[
    str, typer.Option("--tenant", metavar="NAME", help="Whose ledger of a store that has several tenants.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there already.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions:
    """What a command takes that reads a file or a store: its form, which of its conversations, and whose."""

    form: FormName = "auto"
    conversation: ConversationId = ""
    tenant: TenantName = DEFAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of the program: its name, what it does in a line, its options, examples, and what typer calls."""

    name: str
    summary: str
    options: type[Any]
    examples: tuple[str, ...]
    callback: Callable[..., None]

    @property
    def epilog(self) -> str:
        """Give the examples as the end of the help; the mark keeps their lines as they are."""
        shown = "\n".join(f"  $ {example}" for example in self.examples)
        return f"Examples:\n\n\b\n{shown}"

    @property
    def explanation(self) -> tuple[str, ...]:
        """Give the paragraphs of the help, each on one line."""
        return tuple(" ".join(part.split()) for part in (self.callback.__doc__ or "").split("\n\n"))


def command(name: str, summary: str, *examples: str) -> Callable[[Callable[[Any], int]], Command]:
    """Make a command of a function that takes one object of options and gives an exit status.

    Each field of the options is one argument or option. A deliberate error is told on one line of standard error; a
    fault of upheld's own ends with a status of its own, since 1 is a verdict.
    """

    def made(run: Callable[[Any], int]) -> Command:
        kind: type[Any] = get_type_hints(run)["options"]

        def callback(**values: Any) -> None:
            raise typer.Exit(_status(lambda: run(kind(**values))))

        hints = get_type_hints(kind, include_extras=True)
        parameters = [_parameter(field, hints[field.name]) for field in fields(kind)]
        callback.__doc__ = inspect.getdoc(run)
        callback.__annotations__ = {**{each.name: each.annotation for each in parameters}, "return": None}
        vars(callback)["__signature__"] = inspect.Signature(parameters)
        return Command(name=name, summary=summary, options=kind, examples=examples, callback=callback)

    return made


def _parameter(field: Field[Any], annotation: Any) -> inspect.Parameter:
    default = inspect.Parameter.empty
    if field.default is not MISSING:
        default = field.default
    elif field.default_factory is not MISSING:
        default = field.default_factory()
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _status(run: Callable[[], int]) -> int:
    try:
        status = run()
        sys.stdout.flush()
    except UpheldError as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:
        # Whoever read our output has left; Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # noqa: BLE001 - at the edge: Python's own status for a crash is 1, which here is a verdict
        complain("a fault of upheld itself; nothing was decided")
        traceback.print_exc()
        return FAULT
    return status
