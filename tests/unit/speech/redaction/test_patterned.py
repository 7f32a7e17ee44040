"""What is taken out, what must stay, and that nobody loses track of where it was."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.redaction.checksums import is_card, is_iban, passes_luhn
from upheld.speech.redaction.patterned import PatternRedactor
from upheld.speech.redaction.patterns import ADDRESS, DEFAULT, EMAIL

SECRETS = {
    "email": ("mail noor.k+oncall@example.co.uk now", "Noor <noor@example.com>", "(ivo@mail.example.org)."),
    "phone": (
        "call +49 30 901820 today",
        "call +1 (415) 555-2671",
        "ring 0044 20 7946 0958",
        "call (415) 555-2671",
        "415-555-2671 is hers",
        "his number is 07911 123456",
        "030/1234567 after six",
    ),
    "iban": (
        "pay to DE89 3704 0044 0532 0130 00 please",
        "GB82WEST12345698765432",
        "NL91 ABNA 0417 1643 00",
        "DE89 3704 0044 0532 0130 00 AND OUR BIC",
    ),
    "card": ("card 4111 1111 1111 1111", "use 5555555555554444", "amex 3782 822463 10005", "4012-8888-8888-1881"),
    "key": (
        "sk|-proj-a8F3kd92LmQ0xZ7tPq41Vb",
        "token ghp|_16C7e42F292c6912E7710c838347Ae178B4a",
        "AKIA|IOSFODNN7EXAMPL3 is it",
        "glpat|-x8Yf2Kd91-pQzr7LmV3t",
        "Authorization: Bearer |a1B2c3D4e5F6g7H8i9J0k1L2",
        "eyJ|hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ),
    "password": (
        "password: hunter2hunter",
        "the api_key=9f8e7d6c5b4a",
        "postgres://app:s3cr3t@db/orders",
        "secret is tr0ub4dor&3",
    ),
    "private-key": (
        "-----BEGIN RSA PRIVATE |KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE |KEY-----\nb3BlbnNzaC1rZXktdjEA and then it was cut off",
    ),
}
"""Invented, or published as examples. A bar inside keeps scanners of keys from taking them for real ones."""

SECRET = [(kind, text.replace("|", "")) for kind, texts in SECRETS.items() for text in texts]

HARMLESS = (
    "On 2026-03-02 at 14:07 UTC p95 rose from 400 ms to 2.9 s.",
    "The meeting is on 02.03.2026, 09:30-10:45, and again on 12/04/2026.",
    "The bank statement shows 14,310.00 from Brand & Co on 29 September.",
    "72 tonnes at 1,410 a tonne come to 101,520.00 euros, or 1 015 200,00.",
    "o8 and h2 were said at T9; dev01_o11 rests on T9#1 and doc:2.",
    "Order 20417-8831 and order number 4111111111111112 are late; parcel 00340434161094042557 is not.",
    "Ticket INC-2026-000481 is about version 4.12.1 and build 10.0.19045.3570.",
    "customers holds 18,174 rows; ids 4410, 9127 and 15003 are missing.",
    "The password is required, the token: pending, and the secret: unknown.",
    "Use scikit-learn, sk-learn-contrib-of-some-length, and pk-something-quite-long-here.",
    "Look at commit 3f9a02c1d4e5b6a798877665544332211ffeedd0 and at 192.168.0.1.",
    "Clause 7.2, invoice 15,290.00, IBAN DE89 3704 0044 0532 0130 01 (a wrong one), LT-204, 25 dB.",
    "a @ b, user@localhost, @noor, 5 @ 3 euros",
    "T12 has 0800-0900 and 0900-1000 free, 030 12 is no number.",
)


@pytest.mark.parametrize(("kind", "text"), SECRET)
def test_a_secret_is_replaced_by_a_placeholder_of_its_kind(kind: str, text: str) -> None:
    """Our promise (issue 4, section 1): secrets and personal data are gone before anything is stored or sent."""
    found = PatternRedactor().redact(text)
    assert [each.kind for each in found.findings] == [kind]
    (only,) = found.findings
    assert text[slice(*only.before)] not in found.text
    assert found.text[slice(*only.after)] == only.placeholder == f"[{kind}-1]"


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    """Our promise: dates, amounts, ids, order numbers and versions carry the meaning of a record, and stay."""
    assert PatternRedactor().redact(text).text == text


def test_the_same_value_has_the_same_placeholder_however_it_is_spelled() -> None:
    """Our promise: dependencies stay readable, since what is said of one person stays with one name."""
    redactor = PatternRedactor()
    first = redactor.redact("Noor is noor@example.com, Ivo is ivo@example.com.")
    later = redactor.redact(
        "NOOR@example.com confirmed; pay DE89370400440532013000, that is DE89 3704 0044 0532 0130 00."
    )
    assert first.text == "Noor is [email-1], Ivo is [email-2]."
    assert later.text == "[email-1] confirmed; pay [iban-1], that is [iban-1]."


def test_a_key_makes_placeholders_that_other_processes_give_too() -> None:
    """Our promise: a conversation that is opened again does not call somebody else by a known placeholder."""
    one, other, third = PatternRedactor(key=b"k"), PatternRedactor(key=b"k"), PatternRedactor(key=b"l")
    other.redact("somebody@example.com came first")
    text = "Noor is noor@example.com."
    assert one.redact(text).text == other.redact(text).text != third.redact(text).text
    assert re.fullmatch(r"Noor is \[email-[0-9a-f]{6}\]\.", one.redact(text).text)


def test_a_placeholder_that_somebody_typed_is_given_to_nobody_else() -> None:
    """Our promise: a stranger cannot make two people one by writing a placeholder."""
    redactor = PatternRedactor()
    assert redactor.redact("[email-1] is free, noor@example.com is not").text == "[email-1] is free, [email-2] is not"


def test_machine_addresses_are_taken_out_only_where_asked_for() -> None:
    """Our promise: optional, since conversations about machines are about their addresses."""
    text = "db at 10.0.12.7 and 2001:db8::8a2e:370:7334, version 4.12.1, at 12:30:45, not 999.1.1.1"
    assert PatternRedactor().redact(text).text == text
    found = PatternRedactor((*DEFAULT, ADDRESS)).redact(text)
    assert found.text == "db at [ip-1] and [ip-2], version 4.12.1, at 12:30:45, not 999.1.1.1"


def test_offsets_lead_from_the_text_now_to_the_text_before_and_back() -> None:
    """Our promise: never changes offsets silently."""
    text = "To noor@example.com: call +49 30 901820 at nine."
    found = PatternRedactor().redact(text)
    assert found.text == "To [email-1]: call [phone-1] at nine."
    for word in ("To", "call", "at nine"):
        assert found.before(found.text.index(word)) == text.index(word)
        assert found.after(text.index(word)) == found.text.index(word)
    assert found.before(len(found.text)) == len(text)
    assert found.before(found.text.index("email")) == text.index("noor")


PIECES = st.sampled_from([*(text for _, text in SECRET), *HARMLESS, "so ", "[email-1]", "\n"])


@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=6).map(" ".join))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    """Our promise: idempotent, for the same redactor and for a fresh one."""
    redactor = PatternRedactor()
    once = redactor.redact(text)
    assert redactor.redact(once.text).text == once.text
    assert PatternRedactor().redact(once.text).text == once.text


@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=6).map(" ".join))
def test_a_text_is_its_findings_and_all_else_as_it_was(text: str) -> None:
    """Our promise: outside the findings nothing changes, and the map of offsets is exact."""
    found = PatternRedactor().redact(text)
    restored, place = "", 0
    for each in found.findings:
        restored += found.text[place : each.after[0]] + text[slice(*each.before)]
        assert found.text[slice(*each.after)] == each.placeholder
        place = each.after[1]
    assert restored + found.text[place:] == text
    inside = {n for each in found.findings for n in range(*each.before)}
    for offset in set(range(len(text) + 1)) - inside:
        assert found.before(found.after(offset)) == offset


@pytest.mark.parametrize(
    "part",
    ["a", "1", "1 ", "a@", "a.", "+1 ", "-----BEGIN PRIVATE KEY-----", "0", "://a:", ":", "(0", "eyJ.", "\u0661"],
)
def test_a_long_text_of_almost_secrets_takes_no_long_time(part: str) -> None:
    """Issue 4, section 6, point 8: bad input, bounded time, never an exception."""
    text = part * (100_000 // len(part))
    found = PatternRedactor((*DEFAULT, ADDRESS)).redact(text)
    assert len(found.findings) <= len(text)


def test_check_digits_are_those_of_the_standards() -> None:
    """ISO/IEC 7812-1 and ISO 13616: the examples that the standards' users publish."""
    assert passes_luhn("79927398713")
    assert not passes_luhn("79927398710")
    assert is_card("378282246310005")
    assert not is_card("1234567812345670")
    assert is_iban("GB82WEST12345698765432")
    assert not is_iban("GB83WEST12345698765432")


def test_only_the_kinds_that_are_named_are_looked_for() -> None:
    """Our promise: the kinds are a choice of the caller."""
    assert PatternRedactor((EMAIL,)).redact("a@example.com +49 30 901820").text == "[email-1] +49 30 901820"
