"""Which language model a run asks, and where its requests go when it asks none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from upheld.errors import UpheldError
from upheld.speech.models.batches.exporting import export_requests
from upheld.speech.models.choosing import Choice, chosen_model
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.request import Request
from upheld_evals.harness.recorded import recorded_replies


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Who answers: a language model by name, or recorded replies; and the most calls and tokens (0: no limit).

    ``recordings`` are files, or folders of them.
    """

    llm: str = ""
    base_url: str = ""
    recordings: tuple[Path, ...] = ()
    calls: int = 0
    tokens: int = 0

    def opened(self) -> LanguageModel | None:
        """Give the language model of a run, or ``None`` where nobody named one, here or in the environment.

        Raises:
            UpheldError: it cannot be had; what to install or to name is said.
        """
        if self.recordings:
            return recorded_replies(self.recordings)
        return chosen_model(Choice(name=self.llm, base_url=self.base_url, calls=self.calls, tokens=self.tokens))

    def known(self) -> LanguageModel | None:
        """Give what is answered already: the recorded replies alone, and nobody who could be asked."""
        return recorded_replies(self.recordings) if self.recordings else None

    def write(self, requests: Iterable[tuple[str, Request]], path: Path) -> None:
        """Write requests as a batch that a provider takes, each under its name.

        Raises:
            UpheldError: no language model is named, and a batch names the one that shall answer.
        """
        if not self.llm:
            raise UpheldError("a batch of requests names the language model that shall answer: add --model")
        provider, _, own = self.llm.partition(":")
        export_requests(requests, path, own or provider)
