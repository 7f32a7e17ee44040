"""Sentence vectors by a small transformer on the processor: all-MiniLM-L6-v2, or another of its shape.

Loads numpy, onnxruntime and tokenizers, so it is itself loaded only by :mod:`upheld.speech.embedding.local`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from upheld.errors import MalformedInput
from upheld.speech.embedding.local import REMEMBERED
from upheld.speech.embedding.pairs import PAIRS, UNRELATED
from upheld.speech.embedding.running import opened_session, opened_tokenizer
from upheld.speech.embedding.weights import Weights

Vectors = NDArray[np.float32]

MAX_TOKENS = 256
"""Word pieces that are read of a text, its two marks included; the weights were trained on such lengths."""

BATCH = 32
"""Texts that go through the network together."""


class MiniLmEmbedder:
    """The mean of a text's token vectors, scaled to length one (Reimers & Gurevych 2019, section 3).

    The same text gives the same vector to about 1e-6, whatever it is batched with: sums over padding are rounded
    differently. The files are read when the first text comes. Cost: 5 ms of one core for a sentence.
    """

    def __init__(self, weights: Weights, *, threads: int = 1, remembered: int = REMEMBERED) -> None:
        """Use these weights; ``threads`` of the processor for one batch, and so many vectors remembered by text."""
        self._weights = weights
        self._threads = threads
        self._remembered = remembered
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()
        self._loading = Lock()
        self._loaded: _Network | None = None

    @property
    def name(self) -> str:
        """Name of the weights, with the first digits of their digest."""
        return self._weights.name

    @property
    def is_loaded(self) -> bool:
        """Whether the files have been read."""
        return self._loaded is not None

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """Give one row of length one for each text.

        Raises:
            MalformedInput: the files are no such network, or fail the self-test.
        """
        network = self._network()
        unique = list(dict.fromkeys(texts))
        with self._lock:
            found = {text: self._known[text] for text in unique if text in self._known}
        missing = [text for text in unique if text not in found]
        found.update(zip(missing, network.rows(missing), strict=True))
        with self._lock:
            for text in unique:
                self._known[text] = found[text]
                self._known.move_to_end(text)
            while len(self._known) > self._remembered:
                self._known.popitem(last=False)
        if not texts:
            return np.zeros((0, network.width), dtype=np.float32)
        return np.stack([found[text] for text in texts])

    def fits(self, text: str, /) -> bool:
        """Tell whether a text is read whole, that is, has no more than 256 word pieces."""
        return self._network().length_of(text) <= MAX_TOKENS

    def _network(self) -> _Network:
        with self._loading:
            if self._loaded is None:
                network = _Network(self._weights, self._threads)
                if not self._weights.is_pinned:
                    _check_meaning(network, str(self._weights.network))
                self._loaded = network
            return self._loaded


class _Network:
    """A session and its tokenizer."""

    def __init__(self, weights: Weights, threads: int) -> None:
        self._session = opened_session(weights.network, threads=threads)
        self._whole, self._tokenizer = opened_tokenizer(weights.tokenizer), opened_tokenizer(weights.tokenizer)
        cast("Any", self._tokenizer).enable_truncation(MAX_TOKENS)
        self._inputs: frozenset[str] = frozenset(each.name for each in self._session.get_inputs())
        self.width = self._rows_of([self._tokenizer.encode("width")]).shape[1]

    def length_of(self, text: str) -> int:
        return len(self._whole.encode(text).ids)

    def rows(self, texts: Sequence[str]) -> Iterator[Vectors]:
        """Give the vectors in the order of the texts; like lengths go together, so that little is padding."""
        if not texts:
            return iter(())
        encoded = self._tokenizer.encode_batch(list(texts))
        places = sorted(range(len(texts)), key=lambda place: len(encoded[place].ids))
        found: dict[int, Vectors] = {}
        for start in range(0, len(places), BATCH):
            batch = places[start : start + BATCH]
            found.update(zip(batch, self._rows_of([encoded[place] for place in batch]), strict=True))
        return (found[place] for place in range(len(texts)))

    def _rows_of(self, encoded: Sequence[Encoding]) -> Vectors:
        width = max(len(each.ids) for each in encoded)
        ids = np.zeros((len(encoded), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, each in enumerate(encoded):
            ids[row, : len(each.ids)] = each.ids
            mask[row, : len(each.ids)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        given = {name: value for name, value in given.items() if name in self._inputs}
        hidden = cast("Vectors", self._session.run(None, given)[0])
        weight = mask[:, :, None].astype(np.float32)
        mean = (hidden * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1.0)
        return mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)


def _check_meaning(network: _Network, source: str) -> None:
    """Refuse weights that do not tell a paraphrase from another matter: random ones put half of the pairs right."""
    texts = [text for pair in PAIRS for text in pair]
    rows = np.stack(list(network.rows([*texts, *UNRELATED])))
    paired = rows[: len(texts)]
    near = (paired[0::2] * paired[1::2]).sum(axis=1)
    far = (paired[0::2] @ rows[len(texts) :].T).max(axis=1)
    right = int((near > far).sum())
    if right < len(PAIRS) - 2:
        raise MalformedInput(
            f"no sentence embedder: only {right} of {len(PAIRS)} paraphrases are nearer than unrelated sentences",
            source=source,
        )
