"""Networks run by the real runtime: one that knows the pairs by heart, and those that are refused.

The small networks of ``tests/networks/nli`` are no networks for natural language inference; ``make.py`` there says
what they are.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from upheld.errors import MalformedInput, MissingExtra
from upheld.speech.matching.entailment import local
from upheld.speech.matching.entailment.judge import Pair, PairJudge
from upheld.speech.matching.entailment.local import local_pair_judge
from upheld.speech.matching.entailment.pairs import CONTRADICTED, ENTAILED, NEUTRAL

for name in ("numpy", "onnxruntime", "tokenizers"):
    pytest.importorskip(name, reason=f"{name} of the extra local is not installed")

Folder = Callable[..., Path]


@pytest.fixture
def folder(root: Path, tmp_path: Path) -> Folder:
    """Give a folder with a network of the tests, its files perhaps changed."""
    networks = root / "tests" / "networks" / "nli"

    def made(network: str = "learned/model.onnx", **told: object) -> Path:
        mine = tmp_path / "mine"
        shutil.copytree(networks / "learned", mine)
        shutil.copyfile(networks / network, mine / "model.onnx")
        configuration = json.loads((mine / "config.json").read_text("utf-8"))
        (mine / "config.json").write_text(json.dumps({**configuration, **told}), "utf-8")
        return mine

    return made


def asked(path: Path, *pairs: Pair) -> list[tuple[float, float, float]]:
    """Give the shares of pairs by the network of a folder."""
    found = local_pair_judge(path).judge(pairs or (ENTAILED[0], NEUTRAL[0], CONTRADICTED[0]))
    return [(each.entails, each.neutral, each.contradicts) for each in found]


def test_a_network_that_passes_gives_the_shares_of_each_pair(folder: Folder) -> None:
    """The real runtime on a real file; they sum to one, and the label is the likeliest."""
    for label, shares in enumerate(asked(folder())):
        assert sum(shares) == pytest.approx(1)
        assert shares[label] > 0.9


def test_an_export_of_one_length_without_types_and_with_shares_gives_the_same(folder: Folder, root: Path) -> None:
    """Variants of exports: rows are filled up, small integers, no token_type_ids, softmax within the network."""
    plain = asked(root / "tests" / "networks" / "nli" / "learned")
    for row, same in zip(asked(folder("others/shares.onnx")), plain, strict=True):
        assert row == pytest.approx(same, abs=1e-5)


def test_labels_in_another_order_are_read_by_their_names(folder: Folder, root: Path) -> None:
    """The same shares come out under other names, so the self-test refuses them: names count, not places."""
    named = {"0": "contradiction", "1": "neutral", "2": "entailment"}
    with pytest.raises(MalformedInput, match=r"20 of 60 .*labels seem to be swapped.*it reaches 60: mend id2label"):
        asked(folder(id2label=named))


def test_the_same_pair_has_the_same_shares_in_any_company(folder: Folder) -> None:
    """Our promise (PairJudge.judge), bit for bit."""
    path = folder()
    together = asked(path, *ENTAILED, *NEUTRAL)
    alone = [asked(path, pair)[0] for pair in (*ENTAILED, *NEUTRAL)]
    assert together == alone

    def alone_of(pair: Pair) -> tuple[float, float, float]:
        return asked(path, pair)[0]

    with ThreadPoolExecutor(4) as pool:
        threaded = list(pool.map(alone_of, (*ENTAILED, *NEUTRAL)))
    assert threaded == alone


def test_a_network_at_chance_is_refused_with_what_was_reached(folder: Folder) -> None:
    """Demanded by the task: with a foreign tokenizer, every word means another's."""
    path = folder()
    tokenizer = json.loads((path / "tokenizer.json").read_text("utf-8"))
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    words = [word for word in vocabulary if word.isalpha()]
    numbers = [vocabulary[word] for word in words]
    vocabulary.update(zip(words, numbers[79:] + numbers[:79], strict=True))
    (path / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    with pytest.raises(MalformedInput, match=r"no network for natural language inference: .* name one that was"):
        asked(path)


@pytest.mark.parametrize(
    ("network", "said"),
    [
        ("others/nan.onnx", "not a number for 80 of 80 pairs"),
        ("others/two.onnx", r"output of shape \(1, 2\) .*needed is \(1, 3\)"),
        ("others/positions.onnx", "this one takes input_ids, position_ids"),
    ],
)
def test_a_network_of_another_kind_is_refused(folder: Folder, network: str, said: str) -> None:
    """Our promise: an error of ours, which says what is needed."""
    path = folder(network)
    with pytest.raises(MalformedInput, match=said) as refused:
        asked(path)
    assert refused.value.source == str(path / "model.onnx")


def test_files_that_are_no_network_and_no_tokenizer_are_refused_by_their_names(folder: Folder) -> None:
    """Our promise: an error of ours that names the file, whatever the library raised."""
    path = folder()
    (path / "tokenizer.json").write_text("{}", "utf-8")
    with pytest.raises(MalformedInput, match=r"tokenizer\.json"):
        asked(path)
    content = (path / "model.onnx").read_bytes()
    for damaged in (b"", b"no network", content[: len(content) // 2]):
        (path / "model.onnx").write_bytes(damaged)
        with pytest.raises(MalformedInput, match=r"model\.onnx"):
            asked(path)


def test_a_pair_over_the_length_of_the_configuration_is_said_not_to_be_read(folder: Folder) -> None:
    """Our promise: nothing is cut off unseen. Two texts of so many words have three marks more."""
    judge = local_pair_judge(folder(max_position_embeddings=45))
    assert judge.reads(Pair("word " * 20, "word " * 20))
    assert not judge.reads(Pair("word " * 20, "word " * 21))


def test_a_pair_over_the_length_of_the_export_is_said_not_to_be_read(folder: Folder) -> None:
    """A network whose rows have one length reads no longer ones."""
    judge = local_pair_judge(folder("others/shares.onnx"))
    assert judge.reads(Pair("word " * 30, "word " * 31))
    assert not judge.reads(Pair("word " * 31, "word " * 31))


def test_odd_texts_have_shares(folder: Folder) -> None:
    """Over bad input: a bounded, quiet end."""
    judge: PairJudge = local_pair_judge(folder())
    for text in ("", "\x00\x07\u202e", "\U0001f600" * 50, "?" * 200):
        assert all(each.is_number for each in judge.judge([Pair(text, "x"), Pair("x", text)]))


def test_importing_the_package_or_the_seam_loads_no_array_library() -> None:
    """Our promise (README): the bare install is quick."""
    program = (
        "import sys, upheld.speech.matching.entailment.local, upheld.speech.matching.entailment.matcher\n"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


def test_a_missing_library_is_said_with_the_install_line(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise (MissingExtra): the message is the install line."""

    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(local, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'upheld\[local\]'"):
        local_pair_judge(folder())
