"""The local embedder on the pinned weights; skips where they are not installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import MalformedInput, MissingExtra
from upheld.speech.embedding import local
from upheld.speech.embedding.local import local_embedder
from upheld.speech.embedding.weights import PATH_VARIABLE, PINNED, Weights, weights

SENTENCES = ("The pump failed at noon.", "At midday the pump broke down.", "Roses need little water in winter.")


@pytest.fixture(scope="module")
def pinned() -> Weights:
    """Give the pinned weights, checked once for all tests here."""
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv(PATH_VARIABLE, raising=False)
        try:
            return weights()
        except MissingExtra:
            pytest.skip("the weights of the extra local are not installed")


def minilm() -> Any:
    """Give the module that loads the array libraries."""
    for name in ("numpy", "onnxruntime", "tokenizers"):
        pytest.importorskip(name, reason=f"{name} of the extra local is not installed")
    return import_module("upheld.speech.embedding.minilm")


@pytest.fixture(scope="module")
def embedder(pinned: Weights) -> Any:
    """Give one embedder for the tests that only read."""
    return minilm().MiniLmEmbedder(pinned)


def test_vectors_are_those_of_the_published_weights(embedder: Any) -> None:
    """Parity: the cosines that the published page of all-MiniLM-L6-v2 gives for its example sentences."""
    asked = ["That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    rows = embedder.embed(["That is a happy person", *asked])
    assert rows.shape == (4, 384)
    assert (rows[1:] @ rows[0]).tolist() == pytest.approx([0.69458, 0.94292, 0.25688], abs=2e-4)


def test_vectors_have_length_one_and_paraphrases_are_nearer(embedder: Any) -> None:
    """Reimers & Gurevych 2019: the cosine of sentence vectors orders by meaning."""
    rows = embedder.embed(SENTENCES)
    assert (rows * rows).sum(axis=1).tolist() == pytest.approx([1.0] * 3, abs=1e-5)
    assert float(rows[0] @ rows[1]) > 0.5 > float(rows[0] @ rows[2])
    assert str(rows.dtype) == "float32"


def test_a_vector_does_not_depend_on_its_company(pinned: Weights) -> None:
    """Our promise: padding counts for nothing in the mean."""
    one_by_one, together = minilm().MiniLmEmbedder(pinned), minilm().MiniLmEmbedder(pinned)
    company = [*SENTENCES, "word " * 200]
    alone = [one_by_one.embed([text])[0].tolist() for text in SENTENCES]
    for single, row in zip(alone, together.embed(company).tolist(), strict=False):
        assert row == pytest.approx(single, abs=1e-5)


def test_the_same_text_gives_the_same_vector_from_a_fresh_embedder(pinned: Weights, embedder: Any) -> None:
    """Our promise: determinism, bit for bit, on one machine."""
    fresh = minilm().MiniLmEmbedder(pinned, remembered=0)
    assert fresh.embed(SENTENCES).tolist() == fresh.embed(SENTENCES).tolist()
    assert fresh.embed([SENTENCES[0]]).tolist() == minilm().MiniLmEmbedder(pinned).embed([SENTENCES[0]]).tolist()


def test_rows_follow_the_texts_and_repeated_ones_repeat(embedder: Any) -> None:
    """Our promise (Embedder.embed): one row for each text, in their order."""
    rows = embedder.embed([SENTENCES[2], SENTENCES[0], SENTENCES[2]])
    assert rows[0].tolist() == rows[2].tolist() == embedder.embed([SENTENCES[2]])[0].tolist()
    assert embedder.embed([]).shape == (0, 384)
    assert embedder.embed([""]).shape == (1, 384)


def test_no_more_vectors_are_remembered_than_allowed(pinned: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the cache is bounded, and what was used last stays."""
    module = minilm()
    small = module.MiniLmEmbedder(pinned, remembered=2)
    small.embed(SENTENCES[:2])
    small.embed([SENTENCES[0]])
    small.embed([SENTENCES[2]])
    asked: list[str] = []
    rows_of = small._network().rows

    def counted(texts: list[str]) -> Any:
        asked.extend(texts)
        return rows_of(texts)

    monkeypatch.setattr(small._network(), "rows", counted)
    small.embed(SENTENCES)
    assert asked == [SENTENCES[1]]


def test_a_text_beyond_256_pieces_is_said_not_to_fit(embedder: Any) -> None:
    """Our promise: truncation is said, and only the beginning counts."""
    assert embedder.fits("word " * 254)
    assert not embedder.fits("word " * 255)
    long = embedder.embed(["word " * 254 + "unread", "word " * 254 + "ignored"])
    assert long[0].tolist() == pytest.approx(long[1].tolist(), abs=1e-6)


def test_a_text_of_100_000_characters_and_odd_ones_are_embedded(embedder: Any) -> None:
    """Issue, 6.8: bad input has a bounded, quiet end."""
    rows = embedder.embed(["x" * 100_000, "\x00\x07\u202e", "\U0001f600" * 50])
    assert (rows == rows).all()


def test_one_embedder_serves_several_threads(pinned: Weights, embedder: Any) -> None:
    """Our promise (Embedder): safe to call from several threads."""
    shared = minilm().MiniLmEmbedder(pinned, remembered=1)
    texts = [[text] for text in SENTENCES * 3]
    with ThreadPoolExecutor(4) as pool:
        found = [rows[0].tolist() for rows in pool.map(shared.embed, texts)]
    wanted = [embedder.embed(text)[0].tolist() for text in texts]
    for row, same in zip(found, wanted, strict=True):
        assert row == pytest.approx(same, abs=1e-5)


def test_the_pinned_weights_are_found_and_loaded_with_the_first_text(pinned: Weights) -> None:
    """Our promise: an embedder costs nothing until a text comes."""
    lazy = minilm().MiniLmEmbedder(pinned)
    assert not lazy.is_loaded
    lazy.embed(["now"])
    assert lazy.is_loaded
    assert lazy.name == f"minilm-l6-v2@{PINNED['onnx/model.onnx_data'][:12]}"


def test_importing_the_package_or_the_seam_loads_no_array_library() -> None:
    """Our promise (README): the bare install is quick; the port and the retriever of words need no arrays."""
    program = (
        "import sys, upheld, upheld.speech.embedding.local, upheld.speech.retrieval.hybrid\n"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'upheld.speech.embedding.minilm'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


def test_a_missing_library_is_said_with_the_install_line(pinned: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise (MissingExtra): the message is the install line."""

    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(local, "weights", lambda _: pinned)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    monkeypatch.setattr(local, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'upheld\[local\]'"):
        local_embedder()


def test_own_weights_pass_the_self_test_and_shuffled_ones_are_refused(pinned: Weights, tmp_path: Path) -> None:
    """Issue, section 4: a path is taken with a self-test that refuses weights at chance."""
    module = minilm()
    folder = tmp_path / "mine"
    shutil.copytree(pinned.tokenizer.parent, folder)
    assert module.MiniLmEmbedder(weights(folder)).embed(["fine"]).shape == (1, 384)
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    words = [word for word in vocabulary if word.isalpha()]
    numbers = [vocabulary[word] for word in words]
    # Every word means another's: what is left is how texts share words.
    vocabulary.update(zip(words, numbers[7919:] + numbers[:7919], strict=True))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    shuffled = module.MiniLmEmbedder(weights(folder))
    with pytest.raises(MalformedInput, match="no sentence embedder"):
        shuffled.embed(["fine"])
    assert not shuffled.is_loaded


def test_files_that_are_no_network_are_refused(tmp_path: Path) -> None:
    """Our promise: an error of ours that names the file, whatever the library raised."""
    (tmp_path / "model.onnx").write_bytes(b"no network")
    (tmp_path / "tokenizer.json").write_text("{}", "utf-8")
    with pytest.raises(MalformedInput, match=r"model\.onnx"):
        minilm().MiniLmEmbedder(weights(tmp_path)).embed(["fine"])
