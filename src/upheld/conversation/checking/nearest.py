"""Propositions nearest in meaning to the claims of a reply, in step with a conversation: for matchers by networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock

from upheld.errors import MissingExtra
from upheld.logic.language.identities import PropositionId
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.embedding.local import local_embedder
from upheld.speech.embedding.weights import pinned_folder
from upheld.speech.following import Follower
from upheld.speech.matching.entailment.deciding import SAFE, Bars
from upheld.speech.matching.entailment.local import local_pair_judge
from upheld.speech.matching.entailment.matcher import NliMatcher
from upheld.speech.matching.trained.features import Near
from upheld.speech.matching.trained.matcher import TrainedMatcher
from upheld.speech.matching.trained.rule import BY_CUES, SURE, rule_of
from upheld.speech.retrieval.document import Document, ScoredIndex
from upheld.speech.trained.local import local_network
from upheld.speech.view import View


class NearestFinder:
    """Finds propositions by the cosine of sentence vectors. Safe to call from several threads.

    Cost: embedding what is new since the last call and the texts, and one product of each text with all.
    """

    def __init__(self, embedder: Embedder, index: Callable[[], ScoredIndex]) -> None:
        """Start empty; ``index`` makes an empty index of vectors of ``embedder``."""
        self._embedder = embedder
        self._new_index = index
        self._index = index()
        self._follower = Follower()
        self._lock = Lock()

    def __call__(self, texts: Sequence[str], view: View, limit: int, /) -> Sequence[Sequence[Near]]:
        """Give, for each text, the nearest propositions of a view and their cosines, nearest first."""
        with self._lock:
            news = self._follower.catch_up(view)
            if news.is_afresh:
                self._index = self._new_index()
            self._index.add(Document(id=each.id, text=each.text, is_engine_item=True) for each in news.propositions)
            # All texts in one batch; the searches below find their vectors remembered.
            self._embedder.embed(texts)
            found = [self._index.search(text, limit) for text in texts]
        return [
            [
                Near(known=known, nearness=hit.score)
                for hit in hits
                if (known := view.get(PropositionId(hit.document.id))) is not None
            ]
            for hits in found
        ]


def trained_matcher(*, is_read_by_cues: bool = False, bars: tuple[float, float] | None = None) -> TrainedMatcher:
    """Give a matcher by the network of this project, for one conversation.

    ``is_read_by_cues``: the turns got their meaning from cue words, so that what stands is less sure; the rule is then
    another one, which hardly ever speaks. ``bars`` are the likelihoods up to which a claim is called ungrounded, and
    from which grounded, for whoever would rather have more answers, and more wrong ones, than those of the card.

    Raises:
        MissingExtra: ``upheld[local]`` is not installed.
        MalformedInput: the weights are not those of their card.
    """
    network = local_network()
    finder = _finder("the trained matcher")
    rule = rule_of(network.weights.card, BY_CUES if is_read_by_cues else SURE)
    if bars is not None:
        rule = replace(rule, ungrounded_at=bars[0], grounded_at=bars[1])
    return TrainedMatcher(network, finder, rule)


def nli_matcher(path: Path | None = None, *, bars: Bars = SAFE) -> NliMatcher:
    """Give a matcher by a user's own network for natural language inference, for one conversation.

    ``path`` is the folder of the network, else that of ``UPHELD_NLI_PATH``. ``bars`` are the least shares for a link;
    nobody calibrated them.

    Raises:
        UpheldError: no folder is named.
        MissingExtra: ``upheld[local]`` is not installed.
        MalformedInput: a file is missing or cannot be read.
    """
    judge = local_pair_judge(path)
    return NliMatcher(judge, _finder("matching by natural language inference"), bars)


def _finder(needed_for: str) -> NearestFinder:
    try:
        vectors = import_module("upheld.speech.retrieval.vectors")
    except ModuleNotFoundError as error:
        raise MissingExtra("local", needed_for=needed_for) from error
    embedder = _embedder()
    return NearestFinder(embedder, lambda: vectors.VectorIndex(embedder))


@cache
def _embedder() -> Embedder:
    """Give the embedder of this process, which may serve many conversations.

    The pinned one, whatever ``UPHELD_EMBEDDER_PATH`` says: the network has learned from its cosines.
    """
    return local_embedder(pinned_folder())
