"""One conversation out of what a trace recorded: calls to language models, and tools that were run between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from upheld.speech.formats.exports.dialogue import TOOL, Dialogue, Said
from upheld.speech.formats.exports.merging import merge
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.transcript import Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a trace: what a call to a language model held, or, with ``is_tool``, a tool that was run.

    ``order`` sorts the steps of a trace: a time, or a path of times.
    """

    order: str
    said: tuple[Said, ...] = field(default=())
    is_tool: bool = False


def conversation_of(steps: Iterable[Step], id: str, tally: Tally, *, title: str = "") -> Iterator[Transcript]:
    """Give the conversation of a trace.

    Each call repeats what came before, so only what is new is added. Tools that were run count only where no call shows
    their results: otherwise everything that they said is there already.
    """
    ordered = sorted(steps, key=lambda step: step.order)
    has_results = any(said.role == TOOL for step in ordered if not step.is_tool for said in step.said)
    dialogue = Dialogue(tally)
    for step in ordered:
        if not step.is_tool:
            merge(dialogue, step.said)
        elif not has_results:
            # The call may be the end of what the language model said, and is not said twice.
            repeated = bool(step.said) and dialogue.said[-1:] == list(step.said[:1])
            dialogue.said.extend(step.said[1 if repeated else 0 :])
    yield from dialogue.transcript(id, title=title)
