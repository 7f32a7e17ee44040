"""Interpreters and matchers by networks that run on this machine, each for one conversation.

Loads no array library until one of them is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from upheld.conversation.checking.nearest import NearestFinder
from upheld.errors import MissingExtra
from upheld.logic.language.agents import Agent
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.embedding.local import local_embedder
from upheld.speech.embedding.weights import pinned_folder
from upheld.speech.interpretation.trained.deciding import bars_of
from upheld.speech.interpretation.trained.interpreter import TrainedInterpreter
from upheld.speech.matching.entailment.deciding import SAFE, Bars
from upheld.speech.matching.entailment.local import local_pair_judge
from upheld.speech.matching.entailment.matcher import NliMatcher
from upheld.speech.matching.trained.matcher import TrainedMatcher
from upheld.speech.matching.trained.rule import rule_name, rule_of
from upheld.speech.trained.local import local_network


def trained_matcher(*, read_by: str = "", bars: tuple[float, float] | None = None) -> TrainedMatcher:
    """Give a matcher by the network of this project.

    ``read_by`` names the interpreter that gave the turns their meaning: of a record that was read by cues or by the
    network, what stands is less sure, and the rule is another one. ``bars`` are the likelihoods up to which a claim is
    called ungrounded, and from which grounded, for whoever would rather have more answers, and more wrong ones, than
    those of the card.

    Raises:
        MissingExtra: ``upheld[local]`` is not installed.
        MalformedInput: the weights are not those of their card.
    """
    network = local_network()
    finder = _finder("the trained matcher")
    rule = rule_of(network.weights.card, rule_name(read_by))
    if bars is not None:
        rule = replace(rule, ungrounded_at=bars[0], grounded_at=bars[1])
    return TrainedMatcher(network, finder, rule)


def trained_interpreter(agents: Iterable[Agent] = ()) -> TrainedInterpreter:
    """Give an interpreter by the network of this project.

    Raises:
        MissingExtra: ``upheld[local]`` is not installed.
        MalformedInput: the weights are not those of their card.
    """
    network = local_network()
    return TrainedInterpreter(network, _finder("the trained interpreter"), bars_of(network.weights.card), agents)


def nli_matcher(path: Path | None = None, *, bars: Bars = SAFE) -> NliMatcher:
    """Give a matcher by a user's own network for natural language inference.

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
