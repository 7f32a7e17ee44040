"""Check digits: what tells a card number or an account from any other number of the same length."""

from __future__ import annotations

import math
from collections import Counter

_IBAN_LENGTHS = range(15, 35)
_LEAST_ENTROPY = 3.0


def passes_luhn(digits: str) -> bool:
    """Tell whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Tell whether a number is one of a payment card: a known issuer, a length that it uses, and the check digit."""
    if not digits.isdigit() or not passes_luhn(digits):
        return False
    two, four, length = int(digits[:2]), int(digits[:4]), len(digits)
    if digits[0] == "4":
        return length in {13, 16, 19}
    if two in {34, 37}:
        return length == 15
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return length == 16
    if two in {36, 38, 39} or 300 <= int(digits[:3]) <= 305:
        return length == 14
    return length in {16, 19} and (four == 6011 or two == 65 or 3528 <= four <= 3589)


def is_iban(text: str) -> bool:
    """Tell whether a text without blanks is an account number with its check digits (ISO 13616, ISO 7064 mod 97)."""
    if len(text) not in _IBAN_LENGTHS or not text.isalnum() or not text.isascii():
        return False
    turned = (text[4:] + text[:4]).upper()
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def looks_random(text: str) -> bool:
    """Tell whether a token was drawn and not written: letters and at least two digits, hardly a character twice.

    At least three bits a character of Shannon's entropy, estimated from the token itself.
    """
    digits = sum(char.isdigit() for char in text)
    if digits < 2 or not any(char.isalpha() for char in text):
        return False
    shares = (count / len(text) for count in Counter(text).values())
    return -sum(share * math.log2(share) for share in shares) >= _LEAST_ENTROPY
