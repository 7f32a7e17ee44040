"""C-47, by its own words: quotations that are real, invented, from elsewhere, or joined."""

from __future__ import annotations

import pytest

from upheld.speech.matching.quoting.checking import QuoteStatus, check_quotes
from upheld.speech.matching.quoting.sources import Source

THREE = (
    Source(id="lease-1", text="The tenant shall give two months' notice in writing before the end of the term."),
    Source(id="lease-2", text="The landlord shall repair the roof within thirty days of being told of a leak."),
    Source(id="letter-7", text="We have received your letter and will send a roofer on Thursday morning."),
)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('"The landlord shall repair the roof within thirty days" [lease-2]', QuoteStatus.EXACT),
        ('"The landlord shall pay for a hotel while the roof is open" [lease-2]', QuoteStatus.FABRICATED),
        ('"The landlord shall repair the roof within thirty days" [lease-1]', QuoteStatus.MISATTRIBUTED),
        ('"The landlord shall repair the roof on Thursday morning" [lease-2]', QuoteStatus.STITCHED),
        (
            '"The tenant shall give two months\' notice within thirty days of being told" [lease-1]',
            QuoteStatus.STITCHED,
        ),
        ('"The landlord shall repair the roof within sixty days" [lease-2]', QuoteStatus.FABRICATED),
        ('"The landlord shall not repair the roof within thirty days" [lease-2]', QuoteStatus.FABRICATED),
    ],
)
def test_c47_a_real_citation_does_not_make_a_quotation_real(text: str, status: QuoteStatus) -> None:
    """C-47 (OpenContracts #2189, vellum #9, Qwen-Agent #927), decided by rules."""
    (found,) = check_quotes(text, THREE)
    assert found.status is status
