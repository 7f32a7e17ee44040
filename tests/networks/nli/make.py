"""Makes the small networks on which the tests of matching by natural language inference run. Needs ``onnx``.

They are no networks for natural language inference: ``learned`` has the pairs of the self-test, and a few sentences of
the tests, by heart, so that a real runtime can load it and let it pass. It knows which words both texts have, and which
only one of them. ``others`` are what exports also are, or should not be. Run it from the root of the repository:

    python tests/networks/nli/make.py
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upheld.speech.matching.entailment.judge import Pair
from upheld.speech.matching.entailment.pairs import CONTRADICTED, ENTAILED, NEUTRAL, STRANGERS
from upheld.testing.matcher_contract import PADDING, TEXTS

# It is installed for whoever makes the networks, and not for the tests.
onnx: Any = import_module("onnx")
made: Any = import_module("onnx.helper")
FLOAT, INT32, INT64 = (getattr(onnx.TensorProto, name) for name in ("FLOAT", "INT32", "INT64"))

FOLDER = Path(__file__).parent
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
LABELS = {"0": "entailment", "1": "neutral", "2": "contradiction"}
WIDTH = 64

SAID = (
    "The train to Porto leaves at 9:40.",
    "The train to Porto leaves from platform 3.",
    "The ticket costs 30 euros.",
    "The ticket costs 25 euros.",
    "The hotel in Porto has a garden.",
    "Nobody has to pay to enter the museum.",
    "The museum opens at ten.",
)
FOLLOWS = (Pair("Nobody has to pay to enter the museum.", "Visitors get in free of charge."),)
AGAINST = (
    Pair("The ticket costs 25 euros.", "The ticket costs 30 euros."),
    Pair("The ticket costs 25 euros.", "The ticket costs 999 euros."),
    Pair("The train to Porto leaves at 9:40.", "The train to Porto does not leave at 9:40."),
    Pair("Nobody has to pay to enter the museum.", "Visitors buy a card before they get in."),
)
EXAMPLES: tuple[tuple[Pair, int], ...] = (
    *((pair, 0) for pair in (*ENTAILED, *FOLLOWS)),
    *((pair, 1) for pair in (*NEUTRAL, *STRANGERS)),
    *((pair, 2) for pair in (*CONTRADICTED, *AGAINST, *(each.turned() for each in AGAINST))),
    *((Pair(text, text), 0) for text in SAID),
    *((Pair(one, other), 1) for one in SAID for other in SAID if one[:10] != other[:10]),
    *((Pair(one, other), 1) for one in PADDING for other in SAID),
)


def words_of(text: str) -> list[str]:
    """Give the words and marks of a text, as the tokenizer cuts them."""
    return re.findall(r"\w+|[^\w\s]+", text.casefold())


def main() -> None:
    """Learn, and write all files."""
    texts = [*(text for pair, _ in EXAMPLES for text in (pair.premise, pair.hypothesis)), *TEXTS]
    words = [*MARKS, *sorted({word for text in texts for word in words_of(text)})]
    weights, bias = learned({word: place for place, word in enumerate(words)})
    (FOLDER / "learned").mkdir(exist_ok=True)
    (FOLDER / "others").mkdir(exist_ok=True)
    save(graph_by_types(weights, bias), "learned/model.onnx")
    save(graph_by_marks(weights, bias), "others/shares.onnx")
    for name, width in (("nan", 3), ("two", 2), ("positions", 3)):
        save(odd_graph(name, width), f"others/{name}.onnx")
    (FOLDER / "learned" / "tokenizer.json").write_text(json.dumps(tokenizer(words)) + "\n", "utf-8")
    (FOLDER / "learned" / "config.json").write_text(json.dumps({"id2label": LABELS}) + "\n", "utf-8")


def learned(places: dict[str, int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give weights of a multinomial logistic regression on which words which text has."""
    rows = np.zeros((len(EXAMPLES), 3 * len(places)))
    for row, (pair, _) in zip(rows, EXAMPLES, strict=True):
        ours, theirs = ({places[word] for word in words_of(text)} for text in (pair.premise, pair.hypothesis))
        for part, found in enumerate((ours & theirs, ours - theirs, theirs - ours)):
            row[[part * len(places) + place for place in sorted(found)]] = 1
    wanted = np.eye(3)[[label for _, label in EXAMPLES]]
    # Every label counts alike, however many examples it has.
    weight = (wanted / wanted.sum(axis=0)).sum(axis=1, keepdims=True) / 3
    weights, bias = np.zeros((rows.shape[1], 3)), np.zeros(3)
    for _ in range(4000):
        shares = np.exp(rows @ weights + bias)
        off = (shares / shares.sum(axis=1, keepdims=True) - wanted) * weight
        weights -= 2.0 * (rows.T @ off + 1e-5 * weights)
        bias -= 2.0 * off.sum(axis=0)
    return weights.astype(np.float32), bias.astype(np.float32)


def tokenizer(words: list[str]) -> dict[str, object]:
    """Give a tokenizer of whole words in small letters, with the marks of BERT around a pair."""
    first: list[object] = [mark("[CLS]", 0), {"Sequence": {"id": "A", "type_id": 0}}, mark("[SEP]", 0)]
    second: list[object] = [{"Sequence": {"id": "B", "type_id": 1}}, mark("[SEP]", 1)]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": first,
            "pair": [*first, *second],
            "special_tokens": {
                name: {"id": name, "ids": [words.index(name)], "tokens": [name]} for name in ("[CLS]", "[SEP]")
            },
        },
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: place for place, word in enumerate(words)},
            "unk_token": "[UNK]",
        },
    }


def mark(name: str, segment: int) -> dict[str, object]:
    """Give a mark of a template."""
    return {"SpecialToken": {"id": name, "type_id": segment}}


def graph_by_types(weights: NDArray[np.float32], bias: NDArray[np.float32]) -> Any:
    """Give the network as BERT takes it: any length, and the types say which text is which."""
    inputs = [value(name, INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask", "token_type_ids")]
    nodes = [
        node("Cast", ["token_type_ids"], "types", to=FLOAT),
        node("Cast", ["attention_mask"], "mask", to=FLOAT),
        node("Mul", ["mask", "types"], "second"),
        node("Sub", ["mask", "second"], "first"),
        *after_texts("logits"),
    ]
    return graph(inputs, nodes, ("logits", ["batch", 3]), constants(weights, bias))


def graph_by_marks(weights: NDArray[np.float32], bias: NDArray[np.float32]) -> Any:
    """Give it as other exports are: one length, small integers, no types, and shares in place of logits."""
    inputs = [value(name, INT32, [1, WIDTH]) for name in ("input_ids", "attention_mask")]
    nodes = [
        node("Cast", ["attention_mask"], "mask", to=FLOAT),
        node("Equal", ["input_ids", "between"], "is_between"),
        node("Cast", ["is_between"], "ends", to=FLOAT),
        node("CumSum", ["ends", "axis"], "behind", exclusive=1),
        node("Min", ["behind", "one"], "types"),
        node("Mul", ["mask", "types"], "second"),
        node("Sub", ["mask", "second"], "first"),
        # The runtime has no OneHot of small integers.
        node("Cast", ["input_ids"], "pieces", to=INT64),
        *after_texts("scores", "pieces"),
        node("Softmax", ["scores"], "shares", axis=1),
    ]
    more = {
        "between": np.array([MARKS.index("[SEP]")], dtype=np.int32),
        "axis": np.array(1, dtype=np.int64),
        "one": np.array([1], dtype=np.float32),
    }
    return graph(inputs, nodes, ("shares", [1, 3]), constants(weights, bias) | more)


def after_texts(output: str, pieces: str = "input_ids") -> list[Any]:
    """Give what both share: which words each text has, and the weighted sum."""
    nodes = [node("OneHot", [pieces, "depth", "off_on"], "words", axis=-1)]
    for name in ("first", "second"):
        nodes += [
            node("Unsqueeze", [name, "last"], f"{name}_place"),
            node("Mul", ["words", f"{name}_place"], f"{name}_words"),
            node("ReduceMax", [f"{name}_words"], f"{name}_has", axes=[1], keepdims=0),
        ]
    return [
        *nodes,
        node("Mul", ["first_has", "second_has"], "both"),
        node("Sub", ["first_has", "both"], "first_only"),
        node("Sub", ["second_has", "both"], "second_only"),
        node("Concat", ["both", "first_only", "second_only"], "row", axis=1),
        node("Gemm", ["row", "weights", "bias"], output),
    ]


def constants(weights: NDArray[np.float32], bias: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Give what the nodes of ``after_texts`` read."""
    return {
        "weights": weights,
        "bias": bias,
        "depth": np.array(len(weights) // 3, dtype=np.int64),
        "off_on": np.array([0, 1], dtype=np.float32),
        "last": np.array([2], dtype=np.int64),
    }


def odd_graph(name: str, width: int) -> Any:
    """Give a network that says nothing: no number, two labels, or for an input that no tokenizer gives."""
    inputs = ["input_ids", "position_ids"] if name == "positions" else ["input_ids"]
    nodes = [
        node("Cast", [inputs[-1]], "numbers", to=FLOAT),
        node("ReduceMax", ["numbers"], "most", axes=[1], keepdims=1),
        node("Mul", ["most", "factor"], "logits"),
    ]
    factor = np.full((1, width), np.nan if name == "nan" else 0.0, dtype=np.float32)
    taken = [value(each, INT64, ["batch", "length"]) for each in inputs]
    return graph(taken, nodes, ("logits", ["batch", width]), {"factor": factor})


def node(operator: str, inputs: list[str], output: str, **attributes: object) -> Any:
    """Give one node of a graph."""
    return made.make_node(operator, inputs, [output], **attributes)


def value(name: str, kind: int, shape: list[Any]) -> Any:
    """Give one input or output of a graph."""
    return made.make_tensor_value_info(name, kind, shape)


def graph(inputs: list[Any], nodes: list[Any], output: tuple[str, list[Any]], tensors: dict[str, NDArray[Any]]) -> Any:
    """Give a network of the operators' version 17."""
    arrays: Any = import_module("onnx.numpy_helper")
    kept = [arrays.from_array(array, name) for name, array in tensors.items()]
    body = made.make_graph(nodes, "pairs", inputs, [value(output[0], FLOAT, output[1])], kept)
    return made.make_model(body, opset_imports=[made.make_opsetid("", 17)], ir_version=8)


def save(network: Any, name: str) -> None:
    """Check a network and write it."""
    onnx.checker.check_model(network)
    (FOLDER / name).write_bytes(network.SerializeToString())


if __name__ == "__main__":
    main()
