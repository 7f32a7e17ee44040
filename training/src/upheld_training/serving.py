"""The product's parts, made for one network and one embedder: what is measured is what is shipped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from upheld.conversation.checking.nearest import NearestFinder
from upheld.logic.language.agents import Agent
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.interpretation.trained.deciding import Bars
from upheld.speech.interpretation.trained.interpreter import TrainedInterpreter
from upheld.speech.retrieval.vectors import VectorIndex
from upheld.speech.trained.network import TrainedNetwork


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """One network and its embedder; ``bars`` are those of a reading, once they are chosen."""

    network: TrainedNetwork
    embedder: Embedder
    bars: Bars = field(default_factory=lambda: Bars(of={}))

    def nearest(self) -> NearestFinder:
        """Give a finder for one conversation."""
        return NearestFinder(self.embedder, lambda: VectorIndex(self.embedder))

    def interpreter(self, agents: Iterable[Agent]) -> TrainedInterpreter:
        """Give an interpreter for one conversation."""
        return TrainedInterpreter(self.network, self.nearest(), self.bars, agents)
