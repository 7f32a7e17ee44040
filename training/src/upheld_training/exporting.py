"""The trained network as the file that is shipped: ONNX, its matrices in eight bits, held against the original."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor

from upheld.speech.trained.network import OUTPUTS
from upheld_training.examples import Example, tensors
from upheld_training.network import NEARNESS, WIDTH, Network

INPUTS = ("words", "segments", "mask", "marks", "nearness", "clauses", "between")
OPSET = 17

MOST_CHANGED = 0.02
"""Most that the mean of all probabilities may change by the eight bits; public reports have networks that fell to
chance by them, so it is always measured."""

_AXES = {
    "words": {0: "rows", 1: "pieces"},
    "segments": {0: "rows", 1: "pieces"},
    "mask": {0: "rows", 1: "pieces"},
    "marks": {0: "rows", 1: "propositions"},
    "nearness": {0: "rows", 1: "propositions"},
    "clauses": {0: "rows", 1: "clauses"},
    "between": {0: "rows", 1: "clauses", 2: "propositions"},
    "relations": {0: "rows", 1: "propositions"},
    "claim": {0: "rows"},
    "moves": {0: "rows", 1: "clauses"},
    "acts": {0: "rows", 1: "clauses", 2: "propositions"},
}


def export(network: Network, path: Path) -> None:
    """Write the network in eight bits. The word vectors are its input and stay where they are."""
    network.eval()
    shape = (2, 20, 3)
    sample = (
        torch.randn(shape[0], shape[1], WIDTH),
        torch.zeros(shape[:2], dtype=torch.long),
        torch.ones(shape[:2], dtype=torch.long),
        torch.zeros((shape[0], shape[2]), dtype=torch.long),
        torch.zeros((shape[0], shape[2], NEARNESS)),
        torch.zeros((shape[0], 4), dtype=torch.long),
        torch.zeros((shape[0], 4, shape[2], NEARNESS)),
    )
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            network,
            sample,
            str(whole),
            input_names=list(INPUTS),
            output_names=list(OUTPUTS),
            dynamic_axes=_AXES,
            opset_version=OPSET,
            dynamo=False,
        )
        onnx.checker.check_model(str(whole))
        path.parent.mkdir(parents=True, exist_ok=True)
        quantize_dynamic(
            whole,
            path,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gemm"],
            extra_options={"MatMulConstBOnly": True},
        )


def changed(network: Network, words: Tensor, path: Path, examples: Sequence[Example]) -> float:
    """Give by how much the probabilities of relations change, on average over examples, by the export."""
    session: Any = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    total, count = 0.0, 0
    with torch.no_grad():
        for example in examples:
            batch = tensors([example])
            given = batch.inputs(words)
            before = torch.sigmoid(network(*given)[0]).numpy()
            named = {name: each.numpy() for name, each in zip(INPUTS, given, strict=True)}
            after = 1 / (1 + np.exp(-session.run(["relations"], named)[0]))
            total += float(np.abs(before - after).sum())
            count += before.size
    return total / max(count, 1)
