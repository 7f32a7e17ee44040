"""How long a text is for whoever pays for a context window."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]|\n")

LETTERS, DIGITS = 6, 2
"""Letters of a word, and digits of a number, that are taken for one token."""


class Tokens(Protocol):
    """Counts tokens as some language model does."""

    def count(self, text: str, /) -> int:
        """Give the number of tokens of a text."""
        ...


class EstimatedTokens:
    """A careful guess for English where no tokenizer is at hand: rather too many than too few.

    A token is counted for every six letters of a word or part of six, every two digits, every mark, every byte of a
    character outside ASCII, and every line break. The vocabularies of byte-pair encodings (Sennrich et al. 2016) hold
    most English words whole, and up to three digits in a token, so that ordinary prose comes out above what they
    count. No bound holds for text that is no language: random letters cost about one token for two. Whoever must keep
    an exact limit passes the tokenizer of the language model.
    """

    def count(self, text: str, /) -> int:
        """Give the estimate. Cost: linear."""
        return sum(_cost(piece) for piece in _PIECES.findall(text))


class CountedBy:
    """Tokens as a function counts them, such as ``lambda text: len(encoding.encode(text))``."""

    def __init__(self, count: Callable[[str], int]) -> None:
        """Take the function."""
        self._count = count

    def count(self, text: str, /) -> int:
        """Ask the function."""
        return self._count(text)


def counted(tokens: Tokens | Callable[[str], int]) -> Tokens:
    """Take a counter as it is, or make one of a function."""
    return CountedBy(tokens) if callable(tokens) else tokens


def _cost(piece: str) -> int:
    first = piece[0]
    if not first.isascii():
        return len(piece.encode("utf-8", "surrogatepass"))
    if first.isalpha():
        return -(-len(piece) // LETTERS)
    return -(-len(piece) // DIGITS) if first.isdigit() else 1
