"""Requests and replies as JSON trees, and back: for files that outlive the program that wrote them."""

from upheld.speech.models.plain.reading import Reading, numbered_lines, tree_of
from upheld.speech.models.plain.values import plain_reply, plain_request, plain_usage, read_reply, read_request

__all__ = [
    "Reading",
    "numbered_lines",
    "plain_reply",
    "plain_request",
    "plain_usage",
    "read_reply",
    "read_request",
    "tree_of",
]
