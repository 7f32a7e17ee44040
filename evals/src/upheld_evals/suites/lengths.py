"""What an answer costs against the length of the conversation, as far as it is known without any reply.

The requests of an arm whose requests do not follow from replies can be counted before they are sent. Tokens are
estimated from the words of the messages, as the context renderer does it: rather too many than too few. The schema of
a reply and the reply itself are not in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from upheld.errors import NoRecording, UpheldError
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Reply
from upheld.speech.models.request import Request
from upheld.speech.rendering.context.tokens import EstimatedTokens
from upheld_evals.harness.suite import Arm, Item, Line, Plot
from upheld_evals.statistics import by_group, mean

MOST = 40
"""Items of one length whose requests are counted: their mean hardly moves after that."""


class _Counting:
    """Answers nothing, and counts the tokens of what it is asked."""

    name = "estimated"

    def __init__(self) -> None:
        self._tokens = EstimatedTokens()
        self.asked = 0

    def ask(self, request: Request, /) -> Reply:
        self.asked += sum(self._tokens.count(message.text) for message in request.messages)
        raise NoRecording(request.key, prompt=request.prompt)


def tokens_asked(arm: Arm, items: Sequence[Item]) -> Iterator[tuple[Item, int]]:
    """Give the estimated tokens that an arm would send about each item; nothing where reading must come first.

    An arm that asks nothing about an item (what it asks words decided) sends 0 tokens. Cost: making the requests.
    """
    if not arm.asks_llm:
        return
    for group in by_group((item.conversation, item) for item in items).values():
        counting = _Counting()
        llm: LanguageModel = counting
        try:
            responder = arm.begun(group, llm)
        except UpheldError:
            continue
        for item in group:
            before = counting.asked
            with suppress(UpheldError):
                responder(item)
            yield item, counting.asked - before


def tokens_plot(arms: Sequence[Arm], items: Sequence[Item]) -> Plot | None:
    """Draw what each arm would send an item, against the turns of its conversation; ``None`` where none asks."""
    by_length = by_group((item.facets["turns"], item) for item in items).values()
    chosen = [item for group in by_length for item in group[:: max(1, len(group) // MOST)][:MOST]]
    lines: list[Line] = []
    for arm in arms:
        groups = by_group((int(item.facets["turns"]), float(tokens)) for item, tokens in tokens_asked(arm, chosen))
        points = sorted((float(str(turns)), mean(tokens) or 0.0) for turns, tokens in groups.items())
        if any(tokens > 0 for _, tokens in points):
            lines.append(Line(name=arm.name, points=tuple(point for point in points if point[1] > 0)))
    if not lines:
        return None
    return Plot(
        title="Tokens to send against length, estimated",
        x="turns in the conversation",
        y="tokens an item",
        lines=tuple(lines),
        caption=f"n = {len(chosen)} items; estimated from the requests, so that no language model had to be asked.",
        is_log_y=True,
    )
