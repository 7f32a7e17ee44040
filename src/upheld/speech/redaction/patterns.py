"""What secrets and personal data look like, kind by kind; where a shape is not enough, a check digit decides."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from upheld.speech.redaction.checksums import is_card, is_iban, looks_random

_BLANKS = re.compile(r"[\s().\-/]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A kind of value: its shape, what decides beside the shape, and how two spellings of one value are told equal.

    The value is the group ``value`` of the shape where it has one, else all of it. ``may_overrun``: words after the
    value can look like its last groups, so that it is tried without them too. Repetitions are bounded, so that a search
    is linear in the text.
    """

    kind: str
    shape: re.Pattern[str]
    accepts: Callable[[str], bool] = bool
    same_as: Callable[[str], str] = str
    may_overrun: bool = False

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Give where values of the kind stand."""
        group = "value" if "value" in self.shape.groupindex else 0
        for found in self.shape.finditer(text):
            value, start = found[group], found.start(group)
            while value and not self.accepts(value):
                value = value.rpartition(" ")[0] if self.may_overrun else ""
            if value:
                yield start, start + len(value)


def _bare(text: str) -> str:
    return _BLANKS.sub("", text)


def _is_phone(text: str) -> bool:
    digits = sum(char.isdigit() for char in text)
    return 9 <= digits <= 15 and not re.search(r"\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}", text)


def _is_address(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    # "::" alone is punctuation more often than an address.
    return address.version == 4 or len(text) > 4


def _holds_secret(text: str) -> bool:
    has_mark = any(char.isdigit() for char in text) and any(char.isalpha() for char in text)
    return has_mark and not text.startswith("[")


_TOKEN_SHAPES = (
    r"(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,200}",
    r"gh[pousr]_[A-Za-z0-9]{30,255}",
    r"github_pat_[A-Za-z0-9_]{40,255}",
    r"glpat-[A-Za-z0-9_-]{20,64}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,255}",
    r"A(?:KIA|SIA)[0-9A-Z]{16}",
    r"AIza[0-9A-Za-z_-]{35}",
    r"(?:hf|npm)_[A-Za-z0-9]{30,64}",
    r"pypi-[A-Za-z0-9_-]{40,255}",
    r"eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,2000}",
)
"""Prefixes that providers of keys chose so that scanners can find them, and JSON Web Tokens (RFC 7519)."""

PRIVATE_KEY = Pattern(
    kind="private-key",
    # A block without an end was cut off: the rest of the text may be key.
    shape=re.compile(
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}-----|\Z)", re.DOTALL
    ),
)
TOKEN = Pattern(
    kind="key",
    shape=re.compile(rf"(?<![A-Za-z0-9_-])(?:{'|'.join(_TOKEN_SHAPES)})(?![A-Za-z0-9_])"),
    accepts=looks_random,
)
BEARER = Pattern(
    kind="key",
    shape=re.compile(r"\b[Bb]earer\s{1,4}(?P<value>[A-Za-z0-9._~+/-]{20,2000}={0,2})"),
    accepts=looks_random,
)
PASSWORD = Pattern(
    kind="password",
    shape=re.compile(
        r"(?i)\b(?:password|passwd|pwd|passphrase|secret|api[ _-]?key|access[ _-]?token|auth[ _-]?token)\b[\"']?"
        r"\s{0,3}(?:[:=]|\bis\b)\s{0,3}[\"']?(?P<value>[^\s\"',;]{8,200})"
    ),
    accepts=_holds_secret,
)
IN_ADDRESS = Pattern(
    kind="password", shape=re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:(?P<value>[^\s/@]{1,100})@")
)
EMAIL = Pattern(
    kind="email",
    shape=re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}[A-Za-z]{2,24}(?![\w-])"),
    same_as=str.casefold,
)
IBAN = Pattern(
    kind="iban",
    shape=re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b"),
    accepts=lambda text: is_iban(text.replace(" ", "")),
    same_as=_bare,
    may_overrun=True,
)
CARD = Pattern(
    kind="card",
    shape=re.compile(
        r"(?<![\w.,-])(?:\d{13,19}|\d{4}(?:[ -]\d{4}){2}[ -]\d{1,4}(?:[ -]\d{3})?|\d{4}[ -]\d{6}[ -]\d{4,5})(?![\w-])"
    ),
    accepts=lambda text: is_card(_bare(text)),
    same_as=_bare,
)
PHONE = Pattern(
    kind="phone",
    shape=re.compile(
        r"(?<![\w+.,:/-])(?<!\d )(?:"
        r"(?:\+|00)[1-9]\d{0,2}(?:[ .\-/]?\(?\d{1,5}\)?){2,6}"
        r"|\(\d{3}\) ?\d{3}[ .-]\d{4}"
        r"|\d{3}-\d{3}-\d{4}"
        r"|\(?0\d{1,4}\)?[ /-]\d{3,8}(?:[ -]\d{2,6}){0,3}"
        r")(?![\w-])"
    ),
    accepts=_is_phone,
    same_as=_bare,
)
ADDRESS = Pattern(
    kind="ip",
    shape=re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f:]{2,39}:[0-9A-Fa-f:.]{0,15})(?![\w:]|\.\d)"),
    accepts=_is_address,
    same_as=str.casefold,
)

DEFAULT = (PRIVATE_KEY, TOKEN, BEARER, IN_ADDRESS, PASSWORD, EMAIL, IBAN, CARD, PHONE)
"""The kinds that are looked for unless others are named, the most telling first. Addresses of machines are not among
them: most conversations about machines are about those."""
