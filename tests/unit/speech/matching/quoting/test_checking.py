"""Quotations against their sources: exact, mended, from elsewhere, in pieces, or of nobody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.matching.quoting.checking import CheckedQuote, QuoteChecker, QuoteStatus, check_quotes
from upheld.speech.matching.quoting.closeness import MOST_WORDS
from upheld.speech.matching.quoting.finding import quotations
from upheld.speech.matching.quoting.sources import Source, Sources, sources_of
from upheld.speech.matching.quoting.words import Worded, words_of

LOG = Source(
    id="doc-1",
    text=(
        "The pump failed at noon because its seal was worn. The operator restarted it twice before calling for help, "
        "and both times it ran for less than a minute."
    ),
    names=("Maintenance log",),
)
AUDIT = Source(
    id="doc-2",
    text="Nobody had inspected the valve since March. The inspection was planned for April but the budget was cut.",
    names=("Audit report",),
)
TURNS = sources_of(
    [
        Turn(id=TurnId("T3"), speaker=AgentId("ben"), text="We agreed to order 40 new seals from the Oslo supplier."),
        Turn(id=TurnId("T4"), speaker=AgentId("ann"), text=""),
    ]
)
SOURCES = (LOG, AUDIT, *TURNS)
EXACT, REPAIRED, STITCHED = QuoteStatus.EXACT, QuoteStatus.REPAIRED, QuoteStatus.STITCHED
MISATTRIBUTED, FABRICATED, TOO_SHORT = QuoteStatus.MISATTRIBUTED, QuoteStatus.FABRICATED, QuoteStatus.TOO_SHORT


def one(text: str) -> CheckedQuote:
    """Give the only quotation of a text, checked."""
    (found,) = check_quotes(text, SOURCES)
    return found


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('The log says: "The pump failed at noon because its seal was worn."', EXACT),
        ("The Maintenance log has \u201cthe pump  failed at noon, because its seal was worn\u201d.", EXACT),
        ("\u00abNobody had\ninspected the valve since\u00a0March\u00bb", EXACT),
        ("\u201eNobody had inspected the valve\u201c, they wrote.", EXACT),
        ("> We agreed to order 40 new\n> seals from the Oslo supplier.\n\nSo it was.", EXACT),
        ("It read \u2018nobody had inspected the valve\u2019 last year.", EXACT),
        ('"The pump failed \u2026 before calling for help"', EXACT),
        ('"We agreed to order 40 new seals" [T3]', EXACT),
        ('Ben said "we agreed to order 40 new seals".', EXACT),
        ('"The pump failed at noon since its seal was worn."', REPAIRED),
        ('"The operater restarted it twice before calling for help"', REPAIRED),
        ('The Audit report says "the pump failed at noon because its seal was worn".', MISATTRIBUTED),
        ('"Nobody had inspected the valve since March", Ben said.', MISATTRIBUTED),
        ('"Nobody had inspected the valve since March" (doc-1)', MISATTRIBUTED),
        ('"Nobody had inspected the valve since March" [doc-9]', MISATTRIBUTED),
        ('"The operater restarted it twice before calling for help" [doc-2]', MISATTRIBUTED),
        ('"The pump failed at noon because the budget was cut."', STITCHED),
        ('"The pump failed at noon \u2026 the budget was cut."', STITCHED),
        ('"it ran for less than a minute and nobody had inspected the valve"', STITCHED),
        ('"We agreed to order 50 new seals from the Oslo supplier"', FABRICATED),
        ('"The operator restarted it three times before calling for help"', FABRICATED),
        ('"Nobody had inspected the budget since March"', FABRICATED),
        ('"We never agreed to order 40 new seals from the Oslo supplier"', FABRICATED),
        ('"We agreed to order 40 new seals from the Bergen supplier"', FABRICATED),
        ('"A gardener painted the fence in the rain"', FABRICATED),
        ('"less help"', TOO_SHORT),
        ('She said "yes".', TOO_SHORT),
        ("\u201c The pump failed at noon \u201d", EXACT),
        ('"The pump failed at noon" [sic]', EXACT),
    ],
)
def test_each_kind_of_quotation_is_told(text: str, status: QuoteStatus) -> None:
    """C-47 (OpenContracts #2189, vellum #9, Qwen-Agent #927), and each kind beside it; decided by rules."""
    found = one(text)
    assert found.status is status
    assert found.passes is (status in (EXACT, REPAIRED))


def test_a_mended_quotation_says_where_and_what_it_should_read() -> None:
    """Issue, section 2: repaired with offsets, in the characters of the source itself."""
    found = one('"The operater restarted it twice before calling for help"')
    (place,) = found.places
    assert place.source == "doc-1"
    assert place.text == "The operator restarted it twice before calling for help"
    assert LOG.text[slice(*place.span)] == place.text


def test_offsets_are_those_of_the_original_however_it_is_written() -> None:
    """Issue, section 2: soft hyphens, ligatures, accents in two characters and odd blanks shift nothing."""
    source = Source(
        id="s", text="\ufeffThe of\u00adfi\u00adcial  \ufb01gure was cafe\u0301\u2019s own\u202f\u2014 so to say."
    )
    (found,) = check_quotes("\u201cofficial figure was caf\u00e9's own\u201d", [source])
    assert found.status is EXACT
    assert found.places[0].text == "of\u00adfi\u00adcial  \ufb01gure was cafe\u0301\u2019s own"


def test_the_parts_of_a_stitched_quotation_are_shown() -> None:
    """C-47: two halves joined; whoever reads it sees both places."""
    found = one('"The pump failed at noon because the budget was cut."')
    assert [(place.source, place.text) for place in found.places] == [
        ("doc-1", "The pump failed at noon because"),
        ("doc-2", "the budget was cut"),
    ]


def test_a_changed_quotation_says_what_was_changed() -> None:
    """Our promise: what comes nearest is shown, and why it is not the same."""
    found = one('"We agreed to order 50 new seals from the Oslo supplier"')
    assert found.why == "a figure or a date differs"
    assert found.places[0].text == "We agreed to order 40 new seals from the Oslo supplier"


def test_of_two_near_wordings_none_is_chosen() -> None:
    """Issue, section 2: repaired only where one match is close."""
    twins = [
        Source(id="a", text="We shall meet at the old mill."),
        Source(id="b", text="We will meet at the old mill."),
    ]
    (found,) = check_quotes('"We do meet at the old mill"', twins)
    assert (found.status, found.why, len(found.places)) == (FABRICATED, "several wordings are equally near", 2)


def test_of_several_sources_the_named_one_is_shown() -> None:
    """Our promise: what several said is not misattributed to any of them."""
    sources = [Source(id="a", text="All pumps are off."), Source(id="b", text="I heard that all pumps are off.")]
    (found,) = check_quotes('"All pumps are off" [b]', sources)
    assert (found.status, found.places[0].source) == (EXACT, "b")


def test_a_single_word_or_a_name_without_letters_finds_nothing() -> None:
    """Our promise: sources are looked up by pairs of words, and called by names that have some."""
    sources = Sources([Source(id="s", text="The pump failed.", names=("***",))])
    assert sources.holding(["pump"]) == []
    assert sources.longest_run(["pump"], 0) is None
    (found,) = check_quotes('"The pump failed" ***', sources.all)
    assert found.status is EXACT


def test_a_language_without_blanks_is_read_by_characters() -> None:
    """Our promise: quotation marks of Japanese and Chinese are read, and a wrong character is seen."""
    source = [Source(id="s", text="\u4f1a\u8b70\u306f\u706b\u66dc\u65e5\u306b\u884c\u3046")]
    (found,) = check_quotes("\u300c\u4f1a\u8b70\u306f\u706b\u66dc\u65e5\u300d", source)
    assert found.status is EXACT
    (found,) = check_quotes("\u300c\u5c71\u7530\u306f\u6c34\u66dc\u65e5\u300d", source)
    assert found.status is FABRICATED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('A 5" pipe and a 6" pipe.', []),
        ("It's Ann's, isn't it? 'Tis so.", []),
        ('"one" and "two"', ["one", "two"]),
        ('An "open mark', []),
        ('\u201couter "inner" outer\u201d', ['outer "inner" outer']),
        ('""', []),
        ("> line one\n> line two\nnot this", ["> line one\n> line two"]),
    ],
)
def test_quotations_are_found_by_their_marks(text: str, expected: list[str]) -> None:
    """Our promise: apostrophes and inches open nothing."""
    found = quotations(text)
    assert [each.text for each in found] == expected
    assert [text[slice(*each.span)] for each in found] == expected


@given(
    source=st.text(alphabet="ab c.,\u00ad\u2019'\n1", max_size=60),
    start=st.integers(0, 60),
    length=st.integers(1, 30),
)
def test_whatever_was_copied_is_found_exactly(source: str, start: int, length: int) -> None:
    """Our promise: cut anywhere between words, a copy is exact, and its place has the same words."""
    words = words_of(source)[start : start + length]
    if len(words) < 3:
        return
    copied = source[words[0].start : words[-1].end].replace("\n", " ")
    (found,) = check_quotes(f"\u201c{copied}\u201d", [Source(id="s", text=source)])
    assert found.status is EXACT
    assert [word.form for word in words_of(found.places[0].text)] == [word.form for word in words]


@given(text=st.text(max_size=80), source=st.text(max_size=80))
def test_any_text_is_checked(text: str, source: str) -> None:
    """Issue, section 6, point 8: any characters, and places that lie in their source."""
    for found in check_quotes(f'\u201c{text}\u201d "{text}"', [Source(id="s", text=source)]):
        for place in found.places:
            assert source[slice(*place.span)] == place.text


@given(
    forms=st.lists(st.sampled_from("ab"), max_size=12), wanted=st.lists(st.sampled_from("ab"), min_size=1, max_size=4)
)
def test_finding_words_equals_looking_at_every_place(forms: list[str], wanted: list[str]) -> None:
    """Compare the fast with the slow: a search in a joined text against each place in turn."""
    worded = Worded(" ".join(forms))
    slow = next((place for place in range(len(forms)) if forms[place : place + len(wanted)] == wanted), -1)
    assert worded.find(wanted) == slow


@pytest.mark.parametrize(
    "text",
    [
        '"' + "a b " * 2_000 + 'c"',
        "\n".join('"' + "a b " * 12 + 'c"' for _ in range(100)),
        '"' + "a b ... " * 1_000 + '"',
        "\u201c" * 50_000,
        "\u2018abcdefghi\u2019s " * 3_000,
        "\u00ab" * 20_000 + "\u00bb" * 20_000,
        '"x ' * 10_000,
    ],
    ids=["long", "many", "elided", "open", "apostrophes", "nested", "short"],
)
def test_what_repeats_itself_is_checked_in_bounded_time(text: str) -> None:
    """Issue, section 6, point 8; it hangs when a search is more than linear in what repeats."""
    checker = QuoteChecker([Source(id="s", text="a b " * 10_000)])
    assert {each.status for each in checker.check(text)} <= {EXACT, FABRICATED, STITCHED, TOO_SHORT}


def test_a_quotation_that_is_too_long_to_be_mended_is_still_found_word_for_word() -> None:
    """Our promise: only nearness is bounded."""
    words = " ".join(f"word{place}" for place in range(MOST_WORDS * 3))
    (found,) = check_quotes(f'"{words}"', [Source(id="s", text=f"So: {words}!")])
    assert found.status is EXACT
    (found,) = check_quotes(f'"{words.replace("word7 ", "other ")}"', [Source(id="s", text=words)])
    assert found.status is STITCHED
