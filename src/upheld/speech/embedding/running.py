"""Files of a network opened on the processor: the one place that knows how onnxruntime and tokenizers are told to.

Loads both, so it is itself loaded only by the modules that run a network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnxruntime
from tokenizers import Tokenizer

from upheld.errors import MalformedInput

# It ships no types; whoever runs a session says what comes out of it.
_runtime: Any = onnxruntime


def opened_session(network: Path, *, threads: int) -> Any:
    """Open a network for so many threads of the processor.

    Raises:
        MalformedInput: the file is no network.
    """
    options = _runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    try:
        return _runtime.InferenceSession(str(network), sess_options=options, providers=["CPUExecutionProvider"])
    # The library raises bare exceptions of its own on a file that it cannot read.
    except Exception as error:
        raise MalformedInput(f"no network: {error}", source=str(network)) from error


def opened_tokenizer(path: Path) -> Tokenizer:
    """Open a tokenizer that neither pads nor cuts off.

    Raises:
        MalformedInput: the file is no tokenizer.
    """
    try:
        tokenizer = Tokenizer.from_file(str(path))
    # The library raises bare exceptions of its own on a file that it cannot read.
    except Exception as error:
        raise MalformedInput(f"no tokenizer: {error}", source=str(path)) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
