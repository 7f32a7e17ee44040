"""Folders as exports lay them out, and those that lack something."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedInput, UpheldError
from upheld.speech.matching.entailment.weights import PATH_VARIABLE, nli_weights

TOLD = {"id2label": {"0": "CONTRADICTION", "1": "ENTAILMENT", "2": "NEUTRAL"}, "max_position_embeddings": 130}


def folder_with(folder: Path, network: str = "model.onnx", beside: str = "", told: object = TOLD) -> Path:
    """Write a folder that has the files of a network, though they mean nothing."""
    (folder / beside).mkdir(parents=True, exist_ok=True)
    (folder / network).parent.mkdir(exist_ok=True)
    (folder / network).write_bytes(b"network")
    (folder / beside / "tokenizer.json").write_text("{}", "utf-8")
    (folder / beside / "config.json").write_text(json.dumps(told), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("network", "beside"),
    [("model.onnx", ""), ("onnx/model.onnx", ""), ("onnx/model.onnx", "onnx"), ("onnx/model_quantized.onnx", "")],
)
def test_the_layouts_of_exports_are_found(tmp_path: Path, network: str, beside: str) -> None:
    """The network at the top or under onnx, and the other files at the top or beside it."""
    folder = folder_with(tmp_path / "mine", network, beside)
    found = nli_weights(folder)
    assert found.network == folder / network
    assert found.tokenizer == folder / beside / "tokenizer.json"
    assert found.order == (1, 2, 0)


def test_the_name_has_the_first_twelve_digits_of_the_sha_256_of_the_file(tmp_path: Path) -> None:
    """Demanded by the task: whoever has a verdict can say by which file it was made."""
    folder = folder_with(tmp_path / "mine")
    assert nli_weights(folder).name == f"mine@{hashlib.sha256(b'network').hexdigest()[:12]}"


@pytest.mark.parametrize("beside", ["model.onnx_data", "model.onnx.data"])
def test_tensors_in_a_file_of_their_own_change_the_name(tmp_path: Path, beside: str) -> None:
    """Our promise: verdicts of different weights are never taken for one another's."""
    folder = folder_with(tmp_path / "mine")
    alone = nli_weights(folder).name
    (folder / beside).write_bytes(b"tensors")
    first = nli_weights(folder).name
    (folder / beside).write_bytes(b"others")
    assert len({alone, first, nli_weights(folder).name}) == 3


def test_lengths_and_padding_are_those_of_the_configuration_within_bounds(tmp_path: Path) -> None:
    """RoBERTa and its kin name two places more than they read; nobody may ask for rows without end."""
    assert nli_weights(folder_with(tmp_path / "a")).longest == 128
    endless = {**TOLD, "max_position_embeddings": 1_000_000, "pad_token_id": 1}
    found = nli_weights(folder_with(tmp_path / "b", told=endless))
    assert (found.longest, found.padding) == (512, 1)
    odd = {**TOLD, "max_position_embeddings": "many", "pad_token_id": -1}
    found = nli_weights(folder_with(tmp_path / "c", told=odd))
    assert (found.longest, found.padding) == (512, 0)


def test_a_folder_is_named_by_argument_or_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a person's own network, and the argument goes before the environment."""
    mine, other = folder_with(tmp_path / "mine"), folder_with(tmp_path / "other")
    monkeypatch.setenv(PATH_VARIABLE, str(mine))
    assert nli_weights().network == mine / "model.onnx"
    assert nli_weights(other).network == other / "model.onnx"


@pytest.mark.parametrize("value", [None, ""])
def test_without_a_folder_it_is_said_what_to_set(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    """Demanded by the task."""
    monkeypatch.delenv(PATH_VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(PATH_VARIABLE, value)
    with pytest.raises(UpheldError, match=r"set UPHELD_NLI_PATH to a folder with model\.onnx, tokenizer\.json and"):
        nli_weights()


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_folder_that_lacks_a_file_is_refused_by_its_name(tmp_path: Path, missing: str) -> None:
    """Our promise: said before anything is loaded."""
    folder = folder_with(tmp_path / "mine")
    (folder / missing).unlink()
    with pytest.raises(MalformedInput, match=missing.replace(".", r"\.")) as refused:
        nli_weights(folder)
    assert refused.value.source == str(folder)


@given(st.one_of(st.binary(max_size=40), st.just(b"[" * 100_000), st.just(b"[]"), st.just(b'"id2label"')))
def test_a_damaged_configuration_is_refused_by_its_name(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    """Over bad input: an error of ours that names the file."""
    folder = folder_with(tmp_path_factory.mktemp("damaged"))
    (folder / "config.json").write_bytes(content)
    with pytest.raises(MalformedInput, match=r"config\.json"):
        nli_weights(folder)
