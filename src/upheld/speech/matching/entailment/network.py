"""A user's own network itself: a cross-encoder of two texts with three outputs, run on the processor.

Loads numpy and the runtime of networks, so it is itself loaded only by
:mod:`upheld.speech.matching.entailment.local`. A cross-encoder reads both texts in one row (Devlin et al. 2019,
section 4); how they are joined is said by the tokenizer's own file.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from upheld.errors import MalformedInput
from upheld.speech.embedding.running import opened_session, opened_tokenizer
from upheld.speech.matching.entailment.judge import Pair, Shares
from upheld.speech.matching.entailment.labels import LABELS
from upheld.speech.matching.entailment.self_test import TESTED, check_meaning
from upheld.speech.matching.entailment.weights import NliWeights

Numbers = NDArray[np.float64]

TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
"""How numbers of pieces are given, by what the network says of an input."""

NEAR_ONE = 1e-3
"""How far from one a sum of shares may be: outputs of eight or sixteen bits are coarse."""


class NliNetwork:
    """Judges pairs by a network whose files are read, and held against the self-test, when it is first asked.

    Each pair goes through by itself, so that the same pair has the same answer. Cost: a pass a pair, and eighty when
    it is loaded.
    """

    def __init__(self, weights: NliWeights, *, threads: int = 2) -> None:
        """Use these weights, and so many ``threads`` of the processor."""
        self._weights = weights
        self._threads = threads
        self._loading = Lock()
        self._loaded: _Session | None = None

    @property
    def name(self) -> str:
        """Name of the weights, with the first digits of their digest."""
        return self._weights.name

    def reads(self, pair: Pair, /) -> bool:
        """Tell whether both texts of a pair are read whole.

        Raises:
            MalformedInput: the files are no such network, or fail the self-test.
        """
        return self._session().reads(pair)

    def judge(self, pairs: Sequence[Pair], /) -> tuple[Shares, ...]:
        """Give the shares of each pair, each of them one that is read whole.

        Raises:
            MalformedInput: the files are no such network, or fail the self-test.
        """
        session = self._session()
        return tuple(session.shares(pair) for pair in pairs)

    def _session(self) -> _Session:
        with self._loading:
            if self._loaded is None:
                self._loaded = _Session(self._weights, self._threads)
            return self._loaded


class _Session:
    """The files, read and held against the self-test."""

    def __init__(self, weights: NliWeights, threads: int) -> None:
        self._weights = weights
        self._session = opened_session(weights.network, threads=threads)
        self._tokenizer = opened_tokenizer(weights.tokenizer)
        self._types = {each.name: TYPES.get(each.type) for each in self._session.get_inputs()}
        unknown = sorted(self._types.keys() - {"input_ids", "attention_mask", "token_type_ids"})
        if unknown or "input_ids" not in self._types or None in self._types.values():
            raise self._refusal(
                "needed is a network that takes input_ids, and besides at most attention_mask and token_type_ids, all "
                f"whole numbers; this one takes {', '.join(self._types)}"
            )
        widths = [each.shape[1] for each in self._session.get_inputs() if len(each.shape) > 1]
        self._width = next((width for width in widths if isinstance(width, int)), None)
        self._longest = min(weights.longest, self._width or weights.longest)
        names = [each.name for each in self._session.get_outputs()]
        self._output = "logits" if "logits" in names else names[0]
        tested = [self._outputs(pair) for pair in TESTED]
        # Some exports end in a softmax, others before it.
        self._gives_shares = all(map(_are_shares, tested))
        check_meaning([self._shares(outputs) for outputs in tested], str(weights.network))

    def reads(self, pair: Pair) -> bool:
        return len(self._encoded(pair).ids) <= self._longest

    def shares(self, pair: Pair) -> Shares:
        return self._shares(self._outputs(pair))

    def _shares(self, outputs: Numbers) -> Shares:
        found = outputs if self._gives_shares else _softmax(outputs)
        entails, neutral, contradicts = (float(found[place]) for place in self._weights.order)
        return Shares(entails=entails, neutral=neutral, contradicts=contradicts)

    def _encoded(self, pair: Pair) -> Encoding:
        return self._tokenizer.encode(pair.premise, pair.hypothesis)

    def _outputs(self, pair: Pair) -> Numbers:
        encoded = self._encoded(pair)
        # Some exports take rows of one length only; what fills them up is not attended to.
        rest = max(0, (self._width or 0) - len(encoded.ids))
        rows = {
            "input_ids": [*encoded.ids, *[self._weights.padding] * rest],
            "attention_mask": [*[1] * len(encoded.ids), *[0] * rest],
            "token_type_ids": [*encoded.type_ids, *[0] * rest],
        }
        given = {name: np.array([rows[name]], dtype=type_) for name, type_ in self._types.items()}
        try:
            found = np.asarray(self._session.run([self._output], given)[0], dtype=np.float64)
        # The runtime raises bare exceptions of its own on what a network cannot do.
        except Exception as error:
            raise self._refusal(f"cannot be run on a pair: {error}") from error
        if found.shape != (1, len(LABELS)):
            raise self._refusal(
                f"gives an output of shape {found.shape} for a pair, needed is (1, {len(LABELS)}): export it for "
                "the classification of texts"
            )
        return found[0]

    def _refusal(self, message: str) -> MalformedInput:
        return MalformedInput(message, source=str(self._weights.network))


def _are_shares(outputs: Numbers) -> bool:
    return bool((outputs >= 0).all()) and abs(float(outputs.sum()) - 1) <= NEAR_ONE


def _softmax(outputs: Numbers) -> Numbers:
    shifted = np.exp(outputs - outputs.max())
    return shifted / shifted.sum()
